"""Errors of the deciding layer.

UserError                    the person mends it (defined below, in `sandbox.errors`)
Refused                      a file or process border said no (defined below as well)
ToolError                    told to the model as `ERROR: …`; the run goes on
RunStopped                   ends the run in order, with a status, a reason and a trace
├── LimitReached             rounds, tokens, seconds or a call repeated in vain
├── ProviderFailed           no usable reply: refused, unreachable, not a reply at all
│   └── ToolsUnsupported     no provider that can call tools
└── Cancelled                the caller or a signal asked to stop
"""

from __future__ import annotations

from typing import Literal

from orefactor.sandbox.errors import ExitCode as ExitCode
from orefactor.sandbox.errors import Refused as Refused
from orefactor.sandbox.errors import UserError as UserError

Status = Literal["completed", "max_iterations", "limit", "gate", "error", "cancelled"]


class ToolError(Exception):
    """A tool's answer to a call that it can't serve; the text says what to do next."""


class RunStopped(Exception):
    """The run ends here, in order.

    Attributes:
        status: what `RefactorResult.status` becomes.
        reason: the machine-readable reason, such as `limit:max_tokens`.
        message: the same for people, one line.
        hint: what to do about it.
        exit_code: the command's exit code.
    """

    def __init__(self, status: Status, reason: str, message: str, *, hint: str, exit_code: ExitCode) -> None:
        super().__init__(message)
        self.status: Status = status
        self.reason = reason
        self.message = message
        self.hint = hint
        self.exit_code = exit_code


class LimitReached(RunStopped):
    """A limit was reached before the model had finished; nothing is delivered."""

    def __init__(self, limit: str, message: str, *, hint: str) -> None:
        status: Status = "max_iterations" if limit == "max_iterations" else "limit"
        said = f"the limit {limit} was reached: {message}"
        super().__init__(status, f"limit:{limit}", said, hint=hint, exit_code=ExitCode.LIMIT)
        self.limit = limit


class ProviderFailed(RunStopped):
    """The provider gave no usable reply.

    Attributes:
        kind: what went wrong, such as `rate_limited`.
        retry: whether the same request may succeed a little later.
        elsewhere: whether another provider may well answer it.
        retry_after: seconds that the server asks to wait; None where it says nothing.
        said: for kind `tool_use_failed`, the call that the server itself refused, as the model wrote it.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        hint: str,
        retry: bool = False,
        elsewhere: bool = False,
        retry_after: float | None = None,
        said: str = "",
    ) -> None:
        super().__init__("error", f"provider:{kind}", message, hint=hint, exit_code=ExitCode.PROVIDER)
        self.kind = kind
        self.retry = retry
        self.elsewhere = elsewhere
        self.retry_after = retry_after
        self.said = said


class ToolsUnsupported(ProviderFailed):
    """No provider of the run can call tools."""

    def __init__(self, name: str) -> None:
        super().__init__(
            "no_function_calling",
            f"the provider `{name}` can't call tools, and refactoring needs them",
            hint="choose a model with function calling: `--model NAME`",
        )


class Cancelled(RunStopped):
    """The run was asked to stop."""

    def __init__(self, *, exit_code: ExitCode = ExitCode.INTERRUPTED) -> None:
        name = "terminated" if exit_code is ExitCode.TERMINATED else "interrupted"
        super().__init__(
            "cancelled", name, f"the run was {name}", hint="run it again when you like", exit_code=exit_code
        )
