"""The project's own commands as checks. They come from the person, never from a model; the words go to no shell."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from typing import Literal

from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.variables import SYSTEM_FOLDERS

from ..errors import UserError
from .check import Check, Circumstances, Cost
from .command import CheckRequest
from .own_output import parse_own_output

OwnSource = Literal["command line", "git config", "repository"]

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class OwnCommand:
    """One command of the project's own.

    Attributes:
        name: as the person names the check.
        argv: program and arguments; a name without a slash is looked up in the project's environment, then the
            system's. It starts in the tree's top folder.
        seconds: its time limit.
        source: who named it; what a repository says counts only where the person trusts it, which the caller decides.
    """

    name: str
    argv: tuple[str, ...]
    seconds: float = _SECONDS
    source: OwnSource = "command line"


def parse_own(text: str, source: OwnSource = "command line") -> OwnCommand:
    """Read `NAME=COMMAND ARGUMENT…`; quotes are as in a shell, and nothing else is.

    Raises:
        UserError: no such form.
    """
    name, equals, command = text.partition("=")
    name = name.strip()
    if not equals or not _NAME.fullmatch(name):
        raise _wrong(text, "a name is lower-case letters, digits, `-` and `_`, and begins with a letter")
    if any(ord(character) < 32 for character in command):
        raise _wrong(text, "a command is one line without control characters")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise _wrong(text, f"the command can't be read: {error}".lower()) from None
    if not words or not words[0]:
        raise _wrong(text, "name a program after `=`")
    return OwnCommand(name, tuple(words), source=source)


def own_check(own: OwnCommand) -> Check:
    """The command as a check: isolated, on the whole project, passed where it exits 0."""

    def command(_environment: PythonEnvironment, _request: CheckRequest, _circumstances: Circumstances) -> list[str]:
        return list(own.argv)

    return Check(
        own.name,
        "executing",
        command,
        parse_own_output,
        lambda environment: _is_there(own.argv[0], environment),
        Cost("high", 60, 8),
        seconds=own.seconds,
        fails=None,
        writes=True,
        covers_project=lambda _root: True,
    )


def _is_there(program: str, environment: PythonEnvironment) -> bool:
    """Whether a program is found where checks look; one of the tree itself shows only when it is started."""
    if "/" in program:
        return not os.path.isabs(program) or os.access(program, os.X_OK)
    folders = [str(environment.python.parent), *SYSTEM_FOLDERS.split(":")]
    return any(os.access(os.path.join(folder, program), os.X_OK) for folder in folders)


def _wrong(text: str, why: str) -> UserError:
    shown = text if len(text) <= 80 else text[:79] + "\u2026"
    return UserError(f"`{shown}` is no check of your own: {why}", hint="write it as `NAME=COMMAND ARGUMENT…`")
