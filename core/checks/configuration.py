"""What the project's own files say about its tools: pyproject.toml, and the older files of single tools.

Read as data at one tree, bounded, and never refused: a file that can't be read configures nothing. What ruff reads is
in `targets`, because it differs from folder to folder.
"""

from __future__ import annotations

import configparser
from collections.abc import Mapping
from typing import Any, cast

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root
from orefactor.sandbox.toml_text import read_toml

_MYPY_FILES = ("mypy.ini", ".mypy.ini")
_MYPY_TARGETS = ("files", "packages", "modules")


def tool_table(root: Root, name: str) -> Mapping[str, Any] | None:
    """The table `[tool.NAME]` of pyproject.toml; None where there is none."""
    try:
        tables: Any = read_toml(root.read("pyproject.toml").data).get("tool")
    except (Refused, ValueError, RecursionError):
        return None
    table: Any = cast("dict[str, Any]", tables).get(name) if isinstance(tables, dict) else None
    return cast("dict[str, Any]", table) if isinstance(table, dict) else None


def ini_section(root: Root, path: str, section: str) -> Mapping[str, str] | None:
    """A section of an ini file; None where there is none."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(root.read(path).data.decode())
        return dict(parser.items(section))
    except (Refused, ValueError, configparser.Error):
        return None


def mypy_settings(root: Root) -> Mapping[str, Any] | None:
    """What mypy reads, from the first place that it looks at; None where it finds nothing."""
    for path in _MYPY_FILES:
        if _kind(root, path) == "file":
            return ini_section(root, path, "mypy") or {}
    table = tool_table(root, "mypy")
    return table if table is not None else ini_section(root, "setup.cfg", "mypy")


def mypy_covers_project(root: Root) -> bool:
    """Whether the settings name what mypy checks where it is started without a path."""
    settings = mypy_settings(root) or {}
    return any(settings.get(name) for name in _MYPY_TARGETS)


def configures_pyright(root: Root) -> bool:
    """Whether the project has settings for pyright, which always say what is checked."""
    return _kind(root, "pyrightconfig.json") == "file" or tool_table(root, "pyright") is not None


def configures_pytest(root: Root) -> bool:
    """Whether the project has settings for pytest, or a folder of tests."""
    return (
        tool_table(root, "pytest") is not None
        or _kind(root, "pytest.ini") == "file"
        or _kind(root, ".pytest.ini") == "file"
        or ini_section(root, "tox.ini", "pytest") is not None
        or ini_section(root, "setup.cfg", "tool:pytest") is not None
        or any(_kind(root, name) == "directory" for name in ("tests", "test"))
    )


def configures_ruff_format(root: Root) -> bool:
    """Whether the project has settings for ruff; who formats by other means says so there, or has none."""
    if _kind(root, "ruff.toml") == "file" or _kind(root, ".ruff.toml") == "file":
        return True
    return tool_table(root, "ruff") is not None and tool_table(root, "black") is None


def _kind(root: Root, path: str) -> str:
    try:
        return root.kind(path)
    except Refused:  # a folder that is closed to us
        return "missing"
