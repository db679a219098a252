"""``python -m engine`` is ``geungeo``."""

import sys

from engine.cli import main

sys.exit(main())
