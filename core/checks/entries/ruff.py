"""`ruff`: lint by the project's own rules, or by those that only name real errors where it chose none."""

from __future__ import annotations

import functools

from pydantic import BaseModel, ConfigDict, TypeAdapter

from orefactor.sandbox.environment import PythonEnvironment, find_tool, own_ruff

from ..check import Check, Circumstances, Cost, targets
from ..command import CheckRequest
from ..findings import Finding, Reading, listed, relative

# What ruff selects by itself grows with its versions; a project that chose nothing is held to real errors only.
_PLAIN_RULES = "--select=E4,E7,E9,F"
# Of a syntax error: it had none for some time, and both others before and since.
_SYNTAX = "syntax-error"
_SYNTAX_CODES = (None, "E999", "invalid-syntax")


class _Location(BaseModel):
    model_config = ConfigDict(extra="ignore")

    row: int = 0


class _Row(BaseModel):
    """One finding as ruff writes it."""

    model_config = ConfigDict(extra="ignore")

    filename: str
    message: str
    code: str | None = None
    location: _Location | None = None


def program(environment: PythonEnvironment, circumstances: Circumstances) -> str:
    """The ruff to start."""
    # Without isolation a program that came with the repository must not run, and its `.venv` may have.
    found = find_tool(environment, "ruff") if circumstances.isolated else own_ruff()
    return str(found or "ruff")


def is_installed(environment: PythonEnvironment) -> bool:
    """Whether there is one, the project's or ours."""
    return find_tool(environment, "ruff") is not None


def command(environment: PythonEnvironment, request: CheckRequest, circumstances: Circumstances) -> list[str]:
    """The command line."""
    options = ["--no-cache", "--no-fix", "--quiet", "--output-format=json", "--force-exclude"]
    # Without isolation the project's configuration could name files outside the tree (`extend`).
    options += [] if circumstances.isolated else ["--isolated"]
    options += [] if circumstances.isolated and circumstances.has_ruff_config else [_PLAIN_RULES]
    return [program(environment, circumstances), "check", *options, *targets(request)]


def parse(output: str, top: str) -> Reading:
    """The findings of ruff's JSON.

    Raises:
        ValueError: it is something else.
    """
    return listed(tuple(_finding(row, top) for row in _rows().validate_json(output)))


@functools.cache
def _rows() -> TypeAdapter[list[_Row]]:
    return TypeAdapter(list[_Row])


def _finding(row: _Row, top: str) -> Finding:
    rule = _SYNTAX if row.code in _SYNTAX_CODES else str(row.code)
    return Finding(relative(row.filename, top), row.location.row if row.location else 0, rule, row.message)


CHECK = Check(
    "ruff",
    "static",
    command,
    parse,
    is_installed,
    Cost("low", 1, 8),
    seconds=120.0,
    distribution="ruff",
    all_passed="All checks passed!",
)
