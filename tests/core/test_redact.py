"""Secrets by value and by shape, and what is none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.redact import Redactor, has_mark, printable

VALUE = "s3cr3t-value-of-mine"
LETTERS = "aB3" * 30
SHAPES = {
    "private-key": f"-----BEGIN RSA PRIVATE KEY-----\n{LETTERS}\n-----END RSA PRIVATE KEY-----",
    "github-token": f"ghp_{LETTERS[:36]}",
    "gitlab-token": f"glpat-{LETTERS[:20]}",
    "openai-key": f"sk-proj-{LETTERS[:40]}",
    "aws-key": "AKIA" + "ABCDEFGH234567QR",
    "slack-token": f"xoxb-{LETTERS[:20]}",
    "slack-hook": f"https://hooks.slack.com/services/{LETTERS[:24]}",
    "google-key": f"AIza{LETTERS[:35]}",
    "google-token": f"ya29.{LETTERS[:30]}",
    "stripe-key": f"sk_live_{LETTERS[:24]}",
    "npm-token": f"npm_{LETTERS[:36]}",
    "pypi-token": f"pypi-{LETTERS[:60]}",
    "huggingface-token": f"hf_{LETTERS[:34]}",
    "groq-key": f"gsk_{LETTERS[:52]}",
    "sendgrid-key": f"SG.{LETTERS[:22]}.{LETTERS[:43]}",
    "telegram-token": f"123456789:AA{LETTERS[:33]}",
    "jwt": f"eyJ{LETTERS[:20]}.eyJ{LETTERS[:20]}.{LETTERS[:20]}",
    "bearer": LETTERS[:40],
    "url-password": "user:pass-word",
}
AROUND = {"bearer": "Authorization: Bearer {}", "url-password": "https://{}@host/x"}


@pytest.mark.traces("SEC-103-003")
@pytest.mark.parametrize(("kind", "token"), SHAPES.items(), ids=SHAPES.keys())
def test_shapes(kind: str, token: str) -> None:
    text = AROUND.get(kind, "key = '{}'\n")
    assert Redactor({}).text(text.format(token)) == text.format(f"[REDACTED:{kind}]")


@pytest.mark.traces("SEC-103-003")
@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        ("DEEPSEEK_API_KEY", True), ("MY_TOKEN", True), ("GITHUBTOKEN", True), ("GITHUB_PAT", True),
        ("DB_PASSWORD", True), ("PGPASSWORD", True), ("MYSQL_PWD", True), ("SSH_PASSPHRASE", True),
        ("CLIENT_SECRET", True), ("AWS_SECRET_ACCESS_KEY", True), ("SENTRY_DSN", True), ("KEY2", True), ("token", True),
        ("PWD", False), ("OLDPWD", False), ("SSH_AUTH_SOCK", False), ("KEY_FILE", False), ("TOKEN_PATH", False),
        ("KEYBOARD", False), ("MONKEY", False), ("PATH", False), ("AWS_ACCESS_KEY_ID", False), ("SECRET_NAME", False),
        ("TOKENIZERS_PARALLELISM", False), ("OREFACTOR_MAX_TOKENS", False), ("OREFACTOR_KEY_VARIABLE", False),
        ("GIT_CONFIG_KEY_0", False),
    ],
)  # fmt: skip
def test_values_of_key_like_variables(name: str, is_secret: bool) -> None:
    shown = Redactor({name: VALUE}).text(f"a {VALUE} b")
    assert shown == ("a [REDACTED:environment] b" if is_secret else f"a {VALUE} b")


def test_short_values_are_none() -> None:
    assert Redactor({"MY_KEY": "1234567", "B_KEY": "  ", "C_KEY": ""}).text("1234567") == "1234567"


def test_the_longest_value_first() -> None:
    redactor = Redactor({"A_KEY": "abcdefgh", "B_KEY": "abcdefghijkl"})
    assert redactor.text("abcdefghijkl abcdefgh") == "[REDACTED:environment] [REDACTED:environment]"


def test_values_are_taken_literally() -> None:
    assert Redactor({"A_KEY": "a.*b(c)+"}).text("a.*b(c)+ aXXb") == "[REDACTED:environment] aXXb"


def test_a_value_with_a_line_break_at_its_end() -> None:
    assert Redactor({"A_KEY": f"{VALUE}\n"}).text(VALUE) == "[REDACTED:environment]"


@pytest.mark.parametrize(
    "text",
    ["skill-based", "sk-short", "a = b", "https://host/path", "ghp_short", "eyJhbGciOi", "-----BEGIN CERTIFICATE-----",
     "def bearer(token): ...", "http://user@host/", "12:AA", ""],
)  # fmt: skip
def test_harmless_text_stays(text: str) -> None:
    assert Redactor({"A_KEY": VALUE}).text(text) == text


def test_a_private_key_without_end() -> None:
    cut = "-----BEGIN PRIVATE KEY-----\nMIIE"
    assert Redactor({}).text(f"x\n{cut}") == "x\n[REDACTED:private-key]"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (VALUE, "[REDACTED:environment]"),
        ({VALUE: [VALUE, 1, None, {"a": VALUE}]},
         {"[REDACTED:environment]": ["[REDACTED:environment]", 1, None, {"a": "[REDACTED:environment]"}]}),
        (1.5, 1.5),
        (True, True),
        (None, None),
    ],
)  # fmt: skip
def test_json_values(value: Any, shown: Any) -> None:
    assert Redactor({"A_KEY": VALUE}).value(value) == shown


def test_marks() -> None:
    assert has_mark("a [REDACTED:environment] b")
    assert not has_mark("[REDACTED] [REDACTED:] [redacted:x]")


def test_halves_of_surrogate_pairs_are_spelled_out() -> None:
    assert printable("a\ud83d\ude00é") == "a\\ud83d\\ude00é"
    assert Redactor({}).text("\udcff") == "\\udcff"


@given(st.text(), st.sampled_from(list(SHAPES.values())), st.text())
def test_redacting_twice_changes_nothing_more(before: str, token: str, after: str) -> None:
    redactor = Redactor({"A_KEY": VALUE})
    once = redactor.text(before + token + VALUE + after)
    assert redactor.text(once) == once
    assert VALUE not in once
    once.encode()


def test_a_long_line_that_nearly_is_a_token_takes_no_time() -> None:
    """Each of its dashes could begin one; a search that starts anew at each would take hours."""
    text = "-eyJaaaaaaaa" * 100_000
    assert Redactor({}).text(text) == text
