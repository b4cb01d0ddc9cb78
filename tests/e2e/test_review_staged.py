"""`review --staged`: what a hook reviews, whatever its files are called, and when there is nothing to look at."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files
from e2e.processes import run_here
from e2e.scenes import SHAPES, run_folders

Capture = pytest.CaptureFixture[bytes]
FixtureFile = Callable[..., Path]
APPROVES = {"content": json.dumps({"verdict": "approve", "summary": "", "findings": []}), "every_round": True}


def test_each_word_is_a_path(make_repository: MakeRepository, capfdbinary: Capture, fixture_file: FixtureFile) -> None:
    script = ("--provider", "fixture", "--fixture", str(fixture_file(APPROVES)), "-q")
    repository = make_repository({"a.py": SHAPES, "gone.py": SHAPES, "sub/c.py": SHAPES})
    odd = ("HEAD", "index", "main", "HEAD..index", "HEAD~1", "worktree")
    write_files(repository, {**dict.fromkeys(odd, "x = 1\n"), "a.py": SHAPES + "\n# more\n"})
    git(repository, "rm", "-q", "gone.py")
    git(repository, "add", "-A")
    write_files(repository, {"sub/c.py": "# not staged\n"})

    for words, paths in (
        ((), sorted([*odd, "a.py", "gone.py"])),
        (odd, sorted(odd)),
        (("gone.py", str(repository / "a.py")), ["a.py", "gone.py"]),
        (("sub/c.py",), []),
    ):
        done = run_here(capfdbinary, repository, "review", "--staged", *script, "--json", *words)
        assert (words, done.returncode) == (words, 0), done.stderr
        kept = json.loads(Path(json.loads(done.stdout)["trace_path"]).read_bytes())["review"]
        assert (words, kept["source"], kept["paths"]) == (words, "the index", paths)
    done = run_here(capfdbinary, repository, "review", "--staged", *script, "nowhere.py")
    assert (done.returncode, b"`nowhere.py` is on neither side of the change" in done.stderr) == (2, True)


def test_the_first_commit_is_not_looked_at(tmp_path: Path, capfdbinary: Capture) -> None:
    git(tmp_path, "init", "-q")
    write_files(tmp_path, {"a.py": SHAPES})
    git(tmp_path, "add", "-A")
    done = run_here(capfdbinary, tmp_path, "review", "--staged", "a.py", "--json")
    assert (done.returncode, done.stderr) == (0, b"note: this is the first commit, which is not looked at\n")
    told = json.loads(done.stdout)
    assert (told["outcome"], told["reason"], told["exit_code"]) == ("not_reviewed", "nothing_to_do", 0)
    assert run_folders(tmp_path) == []
    assert run_here(capfdbinary, tmp_path, "review", "--staged", "-q").stdout == b""
    assert run_here(capfdbinary, tmp_path, "review").returncode == 6
