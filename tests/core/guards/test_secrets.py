"""Secrets that are added are seen; what merely looks odd passes. All values are made up."""

from __future__ import annotations

import time

import pytest
from file_changes import added, deleted, modified
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.guards import secrets
from orefactor.core.guards.change import FileChange

TOKEN = "ghp_" + "aB3" * 12
OTHER = "ghp_" + "xY7" * 12
DRAWN = "k9Xq2Lm7Zp4Rt8Vw3Ns6"
BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
HEAD = "-----BEGIN " + "RSA PRIVATE KEY-----"
KEY = f"{HEAD}\n{BODY}\n-----END RSA PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([modified("x = 1\n", "x = 2\n")], id="plain"),
        pytest.param([modified(f"a = '{TOKEN}'\n", f"b = '{TOKEN}'\nx = 1\n")], id="line-around-it-changed"),
        pytest.param([deleted(f"t = '{TOKEN}'\n", "a.py"), added(f"  T = '{TOKEN}'\n", "b.py")], id="moved"),
        pytest.param([modified(f"t = '{TOKEN}'\n", "")], id="removed"),
        pytest.param([deleted(KEY, "a.pem"), added(KEY, "b.pem")], id="key-moved"),
        pytest.param([added(f"HEAD = '{HEAD}'\n")], id="head-of-a-key-alone"),
        pytest.param([added(f'{{"sha": "{"0f3a9c" * 10}beef"}}\n', "package-lock.json")], id="hash-in-json"),
        pytest.param([added(f'token = "{DRAWN}"\n', "poetry.lock")], id="lock-file"),
        pytest.param([added(f"requests==2.0 --hash=sha256:{'0f3a9c1d' * 8}\n", "requirements-dev.txt")], id="pip-hash"),
        pytest.param([added(f'digest = "{"0f3a9c1d" * 8}"\n')], id="sha256"),
        pytest.param([added(f'password_hash = "{"0f3a9c1d" * 8}"\n')], id="hash-of-a-password"),
        pytest.param([added('token = "2f1c0b7e-93a4-4c1d-8a5e-0123456789ab"\n')], id="uuid"),
        pytest.param([added(f'DATA = "{BODY}=="\n', "tests/test_x.py")], id="base64-test-data"),
        pytest.param([added('password = "changeme-changeme-1a2b"\n')], id="changeme"),
        pytest.param([added('API_KEY = "xxxxxxxx1a2b3c4d5e6f"\n')], id="xxxx"),
        pytest.param([added('api_key = "<your-api-key-1a2b3c4d>"\n')], id="angle-brackets"),
        pytest.param([added('secret = "example-3f8a9b2c1d4e"\n')], id="example"),
        pytest.param([added('token = "AuthenticationTokenProvider"\n')], id="class-name"),
        pytest.param([added('token = "access_token_has_expired"\n')], id="words"),
        pytest.param([added('secret = "correct-horse-battery-staple"\n')], id="passphrase-of-words"),
        pytest.param([added('token_url = "https://a1b2.example.org/x1y2"\n')], id="url"),
        pytest.param([added('secret = "/run/s3cr3ts/k8s/a1b2c3"\n')], id="path"),
        pytest.param([added(f'token = "{DRAWN[:15]}"\n')], id="short"),
        pytest.param([added('token = "a1a1a1a1a1a1a1a1a1a1"\n')], id="few-different-characters"),
        pytest.param([added('token = "----------------"\n')], id="no-letters"),
        pytest.param([added('password = "${DB_PASSWORD_1A2B3C4D}"\n')], id="variable"),
        pytest.param([added(f'if token == "{DRAWN}":\n')], id="compared"),
        pytest.param([added(f'test_token = "{DRAWN}"\n')], id="test-name"),
        pytest.param([added(f"token = {DRAWN}\n")], id="a-name-in-python"),
        pytest.param([added("password = getpass.getpass(prompt1, stream2)\n", "x.cfg")], id="call-in-a-plain-file"),
        pytest.param([added("Bearer tokens are short\n")], id="bearer-in-prose"),
        pytest.param([added("https://user:pass@host.example/x\n")], id="url-with-a-documented-password"),
        pytest.param([added('"passwd": "root:x:0:0:root:/:/bin/sh"\n')], id="line-of-a-passwd-file"),
        pytest.param([added('secret = "s3cr3t-of-the-user"\n')], id="obvious-words"),
        pytest.param([added("https://user@example.org/some/path\n")], id="url-without-password"),
    ],
)  # fmt: skip
def test_passes(changes: list[FileChange]) -> None:
    found = secrets.judge(changes)
    assert (found.name, found.ok) == ("secrets", True), found.detail


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        pytest.param([modified("x\n", f"x\nt = '{TOKEN}'\n")], "`x.py:2`: something that looks like a secret is added "
                     "(github-token)", id="token"),
        pytest.param([modified(f"t = '{OTHER}'\n", f"t = '{TOKEN}'\n")], "(github-token)", id="another-token"),
        pytest.param([modified(f"t = '{TOKEN}'\n", f"t = '{TOKEN}'\nu = '{TOKEN}'\n")], "`x.py:2`", id="once-more"),
        pytest.param([added("AWS=" + "AKIA" + "Q" * 16 + "\n", ".env")], "(aws-key)", id="env-file"),
        pytest.param([added("h = {'Authorization': 'Bearer " + DRAWN + "'}\n")], "(bearer)", id="bearer"),
        pytest.param([added("db = 'postgres://app:" + "pa55w0rdX@db/x'\n")], "(url-password)", id="url"),
        pytest.param([added(f"x\n\n{KEY}", "k.pem")], "`k.pem:3`: something that looks like a secret is added "
                     "(private-key)", id="key"),
        pytest.param([added(f"{HEAD}\\n{BODY}".encode(), "k.json")], "(private-key)", id="key-in-one-line"),
        pytest.param([modified(KEY, KEY.replace("MIIE", "MIIF"))], "(private-key)", id="another-key"),
        pytest.param([added(f'password = "{DRAWN}"\n')], "(a literal for a secret's name)", id="literal"),
        pytest.param([added(f'API_KEY: str = "{DRAWN}"\n')], "(a literal", id="annotated"),
        pytest.param([added(f'{{"client_secret": "{DRAWN}"}}\n', "x.json")], "(a literal", id="json"),
        pytest.param([added(f"connect(db_password='{DRAWN}')\n")], "(a literal", id="argument"),
        pytest.param([added(f"os.environ['AUTH_TOKEN'] = '{DRAWN}'\n")], "(a literal", id="environment"),
        pytest.param([added(f"password: {DRAWN}\n", "x.yaml")], "(a literal", id="yaml"),
        pytest.param([added(f"export TOKEN={DRAWN}\n", "conf/.env.local")], "(a literal", id="env"),
        pytest.param([added(f'token = "{"0f3a9c1d" * 4}"\n')], "(a literal", id="hex"),
        pytest.param([added(f"Xtoken = '{TOKEN}'\n")], "(github-token)", id="both-count-once"),
        pytest.param([added("x = '[REDACTED:openai-key]'\n")], "a redaction mark is added", id="mark"),
        pytest.param([added(f"a = '{TOKEN}'\nb = '{OTHER}'\n")], "(and 1 more)", id="several"),
    ],
)  # fmt: skip
def test_fails(changes: list[FileChange], detail: str) -> None:
    found = secrets.judge(changes)
    assert not found.ok
    assert detail in found.detail
    assert all(hidden not in found.detail for hidden in (TOKEN, OTHER, DRAWN, BODY))
    assert ("more)" in found.detail) == ("more)" in detail)


def test_a_mark_that_was_there_may_move() -> None:
    assert secrets.judge([modified("a = '[REDACTED:jwt]'\n", "b = '[REDACTED:jwt]'\n")]).ok


@given(st.sampled_from([TOKEN, DRAWN]), st.text("ab =\n'\"", max_size=20), st.text("ab =\n'\"", max_size=20))
def test_the_secret_is_never_said(secret: str, head: str, tail: str) -> None:
    found = secrets.judge([added(f"{head}\ntoken = '{secret}'\n{tail}")])
    assert not found.ok
    assert secret not in found.detail


@pytest.mark.untraced
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("password_" * 100_000, id="names"),
        pytest.param('password="' * 100_000, id="quotes"),
        pytest.param("-eyJaaaaaaaa" * 80_000, id="beginnings-of-tokens"),
        pytest.param(HEAD * 30_000, id="heads-of-keys"),
        pytest.param("://a:" * 200_000, id="urls"),
        pytest.param("token :" + " " * 1_000_000, id="spaces"),
    ],
)
def test_a_hostile_line_stays_quick(text: str) -> None:
    start = time.process_time()
    secrets.judge([added(text, "x.yaml")])
    assert time.process_time() - start < 6
