"""`mypy`: types, by JSON where the installed version writes it (1.11 on), else by its text.

Where the settings name what is checked, that is checked, since an edit's errors show up in other files too; else the
changed files are. Plugins that the settings name are the project's code, so it runs in isolation only.
"""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from orefactor.sandbox.environment import PythonEnvironment, has_module

from ..check import Check, Circumstances, Cost, targets
from ..command import CheckRequest
from ..configuration import mypy_covers_project
from ..findings import Finding, Reading, listed, relative
from ..installed import version_of

_OPTIONS = ("--no-error-summary", "--show-column-numbers", "--no-color-output", "--no-pretty", "--hide-error-context")
_WRITES_JSON = (1, 11)
_TEXT = re.compile(
    r"(?P<path>[^:\n]+):(?P<line>\d{1,9}):(?:\d+:)? error: (?P<text>.*?)(?:  \[(?P<rule>[\w-]+)\])?",
)


class _Row(BaseModel):
    """One line of `--output=json`."""

    model_config = ConfigDict(extra="ignore")

    file: str
    line: int = 0
    message: str
    hint: str | None = None
    code: str | None = None
    severity: Literal["error", "note", "warning"] = "error"


def command(environment: PythonEnvironment, request: CheckRequest, _circumstances: Circumstances) -> list[str]:
    """The command line."""
    python = str(environment.python)
    form = ["--output=json"] if (version_of(environment, "mypy") or ()) >= _WRITES_JSON else []
    options = [*_OPTIONS, *form, f"--python-executable={python}"]
    return [python, "-I", "-B", "-m", "mypy", *options, *targets(request)]


def parse(output: str, top: str) -> Reading:
    """The errors of both forms, line by line; notes belong to errors, and plugins may print anything between."""
    found = tuple(finding for line in output.split("\n") if (finding := _finding(line, top)) is not None)
    return listed(found) if output.lstrip().startswith("{") else Reading(found)


def _finding(line: str, top: str) -> Finding | None:
    if line.startswith("{"):
        try:
            row = _Row.model_validate_json(line)
        except ValidationError:
            return None
        text = f"{row.message} ({row.hint})" if row.hint else row.message
        is_error = row.severity == "error"
        return Finding(relative(row.file, top), max(row.line, 0), row.code or "mypy", text) if is_error else None
    if " error: " not in line or (match := _TEXT.fullmatch(line)) is None:
        return None
    return Finding(relative(match["path"], top), int(match["line"]), match["rule"] or "mypy", match["text"])


CHECK = Check(
    "mypy",
    "executing",
    command,
    parse,
    lambda environment: has_module(environment, "mypy"),
    Cost("medium", 20, 8),
    seconds=600.0,
    # 2: an error that stops it, such as one of syntax, which it names; or it didn't work, and names nothing.
    fails=(1, 2),
    distribution="mypy",
    covers_project=mypy_covers_project,
)
