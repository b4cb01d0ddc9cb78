"""Reading the patch that a person names, and nothing that would keep us waiting."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from orefactor.core.errors import UserError
from orefactor.core.patch_file import read_patch, read_patch_file


def test_a_file_and_a_link_to_one(tmp_path: Path) -> None:
    (tmp_path / "a.patch").write_bytes(b"\0patch")
    (tmp_path / "link").symlink_to("a.patch")
    assert read_patch_file(tmp_path / "a.patch") == read_patch_file(tmp_path / "link") == b"\0patch"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing", "No such file"),
        ("dangling", "No such file"),
        ("loop", "Too many levels"),
        ("folder", "no regular file"),
        ("fifo", "no regular file"),
        ("a" * 300, "too long"),
        ("/dev/null", "no regular file"),
    ],
)
def test_what_is_no_file(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(UserError, match=said):
        read_patch_file(tmp_path / name)


@pytest.mark.parametrize(("size", "fits"), [(0, True), (10, True), (11, False), (1000, False)])
def test_the_size_is_bounded(size: int, fits: bool) -> None:
    stream = io.BytesIO(b"x" * size)
    if fits:
        assert read_patch(stream, 10) == b"x" * size
    else:
        with pytest.raises(UserError, match="larger"):
            read_patch(stream, 10)
        assert stream.tell() == 11
