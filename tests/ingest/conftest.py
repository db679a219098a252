"""One Kiwi for all tests of reading."""

import pytest

from engine.korean import Korean


@pytest.fixture(scope="session")
def korean() -> Korean:
    return Korean()
