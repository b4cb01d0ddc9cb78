"""Serves the calls of one reply: in order, one message each; calls that only observe run side by side.

It also keeps count of calls that fail again and again: the second time the model is told so, the third ends the run.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol

from .clock import Clock
from .errors import Cancelled, LimitReached, ToolError
from .events import CallFinished, CallStarted, Listener
from .limits import Ledger
from .messages import Message, Reasoning, ToolCall, ToolSchema
from .redact import Redactor
from .tools.toolbox import Answer
from .tools.validation import load_object

_SUMMARY = 300
"""Characters of a result that the trace and the log show."""
_WORKERS = 4
_TELL, _END = 2, 3
"""Failures of the very same call: from the first on the model is told, at the second the run ends."""


class ToolServer(Protocol):
    """What serves the calls."""

    @property
    def schemas(self) -> tuple[ToolSchema, ...]:
        """What the model is told of the tools."""
        ...

    def effect(self, name: str) -> str | None:
        """`observe`, `mutate` or `verify`; None for an unknown name."""
        ...

    def call(self, name: str, arguments: dict[str, Any] | str | None) -> Answer:
        """Serve one call; never raises."""
        ...


@dataclass(frozen=True, slots=True)
class SessionTools:
    """What a session works with.

    Attributes:
        emit: is given every event.
        cancelled: asked between steps whether to stop.
        abort: makes calls that run in other threads end soon.
        keep_reasoning: is given the reasoning of each round.
        ends_on_timeout: whether a tool that runs out of its time ends the session, and isn't only told to the model.
    """

    server: ToolServer
    redactor: Redactor
    clock: Clock
    emit: Listener
    cancelled: Callable[[], bool] = lambda: False
    abort: Callable[[], None] = lambda: None
    keep_reasoning: Callable[[int, Reasoning], None] = lambda _round, _reasoning: None
    ends_on_timeout: bool = False


class CallServer:
    """Serves calls and appends their answers to the history."""

    def __init__(self, tools: SessionTools, ledger: Ledger, history: list[Message]) -> None:
        self._tools = tools
        self._ledger = ledger
        self._history = history
        self._failures: Counter[tuple[str, str]] = Counter()
        self.has_run = False
        """Whether any tool ran, even if it failed."""

    def serve(self, calls: Sequence[ToolCall]) -> None:
        """Serve the calls of one reply.

        Raises:
            RunStopped: cancelled, out of time, the same call failed for the third time, or one ran out of its own
                time where that ends the session.
        """
        for group in _groups(calls, self._tools.server):
            if self._tools.cancelled():
                raise Cancelled
            self._ledger.require_time()
            self._serve_group(group)

    def refuse(self, calls: Sequence[ToolCall], text: str) -> None:
        """Answer calls that are not to run: each still gets its one message, as servers demand."""
        for call in calls:
            self._answered(call, Answer("refused", f"ERROR: {text}"), 0.0)

    def _serve_group(self, calls: Sequence[ToolCall]) -> None:
        redact = self._tools.redactor.text
        for call in calls:
            shown = self._shown_arguments(call, {})
            self._tools.emit(CallStarted(self._ledger.rounds, redact(call.id), redact(call.name), shown))
        answers = [self._timed(calls[0])] if len(calls) == 1 else self._side_by_side(calls)
        for call, (answer, seconds) in zip(calls, answers, strict=True):
            self._answered(call, self._repeated(call, answer), seconds)
        most = self._ledger.limits.tool_seconds
        for call, (_, seconds) in zip(calls, answers, strict=True):
            if self._tools.ends_on_timeout and seconds >= most:
                name = self._tools.redactor.text(call.name)
                hint = "give it more with `--tool-timeout N`"
                raise LimitReached("tool_timeout", f"`{name}` was not done after {most:g} seconds", hint=hint)

    def _side_by_side(self, calls: Sequence[ToolCall]) -> list[tuple[Answer, float]]:
        with ThreadPoolExecutor(_WORKERS) as pool:
            try:
                return list(pool.map(self._timed, calls))
            except BaseException:
                # Leaving the pool waits for its threads; a signal must not wait for a long search.
                self._tools.abort()
                raise

    def _timed(self, call: ToolCall) -> tuple[Answer, float]:
        started = self._tools.clock.monotonic()
        answer = self._tools.server.call(call.name, call.arguments)
        return answer, self._tools.clock.monotonic() - started

    def _repeated(self, call: ToolCall, answer: Answer) -> Answer:
        """Tell the model when it repeats a call that failed before."""
        self.has_run = self.has_run or answer.status != "refused"
        key = (call.name, call.arguments)
        if answer.status == "executed":
            self._failures.pop(key, None)
            return answer
        self._failures[key] += 1
        if self._failures[key] < _TELL:
            return answer
        return replace(
            answer,
            text=answer.text + "\nThis very call failed before. Read the file again and send another call.",
        )

    def _answered(self, call: ToolCall, answer: Answer, seconds: float) -> None:
        tools = self._tools
        self._history.append(Message("tool", answer.text, tool_call_id=call.id, name=call.name))
        tools.emit(
            CallFinished(
                self._ledger.rounds,
                tools.redactor.text(call.id),
                tools.redactor.text(call.name),
                self._shown_arguments(call, tools.redactor.text(call.arguments)),
                answer.status,
                round(seconds * 1000),
                answer.text[:_SUMMARY],
                hashlib.sha256(answer.text.encode("utf-8", "surrogatepass")).hexdigest(),
                answer.bug,
            )
        )
        if self._failures[call.name, call.arguments] >= _END:
            raise LimitReached(
                "repeated_call",
                f"the model sent the same failing `{call.name}` call three times",
                hint="see the run with `git orefactor show`, then say the task differently or try another model",
            )

    def _shown_arguments(self, call: ToolCall, otherwise: Any) -> Any:  # noqa: ANN401 - JSON
        try:
            return self._tools.redactor.value(load_object(call.arguments))
        except ToolError:
            return otherwise


def _groups(calls: Sequence[ToolCall], server: ToolServer) -> list[list[ToolCall]]:
    """The calls in order, neighbours that only observe together."""
    groups: list[list[ToolCall]] = []
    observing = False
    for call in calls:
        observes = server.effect(call.name) == "observe"
        if observes and observing:
            groups[-1].append(call)
        else:
            groups.append([call])
        observing = observes
    return groups
