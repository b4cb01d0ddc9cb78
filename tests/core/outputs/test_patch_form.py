"""Lines that read as a part of a patch and are none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.outputs.patch_form import find_stray, head_lines

HEAD = b"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n"
HUNK = b"@@ -1,2 +1,3 @@ tail\n-a\n+b\n+c\n d\n"
NEXT = b"@@ -9 +9,0 @@\n-x\n\\ No newline at end of file\n"
BINARY = b"diff --git a/y b/y\nindex 3..4\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n"
MOVE = b"diff --git a/m b/n\nsimilarity index 97%\nrename from m\nrename to n\n"
PATCH = HEAD + HUNK + NEXT + BINARY + MOVE
ALLOWED = head_lines(PATCH)


def test_the_lines_of_heads() -> None:
    heads = [*HEAD.splitlines(), *BINARY.splitlines()[:3], *MOVE.splitlines()]
    assert heads[-3].startswith(b"similarity")
    assert {*heads} == ALLOWED


@pytest.mark.parametrize(
    ("patch", "stray"),
    [
        pytest.param(PATCH, None, id="as written"),
        pytest.param(b"Received: x\n by y\n- item\n\n" + PATCH, None, id="a mail above"),
        pytest.param(PATCH + b"\n-- \n2.39.5\n\n____\nthe list's footer\n", None, id="a footer"),
        pytest.param(HEAD + HUNK + HEAD + HUNK, None, id="each file counts anew"),
        pytest.param(PATCH.replace(b"97%", b"12%"), None, id="another likeness"),
        pytest.param(b"", None, id="nothing"),
        pytest.param(b"--- a/x\n" + PATCH, 1, id="a file above"),
        pytest.param(b"@@ -1 +1 @@\n" + PATCH, 1, id="a hunk above"),
        pytest.param(HEAD + HUNK + b"+more\n", 10, id="an added line too many"),
        pytest.param(HEAD + HUNK + b" more\n", 10, id="an unchanged line too many"),
        pytest.param(HEAD + HUNK + b"\n\n-more\n", 12, id="behind empty lines"),
        pytest.param(PATCH + b"-- \n+more\n", 27, id="in a signature"),
        pytest.param(HEAD + HUNK.replace(b"+1,3", b"+2,3"), 5, id="the new lines elsewhere"),
        pytest.param(HEAD + HUNK + NEXT.replace(b"+9,0", b"+10,0"), 10, id="the second hunk elsewhere"),
        pytest.param(HEAD + b"@@ many @@\n" + HUNK, 5, id="a hunk without numbers"),
        pytest.param(HEAD.replace(b"x b/x", b"z b/x") + HUNK, 1, id="another name"),
        pytest.param(HEAD.replace(b"1..2", b"1..3") + HUNK, 2, id="another id"),
        pytest.param(HEAD + b"note\n" + HUNK, 5, id="a line of no form"),
        pytest.param(HEAD + HUNK[:-3], None, id="cut, which git doesn't apply"),
    ],
)
def test_stray_lines(patch: bytes, stray: int | None) -> None:
    assert find_stray(patch, ALLOWED) == stray


@given(st.lists(st.sampled_from([HEAD, HUNK, NEXT, BINARY, MOVE, b"+", b"\n", b"@@ -1,999999999 +1 @@\n"]), max_size=8))
def test_any_patch_is_read(parts: list[bytes]) -> None:
    stray = find_stray(b"".join(parts), ALLOWED)
    assert stray is None or stray > 0


@pytest.mark.parametrize("piece", [b"+\n", b"\n", b"@" * 1_000, HEAD, b"@@ -1,999999999 +1,999999999 @@\n"])
def test_time_is_linear(piece: bytes) -> None:
    patch = HEAD + HUNK + piece * (2_000_000 // len(piece))
    begun = time.process_time()
    find_stray(patch, ALLOWED)
    head_lines(patch)
    assert time.process_time() - begun < 10
