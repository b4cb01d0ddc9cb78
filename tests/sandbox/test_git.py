"""git from the harness: nothing that a repository configures runs, whatever we ask git to do."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import MakeRepository, RunCommand, call, calls, git, write_files

from orefactor.core.outputs.branch import (
    create_branch,
    read_identities,
    require_free_branch,
    write_commit,
)
from orefactor.sandbox.apply import apply_patch
from orefactor.sandbox.base import take_base
from orefactor.sandbox.errors import ExitCode
from orefactor.sandbox.git import Git, GitFailed, neutral_environment, neutral_overrides
from orefactor.sandbox.grep import search
from orefactor.sandbox.patch import applied_tree, list_changes, write_patch
from orefactor.sandbox.repository import find_repository
from orefactor.sandbox.result_tree import write_result_tree
from orefactor.sandbox.user_state import read_user_state
from orefactor.sandbox.worktree import sweep_dead, throwaway_worktree

HOOKS = (
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "reference-transaction",
    "sendemail-validate",
)
KEYS = (
    "alias.st",
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "credential.https://example.com.helper",
    "diff.canary.command",
    "diff.canary.textconv",
    "diff.external",
    "filter.canary.clean",
    "filter.canary.process",
    "filter.canary.smudge",
    "gpg.program",
    "gpg.ssh.program",
    "gpg.x509.program",
    "interactive.diffFilter",
    "merge.canary.driver",
    "pager.log",
    "remote.origin.receivepack",
    "remote.origin.uploadpack",
    "sequence.editor",
    "uploadpack.packObjectsHook",
)
ATTRIBUTES = "*.py filter=canary diff=canary merge=canary\n"
FILES = {
    ".gitattributes": ATTRIBUTES,
    "a.py": "a = 1\n",
    "b.py": "b = 1\n",
    "c.txt": "c\n",
    "pkg/d.py": "d = 1\n",
}


def put_canaries(folder: Path, log: Path, hooks: str, config: str) -> None:
    """Put a command that writes its own name into the log at every place at which git runs one.

    Args:
        hooks: where the hooks lie, relative to the top.
        config: `local`, `worktree`, or an `includeIf` condition under which the commands are configured.
    """
    for name in HOOKS:
        path = folder / hooks / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho {name} >> '{log}'\n")
        path.chmod(0o755)
    if hooks != ".git/hooks":
        git(folder, "config", "core.hooksPath", hooks)
    settings = {
        **dict.fromkeys(("commit.gpgSign", "tag.gpgSign", "filter.canary.required", "submodule.recurse"), "true"),
        "remote.origin.url": str(folder.parent / "elsewhere"),
        **{key: canary(folder, log, key) for key in KEYS},
    }
    target = folder / ".git" / "config"
    if config == "worktree":
        git(folder, "config", "extensions.worktreeConfig", "true")
        target = folder / ".git" / "config.worktree"
    elif config != "local":
        target = folder / ".git" / "included"
        git(folder, "config", f"includeIf.{config}.path", str(target))
    with target.open("a") as file:
        file.writelines(config_lines(settings))


def config_lines(settings: Mapping[str, str]) -> Iterator[str]:
    """The settings as git's configuration files have them."""
    for key, value in settings.items():
        section, _, rest = key.partition(".")
        name, _, last = rest.rpartition(".")
        yield f'[{section} "{name}"]\n' if name else f"[{section}]\n"
        yield f'\t{last} = "{value}"\n'


def canary(folder: Path, log: Path, key: str) -> str:
    command = f"echo {key} >> '{log}'; cat"
    if key.startswith("gpg."):
        # Not given to a shell, so it has to be a file.
        script = folder / ".git" / key
        script.write_text(f"#!/bin/sh\n{command}\n")
        script.chmod(0o755)
        return str(script)
    return "!" + command if key.startswith(("alias.", "credential.")) else command


def change_files(folder: Path) -> None:
    write_files(folder, {"a.py": "a = 2\n", "c.txt": "changed\n", "new.txt": "new\n"})
    (folder / "b.py").unlink()


def whole_story(folder: Path, source: str) -> None:
    """Every call of git that a run makes."""
    repository = find_repository(folder)
    before = read_user_state(repository)
    base = take_base(repository, source, ["new.txt"] if source == "worktree" else [])
    with throwaway_worktree(repository, base.commit, f"story-{source}") as worktree:
        write_files(worktree.path, {"pkg/d.py": "d = 2\n", "pkg/e.txt": "e = 1\n"})
        tree = write_result_tree(worktree.git, base.commit, {"pkg/d.py", "pkg/e.txt"})
        assert len(list_changes(worktree.git, base.commit, tree)) == 2
        patch = write_patch(worktree.git, base.commit, tree)
        assert [match.path for match in search(worktree.path, "e = 1", ["pkg"], seconds=10).matches] == ["pkg/e.txt"]
    assert sweep_dead(repository) == []
    assert applied_tree(repository.git, base.commit, patch) == tree
    assert read_user_state(repository) == before


