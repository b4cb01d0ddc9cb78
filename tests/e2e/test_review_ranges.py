"""What a review looks at: the working tree, the index, branches, ranges, commits, or nothing at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state, write_files
from e2e.processes import run_here
from e2e.review_scene import CHANGED, FILES, PATH, review_here, says
from e2e.scenes import leftovers, trace

Capture = pytest.CaptureFixture[bytes]


def _ranges(repository: Path) -> None:
    """A branch with two commits ahead of main, something staged, and something else in the working tree."""
    git(repository, "switch", "-qc", "topic")
    for number, text in enumerate(("def one():\n    return 1\n", "def two():\n    return 2\n"), 1):
        write_files(repository, {f"src/new{number}.py": text})
        git(repository, "add", "-A")
        git(repository, "commit", "-qm", f"number {number}")
    write_files(repository, {PATH: CHANGED})
    git(repository, "add", "-A")
    write_files(repository, {"README.md": "other\n"})


@pytest.mark.parametrize(
    ("words", "paths"),
    [
        ([], ["README.md", PATH]),
        (["worktree"], ["README.md", PATH]),
        (["index"], [PATH]),
        (["topic"], ["src/new1.py", "src/new2.py"]),
        (["main..topic"], ["src/new1.py", "src/new2.py"]),
        (["main...topic", "src/new2.py"], ["src/new2.py"]),
        (["topic~1..topic"], ["src/new2.py"]),
        (["HEAD~1"], ["src/new1.py"]),
        (["HEAD~2"], ["README.md", PATH]),
        (["README.md"], ["README.md"]),
        (["topic..topic"], []),
    ],
    ids=lambda words: " ".join(words) or "nothing",
)
def test_ranges(make_repository: MakeRepository, words: list[str], paths: list[str]) -> None:
    repository = make_repository(FILES)
    _ranges(repository)
    before = user_state(repository)
    done = review_here(repository, says(), words=words, checks=())
    assert list(done.result.review.paths) == paths
    assert len(done.asked) == bool(paths)
    assert all(f"### {path}" in done.asked[0] for path in paths)
    assert user_state(repository) == before
    assert leftovers(repository) == []


def test_an_empty_change_passes_without_model_and_key(
    make_repository: MakeRepository, capfdbinary: Capture, tmp_path: Path
) -> None:
    repository = make_repository(FILES)
    sarif = tmp_path / "r.sarif"
    words = ("--provider", "openai", "--model", "m", "--sarif", str(sarif))
    done = run_here(capfdbinary, repository, "review", "--json", *words)
    told, stderr = json.loads(done.stdout), done.stderr.decode()
    assert (done.returncode, told["outcome"], told["reason"], told["iterations"]) == (0, "reviewed", "no_change", 0)
    assert (told["offered"], told["checks"]) == ([], [])
    assert json.loads(sarif.read_bytes())["runs"][0]["results"] == []
    assert "there is no change to review" in stderr
    assert trace(repository)["reason"] == "no_change"
