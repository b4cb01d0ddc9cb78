"""Whether a check can run here at all, said to the person before a run and to the model in it."""

from __future__ import annotations

from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.isolation import Isolation

from ..errors import ExitCode, ToolError, UserError
from .check import Check


def require_for_person(check: Check, environment: PythonEnvironment, isolation: Isolation) -> None:
    """Make sure that a required check that executes code can run; others always can, with our own ruff where need be.

    Raises:
        UserError: it isn't installed, or there is no isolation.
    """
    if not check.is_installed(environment):
        raise UserError(
            f"the check `{check.name}` is not installed in the project's environment (`{environment.python}`)",
            hint=f"install it there, name another interpreter with `--python`, or leave out `--check {check.name}`",
            exit_code=ExitCode.ENVIRONMENT,
        )
    if not isolation.isolated:
        raise UserError(
            f"the check `{check.name}` runs the project's code, and there is no isolation here: {_why_not(isolation)}",
            hint=_how_to_isolate(isolation),
            exit_code=ExitCode.ENVIRONMENT,
        )


def require_for_model(check: Check, environment: PythonEnvironment, isolation: Isolation) -> None:
    """Make sure that a check can run.

    Raises:
        ToolError: not installed, or it runs the project's code and there is no isolation.
    """
    if check.kind == "executing" and not isolation.isolated:
        raise ToolError(
            f"{check.name} runs the project's code, and there is no isolation here ({_why_not(isolation)}); "
            "use py_compile and ruff"
        )
    if not check.is_installed(environment):
        raise ToolError(f"{check.name} is not installed in the project's environment; use another check")


def _why_not(isolation: Isolation) -> str:
    return isolation.failure.line if isolation.failure else "isolation was turned off"


def _how_to_isolate(isolation: Isolation) -> str:
    fix = isolation.failure.fix if isolation.failure else "leave out `--sandbox none`"
    return f"{fix}; py_compile and ruff work without; see `git orefactor doctor`"
