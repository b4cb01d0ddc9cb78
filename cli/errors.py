"""The one place that turns exceptions into messages and exit codes."""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
from typing import Any

from orefactor.core.errors import ExitCode, RunStopped, UserError
from orefactor.core.keys import whole_environment
from orefactor.core.redact import Redactor

from .wording import inert


def say(kind: str, text: str) -> None:
    """Print one line on standard error, such as `error: …`: without secrets, control characters spelled out."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in redacted(text))
    print(inert(f"{kind}: {line}"), file=sys.stderr)


def redacted(text: str) -> str:
    """The text without the environment's secrets; a wrong value is quoted in messages, and it may be a key."""
    return Redactor(whole_environment()).text(text)


def report(error: BaseException, *, as_json: bool) -> ExitCode:
    """Say what went wrong, and give the exit code for it.

    Args:
        as_json: also print one JSON object on standard output, since a program is reading it.
    """
    message, hint, code = _explain(error)
    say("error", message)
    if hint:
        say("hint", hint)
    if as_json:
        print(json.dumps(failure_json(message, hint, code)))
    return code


def failure_json(message: str, hint: str, code: ExitCode) -> dict[str, Any]:
    """What `--json` prints where there is no run to tell of."""
    return {
        "run_id": None,
        "status": "error",
        "reason": code.name.lower(),
        "exit_code": int(code),
        "message": redacted(message),
        "hint": redacted(hint),
        "patch": None,
        "patch_encoding": "utf-8",
    }


def _explain(error: BaseException) -> tuple[str, str, ExitCode]:
    if isinstance(error, (UserError, RunStopped)):
        return error.message, error.hint, error.exit_code
    if isinstance(error, OSError) and error.errno is not None:
        where = f": {error.filename}" if error.filename else ""
        said = f"{error.strerror}{where}"
        return said, "check the path, its permissions and the free space", ExitCode.ENVIRONMENT
    path = _write_traceback(error)
    name = type(error).__name__
    return (
        f"a bug in orefactor ({name}); its traceback is in {path}",
        "please report it with that file",
        ExitCode.BUG,
    )


def _write_traceback(error: BaseException) -> str:
    from orefactor.sandbox.cache import cache_folder

    text = redacted("".join(traceback.format_exception(error)))
    try:
        handle, path = tempfile.mkstemp(prefix="crash-", suffix=".txt", dir=cache_folder())
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
    except (OSError, UserError):
        # Not even the cache folder can be written to; the traceback must not be lost.
        print(text, file=sys.stderr)
        return "the lines above"
    return path
