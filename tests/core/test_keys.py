"""The environment's secrets, and that they leave it while the command runs."""

from __future__ import annotations

import os

import pytest

from orefactor.core.keys import name_secret, secrets_of, secrets_taken_out, whole_environment
from orefactor.core.redact import Redactor

SECRET = "correct-horse-battery"


@pytest.mark.parametrize(
    ("name", "value", "is_secret"),
    [
        ("DEEPSEEK_API_KEY", SECRET, True),
        ("GITHUB_TOKEN", SECRET, True),
        ("AWS_SECRET_ACCESS_KEY", SECRET, True),
        ("DEEPSEEK_API_KEY", "   short   ", False),
        ("SSH_AUTH_SOCK", "/run/user/1000/agent", False),
        ("OLDPWD", "/home/someone", False),
        ("MONKEY", "long enough", False),
        # It names a setting of git's, and git fails without it.
        ("GIT_CONFIG_KEY_0", "safe.directory", False),
        ("GIT_CONFIG_KEY_17", "core.editor", False),
    ],
)
def test_which_variables_are_secrets(name: str, value: str, is_secret: bool) -> None:
    assert secrets_of({name: value}) == ({name: value} if is_secret else {})


def test_secrets_are_taken_out_and_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", SECRET)
    monkeypatch.setenv("HARMLESS", "stays here")
    with secrets_taken_out(os.environ):
        assert (os.environ.get("MY_TOKEN"), os.environ["HARMLESS"]) == (None, "stays here")
        assert whole_environment()["MY_TOKEN"] == SECRET
        assert Redactor(whole_environment()).text(f"key {SECRET}") == "key [REDACTED:environment]"
    assert os.environ["MY_TOKEN"] == SECRET
    assert whole_environment() == dict(os.environ)


def test_they_are_put_back_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", SECRET)
    with pytest.raises(ValueError, match="x"), secrets_taken_out(os.environ):
        raise ValueError("x")
    assert os.environ["MY_TOKEN"] == SECRET


def test_a_variable_with_another_name_can_be_a_secret_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AN_ODD_NAME_FOR_THE_ENTRY", SECRET)
    with secrets_taken_out(os.environ):
        assert os.environ["AN_ODD_NAME_FOR_THE_ENTRY"] == SECRET
        name_secret("AN_ODD_NAME_FOR_THE_ENTRY")
        assert "AN_ODD_NAME_FOR_THE_ENTRY" not in os.environ
        assert Redactor(whole_environment()).text(SECRET) == "[REDACTED:environment]"
    assert os.environ["AN_ODD_NAME_FOR_THE_ENTRY"] == SECRET
