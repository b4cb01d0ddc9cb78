"""Patches of strangers: reading never fails, and nothing that was changed on its way is proven to be what it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Files, MakeRepository, git, user_state
from fuzz.mutations import mutated_bytes, mutated_text, repeated_bytes
from fuzz.profiles import fuzzed, in_time
from hypothesis import given
from hypothesis import strategies as st
from kept_change import KeptChange, keep_change

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.hunk_numbers import parse_choice, write_choice
from orefactor.core.hunk_pieces import combine, divide
from orefactor.core.outputs.patch_form import find_stray, head_lines
from orefactor.core.outputs.patch_head import read_head
from orefactor.core.patch_hunks import PatchFile, read_patch
from orefactor.core.picking import open_picking
from orefactor.core.proof import prove_patch
from orefactor.core.review.diff_text import diff_text

LINES = "".join(f"line {number}\n" for number in range(1, 31))
BEFORE: Files = {
    "a.txt": LINES,
    "crlf.txt": b"one\r\ntwo\r\nthree\r\n",
    "data.bin": bytes(range(256)),
    "gone.py": "x = 1\n",
    "mode.sh": "echo\n",
    "old.py": "x = 1\ny = 2\nz = 3\nw = 4\n",
}
AFTER: Files = {
    "a.txt": LINES.replace("line 3\n", "LINE 3\n").replace("line 5\n", "").replace("line 25\n", "line 25\nmore\n")[:-1],
    "crlf.txt": b"one\r\nTWO\r\nthree",
    "data.bin": bytes(reversed(range(256))),
    'n\u00e9w "name"\t.py': "new\n",
    "empty": "",
}
# As git writes the change above, for the pure readers.
PLAIN = rb"""diff --git a/a.txt b/a.txt
index 1111111..2222222 100644
--- a/a.txt
+++ b/a.txt
@@ -1,4 +1,4 @@ heading
 line 1
-line 2
+LINE 2

\ No newline at end of file
@@ -9 +9,2 @@
 line 9
