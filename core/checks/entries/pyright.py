"""`pyright`: types, by its JSON.

The PyPI package is a starter that may download what it starts, and no check has a network. Its releases since about
1.1.400 bring the program along, so that is started directly, with a Node.js that is there already, and a release
without it counts as not installed: nothing is ever downloaded. It runs none of the project's code, but it asks the
interpreter that the configuration names, so it runs in isolation only.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from orefactor.sandbox.environment import PythonEnvironment

from ..check import Check, Circumstances, Cost, targets
from ..command import CheckRequest
from ..configuration import configures_pyright
from ..findings import Finding, Reading, listed, relative
from ..installed import find_node, pyright_program


class _Position(BaseModel):
    model_config = ConfigDict(extra="ignore")

    line: int = -1


class _Range(BaseModel):
    model_config = ConfigDict(extra="ignore")

    start: _Position = _Position()


class _Diagnostic(BaseModel):
    """One finding as pyright writes it; lines count from 0."""

    model_config = ConfigDict(extra="ignore")

    file: str = ""
    severity: Literal["error", "warning", "information", "hint", "unreachable", "unused", "deprecated"]
    message: str
    rule: str = "pyright"
    range: _Range = _Range()


class _Report(BaseModel):
    model_config = ConfigDict(extra="ignore")

    diagnostics: list[_Diagnostic] = Field(alias="generalDiagnostics")


def is_installed(environment: PythonEnvironment) -> bool:
    """Whether the program and a Node.js are there."""
    return pyright_program(environment) is not None and find_node(environment) is not None


def command(environment: PythonEnvironment, request: CheckRequest, _circumstances: Circumstances) -> list[str]:
    """The command line."""
    node, program = find_node(environment), pyright_program(environment)
    options = ["--outputjson", f"--pythonpath={environment.python}"]
    return [str(node or "node"), str(program or "pyright"), *options, *targets(request)]


def parse(output: str, top: str) -> Reading:
    """The errors of its report; warnings fail no project.

    Raises:
        ValueError: it is no report.
    """
    report = _Report.model_validate_json(output)
    return listed(tuple(_finding(row, top) for row in report.diagnostics if row.severity == "error"))


def _finding(row: _Diagnostic, top: str) -> Finding:
    text = " ".join(row.message.split())
    return Finding(relative(row.file, top), max(row.range.start.line + 1, 0), row.rule, text)


CHECK = Check(
    "pyright",
    "executing",
    command,
    parse,
    is_installed,
    Cost("medium", 15, 8),
    seconds=600.0,
    distribution="pyright",
    covers_project=configures_pyright,
    all_passed="0 errors",
)
