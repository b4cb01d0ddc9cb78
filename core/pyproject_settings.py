"""Reads what a repository's own `pyproject.toml` says: checks, contracts and limits, in `[tool.orefactor]` and below.

What stands in the sections of reviews is checked at once, with its type: it is wrong even where a policy decides in its
place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from orefactor.sandbox.toml_text import read_toml

from .errors import UserError
from .redact import printable
from .review_settings import DELIBERATION, DOTTED, REVIEW, REVIEW_FROM_REPOSITORY
from .setting_names import known_in_section, known_name, option_name
from .settings import LIMITS, Source, check_settings

_FROM_REPOSITORY = ("checks", "contract", *LIMITS)
_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "review_enabled": ((bool,), "true or false"),
    "review_max_rounds": ((int,), "a whole number"),
    "review_max_cost_tokens": ((int,), "a whole number"),
    "review_per_tool_timeout_seconds": ((int, float), "a number"),
    "review_fail_on": ((str,), "a text"),
    "review_checks": ((str, list), "a list of texts"),
}
_LONGEST = 60


def from_pyproject(text: bytes) -> Source | None:
    """What `[tool.orefactor]` in a repository's `pyproject.toml` says.

    Raises:
        UserError: it is no TOML, or it sets something that a repository may not.
    """
    if b"orefactor" not in text:
        return None
    try:
        table = _table(_table(read_toml(text), "tool"), "orefactor")
    except (ValueError, RecursionError) as error:
        said = printable(str(error))[: 4 * _LONGEST]
        raise UserError(f"`pyproject.toml` can't be read: {said}", hint="mend the file") from None
    values: dict[str, Any] = {}
    for key, value in table.items():
        match key:
            case "commands":
                values["repository_commands"] = _texts(value)
            case "review":
                values |= _section(value, REVIEW)
            case _:
                values[_name(key, value)] = value
    return Source("[tool.orefactor] in pyproject.toml", values) if values else None


def _name(key: str, value: Any) -> str:  # noqa: ANN401 - TOML
    """The setting that a key of `[tool.orefactor]` means."""
    key = _shown(key)
    place = f"{key}` in `[tool.orefactor]"
    name = known_name(key, place, "{}", option_name)
    if name in DOTTED:
        raise UserError(f"`{place}` is no setting", hint=f"did you mean `{DOTTED[name]}`?")
    if name not in _FROM_REPOSITORY:
        raise _not_allowed(key, _FROM_REPOSITORY)
    _require_names(name, value, "[tool.orefactor]")
    return name


def _section(table: Any, section: str) -> dict[str, Any]:  # noqa: ANN401 - TOML
    """What a section of reviews says, and the one in it."""
    place = f"[tool.orefactor.{section}]"
    if not isinstance(table, dict):
        raise UserError(
            f"`{section}` in `[tool.orefactor]` is no table", hint=f"write `{place}`, and settings below it"
        )
    values: dict[str, Any] = {}
    for key, value in cast("dict[str, Any]", table).items():
        if f"{section}.{key}" == DELIBERATION:
            values |= _section(value, DELIBERATION)
            continue
        shown = _shown(key)
        name = known_in_section(shown, section, f"{shown}` in `{place}", "{}", option_name, tuple(DOTTED))
        if name not in REVIEW_FROM_REPOSITORY:
            raise _not_allowed(DOTTED[name], REVIEW_FROM_REPOSITORY)
        _require_names(name, value, place)
        _require_type(name, value, f"{place} in pyproject.toml")
        values[name] = value
    return values


def _require_type(name: str, value: Any, origin: str) -> None:  # noqa: ANN401 - TOML
    types, words = _TYPES[name]
    if type(value) not in types or not all(isinstance(item, str) for item in _items(value)):
        raise UserError(
            f"`{option_name(name)}` is wrong: it should be {words} (from {origin})",
            hint="write it without quotes where it is a number or a switch",
        )
    check_settings(Source(origin, {name: value}))


def _require_names(name: str, value: Any, place: str) -> None:  # noqa: ANN401 - TOML
    """A check of the repository's own has a name; its command counts elsewhere."""
    if name.endswith("checks") and any("=" in text for text in _texts_in(value)):
        raise UserError(
            f"a command in `checks` of `{place}` is no name of a check",
            hint="name it there, and say what it runs in the table `[tool.orefactor.commands]`",
        )


def _items(value: Any) -> list[object]:  # noqa: ANN401 - TOML
    return cast("list[object]", value) if isinstance(value, list) else []


def _texts_in(value: Any) -> list[str]:  # noqa: ANN401 - TOML
    return [item for item in (_items(value) or [value]) if isinstance(item, str)]


def _not_allowed(shown: str, allowed: tuple[str, ...]) -> UserError:
    return UserError(
        f"`{shown}` may not be set by a file of the repository",
        hint=f"a repository may set: {', '.join(map(option_name, allowed))}",
    )


def _texts(table: Any) -> dict[str, str]:  # noqa: ANN401 - TOML
    if isinstance(table, dict) and all(isinstance(text, str) for text in cast("dict[str, Any]", table).values()):
        return cast("dict[str, str]", table)
    raise UserError("`commands` in `[tool.orefactor]` holds something else than texts", hint='write `NAME = "COMMAND"`')


def _table(within: Mapping[str, Any], name: str) -> dict[str, Any]:
    found: Any = within.get(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"`{name}` is no table")
    return cast("dict[str, Any]", found)


def _shown(key: str) -> str:
    """A key as messages may show it; one that is longer than any name means no setting."""
    return printable(key)[:_LONGEST]
