"""Plays the replies of a recorded run again, from its `trace.json`, in order and without a network.

The trace holds each reply as it was acted on, redacted. What never came back as a reply (a request that failed, or was
refused before it was sent) isn't there, and neither is the reasoning: it stays in the run's own folder. Whether the run
that asks takes the same way is not judged here; where it goes on longer, it ends with a plain word.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import get_args

from pydantic import ValidationError

from ..errors import ProviderFailed, UserError
from ..messages import (
    FinishReason,
    Message,
    OnDelta,
    ProviderRequest,
    ProviderResponse,
    ToolCall,
    Usage,
    ignore_delta,
)
from ..trace_model import RoundPart, Trace
from .values import one_line

_LARGEST = 64 << 20
"""Bytes, as much as `core/trace.py` reads; a larger file is none of ours."""
_HINT = "give the `trace.json` of a run; `git orefactor runs` lists them"
_FINISH: dict[str, FinishReason] = {reason: reason for reason in get_args(FinishReason)}


def load_replay(path: Path) -> Trace:
    """Read the trace of a run whose replies shall be played; the file may be a stranger's.

    Raises:
        UserError: it can't be read, is no trace, or holds no reply that can be played.
    """
    trace = read_trace_file(path)
    replies = _replies(trace)
    if not replies:
        raise UserError(f"the trace `{path}` holds no reply of a model", hint=_HINT)
    require_calls(trace, str(path))
    return trace


def require_calls(trace: Trace, name: str) -> None:
    """Make sure that a trace holds the calls of its replies.

    Raises:
        UserError: it only counts them.
    """
    if any(part.calls != len(part.reply_calls) for part in _replies(trace)):
        raise UserError(
            f"the trace `{name}` counts calls that it does not hold, so it can't be played",
            hint="record the run again: older versions kept only what the calls did",
        )


def read_trace_file(path: Path) -> Trace:
    """Read a trace, whatever it holds; the file may be a stranger's.

    Raises:
        UserError: it can't be read, or is no trace.
    """
    try:
        return Trace.model_validate_json(_read(path))
    except OSError as error:
        raise UserError(f"can't read the trace `{path}`: {error.strerror}", hint=_HINT) from error
    except ValidationError as error:
        raise UserError(f"`{path}` is no trace of a run{_first_fault(error)}", hint=_HINT) from error


def _read(path: Path) -> bytes:
    # A FIFO that nobody writes to would keep us waiting.
    opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    status = os.fstat(opened)
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        os.close(opened)
        what = "is no regular file" if not stat.S_ISREG(status.st_mode) else f"is larger than {_LARGEST >> 20} MiB"
        raise UserError(f"the trace `{path}` {what}", hint=_HINT)
    with open(opened, "rb") as file:
        return file.read(_LARGEST)


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    return f"{f' at `{one_line(place)}`' if place else ''}: {one_line(fault['msg'])}"


def _replies(trace: Trace) -> tuple[RoundPart, ...]:
    return tuple(part for part in trace.rounds if part.finish_reason)


class ReplayProvider:
    """Gives the recorded replies, one a request, whatever the request says."""

    name = "replay"

    def __init__(self, trace: Trace) -> None:
        self._replies = _replies(trace)
        self._given = 0

    def supports_function_calling(self) -> bool:
        """Whether any recorded reply calls a tool."""
        return any(part.reply_calls for part in self._replies)

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """The next recorded reply; its text comes in one piece.

        Raises:
            ProviderFailed: none is left; kind `replay_ended`.
        """
        if self._given == len(self._replies):
            raise ProviderFailed(
                "replay_ended",
                f"the recording holds {len(self._replies)} replies, and the run asks for one more",
                hint="the run went another way than the recorded one: replay it on the same base, with the same "
                "settings and version",
            )
        part = self._replies[self._given]
        self._given += 1
        if part.text:
            on_delta(part.text)
        return recorded_response(part)


def recorded_response(part: RoundPart) -> ProviderResponse:
    """The reply that a round of a trace tells, without its reasoning."""
    used = part.usage
    # An estimate was ours: the server said nothing, and says nothing again.
    usage = None if part.usage_estimated else Usage(used.prompt_tokens, used.cached_tokens, used.completion_tokens, 1)
    calls = tuple(ToolCall(call.id, call.name, call.arguments) for call in part.reply_calls)
    return ProviderResponse(
        Message("assistant", part.text or None, calls),
        _FINISH.get(part.finish_reason, "other"),
        usage,
        part.model,
        part.written,
        part.fault,
    )
