"""Which repositories on this disk may have what one needs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import MakeRepository, git

from orefactor.core.index.lenders import lenders
from orefactor.sandbox.repository import find_repository


@pytest.mark.parametrize("options", [(), ("--shared",), ("--bare",), ("--mirror",)], ids=" ".join)
def test_a_clone_knows_its_origin(make_repository: MakeRepository, tmp_path: Path, options: tuple[str, ...]) -> None:
    top = make_repository({"x": "x"}, "first é")
    git(tmp_path, "clone", "-q", *options, str(top), "clone")
    assert lenders(find_repository(tmp_path / "clone")) == (top / ".git",)
    assert lenders(find_repository(top)) == ()


def test_every_way_to_write_a_place(make_repository: MakeRepository, tmp_path: Path) -> None:
    origin = make_repository({"x": "x"}, "origin")
    top = make_repository({"x": "x"}, "repo")
    git(origin, "worktree", "add", "-q", str(tmp_path / "linked"))
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    git(tmp_path, "init", "-q", "spa ce")
    urls = {
        "linked": str(tmp_path / "linked"),
        "bare": str(tmp_path / "bare"),
        "file": f"file://{tmp_path}/spa%20ce",
        "same": str(tmp_path / "linked/../origin/.git"),
        "own": str(top),
        "relative": "../origin",
        "host": "host:path",
        "server": "https://example.com/x.git",
        "share": f"/{tmp_path}/origin",
        "none": str(tmp_path / "none"),
        "root": "/",
        "nul": "/a\\0b",
    }
    for name, url in urls.items():
        git(top, "config", f"remote.{name}.url", url)
    found = lenders(find_repository(top))
    assert [os.path.relpath(os.path.realpath(path), tmp_path) for path in found] == [
        "origin/.git",
        "bare.git",
        "spa ce/.git",
    ]


def test_alternates(make_repository: MakeRepository, tmp_path: Path) -> None:
    top = make_repository({"x": "x"}, "repo")
    git(tmp_path, "init", "-q", "--bare", "one.git")
    git(tmp_path, "init", "-q", "two")
    lines = [
        "# comment",
        "../../../one.git/objects",
        str(tmp_path / "two/.git/objects"),
        '"quoted"',
        "",
        "nowhere",
        "\0",
    ]
    (top / ".git/objects/info/alternates").write_text("\n".join(lines))
    assert lenders(find_repository(top)) == (tmp_path / "one.git", tmp_path / "two/.git")


def test_their_number_is_bounded(make_repository: MakeRepository, tmp_path: Path) -> None:
    top = make_repository({"x": "x"}, "repo")
    for number in range(12):
        (tmp_path / f"r{number}/objects").mkdir(parents=True)
        git(top, "config", f"remote.r{number}.url", str(tmp_path / f"r{number}"))
    assert lenders(find_repository(top)) == tuple(tmp_path / f"r{number}" for number in range(8))


def test_odd_files_in_their_places(make_repository: MakeRepository) -> None:
    top = make_repository({"x": "x"}, "repo")
    os.mkfifo(top / ".git/objects/info/alternates")
    git(top, "config", "remote.x.url", str(top / "x"))
    assert lenders(find_repository(top)) == ()
