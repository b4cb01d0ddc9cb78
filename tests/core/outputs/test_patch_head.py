"""Reading a patch's head back, whatever somebody made of the patch."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.outputs.patch import with_header
from orefactor.core.outputs.patch_head import PatchHead, read_head

RUN, BASE, TREE = "20261130T101500-4f2a9c", "1" * 40, "2" * 40
BODY = (
    f"diff --git a/x b/x\nindex {'a' * 40}..{'b' * 40} 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+Orefactor-Run: 2\n"
).encode()
WHOLE = with_header(BODY, RUN, BASE, TREE)
HEAD = WHOLE.removesuffix(BODY)
LINES = HEAD.splitlines(keepends=True)[:3]


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param(WHOLE, id="as written"),
        pytest.param(b"From: a@example.com\nSubject: a patch\n\n" + WHOLE, id="in a mail"),
        pytest.param(WHOLE + b"-- \n2.39.5\n", id="a signature"),
        pytest.param(WHOLE.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(WHOLE.replace(b"Tree: ", b"Tree:\t"), id="a tab"),
    ],
)
def test_a_head(patch: bytes) -> None:
    assert read_head(patch) == PatchHead(RUN, BASE, TREE)


@pytest.mark.parametrize("length", [40, 64])
def test_both_of_gits_formats(length: int) -> None:
    assert read_head(with_header(BODY, RUN, "a" * length, "b" * length)).tree == "b" * length


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        pytest.param(b"", "no head", id="empty"),
        pytest.param(BODY, "no head", id="git's own"),
        pytest.param(b"> " + WHOLE.replace(b"\n", b"\n> "), "no head", id="quoted in a mail"),
        pytest.param(b" " + HEAD.replace(b"\n", b"\n ") + b"\n" + BODY, "no head", id="indented"),
        pytest.param(HEAD.lower() + BODY, "no head", id="lower case"),
        pytest.param(HEAD, "changes no file", id="a head alone"),
        pytest.param(HEAD + b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n", "changes no file", id="not git's form"),
        pytest.param(BODY + HEAD, "several heads", id="below the patch"),
        pytest.param(WHOLE + WHOLE, "several heads", id="two patches"),
        pytest.param(WHOLE + LINES[2], "several heads", id="another line at the end"),
        pytest.param(HEAD + WHOLE, "several heads", id="two heads"),
        pytest.param(LINES[0] + LINES[1] + BODY, "not in the form", id="no tree"),
        pytest.param(LINES[0] + BODY, "not in the form", id="run alone"),
        pytest.param(LINES[1] + LINES[0] + LINES[2] + BODY, "not in the form", id="another order"),
        pytest.param(LINES[0] + LINES[0] + LINES[2] + BODY, "not in the form", id="one twice"),
        pytest.param(b"\n".join(LINES) + BODY, "not in the form", id="empty lines between"),
        pytest.param(WHOLE.replace(RUN.encode(), b"../../etc"), "not in the form", id="no run id"),
        pytest.param(WHOLE.replace(RUN.encode(), b"\xff\x00"), "not in the form", id="no text"),
        pytest.param(WHOLE.replace(BASE.encode(), b"1" * 39), "not in the form", id="a short id"),
        pytest.param(WHOLE.replace(BASE.encode(), b"HEAD"), "not in the form", id="a revision"),
        pytest.param(WHOLE.replace(BASE.encode(), b"--output=x"), "not in the form", id="an option"),
        pytest.param(WHOLE.replace(TREE.encode(), b"A" * 40), "not in the form", id="upper case"),
        pytest.param(WHOLE.replace(TREE.encode(), b"2" * 40 + b" 3"), "not in the form", id="two ids"),
    ],
)
def test_no_head(patch: bytes, said: str) -> None:
    with pytest.raises(UserError, match=said) as raised:
        read_head(patch)
    assert raised.value.exit_code is ExitCode.USAGE
    assert raised.value.hint


@pytest.mark.parametrize(
    "piece", [b"Orefactor-Run: x\n", b"Orefactor-Run:" * 2, b"index a..b\n", b"\r", b"diff --git "]
)
def test_time_is_linear(piece: bytes) -> None:
    patch = HEAD + piece * (4_000_000 // len(piece))
    begun = time.process_time()
    with pytest.raises(UserError):
        read_head(patch + b"\n" + LINES[0])
    assert time.process_time() - begun < 5


@given(st.binary(max_size=80), st.binary(max_size=80))
def test_any_bytes_are_a_head_or_refused(before: bytes, after: bytes) -> None:
    for patch in (before, before + WHOLE + after, LINES[0] + before + b"".join(LINES[1:]) + after):
        try:
            assert read_head(patch) == PatchHead(RUN, BASE, TREE)
        except UserError as error:
            assert error.exit_code is ExitCode.USAGE
