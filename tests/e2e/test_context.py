"""The installed command: `context` from odd places, in a terminal, and the same bytes from any process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import MakeRepository, git
from e2e.context_scene import FILES, TASK
from e2e.processes import Terminal, finish, run_here, start, without_escapes

pytestmark = pytest.mark.usefixtures("context_on")


def test_the_same_bytes_from_any_place_and_process(
    make_repository: MakeRepository, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository = make_repository(FILES)
    tree, bare = tmp_path / "a tree", tmp_path / "bare.git"
    git(repository, "worktree", "add", "-q", "-b", "other", str(tree))
    git(repository, "clone", "-q", "--bare", ".", str(bare))
    # A folder that can't become ours: the index has nowhere to be kept then.
    (bare / "orefactor").write_text("")
    places = [
        (repository, ["src/shapes.py"], "0"),
        (repository / "src", ["shapes.py"], "1"),
        (tree, ["src/shapes.py"], "2"),
        (bare, ["src/shapes.py", "--base", "HEAD"], "3"),
    ]
    started = [
        start(folder, "context", TASK, *words, "--json", environment={"PYTHONHASHSEED": seed})
        for folder, words, seed in places
    ]
    ended = [finish(process) for process in started]
    assert [(code, stderr) for code, _, stderr in ended] == [(0, "")] * len(places)
    assert len({stdout for _, stdout, _ in ended}) == 1
    assert json.loads(ended[0][1])["items"]
    # A bare repository has no working tree to start from.
    done = run_here(capfdbinary, bare, "context", TASK)
    assert (done.returncode, done.stdout) == (6, b"")
    assert b"--base HEAD" in done.stderr


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_in_a_terminal(make_repository: MakeRepository, environment: dict[str, str], coloured: bool) -> None:
    repository = make_repository({**FILES, "src/evil.py": "def evil():\n    return '\x1b[2J'\n"})
    git(repository, "config", "core.pager", f"tee '{repository.parent}/paged'; echo LESS=$LESS")
    command = ["git", "orefactor", "context", "document area and evil", "src"]
    code, shown = Terminal(repository, *command, environment=environment).finish()
    paged = (repository.parent / "paged").read_bytes()
    assert (code, "LESS=FRX" in without_escapes(shown)) == (0, True)
    assert (b"\x1b[1marea\x1b[m" in paged) == coloured
    assert (b"\x1b" in paged) == coloured
    assert "src/shapes.py::area" in without_escapes(paged)


def test_no_pager_where_the_user_wants_none(make_repository: MakeRepository) -> None:
    command = ["git", "orefactor", "context", TASK, "src"]
    code, shown = Terminal(make_repository(FILES), *command, environment={"GIT_PAGER": "cat", "COLUMNS": "60"}).finish()
    lines = without_escapes(shown).splitlines()
    assert (code, lines[0]) == (0, "task         document area")
    assert " score tokens form      item, why" in lines
