"""Which remote is meant, and where it is: read from the configuration, with the user's rules for addresses applied."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import ExitCode, UserError
from .repository import Repository, ask_git

_DEFAULT = "origin"


@dataclass(frozen=True, slots=True)
class Remote:
    """A remote of the repository.

    Attributes:
        address: where it is fetched from, which may hold a password.
        push_address: where it is pushed to; mostly the same.
    """

    name: str
    address: str
    push_address: str


def find_remote(repository: Repository, name: str | None) -> Remote:
    """The named remote; for None the one that git would push to.

    Raises:
        UserError: there is none, none of that name, or it can't be told which.
    """
    known = _names(repository)
    if not known:
        raise UserError(
            "this repository has no remote",
            hint="add one: `git remote add origin ADDRESS`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    chosen = _default(repository, known) if name is None else name
    if chosen is None or chosen not in known:
        said = f"no remote is called `{name}`" if name is not None else "it is not clear which remote is meant"
        raise UserError(said, hint=f"name one of them: `--remote {known[0]}`", exit_code=ExitCode.ENVIRONMENT)
    (address, *_), pushed = _addresses(repository, chosen), _addresses(repository, chosen, "--push")
    if len(pushed) > 1:
        raise UserError(
            f"the remote `{chosen}` has several addresses that are pushed to",
            hint="name a remote with one address: `--remote NAME`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    return Remote(chosen, address, pushed[0])


def _names(repository: Repository) -> list[str]:
    listed = [entry.key for entry in repository.config if entry.key.startswith("remote.") and entry.value]
    names = [key[len("remote.") : -len(".url")] for key in listed if key.endswith(".url")]
    return list(dict.fromkeys(name for name in names if name and not name.startswith("-")))


def _default(repository: Repository, known: list[str]) -> str | None:
    head = repository.git.result("symbolic-ref", "--quiet", "HEAD", ok=(0, 1, 128)).stdout.decode(errors="replace")
    branch = head.strip().removeprefix("refs/heads/")
    keys = (f"branch.{branch}.pushremote", "remote.pushdefault", f"branch.{branch}.remote")
    configured = [repository.setting(key) for key in keys]
    wanted = [*configured, _DEFAULT, known[0] if len(known) == 1 else None]
    return next((name for name in wanted if name in known), None)


def _addresses(repository: Repository, name: str, *which: str) -> list[str]:
    asked = ask_git(repository.place, "remote", "get-url", *which, "--all", "--", name)
    lines = asked.stdout.decode("utf-8", "surrogateescape").rstrip("\n").split("\n")
    if asked.returncode != 0 or not lines[0]:
        raise UserError(
            f"git can't tell where the remote `{name}` is",
            hint=f"see `git remote get-url {name}`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    return lines
