"""Pushes one commit to one branch of a remote: never by force, never over commits that are not ours.

What the remote has is looked at first, so that people are told why it can't be done; git's own rule that a branch only
moves forward is what holds when somebody pushes between the look and the push.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import ExitCode, UserError
from .network_git import NetworkGit, remote_program
from .remote import Remote
from .repository import Repository

_SECONDS_TO_LIST, _SECONDS_TO_PUSH = 120.0, 900.0
_LONGEST = 300
"""Characters of what git says."""
_AT = "orefactor-push"
"""A name that holds the address that is pushed to, for one call: on the command line others could read a password."""
_REFUSED_LOGIN = (
    "authentication failed",
    "could not read username",
    "could not read password",
    "permission denied",
    "host key verification failed",
    "terminal prompts disabled",
    "access denied",
    "returned error: 401",
    "returned error: 403",
)


@dataclass(frozen=True, slots=True)
class RemoteRefs:
    """What the remote has.

    Attributes:
        default: the branch that its HEAD names; None where that isn't known.
        branches: the commits of the default branch and of those that were asked for, by name.
    """

    default: str | None
    branches: Mapping[str, str]


def list_remote(git: NetworkGit, remote: Remote, *branches: str) -> RemoteRefs:
    """Ask the remote for its default branch and for these branches.

    Raises:
        UserError: it can't be reached, or refuses.
    """
    name, settings = remote.name, list[tuple[str, str]]()
    if remote.push_address != remote.address:
        name, settings = _AT, [(f"remote.{_AT}.url", remote.push_address)]
    patterns = ["HEAD", *(f"refs/heads/{branch}" for branch in branches)]
    program = remote_program(git.repository.config, remote.name, "upload-pack") if name == remote.name else []
    words = ("ls-remote", "--symref", "--quiet", *program, "--", name, *patterns)
    ended = git.run(*words, remote=name, seconds=_SECONDS_TO_LIST, settings=settings)
    if ended.returncode != 0:
        raise _unreachable(remote.name, ended.stderr)
    default: str | None = None
    found: dict[str, str] = {}
    for line in ended.stdout.decode("utf-8", "surrogateescape").split("\n"):
        value, _, ref = line.partition("\t")
        if ref == "HEAD" and value.startswith("ref: refs/heads/"):
            default = value.removeprefix("ref: refs/heads/")
        elif ref == "HEAD" and default is not None:
            found[default] = value
        elif ref.startswith("refs/heads/"):
            found[ref.removeprefix("refs/heads/")] = value
    return RemoteRefs(default, {branch: found[branch] for branch in (*branches, default or "") if branch in found})


def push(git: NetworkGit, remote: Remote, commit: str, branch: str) -> tuple[str, ...]:
    """Push the commit to the branch, forward only.

    Returns:
        What the server said, such as where a request can be opened.

    Raises:
        UserError: the server refused the branch (exit 7), or can't be reached or refuses the login (exit 5).
    """
    options = ("--porcelain", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no")
    # A mirror's push would take all branches along; the user's own options are for his own pushes.
    settings = [(f"remote.{remote.name}.mirror", "false"), ("push.pushOption", "")]
    refspec = f"{commit}:refs/heads/{branch}"
    program = remote_program(git.repository.config, remote.name, "receive-pack")
    words = ("push", *options, *program, "--", remote.name, refspec)
    ended = git.run(*words, remote=remote.name, seconds=_SECONDS_TO_PUSH, settings=settings)
    refused = [line for line in ended.stdout.decode(errors="replace").split("\n") if line.startswith("!\t")]
    if refused:
        why = refused[0].rpartition("\t")[2][:_LONGEST]
        said = " ".join(_said(ended.stderr))[:_LONGEST]
        raise UserError(
            f"the remote `{remote.name}` does not take the branch `{branch}`: {why}{f' ({said})' if said else ''}",
            hint="see its rules for branches; nothing was forced",
            exit_code=ExitCode.CONFLICT,
        )
    if ended.returncode != 0:
        raise _unreachable(remote.name, ended.stderr)
    return _said(ended.stderr)


def has_pre_push(repository: Repository) -> bool:
    """Whether git would have run a hook before the push."""
    configured = repository.setting("core.hookspath")
    folder = Path(repository.place, os.path.expanduser(configured)) if configured else repository.common_dir / "hooks"
    return (folder / "pre-push").is_file() and os.access(folder / "pre-push", os.X_OK)


def _said(errors: bytes) -> tuple[str, ...]:
    lines = [line.rstrip() for line in errors.decode(errors="replace").replace("\r", "\n").split("\n")]
    words = [line.removeprefix("remote:").strip() for line in lines if line.startswith("remote:")]
    return tuple(word[:_LONGEST] for word in words if word)[:20]


def _unreachable(name: str, errors: bytes) -> UserError:
    lines = [line.strip() for line in errors.decode(errors="replace").replace("\r", "\n").split("\n") if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal: ", "error: ", "ERROR: ", "remote: "))]
    said = (telling or lines or ["git said nothing"])[0]
    whole = " ".join(lines).lower()
    if any(words in whole for words in _REFUSED_LOGIN):
        return UserError(
            f"the remote `{name}` refuses the login: {said[:_LONGEST]}",
            hint=f"see whether you can push by yourself: `git push --dry-run {name} HEAD`",
            exit_code=ExitCode.PROVIDER,
        )
    return UserError(
        f"the remote `{name}` can't be used: {said[:_LONGEST]}",
        hint=f"see whether `git ls-remote {name}` works, and try again",
        exit_code=ExitCode.PROVIDER,
    )