+line 10
diff --git a/old.py b/new.py
old mode 100644
new mode 100755
similarity index 80%
rename from old.py
rename to new.py
diff --git "a/n\303\251w \"x\"\t.py" "b/n\303\251w \"x\"\t.py"
new file mode 100644
index 0000000..2222222
--- /dev/null
+++ "b/n\303\251w \"x\"\t.py"
@@ -0,0 +1 @@
+new
diff --git a/data.bin b/data.bin
index 1111111..2222222 100644
GIT binary patch
literal 3
Kc${NkU|;|M00aO5

literal 3
Kc${NkU|;|M00aO5

"""
HEAD = (
    b"Orefactor-Run: 20261130T101500-4f2a9c\nOrefactor-Base: " + b"b" * 40 + b"\nOrefactor-Tree: " + b"c" * 40 + b"\n\n"
)
TOKENS = [
    *(
        b"@@ -1,4 +1,4 @@\n",
        b"@@ -0,0 +1 @@\n",
        b"rename to x\n",
        b"new file mode 120000\n",
        b"deleted file mode 100644\n",
    ),
    *(
        b"\\ No newline at end of file\n",
        b"+++ b/.git/config\n",
        b"GIT binary patch\n",
        b"-- \n2.40\n",
        b"100755",
        b"a.txt",
    ),
    *(b"index 1111111..2222222\n", b"Orefactor-Tree: ", b"copy from a.txt\ncopy to b.txt\n"),
]


def other_kinds(place: Path) -> None:
    (place / "gone.py").unlink()
    (place / "mode.sh").chmod(0o755)
    (place / "old.py").rename(place / "new.py")
    (place / "new.py").write_text("x = 1\ny = 2\nz = 3\nw = 5\n")


@pytest.fixture
def kept(make_repository: MakeRepository) -> KeptChange:
    return keep_change(make_repository(BEFORE), AFTER, other_kinds)


def as_read(patch: bytes) -> tuple[PatchFile, ...]:
    """What a reader is shown, but for the headings, which are git's own words."""
    return tuple(
        replace(
            file,
            hunks=tuple(
                replace(hunk, sections=tuple(replace(section, heading="") for section in hunk.sections))
                for hunk in file.hunks
            ),
        )
        for file in read_patch(patch)
    )


@fuzzed()
@given(mutated_bytes([PLAIN, HEAD + PLAIN], TOKENS) | st.binary(max_size=200))
def test_reading_never_fails(patch: bytes) -> None:
    files = read_patch(patch)
    numbers = [hunk.number for file in files for hunk in file.hunks]
    assert numbers == list(range(1, len(numbers) + 1))
    shown = sum(len(line.text) for file in files for h in file.hunks for s in h.sections for line in s.lines)
    # A byte that is no UTF-8 is spelled in four letters.
    assert shown <= 4 * len(patch)
    diff_text(files).encode()
    assert find_stray(patch, head_lines(patch)) is None or patch
    _only_told(lambda: read_head(patch))


@pytest.mark.untraced
@fuzzed(cost=4)
@given(repeated_bytes([PLAIN, HEAD + PLAIN, HEAD]))
def test_long_patches_take_linear_time(patch: bytes) -> None:
    with in_time(len(patch)):
        diff_text(read_patch(patch))
        find_stray(patch, head_lines(patch))
        _only_told(lambda: read_head(patch))


def _only_told(read: Callable[[], Any]) -> Any:
    """What it gives; None where it says to a person what is wrong."""
    try:
        return read()
    except UserError as error:
        assert len(error.message) < 1500 and "\n" not in error.message
        return None


@pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "unknown-run"])
def test_what_was_changed_is_not_proven(kept: KeptChange, is_kept: bool) -> None:
    if not is_kept:
        (kept.folder.path / "trace.json").unlink()
    before, read = user_state(kept.place), as_read(kept.patch)

    @fuzzed(cost=3)
    @given(mutated_bytes([kept.patch], TOKENS))
    def prove(patch: bytes) -> None:
        try:
            proof = prove_patch(kept.repository, patch)
        except UserError as error:
            assert error.exit_code in (ExitCode.USAGE, ExitCode.GATE, ExitCode.ENVIRONMENT, ExitCode.CONFLICT)
            return
        # What passes is another spelling of the same change: it gives that tree, and shows no other lines.
        assert proof.tree == kept.tree and proof.base == kept.base
        assert proof.same_bytes in (None, patch == kept.patch)
        assert as_read(patch) == read

    prove()
    assert user_state(kept.place) == before
    assert git(kept.place, "status", "--porcelain") == ""


@pytest.mark.parametrize("mode", [b"new file mode 100644\n", b"deleted file mode 100644\n"], ids=["new", "gone"])
def test_a_file_is_new_or_gone_without_the_line_that_says_so(kept: KeptChange, mode: bytes) -> None:
    # The last one: of an empty file nothing else says so, and git refuses the patch.
    patch = b"".join(kept.patch.rpartition(mode)[::2])
    assert patch != kept.patch and as_read(patch) == as_read(kept.patch)
    files = open_picking(kept.repository, kept.folder, kept.patch).files
    assert [piece.section is None for piece in divide(read_patch(patch), files)].count(True) == 6


def test_a_choice_of_hunks_is_of_those_that_are_shown(kept: KeptChange) -> None:
    pickable = open_picking(kept.repository, kept.folder, kept.patch)

    @fuzzed()
    @given(mutated_bytes([kept.patch], TOKENS))
    def choose(patch: bytes) -> None:
        pieces = _only_told(lambda: divide(read_patch(patch), pickable.files))
        if pieces is None:
            return
        for place, change in enumerate(pickable.files):
            own = [piece for piece in pieces if piece.place == place and piece.section is not None]
            assert not own or (combine(change, own), combine(change, [])) == (change.after, change.before)

    @fuzzed()
    @given(mutated_text(["1", "1-3", "2.1,3", "none", "1,2 3", "9-1"], ["-", ".", "1-", "99999999999"]))
    def name(words: str) -> None:
        taken = _only_told(lambda: parse_choice(words, pickable.pieces))
        if taken is not None:
            assert parse_choice(write_choice(taken, pickable.pieces), pickable.pieces) == taken

    choose()
    name()
