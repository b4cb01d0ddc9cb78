"""A task's own check that runs something: a command, or a Python script, isolated at the tree after the change.

It runs as the project's own commands do (`core/checks/own.py`), so it sees the tree, the project's Python and nothing
else of the machine; where there is no isolation it can't say. A script isn't there as a file: its text is the program.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from orefactor.sandbox.cache import private_folder
from orefactor.sandbox.files import Root

from ..checks.command import CheckRequest
from ..checks.host import CheckHost, HostSettings, SandboxMode
from ..checks.outcome import CheckRun
from ..checks.own import OwnCommand
from ..errors import ToolError, UserError
from ..redact import printable
from .task import Verdict

NAME = "success"
SCRIPT_LIMIT = 100_000
"""Bytes; Linux takes 131,072 in one word of a command line."""
_LONGEST = 300

# What the tree holds must not stand in for the library's modules that the script imports.
_PRELUDE = "import sys; sys.path.append(sys.path.pop(0))\n"


@dataclass(frozen=True, slots=True)
class CommandCheck:
    """Passed where the command exits 0 in the top folder of the tree after the change.

    Attributes:
        argv: program and arguments; no shell reads them.
        seconds: its time limit.
        place: the path that the tree has inside, such as the repository's that an environment has installed in place;
            None for its own.
        python: the project's interpreter; None to find it.
        mode: of the isolation.
    """

    argv: tuple[str, ...]
    seconds: float = 300.0
    place: Path | None = None
    python: Path | None = None
    mode: SandboxMode = "auto"

    def __call__(self, before: Path, after: Path) -> Verdict:
        """Run it.

        Raises:
            UserError: the project's Python doesn't start.
        """
        own = OwnCommand(NAME, self.argv, self.seconds)
        try:
            ran = checked(after, CheckRequest(NAME), self, own)
        except ToolError as error:
            return Verdict(None, one_line(str(error)))
        if ran.outcome == "passed":
            return Verdict(True)
        if ran.outcome == "timeout":
            return Verdict(False, f"it ran out of time after {ran.seconds:.0f} s")
        return Verdict(False, one_line(_last_line(ran.output) or "it failed and said nothing"))


def script_check(text: str, seconds: float, place: Path | None = None, python: Path | None = None) -> CommandCheck:
    """A check that runs a script's text with the project's Python; the library's modules go before the tree's."""
    return CommandCheck(("python3", "-B", "-c", _PRELUDE + text), seconds, place, python)


def checked(tree: Path, request: CheckRequest, how: CommandCheck, *own: OwnCommand) -> CheckRun:
    """Run one check at a tree, as a task's own check says.

    Raises:
        ToolError: it can't run here: no isolation, not installed, or another copy of the project would be tested.
        UserError: the project's Python doesn't start.
    """
    with private_folder("own-check-") as folder:
        scratch = Path(tempfile.mkdtemp(dir=folder))
        settings = HostSettings(how.place or tree, how.mode, how.python, lambda: how.seconds, own=own)
        return CheckHost(Root(tree), lambda: scratch, settings).perform(request)


def one_line(text: str) -> str:
    """A stranger's words as one line that drives no terminal."""
    words = " ".join(printable(text[: 4 * _LONGEST]).split())
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in words)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "\u2026"


def refuse(what: str, hint: str) -> UserError:
    """The error for material that can't be used; whatever a stranger named in it is made harmless."""
    return UserError(one_line(what), hint=hint)


def _last_line(output: str) -> str:
    return next((line for line in reversed(output.splitlines()) if line.strip()), "")
