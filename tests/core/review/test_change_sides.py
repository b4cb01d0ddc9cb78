"""Between which two sides a change lies: one history with branches, tags, a merge and a remote; read-only."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state, write_files

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.review.change import take_change
from orefactor.core.review.change_sides import Sides, find_sides
from orefactor.sandbox.repository import find_repository

HISTORY = """
commit() { echo "$1" >> log.txt; git add -A; git commit -qm "$1"; git tag "$1"; }
git tag one
commit two
git tag -a annotated -m words
git checkout -qb feature; commit f1; commit f2
git checkout -qb ahead; commit g1
git checkout -q main; commit three
git checkout -qb side; echo s > side.txt; commit s1
git checkout -q main; echo m > main.txt; git add -A; git commit -qm m1; git tag m1
git merge -q -X ours -m merged side; git tag merged
commit four
git checkout -q --orphan alone; commit lonely
git checkout -q main
git branch both side; git tag both one
git branch worktree f1
git branch pushed feature
git branch gone; git branch local_upstream s1; git branch tracking f2
git update-ref refs/remotes/origin/main two
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
git update-ref refs/remotes/origin/feature f1
git update-ref refs/remotes/fork/topic f2
git update-ref refs/remotes/fork/old merged
git update-ref refs/remotes/fork/trunk three
git symbolic-ref refs/remotes/fork/HEAD refs/remotes/fork/trunk
git config remote.origin.url nowhere; git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
git config branch.tracking.remote origin; git config branch.tracking.merge refs/heads/feature
git config branch.gone.remote origin; git config branch.gone.merge refs/heads/gone
git config branch.local_upstream.remote .; git config branch.local_upstream.merge refs/heads/main
"""


def _shell(folder: Path, script: str) -> None:
    subprocess.run(["sh", "-ec", script], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def history(kept_repositories: Path, make_repository: MakeRepository) -> Path:
    """The one history, which no test here changes."""
    kept = kept_repositories / "review-history"
    if not kept.exists():
        made = make_repository({"log.txt": "first\n", "src/a.py": "a = 1\n"})
        _shell(made, HISTORY)
        made.rename(kept)
    return kept


def _sides(folder: Path, wanted: str | None) -> Sides:
    return find_sides(find_repository(folder), wanted, ())


def _commit(folder: Path, name: str) -> str:
    return git(folder, "rev-parse", name + "^{commit}")


@pytest.mark.parametrize(
    ("wanted", "before", "after", "source"),
    [
        ("HEAD", "merged", "four", "the commit HEAD"),
        ("@", "merged", "four", "the commit @"),
        ("HEAD~1", "m1", "merged", "the commit HEAD~1"),
        ("merged^2", "three", "s1", "the commit merged^2"),
        ("f1", "two", "f1", "the commit f1"),
        ("annotated", "one", "two", "the commit annotated"),
        ("refs/tags/f2", "f1", "f2", "the commit refs/tags/f2"),
        (":/f1", "two", "f1", "the commit :/f1"),
        ("main^{/three}", "two", "three", "the commit main^{/three}"),
        (":/[f]1|\x1b..z", "two", "f1", "the commit :/[f]1|\\x1b..z"),
        (":/[f]1|\x1b..", "f1", "four", ":/[f]1|\\x1b..HEAD"),
        ("one..f1", "one", "f1", "one..f1"),
        ("f2..", "f2", "four", "f2..HEAD"),
        ("..f2", "four", "f2", "HEAD..f2"),
        ("main...f2", "two", "f2", "main...f2"),
        ("...f2", "two", "f2", "HEAD...f2"),
        ("f2...", "two", "four", "f2...HEAD"),
        ("f2..f1", "f2", "f1", "f2..f1"),
        ("main..main", "four", "four", "main..main"),
        ("lonely..f1", "lonely", "f1", "lonely..f1"),
        ("feature", "two", "f2", "the branch feature"),
        ("refs/heads/feature", "two", "f2", "the branch feature"),
        ("heads/ahead", "two", "g1", "the branch ahead"),
        ("fork/topic", "two", "f2", "the branch fork/topic"),
        ("HEAD..refs/heads/worktree", "four", "f1", "HEAD..refs/heads/worktree"),
        ("refs/heads/worktree", "two", "f1", "the branch worktree"),
        ("main", "two", "four", "the branch main"),
        ("side", "two", "s1", "the branch side"),
        ("fork/old", "three", "merged", "the branch fork/old"),
        ("fork/HEAD", "two", "three", "the branch fork/trunk"),
        ("local_upstream", "two", "s1", "the branch local_upstream"),
        ("gone", "two", "four", "the branch gone"),
        ("HEAD..index", "four", "four", "the index"),
        ("HEAD..worktree", "four", "four", "the working tree"),
    ],
)
def test_what_a_revision_means(history: Path, wanted: str, before: str, after: str, source: str) -> None:
    sides = _sides(history, wanted)
    assert (sides.before, sides.after.commit) == (_commit(history, before), _commit(history, after))
    assert (sides.after.source, sides.after.head) == (source, _commit(history, "four"))
    assert sides.after.tree == git(history, "rev-parse", after + "^{tree}")
    assert sides.is_published == (not source.startswith("the i") and source != "the working tree")


@pytest.mark.parametrize(
    ("wanted", "message", "hint"),
    [
        ("nope", "`nope` is no revision that this repository knows", "git log"),
        ("main..nope", "`nope` is no revision", "git log"),
        ("nope...main", "`nope` is no revision", "git log"),
        ("", "`` is no revision", "git log"),
        ("--all", "`--all` is no revision", "git log"),
        ("--output=x..main", "`--output=x` is no revision", "git log"),
        ("^main", "`^main` is no revision", "git log"),
        ("HEAD^!", "`HEAD^!` is no revision", "git log"),
        ("HEAD^@", "`HEAD^@` is no revision", "git log"),
        ("0" * 39 + "1", "is no revision", "git log"),
        ("a\0b", "is no revision", "git log"),
        ("\ud800", "is no revision", "git log"),
        ("x" * 200_000, "is no revision", "git log"),
        (":/no such words", "`:/no such words` is no revision", "git log"),
        ("HEAD:log.txt", "`HEAD:log.txt` names the content of a file", "HEAD PATH"),
        ("HEAD:src", "`HEAD:src` names the content of a folder", "HEAD PATH"),
        ("HEAD^{tree}..main", "`HEAD^{tree}` names the content of a folder", "HEAD PATH"),
        ("both", "`both` is the name of more than one", "`refs/heads/both` or `refs/tags/both`"),
        ("main...lonely", "`main` and `lonely` have no common history", "`A..B`"),
        ("alone", "`HEAD` and `alone` have no common history", "`A..B`"),
        ("origin", "nothing tells where the branch `origin/main` began", "such as `origin/main~1..origin/main`"),
    ],
)
def test_what_means_nothing_is_the_persons_to_mend(history: Path, wanted: str, message: str, hint: str) -> None:
    with pytest.raises(UserError) as refused:
        _sides(history, wanted)
    assert refused.value.exit_code is ExitCode.USAGE
    assert message in refused.value.message
    assert hint in refused.value.hint


def test_a_root_commit_is_compared_with_nothing(history: Path) -> None:
    before = user_state(history)
    change = take_change(find_repository(history), "one", ())
    assert user_state(history) == before
    assert (
        git(history, "ls-tree", change.before_tree) == git(history, "rev-list", "--parents", "-1", change.before)[40:]
    )
    assert git(history, "cat-file", "-t", change.before_tree) == "tree"
    assert dict(change.hunks) == {"log.txt": ((1, 1),), "src/a.py": ((1, 1),)}
    assert change.before == _sides(history, "lonely").before


def test_a_branch_that_is_checked_out_goes_back_to_its_upstream_or_the_default_branch(
    history: Path, tmp_path: Path
) -> None:
    expected = {"tracking": "f1", "pushed": "two", "side": "two"}
    for branch, start in expected.items():
        place = tmp_path / branch
        git(history, "clone", "-q", "--no-local", "--bare", ".", str(place / ".git"))
        (place / ".git" / "config").write_bytes((history / ".git" / "config").read_bytes())
        git(place, "fetch", "-q", str(history), "+refs/remotes/*:refs/remotes/*")
        git(place, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
        git(place, "checkout", "-qf", branch)
        assert _sides(place, branch).before == _commit(history, start), branch


BROKEN = {
    "no commit": ("git init -q repo", None, "no commit yet", ExitCode.ENVIRONMENT),
    "no commit, a revision": ("git init -q repo", "HEAD~1", "no commit yet", ExitCode.ENVIRONMENT),
    "bare": ("git clone -q --bare origin repo", "worktree", "bare repository", ExitCode.ENVIRONMENT),
    "bare, index": ("git clone -q --bare origin repo", "index", "bare repository", ExitCode.ENVIRONMENT),
    "shallow": (
        'git clone -q --depth 1 "file://$PWD/origin" repo',
        "HEAD",
        "this clone ends at the commit",
        ExitCode.ENVIRONMENT,
    ),
    "shallow, merge base": (
        'git clone -q --depth 1 --no-single-branch "file://$PWD/origin" repo',
        "origin/feature",
        "too shallow to tell where `HEAD` and `origin/feature` parted",
        ExitCode.ENVIRONMENT,
    ),
    "unmerged": (
        "git clone -q origin repo; cd repo; git merge -q origin/feature || true",
        "index",
        "unmerged paths",
        ExitCode.CONFLICT,
    ),
}


@pytest.mark.parametrize(("script", "wanted", "message", "code"), BROKEN.values(), ids=BROKEN)
def test_repositories_without_such_a_change(
    history: Path, tmp_path: Path, script: str, wanted: str | None, message: str, code: ExitCode
) -> None:
    (tmp_path / "origin").symlink_to(history)
    _shell(tmp_path, script)
    with pytest.raises(UserError) as refused:
        _sides(tmp_path / "repo", wanted)
    assert message in refused.value.message
    assert "--base" not in refused.value.hint
    assert refused.value.exit_code is code


def test_other_repositories_that_have_one(history: Path, tmp_path: Path, make_repository: MakeRepository) -> None:
    (tmp_path / "origin").symlink_to(history)
    _shell(
        tmp_path, "git clone -q --bare origin bare; git clone -q origin merging; cd merging; git merge -q f2 || true"
    )
    assert _sides(tmp_path / "bare", "HEAD").before == _commit(history, "merged")
    # As a run takes it, a file with conflict marks is what it is now.
    assert b"+<<<<<<< HEAD" in take_change(find_repository(tmp_path / "merging"), None, ()).patch
    unborn = make_repository({"a.py": "a\n"})
    git(unborn, "branch", "other")
    git(unborn, "checkout", "-q", "--orphan", "fresh")
    assert _sides(unborn, "other~0").after.head is None
    with pytest.raises(UserError, match="nothing tells where the branch `other` began"):
        _sides(unborn, "other")
    with pytest.raises(UserError, match="`x` is no revision"):
        _sides(unborn, "x")


def _a_branch(folder: Path) -> None:
    git(folder, "checkout", "-qb", "topic")
    write_files(folder, {"a.py": "a = 2\n"})
    git(folder, "commit", "-qam", "second")


def _nothing_more(_folder: Path) -> None:
    """The branch is compared with `main`."""


def _only_remote(folder: Path) -> None:
    git(folder, "update-ref", "refs/remotes/origin/master", "main")
    git(folder, "branch", "-D", "main")


@pytest.mark.parametrize("prepare", [_nothing_more, _only_remote], ids=["main", "only the remote's"])
def test_without_a_remotes_default_branch_the_usual_names_count(
    make_repository: MakeRepository, prepare: Callable[[Path], None]
) -> None:
    folder = make_repository({"a.py": "a = 1\n"})
    _a_branch(folder)
    prepare(folder)
    assert _sides(folder, "topic").before == _commit(folder, "topic~1")