def fired(log: Path) -> set[str]:
    return set(log.read_text().split()) if log.exists() else set()


CONFIG = pytest.mark.parametrize(
    ("hooks", "config"),
    [
        (".git/hooks", "local"),
        (".husky", "local"),
        (".git/hooks", "worktree"),
        (".git/hooks", "gitdir:**/worktrees/**"),
        (".git/hooks", "onbranch:main"),
    ],
)


@CONFIG
def test_nothing_that_is_configured_runs(
    make_repository: MakeRepository, tmp_path: Path, hooks: str, config: str
) -> None:
    folder, log = make_repository(FILES), tmp_path / "log"
    put_canaries(folder, log, hooks, config)
    change_files(folder)
    for source in ("worktree", "index", "HEAD"):
        whole_story(folder, source)
    assert fired(log) == set()


@pytest.mark.parametrize("config", ["local", "worktree"])
@pytest.mark.parametrize("hooks", [".git/hooks", ".husky"])
def test_nothing_runs_when_a_branch_is_made(
    make_repository: MakeRepository, tmp_path: Path, hooks: str, config: str
) -> None:
    folder, log = make_repository(FILES), tmp_path / "log"
    put_canaries(folder, log, hooks, config)
    repository = find_repository(folder)
    before = read_user_state(repository)
    base = take_base(repository, "HEAD", [])
    identities = read_identities(repository)
    require_free_branch(repository, "result")
    commit = write_commit(repository, base.tree, base.commit, "result\n", identities, datetime.now(UTC))
    create_branch(repository, "result", commit, identities)
    assert read_user_state(repository, own_branch="refs/heads/result") == before
    assert fired(log) == set()


@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("three_way", [False, True])
def test_nothing_runs_when_a_patch_is_put_on_the_working_tree(
    make_repository: MakeRepository, tmp_path: Path, index: bool, three_way: bool
) -> None:
    folder, log = make_repository(FILES), tmp_path / "log"
    put_canaries(folder, log, ".git/hooks", "local")
    repository = find_repository(folder)
    base = take_base(repository, "HEAD", [])
    with throwaway_worktree(repository, base.commit, "put") as worktree:
        write_files(worktree.path, {"a.py": "a = 2\n"})
        patch = write_patch(worktree.git, base.commit, write_result_tree(worktree.git, base.commit, {"a.py"}))
    apply_patch(repository, patch, index=index, three_way=three_way)
    assert (folder / "a.py").read_text() == "a = 2\n"
    assert fired(log) == set()


def test_plain_git_runs_the_canaries(make_repository: MakeRepository, tmp_path: Path) -> None:
    """The same canaries do sing: silence elsewhere is ours."""
    folder, log = make_repository(FILES), tmp_path / "log"
    put_canaries(folder, log, ".git/hooks", "local")
    change_files(folder)
    for command in ("st", "add -A", "fetch origin"):
        subprocess.run(["git", *command.split()], cwd=folder, capture_output=True, check=False, timeout=30)
    # Their own answers are nonsense to git, so some have to go before others get their turn.
    git(folder, "config", "--unset", "filter.canary.process")
    for command in (
        "diff",
        "-c diff.external= diff",
        "add -A",
        "commit --no-gpg-sign -m second",
        "commit --amend --allow-empty -S --no-edit",
        "log -p -2 --no-ext-diff",
        "worktree add ../other",
        "checkout -f -b side HEAD~1",
    ):
        subprocess.run(["git", *command.split()], cwd=folder, capture_output=True, check=False, timeout=30)
    sung = fired(log)
    assert {
        "alias.st",
        "core.fsmonitor",
        "diff.canary.command",
        "diff.canary.textconv",
        "filter.canary.clean",
        "filter.canary.process",
        "filter.canary.smudge",
        "gpg.program",
        "post-checkout",
        "post-commit",
        "post-index-change",
        "pre-commit",
        "prepare-commit-msg",
        "reference-transaction",
    } <= sung, sung


