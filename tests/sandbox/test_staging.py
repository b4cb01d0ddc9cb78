"""Chosen paths of an index become what the working tree holds, also where folders, files and links changed places."""

import subprocess
from pathlib import Path

import pytest
from conftest import MakeRepository, git

from orefactor.sandbox.repository import find_repository
from orefactor.sandbox.staging import behind_links, missing, stage

FILES = {"a": "a\n", "d/f": "f\n", "d/g": "g\n"}


@pytest.mark.parametrize(
    ("script", "names", "expected"),
    [
        ("", [], "a d/f d/g"),
        ("echo x > n; echo y > m", ["n"], "a d/f d/g n"),
        ("rm a", ["a", "a", "never"], "d/f d/g"),
        ("rm -r d", ["d/f"], "a d/g"),
        ("rm -r d; echo x > d", ["d/f", "d/g", "d"], "a d"),
        ("rm -r d; echo x > d", ["d", "d/f", "d/g"], "a d"),
        ("mv d e; ln -s e d", ["d", "d/f", "d/g", "e/f", "e/g"], "a d e/f e/g"),
        ("mv d e; ln -s e d", ["d/f", "d/g"], "a"),
        ("rm a; mkdir a; echo x > a/n", ["a/n", "a"], "a/n d/f d/g"),
        ("rm a; mkdir a", ["a"], "d/f d/g"),
        ("rm a; ln -s gone a", ["a"], "a d/f d/g"),
    ],
)
def test_stage(make_repository: MakeRepository, script: str, names: list[str], expected: str) -> None:
    folder = make_repository(FILES)
    subprocess.run(["sh", "-ec", script], cwd=folder, check=True)
    stage(find_repository(folder).git, folder, [name.encode() for name in names])
    assert git(folder, "ls-files").split() == expected.split()
    assert not names or git(folder, "diff-files", "--name-only", "--", *names) == ""


def test_missing(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").write_text("")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "dangling").symlink_to("gone")
    through = tmp_path / "through"
    through.symlink_to(tmp_path)
    names = [b"real/file", b"link", b"dangling", b"link/file", b"real", b"gone", b"real/file/x", b"dangling/x"]
    for top in (tmp_path, through):
        assert list(behind_links(top, [*names, b"link/new", b"new/er"])) == [
            b"link/file",
            b"dangling/x",
            b"link/new",
        ]
        assert list(missing(top, names)) == [b"link/file", b"real", b"gone", b"real/file/x", b"dangling/x"]
