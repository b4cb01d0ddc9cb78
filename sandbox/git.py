"""Runs git so that nothing in a repository can make it run something else.

Every call gets an environment made from nothing, configuration that outranks the repository's own
(command scope wins), no hook, no filter, no external diff, no pager, no credential helper and no network.
What the user's own settings say about content (line ends, attributes, ignored files) is carried over by name.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .errors import ExitCode, UserError
from .program import run_program

GIT_TIMEOUT = 1800.0
"""Seconds; a checkout of 100,000 files on a slow disk takes minutes."""

_OVERRIDES: tuple[tuple[str, str], ...] = (
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.untrackedCache", "false"),
    ("core.pager", "cat"),
    ("core.editor", "false"),
    ("core.askPass", "false"),
    ("core.sshCommand", "false"),
    ("core.gitProxy", ""),
    ("core.alternateRefsCommand", "true"),
    ("core.quotePath", "true"),
    ("core.protectHFS", "true"),
    ("core.protectNTFS", "true"),
    ("core.splitIndex", "false"),
    ("core.safecrlf", "false"),
    # A patch has to fit to the byte, whatever the user's own setting lets pass.
    ("apply.ignoreWhitespace", "no"),
    ("diff.indentHeuristic", "true"),
    ("diff.renameLimit", "1000"),
    # Reading packed deltas, not writing files, dominates a large checkout: 100,000 files 19 s -> 3 s.
    ("core.deltaBaseCacheLimit", "512m"),
    ("index.sparse", "false"),
    ("checkout.workers", "1"),
    ("credential.helper", ""),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("gpg.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.x509.program", "false"),
    ("gc.auto", "0"),
    ("gc.autoDetach", "false"),
    ("maintenance.auto", "false"),
    ("protocol.allow", "never"),
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("diff.external", ""),
    ("diff.ignoreSubmodules", "none"),
    ("diff.submodule", "short"),
    ("diff.renames", "false"),
    ("diff.noprefix", "false"),
    ("diff.mnemonicPrefix", "false"),
    ("diff.relative", "false"),
    ("diff.algorithm", "myers"),
    ("diff.context", "3"),
    ("diff.interHunkContext", "0"),
    ("diff.suppressBlankEmpty", "false"),
    ("diff.orderFile", "/dev/null"),
    ("diff.colorMoved", "no"),
    ("color.ui", "false"),
    ("apply.whitespace", "nowarn"),
    ("uploadpack.packObjectsHook", ""),
    ("advice.detachedHead", "false"),
    ("worktree.guessRemote", "false"),
    ("merge.renormalize", "false"),
)

_ENVIRONMENT: Mapping[str, str] = {
    "LC_ALL": "C",
    "HOME": "/nonexistent",
    "XDG_CONFIG_HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "false",
    "SSH_ASKPASS": "false",
    "GIT_SSH_COMMAND": "false",
    "GIT_EDITOR": "false",
    "GIT_SEQUENCE_EDITOR": "false",
    "GIT_PAGER": "cat",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TRACE2": "0",
    "GIT_TRACE2_EVENT": "0",
    "GIT_TRACE2_PERF": "0",
    # A date in a commit object must not depend on the machine's time zone.
    "TZ": "UTC",
}

_PREFIX = ("--no-pager", "--no-replace-objects", "--literal-pathspecs", "--no-optional-locks")


class GitFailed(UserError):
    """A git command that had to work did not; the message quotes git's own words."""

    def __init__(self, command: str, returncode: int, errors: bytes) -> None:
        words = errors.decode(errors="replace").strip().splitlines()
        said = words[-1] if words else f"exit {returncode}"
        super().__init__(
            f"`git {command}` failed: {said}",
            hint="see whether `git status` and `git fsck` work in this repository",
            exit_code=ExitCode.ENVIRONMENT,
        )
        self.returncode = returncode
        self.errors = errors


@functools.cache
def git_program() -> str:
    """The user's git.

    Raises:
        UserError: there is none.
    """
    found = shutil.which("git")
    if found is None:
        raise UserError("git is not installed", hint="install git 2.31 or newer", exit_code=ExitCode.ENVIRONMENT)
    return found


def neutral_overrides(repository_keys: Iterable[str]) -> list[tuple[str, str]]:
    """Configuration that outranks the repository's and makes its commands harmless.

    Args:
        repository_keys: the keys that the repository's own configuration sets, `section.name.key` in lower case
            but for the name.
    """
    return [*_OVERRIDES, *_silenced_drivers(repository_keys)]


