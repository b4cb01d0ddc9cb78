"""What a caller of a review asks for, and what has to be known before it may start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from orefactor.sandbox.repository import Repository, find_repository

from ..errors import ExitCode, UserError
from ..guards.contracts.parsing import parse_contract
from ..keys import name_secret, whole_environment
from ..messages import Provider, RunFacts
from ..providers.choose import Choice, choose_providers
from ..redact import printable
from ..request import Prepared, RunRequest, file_at, own_checks, required_checks, user_sources, warm_up
from ..scope_paths import scope_paths
from ..setting_sources import from_pyproject, is_trusted, policy_from_git
from ..settings import Resolved, resolve_with_sources
from .change import split_words, take_change
from .change_words import INDEX
from .reviewed_change import ReviewedChange

_RECIPES = "recipes"


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """What a caller asks for.

    Attributes:
        root: a folder of the repository.
        words: a range, and paths relative to `root`; the first one is the range where it means one.
        options: settings that the caller names, by the names of `Settings`.
        provider: a ready provider in place of the one that the settings mean.
        user_settings: whether the environment's and git's settings count below the options.
        change: what is reviewed, where the caller has it already; `words` count nothing then.
        staged: what is staged is reviewed, and all words are paths, whatever they are called.
        part_of: the run whose result is reviewed. The review's id begins as that one's, so that the newest run is still
            the job, and a signal ends both.
    """

    root: Path
    words: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    provider: Provider | None = None
    user_settings: bool = False
    change: ReviewedChange | None = None
    staged: bool = False
    part_of: str = ""


@dataclass(frozen=True, slots=True)
class PreparedReview:
    """Everything that a review needs to start.

    Attributes:
        prepared: the same as the main job's; its base is the change's new side.
        warnings: what of the settings doesn't count, a line each.
    """

    prepared: Prepared
    change: ReviewedChange
    warnings: tuple[str, ...] = ()


def prepare_review(request: ReviewRequest) -> PreparedReview:
    """Check everything that can be checked before the model is asked.

    Raises:
        UserError: bad input of any kind.
    """
    repository = find_repository(request.root)
    change = request.change or change_of(request, repository)
    asked = RunRequest(
        f"review {printable(change.source)}",
        request.root,
        options=request.options,
        provider=request.provider,
        user_settings=request.user_settings,
    )
    resolved = _settings(asked, repository, change)
    settings = resolved.settings
    own = own_checks(settings, trusted=is_trusted(repository.config, repository.place))
    wanted = settings.checks if "checks" in request.options and settings.checks is not None else settings.review.checks
    checks = required_checks(wanted, settings, own)
    prepared = Prepared(
        asked,
        repository,
        settings,
        change.paths,
        change.after,
        _choices(asked, resolved, change),
        None,
        checks,
        own,
        parse_contract(("any",)),
    )
    return PreparedReview(prepared, change, resolved.warnings)


def change_of(request: ReviewRequest, repository: Repository) -> ReviewedChange:
    """The change that the request's words mean.

    Raises:
        UserError: there is no such change.
    """
    wanted, paths = (INDEX, request.words) if request.staged else split_words(repository, request.words, request.root)
    return take_change(repository, wanted, scope_paths(repository, request.root, paths))


def _settings(asked: RunRequest, repository: Repository, change: ReviewedChange) -> Resolved:
    """The settings; of the repository's those before the change, which must not choose how it is reviewed."""
    users = user_sources(asked, repository)
    policy = policy_from_git(repository.config)
    told = from_pyproject(file_at(repository.git, change.before, "pyproject.toml"))
    resolved = resolve_with_sources(users, repository=told, policy=policy)
    settings = resolved.settings
    if settings.key_variable is not None:
        name_secret(settings.key_variable)
    if settings.review.model is not None and "model" not in asked.options:
        settings = settings.model_copy(update={"model": settings.review.model})
    return Resolved(settings, resolved.sources, resolved.warnings)


def _choices(asked: RunRequest, resolved: Resolved, change: ReviewedChange) -> tuple[Choice, ...]:
    """The chain of providers; none where there is nothing to review."""
    settings = resolved.settings
    if not change.paths:
        return ()
    if settings.provider == _RECIPES and asked.provider is None:
        raise UserError(
            "the offline provider `recipes` can't review, since it has no model",
            hint="name a model, or a script of replies: `--provider fixture --fixture FILE`",
            exit_code=ExitCode.PROVIDER,
        )
    facts = RunFacts(asked.task, change.paths, lambda: change.changed_lines)
    ready = None
    if asked.provider is not None:
        ready = Choice(asked.provider, settings.model or asked.provider.name)
    choices = choose_providers(settings, facts, whole_environment(), ready)
    warm_up(choices[0].provider)
    return choices
