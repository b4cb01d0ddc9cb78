"""The result as a commit on a new branch, made without touching the working tree, the index or HEAD.

The commit object is written in this process by GitPython, so no hook, signing program or editor can run at all;
where it can't open the repository, git's plumbing does it with the same neutral environment as everywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from orefactor.sandbox.git import GitFailed
from orefactor.sandbox.repository import Repository, ask_git

from ..errors import ExitCode, UserError

_IDENT = re.compile(r"^(?P<name>.*?) ?<(?P<email>[^<>]*)> \d+ [+-]\d{4}$")


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a commit is by."""

    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Identities:
    """Author and committer."""

    author: Identity
    committer: Identity


def read_identities(repository: Repository) -> Identities:
    """The identities that git would use here.

    Raises:
        UserError: git knows none.
    """
    return Identities(_identity(repository, "GIT_AUTHOR_IDENT"), _identity(repository, "GIT_COMMITTER_IDENT"))


def _identity(repository: Repository, variable: str) -> Identity:
    asked = ask_git(repository.place, "var", variable)
    match = _IDENT.match(asked.stdout.decode(errors="replace").strip())
    if asked.returncode != 0 or match is None or not match["name"]:
        raise UserError(
            "git does not know who you are, and a commit needs an author",
            hint="`git config --global user.name NAME && git config --global user.email ADDRESS`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    return Identity(match["name"], match["email"])


def require_free_branch(repository: Repository, name: str) -> None:
    """Make sure that the branch can be made.

    Raises:
        UserError: the name is not valid, or the branch exists.
    """
    if name.startswith("-") or repository.git.result("check-ref-format", "--branch", name, ok=(0, 1, 128)).returncode:
        raise UserError(f"`{name}` is no valid branch name", hint="see `git help check-ref-format`")
    existing = repository.git.run("for-each-ref", "--format=%(refname)", "refs/heads/").decode(errors="replace").split()
    wanted = f"refs/heads/{name}"
    if wanted in existing:
        raise UserError(
            f"the branch `{name}` exists already",
            hint="choose another name, or `--branch auto`",
            exit_code=ExitCode.CONFLICT,
        )
    for ref in existing:
        if ref.startswith(wanted + "/") or wanted.startswith(ref + "/"):
            raise UserError(
                f"the branch `{name}` can't exist beside `{ref.removeprefix('refs/heads/')}`",
                hint="choose another name, or `--branch auto`",
                exit_code=ExitCode.CONFLICT,
            )


def write_commit(
    repository: Repository, tree: str, parent: str, message: str, identities: Identities, when: datetime
) -> str:
    """Write a commit object that nothing refers to yet, and give its id."""
    if not _gitpython_opens(repository):
        return _plumbing_commit(repository, tree, parent, message, identities, when)
    from git import Actor, Commit, Repo, Tree

    with Repo(repository.git_dir) as opened:
        made = Commit.create_from_tree(
            opened,
            Tree(opened, bytes.fromhex(tree)),
            message,
            [Commit(opened, bytes.fromhex(parent))],
            author=Actor(identities.author.name, identities.author.email),
            committer=Actor(identities.committer.name, identities.committer.email),
            author_date=when,
            commit_date=when,
        )
        return made.hexsha


def _gitpython_opens(repository: Repository) -> bool:
    """Whether GitPython can work on the repository: it knows sha1 alone, and stumbles over conditional includes."""
    odd = ("includeif.", "extensions.refstorage")
    return repository.object_format == "sha1" and not any(entry.key.startswith(odd) for entry in repository.config)


def _plumbing_commit(
    repository: Repository, tree: str, parent: str, message: str, identities: Identities, when: datetime
) -> str:
    environment = {
        "GIT_AUTHOR_NAME": identities.author.name,
        "GIT_AUTHOR_EMAIL": identities.author.email,
        "GIT_COMMITTER_NAME": identities.committer.name,
        "GIT_COMMITTER_EMAIL": identities.committer.email,
        "GIT_AUTHOR_DATE": f"@{int(when.timestamp())} +0000",
        "GIT_COMMITTER_DATE": f"@{int(when.timestamp())} +0000",
    }
    made = repository.git.result(
        "commit-tree", "--no-gpg-sign", tree, "-p", parent, stdin=message.encode(), identity=environment
    )
    return made.stdout.decode().strip()


def create_branch(repository: Repository, name: str, commit: str, identities: Identities) -> None:
    """Make the branch; it fails where somebody made one of that name meanwhile.

    Raises:
        UserError: the branch exists by now.
    """
    identity = {
        "GIT_COMMITTER_NAME": identities.committer.name,
        "GIT_COMMITTER_EMAIL": identities.committer.email,
    }
    try:
        repository.git.result(
            "update-ref",
            "--create-reflog",
            "--stdin",
            "-z",
            stdin=f"create refs/heads/{name}\0{commit}\0".encode(),
            identity=identity,
        )
    except GitFailed as error:
        raise UserError(
            f"the branch `{name}` could not be made: {error.message}",
            hint="choose another name, or `--branch auto`",
            exit_code=ExitCode.CONFLICT,
        ) from error