def _silenced_drivers(keys: Iterable[str]) -> list[tuple[str, str]]:
    """Overrides for what the configuration names freely: filters, diff and merge drivers, helpers, hooks."""
    pairs: list[tuple[str, str]] = []
    drivers: set[str] = set()
    for key in keys:
        section, _, rest = key.partition(".")
        name, _, last = rest.rpartition(".")
        if not name:
            continue
        if section == "filter" and name not in drivers:
            drivers.add(name)
            pairs += [(f"filter.{name}.{part}", "") for part in ("clean", "smudge", "process")]
            pairs.append((f"filter.{name}.required", "false"))
        elif (section, last) in (("diff", "command"), ("diff", "textconv"), ("credential", "helper")):
            pairs.append((key, ""))
        elif (section, last) == ("merge", "driver"):
            # A driver that fails is a conflict; an empty one is a program that can't be run.
            pairs.append((key, "false"))
        elif section == "hook":
            # Hooks in the configuration came with git 2.54.
            pairs.append((f"hook.{name}.enabled", "false"))
    return pairs


def neutral_environment(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """A whole environment for git with `pairs` as its command-scope configuration."""
    return _with_settings({"PATH": os.environ.get("PATH", os.defpath), **_ENVIRONMENT}, pairs)


def _with_settings(environment: Mapping[str, str], pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The environment with further command-scope configuration, which outranks what it holds already."""
    first = int(environment.get("GIT_CONFIG_COUNT", "0"))
    added = {**environment, "GIT_CONFIG_COUNT": str(first + len(pairs))}
    for number, (key, value) in enumerate(pairs, start=first):
        added[f"GIT_CONFIG_KEY_{number}"] = key
        added[f"GIT_CONFIG_VALUE_{number}"] = value
    return added


@dataclass(frozen=True, slots=True)
class Git:
    """One way to call git: a git directory, maybe a working tree and an index of its own.

    Attributes:
        git_dir: passed as `--git-dir`; git's ownership check has to have been made before (see `repository`).
        work_tree: passed as `--work-tree`; also the working folder of the call.
        index: a private index in place of the git directory's own.
    """

    git_dir: Path
    environment: Mapping[str, str] = field(repr=False)
    work_tree: Path | None = None
    index: Path | None = None

    def with_index(self, index: Path) -> Git:
        """The same with a private index."""
        return Git(self.git_dir, self.environment, self.work_tree, index)

    def at(self, git_dir: Path, work_tree: Path) -> Git:
        """The same repository seen from one of its worktrees.

        An `includeIf` may hold there and nowhere else, so what the configuration says there is neutralised
        as well.
        """
        there = Git(git_dir, self.environment, work_tree, None)
        keys = there.run("config", "--list", "--includes", "--name-only", "-z")
        pairs = _silenced_drivers(keys.decode("utf-8", "surrogateescape").split("\0"))
        return Git(git_dir, _with_settings(self.environment, pairs), work_tree, None)

    def run(self, *arguments: str, stdin: bytes = b"", ok: Sequence[int] = (0,)) -> bytes:
        """Run one command and give its standard output.

        Args:
            ok: exit codes that are no failure.

        Raises:
            GitFailed: any other exit code.
        """
        return self.result(*arguments, stdin=stdin, ok=ok).stdout

    def result(
        self,
        *arguments: str,
        stdin: bytes = b"",
        ok: Sequence[int] = (0,),
        identity: Mapping[str, str] | None = None,
        umask: int = -1,
    ) -> subprocess.CompletedProcess[bytes]:
        """As `run`, with the exit code and what the command wrote to standard error.

        Args:
            identity: `GIT_AUTHOR_…` and `GIT_COMMITTER_…` for commands that write commits.
            umask: of this command alone, where it isn't -1.
        """
        command = [git_program(), f"--git-dir={self.git_dir}"]
        if self.work_tree is not None:
            command.append(f"--work-tree={self.work_tree}")
        environment = {**self.environment, **(identity or {})}
        if self.index is not None:
            environment["GIT_INDEX_FILE"] = str(self.index)
        done = run_program(
            [*command, *_PREFIX, *arguments],
            environment=environment,
            folder=self.work_tree or "/",
            stdin=stdin,
            seconds=GIT_TIMEOUT,
            umask=umask,
        )
        if done.returncode not in ok:
            raise GitFailed(arguments[0], done.returncode, done.stderr)
        return done

    def line(self, *arguments: str) -> str:
        """Run one command whose answer is one line, such as an object id."""
        return self.run(*arguments).decode("utf-8", "surrogateescape").strip()
