"""What a caller asks for, and what has to be known before a run may start: bad input is said here, first of all."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orefactor.sandbox.base import Base, take_base
from orefactor.sandbox.git import Git
from orefactor.sandbox.repository import Repository, find_repository

from .checks.catalogue import catalogue, find_check
from .checks.own import OwnCommand, parse_own
from .context.promise import promised
from .context.task_types import task_type
from .errors import UserError
from .guards.allowed import require_allowable
from .guards.contracts.contract import Contract
from .guards.contracts.parsing import parse_contract
from .keys import name_secret, whole_environment
from .messages import Provider, RunFacts
from .outputs.branch import Identities, read_identities, require_free_branch
from .providers.choose import Choice, choose_providers
from .scope_paths import scope_paths
from .setting_sources import from_environment, from_git, from_pyproject, is_trusted, policy_from_git
from .settings import OPTION, Settings, Source, resolve

if TYPE_CHECKING:
    from .continuing import Continuation

AUTO_BRANCH = "auto"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a caller asks for.

    Attributes:
        root: a folder of the repository; `paths` are relative to it.
        options: settings that the caller names, by the names of `Settings`.
        provider: a ready provider in place of the one that the settings mean.
        branch: commit on this new branch in place of a patch; `auto` names one.
        apply: also put the patch on the working tree.
        output: also write the patch to this file.
        user_settings: whether the environment's and git's settings count below the options.
        base: the base of a run that is repeated, in place of the one that the settings mean.
        continues: the recorded run whose first rounds are played.
        system: a system text in place of the usual one.
        part_of: the run that it is a shard of; empty where it is none.
    """

    task: str
    root: Path
    paths: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    provider: Provider | None = None
    branch: str | None = None
    apply: bool = False
    output: Path | None = None
    exit_code_for_changes: bool = False
    user_settings: bool = False
    base: Base | None = None
    continues: Continuation | None = None
    system: str | None = None
    part_of: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything that a run needs to start.

    Attributes:
        choices: the chain of providers, the first one first; none where nobody needs to be asked.
        checks: the names of the required checks.
        own_checks: the project's own commands that may be checks here.
        reviewer: a ready provider that reviews the result, too: the caller's own, or one that plays a script.
    """

    request: RunRequest
    repository: Repository
    settings: Settings
    paths: tuple[str, ...]
    base: Base
    choices: tuple[Choice, ...]
    identities: Identities | None
    checks: tuple[str, ...]
    own_checks: tuple[OwnCommand, ...]
    contract: Contract
    reviewer: Provider | None = None

    @property
    def model(self) -> str:
        """The model that is asked first; empty where nobody is."""
        return self.choices[0].model if self.choices else ""


def prepare(request: RunRequest) -> Prepared:
    """Check everything that can be checked before the first model call.

    Raises:
        UserError: bad input of any kind.
    """
    task = " ".join(request.task.split())
    if not task:
        raise UserError("the task is empty", hint='say what to do: `git orefactor "add docstrings" FILE`')
    repository = find_repository(request.root)
    _require_output(request)
    users = user_sources(request, repository)
    early = resolve(users, policy=policy_from_git(repository.config))
    if early.key_variable is not None:
        name_secret(early.key_variable)
    paths = scope_paths(repository, request.root, request.paths)
    identities = _prepare_branch(request, repository)
    source = early.base or ("HEAD" if request.branch is not None else "worktree")
    base = _base(repository, request, source, paths)
    settings = resolve(
        users,
        repository=from_pyproject(file_at(repository.git, base.commit, "pyproject.toml")),
        policy=policy_from_git(repository.config),
    )
    contract = _contract(settings, task)
    own = own_checks(settings, trusted=is_trusted(repository.config, repository.place))
    checks = task_type(task).checks if settings.checks is None else required_checks(settings.checks, settings, own)
    facts = RunFacts(task, paths, lambda: count_lines(repository.git, base.commit, paths))
    choices = choose_providers(settings, facts, whole_environment(), _ready(request, settings))
    first = choices[0].provider
    warm_up(first)
    reviewer = first if request.provider is not None or getattr(first, "follows_script", False) else None
    if request.continues is not None:
        choices = request.continues.joined(choices)
    return Prepared(request, repository, settings, paths, base, choices, identities, checks, own, contract, reviewer)


def _base(repository: Repository, request: RunRequest, source: str, paths: Sequence[str]) -> Base:
    ready = request.base
    if ready is None:
        return take_base(repository, source, paths)
    found = take_base(repository, ready.commit, paths)
    return replace(found, source=ready.source, head=ready.head, difference=ready.difference)


def own_checks(settings: Settings, *, trusted: bool) -> tuple[OwnCommand, ...]:
    """The project's own commands: from the command line, the user's configuration, a trusted repository; by name."""
    named = [parse_own(check, "command line") for check in settings.checks or () if "=" in check]
    named += [parse_own(f"{name}={command}", "git config") for name, command in settings.commands.items()]
    if trusted:
        told = settings.repository_commands.items()
        named += [parse_own(f"{name}={command}", "repository") for name, command in told]
    return tuple({command.name: command for command in reversed(named)}.values())


def required_checks(wanted: Sequence[str], settings: Settings, own: Sequence[OwnCommand]) -> tuple[str, ...]:
    """The names of required checks, each once.

    Args:
        wanted: as `NAME` or `NAME=COMMAND`.

    Raises:
        UserError: there is no such check, or it is the repository's own and not trusted.
    """
    names = tuple(dict.fromkeys(check.partition("=")[0].strip() for check in wanted))
    known = catalogue(own)
    for name in names:
        if name in settings.repository_commands and name not in known:
            raise UserError(
                f"`{name}` is a command of the repository's own, and you haven't said that you trust it",
                hint="read it in `pyproject.toml`, then `git config --global --add orefactor.trusted PATH`",
            )
        find_check(name, known)
    return names


def _contract(settings: Settings, task: str) -> Contract:
    """What kind of change is promised: as the user says, or as the task's text makes plain."""
    try:
        require_allowable(settings.allow)
        asked = parse_contract(settings.contract)
        return parse_contract(promised(task)) if asked.allows("auto") else asked
    except ValueError as error:
        raise UserError(str(error), hint="see `git orefactor --help`, under CONTRACTS") from None


