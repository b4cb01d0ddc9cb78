"""`pytest`: all tests of the project, or some, with the outcome of each by its exact node id.

`pytest_inside.py` says the outcomes; where it didn't get that far (a test ended the process, or closed its output), the
short summary still names what failed, though not what passed.
"""

from __future__ import annotations

import base64
import re
import zlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from orefactor.sandbox.environment import PythonEnvironment, has_module

from ..check import Check, Circumstances, Cost, targets
from ..command import CheckRequest
from ..findings import Finding, Reading, failing_tests
from .pytest_inside import MARK

_INSIDE = Path(__file__).with_name("pytest_inside.py")
_MOST_BYTES = 32 << 20
"""Of the outcomes, unpacked."""
_SUMMARY = "short test summary info"
_FAILED = re.compile(r"(?:FAILED|ERROR|SUBFAIL(?:ED)?(?:\([^)]*\))?) (?P<node>.+)")
_COUNTS = re.compile(r"^(?:=+ )?\d+ (?:passed|skipped|xfailed|xpassed|deselected)\b", re.MULTILINE)


class _Said(BaseModel):
    """What `pytest_inside.py` says."""

    model_config = ConfigDict(extra="forbid", strict=True)

    complete: bool
    outcomes: dict[str, Literal["passed", "xpassed", "xfailed", "skipped", "failed", "error"]]


def command(environment: PythonEnvironment, request: CheckRequest, _circumstances: Circumstances) -> list[str]:
    """The command line."""
    options = ["-q", "-p", "no:cacheprovider", "--color=no", "--tb=short", "-rfE"]
    # A file that can't be imported must not hide what all the others say.
    options.append("--continue-on-collection-errors")
    if request.keyword is not None:
        options += ["-k", request.keyword]
    if request.first_only:
        options.append("-x")
    program = _INSIDE.read_text(encoding="utf-8")
    return [str(environment.python), "-B", "-c", program, *options, *targets(request)]


def parse(output: str, _top: str) -> Reading:
    """The outcomes; a test's words about its failure may change, so they are no part of its finding.

    Raises:
        ValueError: pytest ended before it had reported.
    """
    shown, mark, rest = output.rpartition(f"\n{MARK}")
    said = _said(rest) if mark else None
    if said is None:
        return _from_summary(output)
    return Reading(failing_tests(said.outcomes), said.outcomes if said.complete else None, shown)


def _said(text: str) -> _Said | None:
    word = text.split("\n", 1)[0]
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(word, validate=True), _MOST_BYTES)
        return _Said.model_validate_json(data)
    except (ValueError, zlib.error):
        return None


def _from_summary(output: str) -> Reading:
    summary = output.rpartition(_SUMMARY)[2] if _SUMMARY in output else ""
    nodes = [_node(match["node"]) for line in summary.split("\n") if (match := _FAILED.fullmatch(line))]
    if not nodes and not _COUNTS.search(output):
        raise ValueError("pytest ended before it had reported")
    return Reading(tuple(Finding(node.partition("::")[0], 0, node, "failed") for node in nodes))


def _node(text: str) -> str:
    """The node id at the start of a summary line; ` - ` begins the message, unless a parameter holds it."""
    start = text.find("[")
    message = text.find(" - ")
    if start == -1 or -1 < message < start:
        return text[:message] if message != -1 else text
    end = text.find("] - ", start)
    if end != -1:
        return text[: end + 1]
    return text


CHECK = Check(
    "pytest",
    "executing",
    command,
    parse,
    lambda environment: has_module(environment, "pytest"),
    Cost("high", 60, 8),
    seconds=1800.0,
    # 2: it was interrupted, and the report names what failed until then. 5, no test was collected, is neither.
    fails=(1, 2),
    writes=True,
    distribution="pytest",
    covers_project=lambda _root: True,
)
