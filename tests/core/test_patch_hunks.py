"""Patches read as numbered hunks: what git writes, and what strangers do."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeRepository, git

from orefactor.core.patch_hunks import PatchFile, PatchLine, read_patch
from orefactor.sandbox.patch import write_patch
from orefactor.sandbox.repository import find_repository

LONG = "".join(f"line {number}\n" for number in range(40))
BEFORE = {
    "a b.txt": "one\ntwo\n",
    "ä.txt": LONG,
    "gone.txt": "gone\n",
    "moved.txt": LONG.replace("line", "row"),
    "tool.sh": "echo\n",
    "picture.bin": b"\0\1\2",
    'quoted\t"x".txt': "a\n",
    "no end": "x\ny",
    "link": "target\n",
    "latin.txt": b"caf\xe9\n",
}


def _change(repository: Path) -> None:
    (repository / "a b.txt").write_text("one\n2\n")
    (repository / "ä.txt").write_text(LONG.replace("line 3\n", "3\n").replace("line 30\n", ""))
    (repository / "gone.txt").unlink()
    git(repository, "mv", "moved.txt", "sub moved.txt")
    (repository / "sub moved.txt").write_text(
        LONG.replace("line", "row").replace("row 3\n", "r3\n").replace("row 35", "r35")
    )
    (repository / "tool.sh").chmod(0o755)
    (repository / "picture.bin").write_bytes(b"\0\1\3")
    (repository / 'quoted\t"x".txt').write_text("b\n")
    (repository / "no end").write_text("x\nz")
    (repository / "new.txt").write_text("--- a\n+++ b\n@@ -1 +1 @@\n")
    (repository / "empty.txt").write_text("")
    (repository / "latin.txt").write_bytes(b"th\xe9\n")


def test_what_git_writes(make_repository: MakeRepository) -> None:
    repository = make_repository(BEFORE)
    _change(repository)
    git(repository, "add", "-A")
    files = read_patch(write_patch(find_repository(repository).git, "HEAD", git(repository, "write-tree")))
    told = {f.path: (f.kind, f.is_binary, f.added, f.removed, [h.number for h in f.hunks]) for f in files}
    # In git's order, by the bytes of the names.
    assert told == {
        "a b.txt": ("changed", False, 1, 1, [1]),
        "empty.txt": ("new", False, 0, 0, [2]),
        "gone.txt": ("deleted", False, 0, 1, [3]),
        "latin.txt": ("changed", False, 1, 1, [4]),
        "new.txt": ("new", False, 3, 0, [5]),
        "no end": ("changed", False, 1, 1, [6]),
        "picture.bin": ("changed", True, 0, 0, [7]),
        'quoted\t"x".txt': ("changed", False, 1, 1, [8]),
        "sub moved.txt": ("renamed", False, 2, 2, [9]),
        "tool.sh": ("mode", False, 0, 0, [10]),
        "ä.txt": ("changed", False, 1, 2, [11, 12]),
    }
    by_path = {file.path: file for file in files}
    assert by_path["sub moved.txt"].old_path == "moved.txt"
    assert by_path["tool.sh"].modes == ("100644", "100755")
    assert len(by_path["sub moved.txt"].hunks[0].sections) == 2
    assert by_path["no end"].hunks[0].sections[0].lines == (
        PatchLine(" ", "x"),
        PatchLine("-", "y", ended=False),
        PatchLine("+", "z", ended=False),
    )
    assert [line.text for line in by_path["latin.txt"].hunks[0].sections[0].lines] == ["caf\\xe9", "th\\xe9"]
    first, second = (hunk.sections[0] for hunk in by_path["ä.txt"].hunks)
    assert (first.old_start, second.old_start, second.new_start, second.heading) == (1, 28, 28, "line 26")


HEAD = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n"
ODD: dict[str, tuple[bytes, list[tuple[str, int, int]]]] = {
    "nothing": (b"", []),
    "text above": (b"Orefactor-Run: x\n@@ -1 +1 @@\n-a\n+b\n" + HEAD + b"@@ -1 +1 @@\n-a\n+b\n", [("x", 1, 1)]),
    "counts that lie": (HEAD + b"@@ -1,900 +1,900 @@ f\n-a\n+b\nrubbish\n+c\n", [("x", 1, 1)]),
    "more lines than counted": (HEAD + b"@@ -1 +1 @@\n-a\n+b\n+c\n+d\n", [("x", 1, 1)]),
    "a mark without a line": (HEAD + b"@@ -1 +1 @@\n\\ No newline\n-a\n+b\n", [("x", 1, 1)]),
    "an empty line of context": (HEAD + b"@@ -1,2 +1,2 @@\n\n-a\n+b\n", [("x", 1, 1)]),
    "a head alone": (b"diff --git a/x b/x", [("x", 0, 0)]),
    "no names": (b"diff --git \n", [("", 0, 0)]),
    "binary files differ": (b"diff --git a/x b/x\nBinary files a/x and b/x differ\n", [("x", 0, 0)]),
    "a broken quote": (b'diff --git "a/x b/x\n--- "a/\\x\n+++ "b/\\303\\251"\n@@ -0,0 +1 @@\n+a\n', [("é", 1, 0)]),
    "bytes that are no text": (b"diff --git a/\xff b/\xff\n", [("\udcff", 0, 0)]),
}


@pytest.mark.parametrize(("patch", "expected"), ODD.values(), ids=ODD)
def test_odd_patches(patch: bytes, expected: list[tuple[str, int, int]]) -> None:
    assert [(file.path, file.added, file.removed) for file in read_patch(patch)] == expected


def test_long_patches_take_linear_time() -> None:
    many = b"".join(
        b"diff --git a/%d b/%d\n--- a/%d\n+++ b/%d\n@@ -1 +1 @@\n-a\n+b\n" % ((n,) * 4) for n in range(1000)
    )
    long = HEAD + b"@@ -1,999999 +1,999999 @@\n" + b"+x\n" * 40_000 + b"@@ -1 +1 @@\n" * 20_000
    files: tuple[PatchFile, ...] = read_patch(many + long)
    assert (len(files), files[-1].added, files[999].hunks[0].number) == (1001, 40_000, 1000)
