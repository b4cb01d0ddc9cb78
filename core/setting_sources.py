"""Reads settings where they may stand: the environment, git's configuration, `pyproject.toml` at the base.

Each may say only what is its to say: a `.git/config` can come with a download, and `pyproject.toml` does.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from orefactor.sandbox.repository import ConfigEntry

from .errors import UserError
from .providers.prices import parse_price
from .providers.quirks import PROVIDERS, with_overrides
from .settings import LIMITS, Source, known_name, option_name

_FROM_REPOSITORY = ("checks", "contract", *LIMITS)
_USER_ONLY = ("provider", "base_url", "key_variable", "sandbox", "python", "fixture", "fallback", "allow")
_USER_SCOPES = ("system", "global", "command")
_POLICY = "policy."
_CHECK, _TRUSTED = "check.", "trusted"
_FORGE = "forge."
_COMMANDS = "commands"
"""The table of `[tool.orefactor]` with a repository's own commands."""
_PRICE, _LIKE = "price", "provider"
"""Of a model; of a host: the row of the table that it resembles."""
# Read elsewhere, or not a setting at all.
_OTHER_VARIABLES = ("OREFACTOR_API_KEY",)


def from_environment(environment: Mapping[str, str]) -> list[Source]:
    """The settings among the environment's variables.

    Raises:
        UserError: a variable `OREFACTOR_…` that names no setting.
    """
    sources: list[Source] = []
    for variable, value in environment.items():
        if variable.startswith("OREFACTOR_") and variable not in _OTHER_VARIABLES:
            name = known_name(variable.removeprefix("OREFACTOR_"), variable, "OREFACTOR_{}", str.upper)
            sources.append(Source(f"the variable {variable}", {name: value}))
    return sources


def from_git(config: Sequence[ConfigEntry]) -> list[Source]:
    """The settings in git's configuration, strongest first.

    Raises:
        UserError: a key `orefactor.…` that names no setting, or one that this file may not set.
    """
    sources: list[Source] = []
    told: dict[str, dict[str, Any]] = {"prices": {}, "servers": {}, "commands": {}}
    for entry in reversed(config):
        rest = entry.key.partition(".")[2]
        if not entry.key.startswith("orefactor.") or rest.startswith(_POLICY):
            continue
        if rest == _TRUSTED:
            _require_user(entry)
            continue
        if rest.startswith(_FORGE) or rest.endswith(f".{_FORGE[:-1]}"):
            _require_user(entry)  # read by `pr`
            continue
        if "." in rest:
            _tell(entry, rest, told)
            continue
        name = known_name(rest, entry.key, "orefactor.{}", _camel)
        if name in _USER_ONLY:
            _require_user(entry)
        sources.append(Source(f"git's configuration ({entry.scope} {entry.key})", {name: entry.value}))
    if any(told.values()):
        sources.append(Source("git's configuration", {name: values for name, values in told.items() if values}))
    return sources


def _require_user(entry: ConfigEntry) -> None:
    if entry.scope not in _USER_SCOPES:
        raise UserError(
            f"`{entry.key}` may not be set in a repository's own configuration",
            hint=f"set it for yourself: `git config --global {entry.key} VALUE`",
        )


def _tell(entry: ConfigEntry, rest: str, told: Mapping[str, dict[str, Any]]) -> None:
    """Take a key with a name in its middle: a model's price, or a field of a provider's or host's row."""
    _require_user(entry)
    subject, _, name = rest.rpartition(".")
    if subject.startswith(_CHECK) and name == "command":
        told["commands"].setdefault(subject.removeprefix(_CHECK), entry.value)
        return
    try:
        if name == _PRICE:
            parse_price(entry.value)
            told["prices"].setdefault(subject, entry.value)
            return
        if name != _LIKE:
            with_overrides(PROVIDERS["openai-compatible"], {name: entry.value})
        told["servers"].setdefault(subject, {}).setdefault(name, entry.value)
    except ValueError as error:
        raise UserError(
            f"`{entry.key}` is wrong: {error}", hint="see `git orefactor --help`, under PROVIDERS"
        ) from None


def policy_from_git(config: Sequence[ConfigEntry]) -> Source | None:
    """The ceilings that the user's or the machine's configuration declares under `orefactor.policy`.

    Raises:
        UserError: a key that names no limit.
    """
    values: dict[str, Any] = {}
    for entry in config:
        if entry.key.startswith("orefactor." + _POLICY) and entry.scope in _USER_SCOPES:
            name = known_name(
                entry.key.removeprefix("orefactor." + _POLICY),
                entry.key,
                "orefactor.policy.{}",
                _camel,
                LIMITS,
            )
            values[name] = entry.value
    return Source("git's configuration (orefactor.policy)", values) if values else None


def from_pyproject(text: bytes) -> Source | None:
    """What `[tool.orefactor]` in a repository's `pyproject.toml` says.

    Raises:
        UserError: it is no TOML, or it sets something that a repository may not.
    """
    if b"orefactor" not in text:
        return None
    try:
        table = _table(_table(tomllib.loads(text.decode()), "tool"), "orefactor")
    except (ValueError, RecursionError) as error:
        raise UserError(f"`pyproject.toml` can't be read: {error}", hint="mend the file") from None
    origin = "[tool.orefactor] in pyproject.toml"
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key == _COMMANDS:
            values["repository_commands"] = _texts(value)
            continue
        name = known_name(key, f"{key}` in `[tool.orefactor]", "{}", option_name)
        if name not in _FROM_REPOSITORY:
            raise UserError(
                f"`{key}` may not be set by a file of the repository",
                hint=f"a repository may set: {', '.join(map(option_name, _FROM_REPOSITORY))}",
            )
        if name == "checks" and "=" in str(value):
            raise UserError(
                "a command in `checks` of `[tool.orefactor]` is no name of a check",
                hint="name it there, and say what it runs in the table `[tool.orefactor.commands]`",
            )
        values[name] = value
    return Source(origin, values) if values else None


def _texts(table: Any) -> dict[str, str]:  # noqa: ANN401 - TOML
    if isinstance(table, dict) and all(isinstance(text, str) for text in cast("dict[str, Any]", table).values()):
        return cast("dict[str, str]", table)
    raise UserError("`commands` in `[tool.orefactor]` holds something else than texts", hint='write `NAME = "COMMAND"`')


def is_trusted(config: Sequence[ConfigEntry], place: Path) -> bool:
    """Whether the user's or the machine's configuration lists this repository under `orefactor.trusted`."""
    listed = [entry.value for entry in config if entry.key == f"orefactor.{_TRUSTED}" and entry.scope in _USER_SCOPES]
    return any(os.path.realpath(os.path.expanduser(path)) == os.path.realpath(place) for path in listed if path)


def _table(within: Mapping[str, Any], name: str) -> dict[str, Any]:
    found: Any = within.get(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"`{name}` is no table")
    return cast("dict[str, Any]", found)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
