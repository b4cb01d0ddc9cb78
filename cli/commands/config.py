"""`config`: every setting, its value, and where it came from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from orefactor.core.json_text import json_text

from ..errors import redacted, say
from ..pages import Line, Span, Style, page_width, show_page
from ..wording import plain

if TYPE_CHECKING:
    from orefactor.core.setting_list import ListedSetting, Origin

Name = Annotated[str | None, Argument(metavar="[NAME]", help="Print the value of this one only.", show_default=False)]
Json = Annotated[bool, Option("--json", help="Print the settings as JSON.")]

_UNSET = {
    "base": "worktree (HEAD for a branch)",
    "checks": "by the task",
    "python": "the project's",
    "review.model": "the same",
}
"""What holds where nothing is set."""
_STYLES: dict[str, Style] = {"default": "faint", "environment": "strong", "git": "name"}
# A password in an address, and a key among its parameters.
_IN_ADDRESS = re.compile(r"(?<=://)[^\s/@]+(?=@)")
_PARAMETER = re.compile(r"([?&][^\s&=]{0,40}(?:key|token|secret|pass|auth|sig)[^\s&=]{0,40}=)[^\s&]+", re.IGNORECASE)
_VALUE, _ORIGIN = range(12, 31), 27
"""Columns: of values, and of most origins."""
_REVIEWS, _BESIDE = "review.", 33
"""How the names of reviews begin, and what has to have room beside them."""


def config_command(name: Name = None, as_json: Json = False) -> None:
    """List every setting, its value, and where it came from."""
    from orefactor.core.keys import whole_environment
    from orefactor.core.setting_list import list_settings

    found = list_settings(Path.cwd(), whole_environment())
    chosen = found.settings if name is None else _named(name, found.settings)
    if as_json:
        listed = [_as_json(setting) for setting in chosen]
        print(json_text({"settings": listed} if name is None else listed[0]))
    elif name is None:
        show_page(list(_table(chosen)), Path.cwd())
    else:
        for setting in chosen:
            print(_words(setting))
            say("note", f"`{setting.name}` comes from {_origin_words(setting.origin)}")
    for warning in found.warnings if any(setting.name.startswith(_REVIEWS) for setting in chosen) else ():
        say("note", warning)
    if found.problem is not None:
        raise found.problem


def _named(written: str, settings: Sequence[ListedSetting]) -> list[ListedSetting]:
    """The setting of that name, in any spelling that options, variables and git's configuration have."""
    from orefactor.core.settings import known_name, option_name

    exact = [setting for setting in settings if setting.name == written.removeprefix("orefactor.")]
    if exact:
        return exact
    bare = re.sub(r"^(?:--|orefactor[._])", "", written, flags=re.IGNORECASE)
    bare = "checks" if bare.lower() == "check" else bare
    name = option_name(known_name(bare, written, "{}", option_name))
    return [setting for setting in settings if setting.name == name]


def _safe(text: str) -> str:
    """A value without what may be a secret in it."""
    return plain(_PARAMETER.sub(r"\1[REDACTED]", _IN_ADDRESS.sub("[REDACTED]", redacted(text))))


def _words(setting: ListedSetting) -> str:
    value = setting.value
    if value is None or value == ():
        return _UNSET.get(setting.name, "none")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return _safe(", ".join(map(str, value)))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    text = _safe(f"{value:.15g}" if isinstance(value, float) else str(value))
    return text if setting.is_set is None else f"{text} ({'set' if setting.is_set else 'not set'})"


def _origin_words(origin: Origin) -> str:
    from orefactor.core.setting_list import shown_file

    match origin.kind:
        case "environment":
            words = f"variable {origin.name}"
        case "git" | "policy":
            kind = "policy, git" if origin.kind == "policy" else "git"
            words = f"{kind} {origin.scope}" + (f" ({shown_file(origin.file)})" if origin.file else "")
        case "pyproject":
            words = "pyproject.toml"
        case _:
            words = "default"
    return plain(words)


def _table(settings: Sequence[ListedSetting]) -> Iterator[Line]:
    """Three columns. The names of reviews are long: they have wider ones, where there is room."""
    from orefactor.core.settings import NAMED, option_name

    written = [option_name(name) for name in NAMED]
    narrow = max(len(name) for name in written if not name.startswith(_REVIEWS)) + 2
    wide = max(map(len, written)) + 2
    longest = max(len(_words(setting)) for setting in settings)
    for are_wide, group in groupby(settings, lambda setting: setting.name.startswith(_REVIEWS)):
        yield from _block([*group], wide if are_wide and wide + _BESIDE <= page_width() else narrow, longest)


def _block(settings: Sequence[ListedSetting], names: int, longest: int) -> Iterator[Line]:
    """Rows; where a line would be too long, its origin stands below the value.

    Args:
        names: columns of the names.
        longest: characters of the longest value on the page.
    """
    width = page_width()
    values = min(max(_VALUE.start, width - names - _ORIGIN), _VALUE.stop, longest + 2)
    for setting in settings:
        words, origin = _words(setting), _origin_words(setting.origin)
        style = _STYLES.get(setting.origin.kind, "head")
        name = plain(redacted(setting.name))
        head = [Span(name.ljust(names)), Span(words.ljust(values), style)]
        if len(name) >= names:
            yield [Span(name)]
            head[0] = Span(" " * names)
        if names + max(len(words) + 2, values) + len(origin) > width:
            yield [head[0], Span(words, style)]
            yield [Span(" " * names), Span(origin, "faint")]
        else:
            yield [*head, Span("  "[: max(0, len(words) + 2 - values)]), Span(origin, "faint")]


def _as_json(setting: ListedSetting) -> dict[str, Any]:
    value, origin = setting.value, setting.origin
    if isinstance(value, str):
        value = _safe(value)
    elif isinstance(value, tuple):
        value = [_safe(str(item)) for item in value]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    told = {"kind": origin.kind, "name": origin.name, "scope": origin.scope, "file": origin.file}
    shown = {key: redacted(text) or None for key, text in told.items()}
    is_set = {} if setting.is_set is None else {"is_set": setting.is_set}
    return {"name": redacted(setting.name), "value": value, "origin": shown, **is_set}
