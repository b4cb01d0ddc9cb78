"""Every setting with its value and where it came from, for people who wonder why a run does what it does.

`settings` puts the sources together; here their names are looked up again: the variable, the key and the file of git's
configuration, the file of the repository. Secrets are no settings: of a key only the variable's name is known here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from orefactor.sandbox.base import take_base
from orefactor.sandbox.config_files import ConfigLine, read_config_lines
from orefactor.sandbox.repository import Repository, find_repository, read_config

from .checks.catalogue import find_check
from .errors import UserError
from .guards.allowed import require_allowable
from .guards.contracts.parsing import parse_contract
from .providers.choose import find_row
from .providers.quirks import OFFLINE
from .setting_names import meaning
from .setting_sources import from_environment, from_git, from_pyproject, is_trusted, policy_from_git
from .settings import DEFAULT_MODEL, NAMED, Resolved, Settings, Source, option_name, resolve_with_sources

OriginKind = Literal["environment", "git", "pyproject", "policy", "default"]
_SECTION, _VARIABLE = "orefactor.", "OREFACTOR_"
_POLICY = "policy."
_USER_SCOPES = ("system", "global", "command")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a setting came from.

    Attributes:
        name: the variable, or the key of git's configuration; empty for the others.
        scope: the scope of git's configuration.
        file: the file, where there is one.
    """

    kind: OriginKind
    name: str = ""
    scope: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class ListedSetting:
    """One setting.

    Attributes:
        name: as people write it.
        value: a plain value or a tuple of texts; None where nothing is set and nothing follows from the others.
        is_set: of the name of a key's variable: whether it holds something.
    """

    name: str
    value: Any
    origin: Origin
    is_set: bool | None = None


@dataclass(frozen=True, slots=True)
class SettingList:
    """All settings.

    Attributes:
        problem: the first thing that is wrong with them although each has the right form.
        warnings: what somebody said and doesn't count, a line each.
    """

    settings: tuple[ListedSetting, ...]
    problem: UserError | None
    warnings: tuple[str, ...] = ()


def list_settings(place: Path, environment: Mapping[str, str]) -> SettingList:
    """Every setting as it holds in a folder, inside of a repository or not.

    Raises:
        UserError: a value is wrong; the message names the setting and its source.
    """
    config = read_config(place)
    by_variable, by_git, policy = from_environment(environment), from_git(config), policy_from_git(config)
    users = [*by_variable, *by_git]
    early = resolve_with_sources(users, policy=policy).settings
    repository = _repository(place)
    told = from_pyproject(_pyproject(repository, early)) if repository else None
    resolved = resolve_with_sources(users, repository=told, policy=policy)
    kinds: list[tuple[OriginKind, Sequence[Source]]] = [
        ("environment", by_variable),
        ("git", by_git),
        ("pyproject", [told] if told else []),
        ("policy", [policy] if policy else []),
    ]
    lines = [line for line in read_config_lines(place) if line.key.startswith(_SECTION)]
    origins = {name: _origin(name, resolved, kinds, lines, environment) for name in NAMED}
    listed = [ListedSetting(option_name(n), getattr(resolved.settings, n), origins[n]) for n in NAMED]
    listed, problem = _with_provider(listed, resolved.settings, environment)
    problem = problem or _problem(resolved.settings)
    trusted = repository is not None and is_trusted(config, repository.place)
    listed += [*_told(lines), *_commands(resolved.settings, trusted=trusted)]
    return SettingList(tuple(listed), problem, resolved.warnings)


def _repository(place: Path) -> Repository | None:
    try:
        return find_repository(place)
    except UserError:
        return None


def _pyproject(repository: Repository, settings: Settings) -> bytes:
    """The file at the base that a run would start from."""
    try:
        base = take_base(repository, settings.base or ("worktree" if repository.top else "HEAD"), ())
    except UserError:
        return b""
    found = repository.git.result("cat-file", "blob", f"{base.commit}:pyproject.toml", ok=(0, 128))
    return found.stdout if found.returncode == 0 else b""


