"""Choices of a change in a real folder, each exact to the byte whatever the folder held before."""

from __future__ import annotations

import itertools
import stat
from pathlib import Path

import pytest
from file_changes import NONE, PROGRAM, added, deleted, modified, renamed

from orefactor.core.guards.change import FileChange
from orefactor.core.minimal.hunks import combine, split
from orefactor.core.minimal.trim import put
from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root

CHANGES = (
    modified("a\r\nb\nc\nd", "A\r\nb\nc\nD", "x.py"),
    added("new\n", "sub/new.py"),
    deleted("old\n", "sub/old.py"),
    renamed("one\n", "two\n", "here.py", "there.py"),
    FileChange("tool", None, "added", None, b"#!/bin/sh\n", NONE, PROGRAM),
    FileChange("gone", None, "deleted", b"#!/bin/sh\n", None, PROGRAM, NONE),
)
BASE = {
    "x.py": b"a\r\nb\nc\nd", "sub/old.py": b"old\n", "here.py": b"one\n", "gone": b"#!/bin/sh\n",
}  # fmt: skip


def held(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def expected(chosen: tuple[FileChange, ...]) -> dict[str, bytes]:
    files = dict(BASE)
    for change in chosen:
        files.pop(change.old_path or change.path, None)
        if change.after is not None:
            files[change.path] = change.after
    return files


def test_every_choice_after_every_other(tmp_path: Path) -> None:
    for name, content in BASE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "gone").chmod(0o755)
    hunks = split(CHANGES)
    assert len(hunks) == 7
    root = Root(tmp_path)
    # Each hunk alone, all but each, everything and nothing, in an order in which every step changes something.
    choices = [*itertools.combinations(hunks, 1), hunks, *itertools.combinations(hunks, len(hunks) - 1), ()]
    for choice in choices:
        chosen = combine(CHANGES, choice)
        put(root, CHANGES, chosen)
        assert held(tmp_path) == expected(chosen)
        for name in ("tool", "gone"):
            path = tmp_path / name
            assert not path.exists() or stat.S_IMODE(path.stat().st_mode) & 0o111


def test_a_place_that_is_taken_is_refused(tmp_path: Path) -> None:
    (tmp_path / "new.py").mkdir()
    change = added("x\n", "new.py")
    with pytest.raises(Refused):
        put(Root(tmp_path), [change], [change])
