"""The settings of reviews as each source writes them, by field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from orefactor.core.setting_names import git_name
from orefactor.core.setting_sources import from_pyproject, policy_from_git
from orefactor.core.settings import OPTION, Resolved, Source, resolve_with_sources
from orefactor.sandbox.repository import ConfigEntry, Scope


def git(scope: Scope = "global", /, **values: str) -> list[ConfigEntry]:
    """Lines of git's configuration for fields, as git lists them."""
    lines = {name: re.sub(r"[^.]+$", lambda last: last[0].lower(), git_name(name)) for name in values}
    return [ConfigEntry(scope, f"orefactor.{lines[name]}", value) for name, value in values.items()]


def ruled(scope: Scope = "global", /, **values: str) -> Source | None:
    """The same as a policy."""
    told = [(entry.key.removeprefix("orefactor."), entry.value) for entry in git(scope, **values)]
    return policy_from_git([ConfigEntry(scope, f"orefactor.policy.{key}", value) for key, value in told])


def toml(section: str, *lines: str) -> Source | None:
    return from_pyproject("\n".join([f"[tool.orefactor.{section}]", *lines]).encode())


def found(
    options: Mapping[str, Any] | None = None,
    *,
    users: Sequence[Source] = (),
    repository: Source | None = None,
    policy: Source | None = None,
) -> Resolved:
    named = [Source(OPTION, options)] if options else []
    return resolve_with_sources([*named, *users], repository=repository, policy=policy)
