"""Errors that the lowest layer raises, each with one addressee.

    UserError        the person: bad input, a missing program, an odd repository; one `error:` and one `hint:` line
    Refused          the caller of a file or process border, which passes the words on (a tool tells them to the model)

`orefactor.core.errors` adds those that only the upper layers can raise.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The command's exit codes; the manual page lists the same numbers."""

    OK = 0
    CHANGES = 1
    USAGE = 2
    GATE = 3
    LIMIT = 4
    PROVIDER = 5
    ENVIRONMENT = 6
    CONFLICT = 7
    BUG = 70
    INTERRUPTED = 130
    TERMINATED = 143


class UserError(Exception):
    """Something that the person can mend.

    Attributes:
        message: what is wrong, one line, without a final full stop.
        hint: what to do about it, one line.
        exit_code: the command's exit code for it.
    """

    def __init__(self, message: str, *, hint: str, exit_code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code


class Refused(Exception):
    """A border said no. The text says what is wrong and what to do instead; it is safe to show to the model."""
