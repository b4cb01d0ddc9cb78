"""Reads the settings of test tools and checks from the files that may hold them, as flat values.

Settings of one tool may stand in several files, and a change may carry them from one to another; so each is named by
tool, group and key, whatever file it stands in. INI files are read by a small reader of our own, since the patterns
of `configparser` take quadratic time on lines that a stranger can write.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from orefactor.sandbox.toml_text import read_toml

from ..sides import Side

_TOML_ROOTS = {
    "pyproject.toml": None,
    "ruff.toml": "ruff",
    ".ruff.toml": "ruff",
    "pytest.toml": "pytest",
    ".pytest.toml": "pytest",
    "pyrightconfig.json": "pyright",
}
"""The tool whose file it is; None for one that has tools in a table."""
_INI_ROOTS = {
    "setup.cfg": None,
    "tox.ini": None,
    "pytest.ini": "pytest",
    ".pytest.ini": "pytest",
    "mypy.ini": "mypy",
    ".mypy.ini": "mypy",
    ".flake8": "flake8",
    ".coveragerc": "coverage",
    "pylintrc": "pylint",
    ".pylintrc": "pylint",
    ".bandit": "bandit",
}
TOOLS = frozenset(["pytest", "coverage", "mypy", "ruff", "flake8", "pylint", "pyright", "bandit"])
_PLAIN_GROUPS = re.compile(r"^\.?(?:(?:ini_options|run|report|lint)(?:\.|$))*")
_MAX_BYTES = 1 << 18
_KEY = re.compile(r"\s{0,40}[\"']?(?P<key>[\w.-]{1,80})[\"']?\s{0,40}[=:]")


class Unreadable(ValueError):
    """The file can't be read as what its name says."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting.

    Attributes:
        tool: whose it is.
        group: the part of the tool's settings, such as a module that an override is for; mostly empty.
        key: in lower case, with `_` for `-`.
        value: as its file gives it: text (INI), or a TOML or JSON value that is no table.
        line: counted from 1; 0 where it isn't found.
    """

    path: str
    tool: str
    group: str
    key: str
    value: Any
    line: int


def holds_settings(path: str) -> bool:
    """Whether a file of this name may hold such settings."""
    name = posixpath.basename(path)
    return name in _TOML_ROOTS or name in _INI_ROOTS


def read_settings(side: Side) -> list[Setting]:
    """The settings of the known tools, in file order.

    Raises:
        Unreadable: it can't be parsed, or is too large to be settings.
    """
    if len(side.data) > _MAX_BYTES:
        raise Unreadable("it is too large to be settings")
    name = posixpath.basename(side.path)
    lines = _lines_of_keys(side.text)
    rows = _ini(side.text, _INI_ROOTS[name]) if name in _INI_ROOTS else _tables(side.text, name)
    return [Setting(side.path, tool, group, key, value, lines.get(key, 0)) for tool, group, key, value in rows]


_Row = tuple[str, str, str, Any]


def plain_key(key: str) -> str:
    """The one spelling of a key."""
    return key.strip().lower().replace("-", "_")


def _lines_of_keys(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if match := _KEY.match(line):
            found.setdefault(plain_key(match["key"].rpartition(".")[2]), number)
    return found


def _tables(text: str, name: str) -> list[_Row]:
    try:
        data = json.loads(text) if name.endswith(".json") else read_toml(text.encode())
        return list(_rows_of_tools(data, _TOML_ROOTS[name]))
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from None


def _rows_of_tools(data: object, root: str | None) -> Iterator[_Row]:
    if root is not None:
        yield from _flat(root, "", data)
        return
    tools = _table(_table(data).get("tool"))
    for tool in TOOLS & tools.keys():
        yield from _flat(tool, "", tools[tool])


def _flat(tool: str, group: str, data: object) -> Iterator[_Row]:
    for key, value in _table(data).items():
        name, table, tables = plain_key(key), _table(value), _tables_in(value)
        if name.endswith("per_file_ignores") and table:
            pairs = [f"{pattern}:{code}" for pattern, codes in table.items() for code in _sequence(codes)]
            yield tool, _plain_group(tool, group), name, pairs
        elif table:
            yield from _flat(tool, f"{group}.{name}", table)
        elif tables:
            for inner in tables:
                yield from _flat(tool, f"{group}.{inner.get('module', name)}", inner)
        else:
            yield tool, _plain_group(tool, group), name, value


def _tables_in(data: object) -> list[Mapping[str, Any]]:
    tables = [_table(item) for item in _sequence(data)]
    return tables if all(tables) else []


def _table(data: object) -> Mapping[str, Any]:
    return cast("dict[str, Any]", data) if isinstance(data, dict) else {}


def _sequence(data: object) -> Sequence[Any]:
    return cast("Sequence[Any]", data) if isinstance(data, list) else [data]


def _plain_group(tool: str, group: str) -> str:
    # The parts of pylint's settings mean nothing to it.
    return "" if tool == "pylint" else _PLAIN_GROUPS.sub("", group)


def _ini(text: str, root: str | None) -> list[_Row]:
    rows: list[_Row] = []
    section, values = "", list[str]()
    for line in text.split("\n"):
        bare = line.strip()
        if not bare or bare.startswith(("#", ";")):
            continue
        if bare.startswith("["):
            if "]" not in bare:
                raise Unreadable("a section's name isn't closed")
            section, values = bare[1 : bare.index("]")], []
        elif line[0].isspace() and values:
            values.append(bare)
        else:
            key, separator, value = _split(bare)
            if not section or not (separator or root == "pylint"):
                raise Unreadable(f"{'no section' if separator else 'no value'} for {key[:40]!r}")
            values = [value.strip()]
            if place := _place(section, root):
                rows.append((*place, plain_key(key), values))
    return [(tool, group, key, "\n".join(value)) for tool, group, key, value in rows]


def _split(line: str) -> tuple[str, str, str]:
    at = min((i for i in (line.find("="), line.find(":")) if i >= 0), default=len(line))
    return line[:at], line[at : at + 1], line[at + 1 :]


def _place(section: str, root: str | None) -> tuple[str, str] | None:
    """The tool and group that a section is for."""
    name = section.strip().removeprefix("tool:")
    tool = re.split(r"[:.\- ]", name, maxsplit=1)[0]
    if tool in TOOLS:
        return tool, _plain_group(tool, name[len(tool) :].lstrip(":.- "))
    return (root, _plain_group(root, name)) if root else None