def _origin(
    name: str,
    resolved: Resolved,
    kinds: Sequence[tuple[OriginKind, Sequence[Source]]],
    lines: Sequence[ConfigLine],
    environment: Mapping[str, str],
) -> Origin:
    source = resolved.sources.get(name)
    kind = next((kind for kind, sources in kinds if any(source is other for other in sources)), "default")
    match kind:
        case "environment":
            variables = (v for v in environment if v.startswith(_VARIABLE))
            return Origin(kind, next(v for v in variables if meaning(v.removeprefix(_VARIABLE)) == name))
        case "git" | "policy":
            return _in_git(kind, name, lines)
        case "pyproject":
            return Origin(kind, file="pyproject.toml")
        case _:
            return Origin("default")


def _in_git(kind: OriginKind, name: str, lines: Sequence[ConfigLine]) -> Origin:
    """The line that holds: the last one, and for a policy the last of those that may set one."""
    section = _SECTION + (_POLICY if kind == "policy" else "")
    found = [line for line in lines if line.key.startswith(section) and meaning(line.key.removeprefix(section)) == name]
    line = next(line for line in reversed(found) if kind == "git" or line.scope in _USER_SCOPES)
    return Origin(kind, line.key, line.scope, line.file)


def _with_provider(
    listed: Sequence[ListedSetting], settings: Settings, environment: Mapping[str, str]
) -> tuple[list[ListedSetting], UserError | None]:
    """What follows from provider and model, in the place of what isn't set; and what is wrong with them."""
    if settings.provider in OFFLINE:
        return list(listed), None
    try:
        row = find_row(settings)
    except UserError as error:
        return list(listed), error
    variable = settings.key_variable or row.key_variable
    follows = {
        "model": row.default_model if settings.provider else DEFAULT_MODEL,
        "provider": row.name,
        "base-url": row.base_url,
        "key-variable": variable,
    }
    filled = [
        replace(setting, value=follows[setting.name]) if setting.value is None and setting.name in follows else setting
        for setting in listed
    ]
    is_set = bool(environment.get(variable, "").strip())
    return [replace(s, is_set=is_set) if s.name == "key-variable" else s for s in filled], None


def _problem(settings: Settings) -> UserError | None:
    """What is wrong with names that only their own tables know."""
    hint = "see `git orefactor -h` for the known ones"
    try:
        parse_contract(settings.contract)
        require_allowable(settings.allow)
        for name in (*(settings.checks or ()), *settings.review_checks):
            if "=" not in name and name not in settings.commands and name not in settings.repository_commands:
                find_check(name)
    except ValueError as error:
        return UserError(str(error), hint=hint)
    except UserError as error:
        return error
    return None


def _told(lines: Sequence[ConfigLine]) -> Iterator[ListedSetting]:
    """What is said of single models, servers, checks and limits, and the trusted repositories."""
    last: dict[str, ConfigLine] = {}
    for number, line in enumerate(lines):
        rest = line.key.removeprefix(_SECTION)
        is_other = ("." in rest and meaning(rest) is None) or rest == "trusted"
        if is_other and line.scope in _USER_SCOPES:
            # Several repositories may be trusted.
            last[f"{rest} {number}" if rest == "trusted" else rest] = line
    for line in last.values():
        name = line.key.removeprefix(_SECTION)
        meant = meaning(name.removeprefix(_POLICY)) if name.startswith(_POLICY) else None
        if meant is not None:
            name = _POLICY + option_name(meant)
        yield ListedSetting(name, line.value, Origin("git", line.key, line.scope, line.file))


def _commands(settings: Settings, *, trusted: bool) -> Iterator[ListedSetting]:
    why = "" if trusted else " (not trusted, so it isn't run)"
    for name, command in settings.repository_commands.items():
        yield ListedSetting(f"commands.{name}", command + why, Origin("pyproject", file="pyproject.toml"))


def shown_file(file: str) -> str:
    """A file's name for people: with `~` for the home."""
    home = os.path.expanduser("~")
    return "~" + file[len(home) :] if file.startswith(home + "/") else file