def test_the_whole_command_runs_nothing(
    make_repository: MakeRepository,
    tmp_path: Path,
    run_command: RunCommand,
    fixture_file: Callable[..., Path],
) -> None:
    folder, log = make_repository({**FILES, "free.txt": "one\n"}), tmp_path / "log"
    put_canaries(folder, log, ".git/hooks", "local")
    replies = fixture_file(
        calls(call("read_file", path="free.txt")),
        calls(call("edit_file", path="free.txt", old_string="one", new_string="two")),
        {"content": "Say two\n"},
    )
    done = run_command(
        folder,
        *("--provider", "fixture", "--fixture", str(replies)),
        *("--no-check", "--branch", "result", "say two", "free.txt"),
    )
    assert done.returncode == 0, done.stderr
    # Before plain git looks again: it would sing.
    assert fired(log) == set()
    shown = git(folder, "-c", "core.fsmonitor=false", "cat-file", "blob", "result:free.txt")
    assert shown == "two"


def test_a_missing_object_is_not_fetched(make_repository: MakeRepository, tmp_path: Path) -> None:
    """In a partial clone git would ask the promisor's upload-pack, which the repository names."""
    folder, log = make_repository(FILES), tmp_path / "log"
    put_canaries(folder, log, ".git/hooks", "local")
    git(folder, "config", "remote.origin.promisor", "true")
    git(folder, "config", "remote.origin.partialclonefilter", "blob:none")
    blob = git(folder, "rev-parse", "HEAD:c.txt")
    (folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    repository = find_repository(folder)
    base = take_base(repository, "HEAD", [])
    with pytest.raises(GitFailed), throwaway_worktree(repository, base.commit, "partial"):
        pass
    assert fired(log) == set()
    assert not (folder / ".git" / "worktrees").exists()


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([], []),
        (["core.bare", "section"], []),
        (
            ["filter.x.y.clean", "filter.x.y.smudge"],
            [
                ("filter.x.y.clean", ""),
                ("filter.x.y.smudge", ""),
                ("filter.x.y.process", ""),
                ("filter.x.y.required", "false"),
            ],
        ),
        (["diff.a.command", "diff.a.textconv"], [("diff.a.command", ""), ("diff.a.textconv", "")]),
        (["diff.a.xfuncname", "merge.a.name", "remote.a.url"], []),
        (["merge.a.driver"], [("merge.a.driver", "false")]),
        (["credential.https://x.y/.helper"], [("credential.https://x.y/.helper", "")]),
        (["hook.a.command"], [("hook.a.enabled", "false")]),
    ],
)
def test_drivers_are_silenced_by_name(keys: list[str], expected: list[tuple[str, str]]) -> None:
    fixed = neutral_overrides([])
    assert neutral_overrides(keys) == [*fixed, *expected]


def test_nothing_of_the_environment_but_the_path_reaches_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("MY_API_KEY", "secret")
    environment = neutral_environment([("a.b", "c")])
    assert environment["PATH"] == os.environ["PATH"]
    assert environment["GIT_CONFIG_COUNT"] == "1"
    assert (environment["GIT_CONFIG_KEY_0"], environment["GIT_CONFIG_VALUE_0"]) == ("a.b", "c")
    assert not {"GIT_DIR", "MY_API_KEY"} & environment.keys()


def at(folder: Path) -> Git:
    return Git(folder / ".git", neutral_environment([]), folder)


def test_a_failure_quotes_git(make_repository: MakeRepository) -> None:
    with pytest.raises(GitFailed, match=r"`git cat-file` failed: fatal: Not a valid object name nonsense") as caught:
        at(make_repository(FILES)).run("cat-file", "-e", "nonsense")
    assert caught.value.exit_code is ExitCode.ENVIRONMENT
    assert caught.value.returncode == 128


def test_a_failure_without_words_says_the_exit_code(make_repository: MakeRepository) -> None:
    with pytest.raises(GitFailed, match="exit 1"):
        at(make_repository(FILES)).run("rev-parse", "--verify", "--quiet", "nonsense")


def test_paths_are_no_patterns(make_repository: MakeRepository) -> None:
    folder = make_repository({"[ab].py": "1\n", "a.py": "2\n"})
    assert at(folder).run("ls-files", "--", "[ab].py") == b"[ab].py\n"


def test_without_git_the_person_is_told(tmp_path: Path) -> None:
    asked = (
        "from orefactor.sandbox.errors import UserError\n"
        "from orefactor.sandbox.git import git_program\n"
        "try:\n    git_program()\n"
        "except UserError as error:\n    print(error.message, int(error.exit_code))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked],
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "git is not installed 6\n"
