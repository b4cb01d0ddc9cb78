"""`ruff-format`: whether files are formatted as ruff would write them; a file that wasn't before isn't held to it."""

from __future__ import annotations

import re

from orefactor.sandbox.environment import PythonEnvironment

from ..check import Check, Circumstances, Cost, targets
from ..command import CheckRequest
from ..findings import Finding, Reading, relative
from . import ruff

# The first up to ruff 0.14 or so, the second since: with the place of the first difference, and the differences.
_LINE = re.compile(
    r"^(?:Would reformat: (?P<path>.+)|unformatted: File would be reformatted\n *--> (?P<place>.+):\d+:\d+)$",
    re.MULTILINE,
)


def command(environment: PythonEnvironment, request: CheckRequest, circumstances: Circumstances) -> list[str]:
    """The command line."""
    pinned = [] if circumstances.isolated else ["--isolated"]
    options = ["--no-cache", "--check", "--force-exclude", *pinned]
    return [ruff.program(environment, circumstances), "format", *options, *targets(request)]


def parse(output: str, top: str) -> Reading:
    """The files that it names; its JSON came late and says no more."""
    found = (relative(match["path"] or match["place"], top) for match in _LINE.finditer(output))
    return Reading(tuple(Finding(path, 0, "format", "would be reformatted") for path in found))


CHECK = Check(
    "ruff-format",
    "static",
    command,
    parse,
    ruff.is_installed,
    Cost("low", 1, 2),
    seconds=120.0,
    distribution="ruff",
)
