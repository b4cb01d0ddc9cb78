"""Which files a commit or a push gives as the scope."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state, write_files

from orefactor.core.changed_scope import ChangedScope, scope_since, staged_scope
from orefactor.core.trace import make_run_folder
from orefactor.core.trace_model import SummaryPart, Trace, UsagePart
from orefactor.sandbox.repository import find_repository

TEXT = "def area(a, b):\n    return a * b\n"
TASK = "add docstrings"


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    """Two files and one that will be gone, a branch at their commit, and nothing staged."""
    made = make_repository({"a.py": TEXT, "pkg/b.py": TEXT, "gone.py": "x = 1\n"})
    git(made, "branch", "start")
    return made


def _stage_everything(repository: Path) -> None:
    write_files(repository, {"a.py": TEXT + "\n", "pkg/c\xe4.py": TEXT, "bin.py": b"\0", "pkg/b.py": TEXT + "#\n"})
    (repository / "two\nlines.py").write_text(TEXT)
    (repository / "link.py").symlink_to("a.py")
    (repository / "gone.py").unlink()
    git(repository, "add", "-A")


def _staged(repository: Path, *named: str, task: str = TASK, fresh: bool = False) -> ChangedScope:
    return staged_scope(find_repository(repository), repository, named, task, fresh=fresh)


def _names(scope: ChangedScope, repository: Path) -> list[str]:
    return [str(Path(path).relative_to(repository.resolve())) for path in scope.paths]


@pytest.mark.parametrize(
    ("named", "paths"),
    [
        ((), ["a.py", "pkg/b.py", "pkg/c\xe4.py"]),
        (("pkg/b.py", "bin.py", "link.py", "gone.py", "two.py"), ["pkg/b.py"]),
        (("bin.py",), []),
    ],
    ids=["everything", "named", "nothing left"],
)
def test_of_what_is_staged_the_text_files(repository: Path, named: Sequence[str], paths: list[str]) -> None:
    _stage_everything(repository)
    before = user_state(repository)
    scope = _staged(repository, *named)
    assert (scope.base, _names(scope, repository), bool(scope.why_empty)) == ("index", paths, not paths)
    assert user_state(repository) == before


@pytest.mark.parametrize(
    ("since", "base", "named", "paths"),
    [
        ("start", "index", (), ["a.py", "pkg/b.py", "pkg/c\xe4.py"]),
        ("HEAD", "worktree", ("pkg",), ["pkg/b.py", "pkg/c\xe4.py"]),
        ("start", "HEAD", (), []),
        ("unrelated", "HEAD", ("pkg", "gone.py"), ["gone.py", "pkg/b.py"]),
    ],
    ids=["index", "below a folder", "nothing", "without a common commit"],
)
def test_since_a_revision(repository: Path, since: str, base: str, named: Sequence[str], paths: list[str]) -> None:
    git(repository, "branch", "unrelated", git(repository, "commit-tree", "HEAD^{tree}", "-m", "another root"))
    _stage_everything(repository)
    scope = scope_since(find_repository(repository), repository, base, since, named)
    assert (scope.base, _names(scope, repository)) == (base, paths)
    assert scope.why_empty == ("" if paths else "no text file has changed since `start`")


def test_of_a_merge_what_is_as_in_one_parent_is_left_out(repository: Path) -> None:
    git(repository, "switch", "-q", "-c", "other", "start")
    write_files(repository, {"theirs.py": TEXT, "a.py": TEXT + "THEIRS = 1\n"})
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "theirs")
    git(repository, "switch", "-q", "main")
    write_files(repository, {"pkg/b.py": TEXT + "OURS = 1\n"})
    git(repository, "commit", "-q", "-am", "ours")
    git(repository, "merge", "-q", "--no-commit", "other")
    write_files(repository, {"a.py": TEXT + "BOTH = 1\n"})
    git(repository, "add", "a.py")
    assert _names(_staged(repository), repository) == ["a.py"]


def _keep_run(repository: Path, tree: str | None, paths: Sequence[str], task: str = TASK) -> str:
    """Write the trace of a run that ended well."""
    folder = make_run_folder(repository / ".git", "20260101T000000-abcdef")
    usage = UsagePart.model_validate(dict.fromkeys(UsagePart.model_fields, 0))
    trace = Trace(
        version="0",
        run_id=folder.run_id,
        task=task,
        paths=tuple(paths),
        settings={},
        status="completed",
        reason="delivered",
        exit_code=0,
        message="",
        verified=True,
        files_changed=(),
        iterations=1,
        summary=SummaryPart(title="", body="", follow_ups=()),
        base=None,
        tree=tree,
        usage=usage,
    )
    folder.write_trace(trace)
    return folder.run_id


@pytest.mark.parametrize(
    ("tree", "paths", "task", "is_done"),
    [
        ("staged", ("a.py", "pkg/b.py"), TASK, True),
        ("staged", (), "add  docstrings", True),
        ("staged", ("pkg/b.py",), TASK, False),
        ("HEAD", ("a.py",), TASK, False),
        ("staged", (), "something else", False),
        ("gone", (), TASK, False),
        ("--output=x", (), TASK, False),
        (None, (), TASK, False),
    ],
    ids=["same", "everything", "not in its scope", "other content", "other task", "gone", "no id", "no tree"],
)
def test_what_a_run_has_left_is_done(
    repository: Path, tree: str | None, paths: Sequence[str], task: str, is_done: bool
) -> None:
    write_files(repository, {"a.py": TEXT + "\n"})
    git(repository, "add", "a.py")
    ids = {"staged": git(repository, "write-tree"), "HEAD": git(repository, "rev-parse", "HEAD:"), "gone": "0" * 40}
    run_id = _keep_run(repository, ids.get(tree, tree) if tree else None, paths, task)
    scope = _staged(repository)
    assert (scope.why_empty == f"the files are as the run {run_id} left them") is is_done
    assert _names(_staged(repository, fresh=True), repository) == ["a.py"]
    assert not (repository / "x").exists()
    (repository / ".git" / "orefactor" / "runs" / run_id / "trace.json").write_text(json.dumps({}))
    assert _names(_staged(repository), repository) == ["a.py"]


def test_after_an_earlier_hook_of_pre_commit_the_working_tree_counts(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(repository, {"a.py": TEXT + "ONE = 1\n"})
    git(repository, "add", "a.py")
    monkeypatch.setenv("PRE_COMMIT", "1")
    assert _staged(repository).base == "index"
    write_files(repository, {"a.py": TEXT + "TWO = 2\n"})
    assert _staged(repository).base == "worktree"
    assert _staged(repository, "gone.txt").base == "index"
    monkeypatch.delenv("PRE_COMMIT")
    assert _staged(repository).base == "index"


def test_the_index_that_git_names_is_the_base(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As within `git commit -a`; a name that is no whole path counts from the working tree's top."""
    write_files(repository, {"a.py": TEXT + "# staged elsewhere\n"})
    for name in (".git/other", str(repository / ".git" / "third")):
        monkeypatch.setenv("GIT_INDEX_FILE", name)
        git(repository, "read-tree", "HEAD")
        git(repository, "add", "a.py")
        assert _names(_staged(repository / "pkg"), repository) == ["a.py"]
        monkeypatch.delenv("GIT_INDEX_FILE")
    assert _staged(repository).paths == ()


def test_a_merge_head_that_holds_anything_else_is_left_out(repository: Path) -> None:
    write_files(repository, {"a.py": TEXT + "\n"})
    git(repository, "add", "a.py")
    (repository / ".git" / "MERGE_HEAD").write_bytes(b"--output=x \xff\0 nothing\n")
    assert _names(_staged(repository), repository) == ["a.py"]
