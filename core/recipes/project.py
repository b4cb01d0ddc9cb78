"""Makes `Options` from the text of a project's own configuration files.

The texts come from the repository, so they are a stranger's: only keys of a fixed list are taken, each of a
simple type, and written anew. Whatever is broken counts as absent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from orefactor.sandbox.toml_text import read_toml

from .base import CONSERVATIVE_VERSION, LINT_RULES, PEP8_WIDTH, Options

CONFIG_FILES = (".ruff.toml", "ruff.toml", "pyproject.toml")
"""In the order in which ruff prefers them."""

Table = Mapping[str, Any]

# Nothing here names a file that ruff would open, and nothing chooses rules: the recipe does.
_TOP_KEYS = ("line-length", "indent-width", "preview")
_TABLES: Mapping[str, tuple[str, ...]] = {
    "format": (
        "quote-style",
        "indent-style",
        "skip-magic-trailing-comma",
        "docstring-code-format",
        "preview",
    ),
    "lint": (
        "preview",
        "typing-modules",
        "typing-extensions",
        "dummy-variable-rgx",
        "per-file-ignores",
        "extend-per-file-ignores",
        "isort",
        "pyupgrade",
        "pyflakes",
    ),
}
_FLOOR = re.compile(r"(?:>=|~=|==|>)\s*([23])\.(\d+)")
_KNOWN_MINORS = (7, 14)
"""What the oldest ruff that we work with takes as target."""


def project_options(files: Mapping[str, str], first_party: Iterable[str] = ()) -> Options:
    """Read the project's settings.

    Args:
        files: text by file name, for those of `CONFIG_FILES` that exist.
        first_party: top-level names of the project's own modules; ruff can't see them from a text alone.

    Returns:
        Options without a path.
    """
    pyproject = _table(_load(files.get("pyproject.toml", "")))
    ruff = _ruff_settings(files, pyproject)
    ignored = [*_codes(ruff, "ignore"), *_codes(ruff, "extend-ignore")]
    return Options(
        line_length=_line_length(ruff, pyproject),
        target_version=_target(ruff, pyproject),
        ignored_rules=tuple(_kept_codes(ignored, r"UP\d+")),
        ruff_config=_write(_chosen(ruff, sorted(set(first_party)))),
        lint_rules=tuple(rule for rule in LINT_RULES if _is_selected(ruff, rule)),
    )


def _is_selected(ruff: Table, rule: str) -> bool:
    """Whether the project's own selection covers a rule; ruff's defaults are not its choice."""
    chosen = [*_codes(ruff, "select"), *_codes(ruff, "extend-select")]
    ignored = [*_codes(ruff, "ignore"), *_codes(ruff, "extend-ignore")]
    return any(code == "ALL" or _covers(code, rule) for code in chosen) and not any(
        _covers(code, rule) for code in ignored
    )


def _covers(code: object, rule: str) -> bool:
    return isinstance(code, str) and bool(code) and rule.startswith(code)


def _load(text: str) -> Table:
    try:
        return read_toml(text.encode())
    except (ValueError, RecursionError):
        return {}


def _table(value: object) -> Table:
    return cast("Table", value) if isinstance(value, dict) else {}


def _ruff_settings(files: Mapping[str, str], pyproject: Table) -> Table:
    for name in CONFIG_FILES[:2]:
        if name in files:
            return _load(files[name])
    return _table(_table(pyproject.get("tool")).get("ruff"))


def _target(ruff: Table, pyproject: Table) -> str:
    """The version that ruff's settings name, else the oldest that the project supports."""
    named = re.fullmatch(r"py(3)(\d{1,2})", str(ruff.get("target-version")))
    required = str(_table(pyproject.get("project")).get("requires-python", ""))
    found = named or _FLOOR.search(required)
    if found is None:
        return CONSERVATIVE_VERSION
    lowest, highest = _KNOWN_MINORS
    minor = int(found[2]) if found[1] == "3" else lowest
    return f"py3{min(max(minor, lowest), highest)}"


def _line_length(ruff: Table, pyproject: Table) -> int:
    black = _table(_table(pyproject.get("tool")).get("black"))
    doc_length = _table(_table(ruff.get("lint")).get("pycodestyle")).get("max-doc-length")
    lengths = [ruff.get("line-length"), black.get("line-length"), doc_length]
    return min([PEP8_WIDTH, *(length for length in lengths if isinstance(length, int) and length > 0)])


def _chosen(ruff: Table, first_party: list[str]) -> Table:
    top = {key: ruff[key] for key in _TOP_KEYS if key in ruff}
    parts = {name: {key: table[key] for key in keys if key in table} for name, keys, table in _tables(ruff)}
    lint = dict(parts["lint"])
    for key in ("per-file-ignores", "extend-per-file-ignores"):
        if key in lint:
            lint[key] = {
                glob: _kept_codes(codes, r"F(4(01?)?)?|I(0(0\d?)?)?|UP\d*") for glob, codes in _table(lint[key]).items()
            }
    isort = dict(_table(parts["lint"].get("isort")))
    known = isort.get("known-first-party", [])
    listed = cast("list[object]", known) if isinstance(known, list) else []
    isort["known-first-party"] = [*listed, *(name for name in first_party if name not in listed)]
    return {**top, **parts, "lint": {**lint, "isort": isort}}


def _codes(ruff: Table, key: str) -> list[object]:
    """A list of the linter's settings, which stood at the top level until ruff 0.2."""
    found = _table(ruff.get("lint")).get(key, ruff.get(key))
    return cast("list[object]", found) if isinstance(found, list) else []


def _kept_codes(codes: object, wanted: str) -> list[str]:
    """The exceptions that count although a task asks for the rules: where that is finer than the task."""
    listed = cast("list[object]", codes) if isinstance(codes, list) else []
    return [code for code in listed if isinstance(code, str) and re.fullmatch(wanted, code)]


def _tables(ruff: Table) -> Iterable[tuple[str, tuple[str, ...], Table]]:
    for name, keys in _TABLES.items():
        # ruff still reads its linter's settings at the top level, where they stood until 0.2.
        old_place: Table = {key: ruff[key] for key in keys if key in ruff and name == "lint"}
        yield name, keys, {**old_place, **_table(ruff.get(name))}


def _write(table: Table) -> str:
    """TOML of a table: plain values first, since they end where the first sub-table begins."""
    return "".join(f"{line}\n" for line in _lines(table, ()))


def _lines(table: Table, path: tuple[str, ...]) -> Iterable[str]:
    if path:
        yield f"[{'.'.join(map(_text, path))}]"
    for key, value in table.items():
        if (written := _value(value)) is not None:
            yield f"{_text(key)} = {written}"
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _lines(cast("Table", value), (*path, key))


def _value(value: object) -> str | None:
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        items = [_value(item) for item in cast("list[object]", value)]
        return f"[{', '.join(item for item in items if item is not None)}]"
    return None


def _text(text: str) -> str:
    # A JSON string is a TOML string, save that JSON leaves DEL alone; kept to ASCII it would have surrogates.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
