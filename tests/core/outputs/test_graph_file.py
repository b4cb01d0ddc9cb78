"""The file that the user names: by its suffix, whole or not at all, said before any work where it can't be."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest
from graph_scenes import FRAME, PACK

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.outputs.graph_file import require_graph_file, write_graph


@pytest.mark.parametrize(("name", "start"), [("x.svg", "<svg "), ("x.html", "<!DOCTYPE html>"), ("X.SVG", "<svg ")])
def test_the_suffix_says_what_is_written(tmp_path: Path, name: str, start: str) -> None:
    path = tmp_path / name
    require_graph_file(path)
    write_graph(path, "document area", (), FRAME, PACK)
    assert path.read_text().startswith(start)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    umask = os.umask(0o22)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.svg").write_text("old")
    (tmp_path / "link.svg").symlink_to("real.svg")
    write_graph(tmp_path / "link.svg", "document area", (), FRAME, PACK)
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "real.svg").read_text().startswith("<svg ")


@pytest.mark.parametrize(
    "name", ["x.png", "x", "svg", ".svg", "missing/x.svg", "folder.svg", "fifo.svg", "x.svg/y.svg"]
)
def test_what_can_not_be_written_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "x.svg").touch()
    os.mkfifo(tmp_path / "fifo.svg")
    with pytest.raises(UserError, match="graph") as raised:
        require_graph_file(tmp_path / name)
    assert raised.value.exit_code == ExitCode.USAGE
    assert "--graph FILE.svg" in raised.value.hint


def test_what_stood_there_stays_where_it_fails(tmp_path: Path) -> None:
    (tmp_path / "x.svg").write_text("old")
    _, hardest = limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hardest))
    try:
        with pytest.raises(UserError, match=r"can't write the graph.*: File too large") as raised:
            write_graph(tmp_path / "x.svg", "document area", (), FRAME, PACK)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert raised.value.exit_code == ExitCode.ENVIRONMENT
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("x.svg", "old")]
