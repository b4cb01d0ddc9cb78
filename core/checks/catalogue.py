"""The catalogue of checks: a new one is one file in `entries/` and one line here."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..errors import UserError
from .check import Check, Circumstances
from .command import CheckName
from .entries import mypy, py_compile, pyright, pytest, ruff, ruff_format
from .own import OwnCommand, own_check

__all__ = [
    "CHECKS",
    "DEFAULT_CHECKS",
    "PYTHON_SUFFIXES",
    "Check",
    "Circumstances",
    "catalogue",
    "find_check",
    "is_python",
]

CHECKS: dict[str, Check] = {
    "py_compile": py_compile.CHECK,
    "ruff": ruff.CHECK,
    "ruff-format": ruff_format.CHECK,
    "mypy": mypy.CHECK,
    "pyright": pyright.CHECK,
    "pytest": pytest.CHECK,
}

DEFAULT_CHECKS: tuple[CheckName, ...] = ("py_compile", "ruff")
"""Required where the user names none."""

PYTHON_SUFFIXES = (".py", ".pyi")


def catalogue(own: Sequence[OwnCommand] = ()) -> dict[str, Check]:
    """All checks by name.

    Raises:
        UserError: a command of the project's own takes another check's name.
    """
    found = dict(CHECKS)
    for command in own:
        if command.name in found:
            raise UserError(f"there is a check `{command.name}` already", hint="give your own another name")
        found[command.name] = own_check(command)
    return found


def find_check(name: str, checks: Mapping[str, Check] = CHECKS) -> Check:
    """The check of that name.

    Raises:
        UserError: there is none; the hint has the nearest name.
    """
    if name in checks:
        return checks[name]
    written = name[:60].lower().replace("_", "-").removesuffix(".py")
    near = difflib.get_close_matches(written, checks, n=1, cutoff=0.5)
    hint = f"did you mean `{near[0]}`?" if near else f"known are: {', '.join(checks)}"
    raise UserError(
        f"`{name[:60]}` is no check", hint=f"{hint}; your own is written `--check 'NAME=COMMAND ARGUMENT…'`"
    )


def is_python(path: str) -> bool:
    """Whether the checks of source files apply to it."""
    return Path(path).suffix in PYTHON_SUFFIXES