def user_sources(request: RunRequest, repository: Repository) -> list[Source]:
    """What the caller names and what the user's environment and configuration say, strongest first.

    Raises:
        UserError: one of them names no setting.
    """
    sources = [Source(OPTION, dict(request.options))]
    if request.user_settings:
        sources += [*from_environment(whole_environment()), *from_git(repository.config)]
    return sources


def _require_output(request: RunRequest) -> None:
    if request.output is not None and (request.output.is_dir() or not request.output.absolute().parent.is_dir()):
        raise UserError(
            f"can't write the patch to `{request.output}`",
            hint="name a file in an existing folder: `-o FILE`",
        )


def _ready(request: RunRequest, settings: Settings) -> Choice | None:
    if request.provider is None:
        return None
    return Choice(request.provider, settings.model or request.provider.name)


def warm_up(provider: Provider) -> None:
    """Load the client while git makes the worktree; importing it takes as long as everything else together."""
    warm_up = getattr(provider, "prepare", None)
    if warm_up is not None:
        threading.Thread(target=warm_up, daemon=True).start()


def _prepare_branch(request: RunRequest, repository: Repository) -> Identities | None:
    if request.branch is None:
        return None
    if request.branch != AUTO_BRANCH:
        require_free_branch(repository, request.branch)
    return read_identities(repository)


def file_at(git: Git, commit: str, path: str) -> bytes:
    """The content of a file at a commit; nothing where it isn't there."""
    found = git.result("cat-file", "blob", f"{commit}:{path}", ok=(0, 128))
    return found.stdout if found.returncode == 0 else b""


def count_lines(git: Git, commit: str, paths: Sequence[str]) -> int:
    """Lines of the text files that the paths name."""
    empty = git.line("hash-object", "-t", "tree", "--stdin")
    counted = git.run("diff-tree", "-r", "--numstat", "-z", empty, commit, "--", *paths).split(b"\0")
    return sum(int(row.split(b"\t")[0]) for row in counted if row[:1].isdigit())
