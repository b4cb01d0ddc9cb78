"""The bounded tool-use loop. It knows no task, no git, no check: two callers can use it, and tests drive it alone.

Each reply's calls are answered in order, one message each; calls that only observe run side by side. The history only
grows at its end, so that a provider's prefix cache hits. The loop ends on a reply without calls, on a limit, or on an
error; text beside calls is never an answer, and a reply that was cut for length runs none of its calls.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol

from .clock import Clock
from .errors import Cancelled, ExitCode, LimitReached, RunStopped, ToolError
from .events import (
    CallFinished,
    CallStarted,
    Listener,
    ReplyRejected,
    RoundFinished,
    RoundStarted,
    TextArrived,
)
from .limits import Ledger, estimate_tokens
from .messages import Message, Provider, ProviderRequest, ProviderResponse, ToolCall, ToolSchema, Usage
from .redact import Redactor
from .tools.toolbox import Answer
from .tools.validation import load_object

_SUMMARY = 300
"""Characters of a result that the trace and the log show."""
_WORKERS = 4

_CUT = "Your reply was cut off, and none of its calls was run. Send fewer or smaller calls."
_EMPTY = "Your reply had neither text nor a call. Go on with a tool call, or finish with a short summary."
_NO_TOOL = (
    "You have not called any tool yet, so nothing was read or changed. Call the tools to do the task; "
    "if nothing needs to change, read the files first and then say so."
)


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
    """

    provider: Provider
    server: ToolServer
    redactor: Redactor
    clock: Clock
    emit: Listener
    cancelled: Callable[[], bool] = lambda: False
    abort: Callable[[], None] = lambda: None


class Session:
    """One conversation with a model that may call tools."""

    def __init__(self, model: str, messages: Sequence[Message], tools: SessionTools, ledger: Ledger) -> None:
        self._model = model
        self._tools = tools
        self._ledger = ledger
        self._history = list(messages)
        self._failures: Counter[tuple[str, str]] = Counter()
        self._ran_tools = False
        self._schemas = tools.server.schemas
        self._fixed_size = len(json.dumps(self._schemas))

    @property
    def history(self) -> tuple[Message, ...]:
        """All messages so far."""
        return tuple(self._history)

    def run(self) -> str:
        """Go on until the model answers without calls.

        Returns:
            The text of that answer.

        Raises:
            RunStopped: a limit, a provider without a reply, no tool ever called, or cancelled.
        """
        asked_again = False
        while True:
            reply = self._round()
            calls = reply.message.tool_calls
            if reply.finish_reason == "length" or (calls and reply.finish_reason == "content_filter"):
                self._reject(_CUT, "cut_for_length")
            elif calls:
                self._serve(calls)
            elif self._ran_tools and (reply.message.content or "").strip():
                return self._tools.redactor.text(reply.message.content or "")
            elif asked_again:
                raise self._no_answer()
            else:
                asked_again = True
                self._reject(_EMPTY if self._ran_tools else _NO_TOOL, "empty" if self._ran_tools else "no_tool_call")

    def say(self, text: str) -> None:
        """Add a message of the harness, such as what a check found after the model's answer."""
        self._history.append(Message("user", text))

    def _no_answer(self) -> RunStopped:
        ran = self._ran_tools
        return RunStopped(
            "error",
            "model:empty_reply" if ran else "model:no_tool_call",
            "the model gave an empty reply twice"
            if ran
            else "the model never used a tool, so nothing was read or changed",
            hint="try another model: `--model NAME`",
            exit_code=ExitCode.PROVIDER,
        )

    def _round(self) -> ProviderResponse:
        tools, ledger = self._tools, self._ledger
        self._stop_if_cancelled()
        size = estimate_tokens(self._fixed_size + sum(map(_size, self._history)))
        ceiling = ledger.begin_round(size)
        number = ledger.rounds
        tools.emit(RoundStarted(number, len(self._history), size))
        started = tools.clock.monotonic()
        request = ProviderRequest(
            tuple(self._history), self._model, self._schemas, max_tokens=ceiling, timeout=ledger.seconds_left
        )
        reply = tools.provider.complete(request, lambda text: self._text_arrived(number, text))
        usage = reply.usage or _estimated_usage(size, reply)
        self._history.append(_for_history(reply.message))
        self._finish_round(number, reply, usage, started)
        ledger.end_round(usage)
        return reply

    def _text_arrived(self, number: int, text: str) -> None:
        self._stop_if_cancelled()
        self._tools.emit(TextArrived(number, text))

    def _finish_round(self, number: int, reply: ProviderResponse, usage: Usage, started: float) -> None:
        tools = self._tools
        tools.emit(
            RoundFinished(
                number,
                reply.finish_reason,
                reply.model or self._model,
                tools.redactor.text(reply.message.content or ""),
                len(reply.message.tool_calls),
                usage,
                reply.usage is None,
                _milliseconds(tools.clock.monotonic() - started),
                len(reply.message.reasoning[1]) if reply.message.reasoning else 0,
            )
        )

    def _stop_if_cancelled(self) -> None:
        if self._tools.cancelled():
            raise Cancelled

    def _reject(self, text: str, reason: str) -> None:
        """Refuse a reply as a whole; each of its calls still gets its one message, as servers demand."""
        self._tools.emit(ReplyRejected(self._ledger.rounds, reason))
        calls = self._history[-1].tool_calls
        if not calls:
            self.say(text)
        for call in calls:
            answer = Answer("refused", f"ERROR: {text}")
            self._answered(call, answer, 0.0)

    def _serve(self, calls: Sequence[ToolCall]) -> None:
        for group in _groups(calls, self._tools.server):
            self._stop_if_cancelled()
            self._ledger.require_time()
            self._serve_group(group)

    def _serve_group(self, calls: Sequence[ToolCall]) -> None:
        redact = self._tools.redactor.text
        for call in calls:
            shown = self._shown_arguments(call, {})
            self._tools.emit(CallStarted(self._ledger.rounds, redact(call.id), redact(call.name), shown))
        answers = [self._timed(calls[0])] if len(calls) == 1 else self._side_by_side(calls)
        for call, (answer, seconds) in zip(calls, answers, strict=True):
            self._answered(call, self._repeated(call, answer), seconds)

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
        self._ran_tools = self._ran_tools or answer.status != "refused"
        key = (call.name, call.arguments)
        if answer.status == "executed":
            self._failures.pop(key, None)
            return answer
        self._failures[key] += 1
        if self._failures[key] < 2:
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
                _milliseconds(seconds),
                answer.text[:_SUMMARY],
                hashlib.sha256(answer.text.encode("utf-8", "surrogatepass")).hexdigest(),
                answer.bug,
            )
        )
        if self._failures[call.name, call.arguments] >= 3:
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


def _for_history(message: Message) -> Message:
    """The message as it goes back: arguments that are no object would make some servers answer 500 from then on."""
    return replace(
        message,
        tool_calls=tuple(replace(call, arguments=_valid(call.arguments)) for call in message.tool_calls),
    )


def _valid(arguments: str) -> str:
    try:
        load_object(arguments)
    except ToolError:
        return "{}"
    return arguments if arguments.strip() else "{}"


def _size(message: Message) -> int:
    calls = sum(len(call.name) + len(call.arguments) + 40 for call in message.tool_calls)
    reasoning = len(message.reasoning[1]) if message.reasoning else 0
    return len(message.content or "") + calls + reasoning + 16


def _estimated_usage(prompt_tokens: int, reply: ProviderResponse) -> Usage:
    return Usage(prompt_tokens, 0, estimate_tokens(_size(reply.message)), 1)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
