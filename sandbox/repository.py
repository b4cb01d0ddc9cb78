"""Finds the user's repository and reads, once and with the user's own configuration, what must hold afterwards.

This is the only place that runs git with the user's configuration: discovery keeps git's ownership check
(an explicit `--git-dir` skips it), and the identity, line-end, attribute and ignore settings come from here.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .errors import ExitCode, UserError
from .git import Git, git_program, neutral_environment, neutral_overrides
from .program import run_program

Scope = Literal["system", "global", "local", "worktree", "command"]

# What the user's settings say about content must hold in our calls too.
_CARRIED = (
    "core.autocrlf",
    "core.eol",
    "core.filemode",
    "core.symlinks",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.bigfilethreshold",
)
# Variables that choose configuration or discovery stay; those that redirect git (as hooks set them) go.
_KEPT = (
    "GIT_CONFIG_",
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS",
    "GIT_EXEC_PATH",
    "GIT_PAGER",
)
_DISTRUSTED = re.compile(r"dubious ownership in repository at '(.*)'")


@dataclass(frozen=True, slots=True)
class ConfigEntry:
    """One line of the effective configuration; `key` has its section and last part in lower case."""

    scope: Scope
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Repository:
    """The user's repository.

    Attributes:
        common_dir: the git directory that all worktrees share.
        git_dir: the current worktree's own.
        top: the working tree's top folder; None in a bare repository.
        object_format: `sha1` or `sha256`.
        config: the effective configuration, weakest first.
        git: the neutralised git at this repository.
    """

    common_dir: Path
    git_dir: Path
    top: Path | None
    object_format: str
    config: tuple[ConfigEntry, ...]
    git: Git

    def setting(self, key: str) -> str | None:
        """The effective value of one configuration key (in lower case)."""
        return next((entry.value for entry in reversed(self.config) if entry.key == key), None)

    @property
    def place(self) -> Path:
        """The folder that stands for the repository in messages and inside the isolation."""
        return self.top if self.top is not None else self.git_dir


def user_environment() -> dict[str, str]:
    """The process's environment without the variables that redirect git to another repository or index."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)}


def ask_git(start: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Ask git with the user's own configuration; for questions that run nothing of the repository."""
    return run_program(
        # It starts elsewhere, so a relative folder has to be spelled out.
        [git_program(), "-c", "core.fsmonitor=false", "-C", os.path.abspath(start), *arguments],
        environment={**user_environment(), "LC_ALL": "C"},
        folder="/",
        seconds=60,
    )


def find_repository(start: Path) -> Repository:
    """The repository around `start`.

    Raises:
        UserError: no repository, one that git refuses to trust, or a folder inside a git directory.
    """
    asked = ask_git(
        start,
        "rev-parse",
        "--path-format=absolute",
        "--git-common-dir",
        "--git-dir",
        "--is-bare-repository",
        "--show-object-format",
        "--show-toplevel",
    )
    # Not `splitlines`: a folder's name may hold any of the other line ends that Python knows.
    lines = asked.stdout.decode("utf-8", "surrogateescape").rstrip("\n").split("\n")
    if len(lines) < 4:
        raise _no_repository(start, asked.stderr.decode(errors="replace").strip())
    common, git_dir, bare, object_format = lines[:4]
    top = Path(lines[4]) if len(lines) == 5 and asked.returncode == 0 else None
    if top is None and bare != "true":
        raise UserError(
            "this folder lies inside a git directory, not in a working tree",
            hint="change to the repository's working tree",
            exit_code=ExitCode.ENVIRONMENT,
        )
    config = read_config(start)
    environment = neutral_environment([*neutral_overrides(_repository_keys(config)), *carried_settings(config)])
    git = Git(Path(git_dir), environment, top)
    return Repository(Path(common), Path(git_dir), top, object_format, config, git)


def _no_repository(start: Path, said: str) -> UserError:
    if distrusted := _DISTRUSTED.search(said):
        # git names the folder that has to be listed, which isn't the one that we stand in.
        command = f"git config --global --add safe.directory {shlex.quote(distrusted[1])}"
        return UserError(
            f"git doesn't trust the repository at `{distrusted[1]}`: it belongs to another user",
            hint=f"if you trust it: `{command}`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    if "not a git repository" in said or not said:
        return UserError(
            f"no git repository at `{start}`",
            hint="change to a repository, or make one with `git init` and a first commit",
            exit_code=ExitCode.ENVIRONMENT,
        )
    return UserError(
        f"git can't open the repository: {said.splitlines()[-1]}",
        hint="see what `git status` says here",
        exit_code=ExitCode.ENVIRONMENT,
    )


def read_config(start: Path) -> tuple[ConfigEntry, ...]:
    """The effective configuration at `start` with the scope of each entry, weakest first."""
    listed = ask_git(start, "config", "--list", "--includes", "--show-scope", "-z")
    fields = listed.stdout.decode("utf-8", "surrogateescape").split("\0")
    entries: list[ConfigEntry] = []
    for scope, pair in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = pair.partition("\n")
        # A key without `=` stands for true.
        entries.append(ConfigEntry(_scope(scope), key, value if "\n" in pair else "true"))
    return tuple(entries)


def _scope(name: str) -> Scope:
    match name:
        case "system" | "global" | "worktree" | "command":
            return name
        case _:
            return "local"


def _repository_keys(config: tuple[ConfigEntry, ...]) -> list[str]:
    return [entry.key for entry in config if entry.scope in ("local", "worktree")]


def carried_settings(config: tuple[ConfigEntry, ...]) -> list[tuple[str, str]]:
    """The user's settings on content, as pairs for our own calls."""
    effective: Mapping[str, str] = {entry.key: entry.value for entry in config}
    pairs = [(key, effective[key]) for key in _CARRIED if key in effective]
    for key, default in (("core.attributesfile", "attributes"), ("core.excludesfile", "ignore")):
        pairs.append((key, _user_file(effective.get(key), default)))
    return pairs


def _user_file(configured: str | None, default: str) -> str:
    if configured:
        return os.path.expanduser(configured)
    config_home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    path = Path(config_home, "git", default)
    return str(path) if path.is_file() else "/dev/null"
