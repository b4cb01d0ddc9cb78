"""Reads settings where they may stand: the environment, git's configuration; `pyproject_settings` has its own page.

Each may say only what is its to say: a `.git/config` can come with a download, and `pyproject.toml` does. Of reviews
there are sections, `orefactor.review.deliberation.maxRounds`; git keeps the case of what stands between the dots, so a
section has one spelling.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from orefactor.sandbox.repository import ConfigEntry

from .errors import UserError
from .providers.prices import parse_price
from .providers.quirks import PROVIDERS, with_overrides
from .pyproject_settings import from_pyproject as from_pyproject
from .review.finding import FailOn
from .review_policy import stricter
from .review_settings import DOTTED, REVIEW_POLICY, SECTIONS
from .setting_forms import is_on
from .setting_names import NAMED, git_name, known_in_section, meaning
from .settings import LIMITS, Settings, Source, known_name

_USER_ONLY = (
    *("provider", "base_url", "key_variable", "sandbox", "python", "fixture", "fallback", "allow"),
    "review_inconclusive_exit",
)
_USER_SCOPES = ("system", "global", "command")
_POLICY = "policy."
_CHECK, _TRUSTED = "check.", "trusted"
_FORGE = "forge."
_FAIL_ON = "review_fail_on"
_REVIEWED = "review_result"
"""A repository's own configuration may ask for a review of the result, and not do away with one."""
_LONGEST = 120
"""Characters that a message quotes; a key is as long as its file's author likes."""
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
        if "." in rest and not _section(rest):
            _tell(entry, rest, told)
            continue
        name = _name(entry, rest, "orefactor.{}", NAMED)
        if name in _USER_ONLY:
            _require_user(entry)
        if name == _FAIL_ON:
            _require_strict(entry, config)
        if name == _REVIEWED and not is_on(entry.value):
            _require_user(entry)
        sources.append(Source(f"git's configuration ({entry.scope} {entry.key})", {name: entry.value}))
    if any(told.values()):
        sources.append(Source("git's configuration", {name: values for name, values in told.items() if values}))
    return sources


def _section(rest: str) -> str:
    """The section of reviews that a key stands in, as it is written; empty for another key."""
    section = rest.rpartition(".")[0]
    return section if section.lower() in SECTIONS else ""


def _name(entry: ConfigEntry, rest: str, form: str, allowed: Sequence[str]) -> str:
    section = _section(rest)
    if not section:
        return known_name(rest, entry.key, form, git_name, allowed)
    reviews = [name for name in allowed if name in DOTTED]
    return known_in_section(rest[len(section) + 1 :], section, entry.key, form, git_name, reviews)


def _require_strict(entry: ConfigEntry, config: Sequence[ConfigEntry]) -> None:
    """Keep a repository's own configuration from letting pass what the user's, or the default, lets block."""
    if entry.scope in _USER_SCOPES:
        return
    users = (other for other in config if other.key.startswith("orefactor.") and other.scope in _USER_SCOPES)
    said = [user.value for user in users if meaning(user.key.removeprefix("orefactor.")) == _FAIL_ON]
    least = said[-1] if said else Settings.model_fields[_FAIL_ON].default
    if {least, entry.value} <= set(get_args(FailOn)) and stricter(_FAIL_ON, least, entry.value) != entry.value:
        _require_user(entry)


def _require_user(entry: ConfigEntry) -> None:
    if entry.scope not in _USER_SCOPES:
        key = entry.key[:_LONGEST]
        raise UserError(
            f"`{key}` may not be set in a repository's own configuration",
            hint=f"set it for yourself: `git config --global {key} VALUE`",
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
        said = f"`{entry.key[:_LONGEST]}` is wrong: {str(error)[: 8 * _LONGEST]}"
        raise UserError(said, hint="see `git orefactor --help`, under PROVIDERS") from None


def policy_from_git(config: Sequence[ConfigEntry]) -> Source | None:
    """What the user's or the machine's configuration declares under `orefactor.policy`: ceilings, and of reviews.

    Raises:
        UserError: a key that names nothing of it.
    """
    values: dict[str, Any] = {}
    for entry in config:
        if entry.key.startswith("orefactor." + _POLICY) and entry.scope in _USER_SCOPES:
            rest = entry.key.removeprefix("orefactor." + _POLICY)
            name = _name(entry, rest, "orefactor.policy.{}", (*LIMITS, *REVIEW_POLICY))
            values[name] = entry.value
    return Source("git's configuration (orefactor.policy)", values) if values else None


def is_trusted(config: Sequence[ConfigEntry], place: Path) -> bool:
    """Whether the user's or the machine's configuration lists this repository under `orefactor.trusted`."""
    listed = [entry.value for entry in config if entry.key == f"orefactor.{_TRUSTED}" and entry.scope in _USER_SCOPES]
    return any(os.path.realpath(os.path.expanduser(path)) == os.path.realpath(place) for path in listed if path)
