"""`pr`: what is not pushed, and how people are told: nothing is forced, nothing but a proven result leaves."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import MakeRepository, git, write_files
from e2e.publishing import BRANCH, RUN, Command, Scene, make_scene

Capture = pytest.CaptureFixture[bytes]


@pytest.fixture
def scene(make_repository: MakeRepository) -> Scene:
    return make_scene(make_repository)


@pytest.fixture
def command(scene: Scene, capfdbinary: Capture) -> Command:
    return Command(capfdbinary, scene)


def _somebody_pushes(scene: Scene, branch: str, message: str) -> str:
    other = scene.folder.parent / "other"
    git(scene.folder, "clone", "-q", str(scene.bare), str(other))
    git(
        other,
        "switch",
        "-q",
        "-c",
        branch,
        f"origin/{branch}" if f"refs/heads/{branch}" in scene.remote_refs() else "main",
    )
    write_files(other, {"theirs.txt": "theirs\n"})
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", message)
    git(other, "push", "-q", "origin", branch)
    return git(other, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("pushed_before", "message", "is_fetched", "said"),
    [
        (False, "Mine", False, "has commits that are not this run's"),
        (False, "Mine", True, "has commits that are not this run's"),
        (True, "On top", True, "has commits that are not this run's"),
        (False, "Other\n\nOrefactor-Run: 20250101T000000-aaaaaa", True, "holds the result of another run"),
    ],
    ids=["unknown here", "known here", "on top of ours", "another run's"],
)
def test_somebody_elses_commits_are_left_alone(
    scene: Scene, command: Command, pushed_before: bool, message: str, is_fetched: bool, said: str
) -> None:
    scene.branch()
    if pushed_before:
        command.json()
    theirs = _somebody_pushes(scene, BRANCH, message)
    if is_fetched:
        git(scene.folder, "fetch", "-q", "origin")
    code, words = command.fail()
    assert (code, said in words) == (7, True), words
    assert scene.remote_refs()[f"refs/heads/{BRANCH}"] == theirs


def _on_main(scene: Scene) -> None:
    git(scene.folder, "switch", "-q", "--detach")
    git(scene.folder, "branch", "-q", "-D", "main")
    scene.branch("main")


def _refuses(scene: Scene) -> None:
    scene.branch()
    hook = scene.bare / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'protected' >&2\nexit 1\n")
    hook.chmod(0o755)


def _gone(scene: Scene) -> None:
    scene.branch()
    scene.bare.rename(scene.bare.with_name("moved"))


def _two_pushurls(scene: Scene) -> None:
    git(scene.folder, "remote", "set-url", "--add", "--push", "origin", "/a")
    git(scene.folder, "remote", "set-url", "--add", "--push", "origin", "/b")


def _no_remote(scene: Scene) -> None:
    git(scene.folder, "remote", "remove", "origin")


def _at_codeberg(scene: Scene) -> None:
    git(scene.folder, "remote", "set-url", "origin", "git@codeberg.org:a/b")


REFUSED: dict[str, tuple[Any, list[str], int, str]] = {
    "branch is the base": (_on_main, [], 7, "`main` is the one that the request would go to"),
    "no such base": (Scene.branch, ["--base", "nope"], 7, "has no branch `nope`"),
    "the remote refuses": (_refuses, [], 7, "does not take the branch"),
    "the remote is gone": (_gone, [], 5, "can't be used"),
    "no remote": (_no_remote, [], 6, "has no remote"),
    "two places to push to": (_two_pushurls, [], 6, "several addresses"),
    "no such forge": (_at_codeberg, ["--forge", "svn"], 2, "`svn` is no forge"),
    "no login": (_at_codeberg, [], 6, "there is no login for codeberg.org"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(scene: Scene, command: Command, name: str) -> None:
    prepare, words, expected, said = REFUSED[name]
    prepare(scene)
    before = scene.remote_refs() if scene.bare.exists() else {}
    code, told = command.fail(*words)
    assert (code, said in told) == (expected, True), told
    assert "\nhint: " in told
    assert (scene.remote_refs() if scene.bare.exists() else {}) == before


WRONG_WORDS: list[tuple[list[str], int, str]] = [
    (["--remote", "fork"], 6, "no remote is called `fork`"),
    (["1999"], 2, "no run is called"),
    (["--base", "a..b"], 2, "is no name of a branch"),
    (["--title", " "], 2, "a title has 1 to 250 characters"),
    (["--label", " "], 2, "is empty or holds control characters"),
    (["--reviewer", "a\nb"], 2, "is empty or holds control characters"),
    # The remote is a folder.
    (["--forge", "github"], 2, "names no project"),
]


def test_wrong_words(scene: Scene, command: Command) -> None:
    before = scene.remote_refs()
    for words, expected, said in WRONG_WORDS:
        code, told = command.fail(*words)
        assert (words, code, said in told) == (words, expected, True), told
    assert scene.remote_refs() == before


NO_RESULT: list[tuple[dict[str, Any], int, str]] = [
    ({"status": "gate", "message": "ruff failed"}, 3, "gave no result: ruff failed"),
    ({"run_id": "20261130T101500-ffffff"}, 3, "gave no result"),
    ({"tree": "1" * 40}, 3, "the trace of its run names " + "1" * 40),
    ({"branch": "x", "commit": "--all"}, 2, "names a commit that can't be one"),
    ({"branch": "@{-1}"}, 2, "names a branch that can't be one"),
    ({"branch": "main", "commit": None}, 2, "has no trailer"),
    ({"branch": "main", "commit": None, "base": None}, 2, "has no trailer"),
    ({"base": None}, 3, "the trace of its run names none"),
]


def test_a_result_that_is_none(scene: Scene, command: Command) -> None:
    for changed, expected, said in NO_RESULT:
        scene.keep(**changed)
        code, told = command.fail()
        assert (changed, code, said in told) == (changed, expected, True), told


def test_uncommitted_work_is_not_published(scene: Scene, command: Command) -> None:
    base = scene.trace()["base"]
    scene.keep(base={**base, "source": "worktree", "head": "2" * 40})
    code, told = command.fail()
    assert (code, "started from uncommitted work" in told) == (7, True)
    scene.keep(base={**base, "source": "worktree"})
    assert command.json()["pushed"] is True


def test_an_interrupted_run_and_one_without_a_change(scene: Scene, command: Command) -> None:
    folder = scene.keep(files_changed=[], tree=scene.base)
    assert command.json() == {"run_id": RUN, "action": "none", "pushed": False}
    assert b"needed no change" in command.run().stderr
    (folder / "trace.json").unlink()
    assert command.fail()[0] == 3
    scene.keep()
    (folder / "result.patch").unlink()
    code, told = command.fail()
    assert (code, "keeps no patch" in told) == (3, True)


def test_a_base_that_is_gone(scene: Scene, command: Command) -> None:
    before = git(scene.folder, "rev-parse", f"{scene.base}^{{tree}}")
    gone = "1" * 40
    folder = scene.keep(tree=before, base={"source": "old", "commit": gone, "tree": scene.tree, "head": scene.base})
    (folder / "base.patch").write_bytes(scene.difference(scene.base, scene.tree))
    (folder / "result.patch").write_bytes(scene.head(gone, before) + scene.difference(scene.tree, before))
    code, told = command.fail()
    assert (code, f"the commit {gone[:12]} that the run {RUN} started from is not here" in told) == (7, True), told


def test_a_branch_that_no_longer_holds_the_commit(scene: Scene, command: Command) -> None:
    commit = scene.branch()
    git(scene.folder, "branch", "-f", BRANCH, "main")
    code, told = command.fail()
    assert (code, f"no longer holds the run's result: the commit {scene.base} has no trailer" in told) == (7, True)
    git(scene.folder, "branch", "-D", BRANCH)
    assert command.json()["commit"] == commit
    # As after `git commit --amend --no-edit`, which runs the hooks.
    git(scene.folder, "switch", "-q", "-c", BRANCH, commit)
    git(scene.folder, "commit", "-q", "--amend", "--no-edit", "--date=@1 +0000")
    code, told = command.fail()
    assert (code, "holds this result as it was written before" in told) == (7, True)
    git(scene.bare, "branch", "-D", BRANCH)
    told_again = command.json()
    assert told_again["commit"] == git(scene.folder, "rev-parse", "HEAD") != commit
