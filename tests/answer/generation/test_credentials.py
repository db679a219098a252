"""Model and key come from the environment or are typed in; the key shows nowhere."""

import dataclasses

import pytest

from engine.answer.credentials import Credentials, ask_credentials, find_credentials
from engine.config import GenerationSettings
from engine.errors import ConfigError

KEY = {"OPENAI_API_KEY": "sk-secret"}
NAMED = GenerationSettings(model="from-config")


def test_the_environment_overrides_the_configured_model():
    assert find_credentials(NAMED, KEY).model == "from-config"
    assert find_credentials(NAMED, {**KEY, "OPENAI_CHAT_MODEL": "from-env"}).model == "from-env"


def test_a_missing_model_is_one_clear_line():
    with pytest.raises(ConfigError, match=r"set generation\.model or OPENAI_CHAT_MODEL"):
        find_credentials(GenerationSettings(), KEY)


def test_a_missing_key_is_one_clear_line():
    with pytest.raises(ConfigError, match="no key for the language model; set OPENAI_API_KEY"):
        find_credentials(NAMED, {"OPENAI_API_KEY": "  "})


def test_a_server_of_ones_own_needs_no_key():
    found = find_credentials(NAMED, {"OPENAI_BASE_URL": "http://localhost:8000/v1"})
    assert found.api_key is None and found.complete


def test_a_replay_needs_no_key():
    settings = NAMED.model_copy(update={"record": "r.jsonl", "record_mode": "replay"})
    assert find_credentials(settings, {}).api_key is None


@pytest.mark.parametrize("key", ["sk-a b", "sk-비밀", "sk-a\nb"])
def test_a_key_that_cannot_be_one_is_refused_without_showing_it(key):
    with pytest.raises(ConfigError, match="OPENAI_API_KEY: found spaces") as caught:
        find_credentials(NAMED, {"OPENAI_API_KEY": key})
    assert key not in str(caught.value)


def test_an_address_without_a_scheme_is_refused():
    with pytest.raises(ConfigError, match="OPENAI_BASE_URL: expected an address such as"):
        find_credentials(NAMED, {**KEY, "OPENAI_BASE_URL": "localhost:8000"})


def test_no_form_of_the_value_shows_the_key():
    found = find_credentials(NAMED, {**KEY, "OPENAI_BASE_URL": "http://me:pass@host/v1"})
    shown = f"{found} {found!r} {dataclasses.asdict(found)}"
    assert "sk-secret" not in shown and "pass" not in shown


def test_only_what_is_missing_is_asked_for_and_the_key_is_hidden():
    asked = []
    found = ask_credentials(
        ask=lambda text: asked.append(("shown", text)) or " typed-model\n",
        ask_hidden=lambda text: asked.append(("hidden", text)) or "sk-typed",
    )
    assert (found.model, found.api_key.get_secret_value()) == ("typed-model", "sk-typed")
    assert asked == [("shown", "모델 이름: "), ("hidden", "API 키 (보이지 않음): ")]


def test_what_is_known_is_not_asked_for():
    def never(question):
        raise AssertionError(question)

    found = ask_credentials(Credentials("known"), ask=never, ask_hidden=lambda _: "sk-x")
    assert found.model == "known"
    assert ask_credentials(found, ask=never, ask_hidden=never) == found


def test_without_a_terminal_asking_is_an_error(monkeypatch):
    with open("/dev/null") as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        settings = GenerationSettings(interactive=True)
        with pytest.raises(ConfigError, match="found no terminal to ask at; set OPENAI_API_KEY"):
            find_credentials(settings, {})


def test_an_input_that_ends_is_an_error():
    def ended(_):
        raise EOFError

    with pytest.raises(ConfigError, match="the input ended before"):
        ask_credentials(ask=ended)
