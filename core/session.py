"""The bounded tool-use loop. It knows no task, no git, no check: two callers can use it, and tests drive it alone.

Each reply's calls are answered in order, one message each; calls that only observe run side by side. The history only
grows at its end, so that a provider's prefix cache hits. The loop ends on a reply without calls, on a limit, or on an
error; text beside calls is never an answer, and a reply that was cut for length runs none of its calls.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from .calls import CallServer, SessionTools
from .errors import Cancelled, ExitCode, RunStopped
from .events import ReplyRejected, RoundFinished, RoundStarted, TextArrived
from .history import characters, estimated_usage, for_history
from .limits import Ledger, estimate_tokens
from .messages import Message, ProviderRequest, ProviderResponse, Usage

_CUT = "Your reply was cut off, and none of its calls was run. Send fewer or smaller calls."
_EMPTY = "Your reply had neither text nor a call. Go on with a tool call, or finish with a short summary."
_NO_TOOL = (
    "You have not called any tool yet, so nothing was read or changed. Call the tools to do the task; "
    "if nothing needs to change, read the files first and then say so."
)


class Session:
    """One conversation with a model that may call tools."""

    def __init__(self, model: str, messages: Sequence[Message], tools: SessionTools, ledger: Ledger) -> None:
        self._model = model
        self._tools = tools
        self._ledger = ledger
        self._history = list(messages)
        self._calls = CallServer(tools, ledger, self._history)
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
                self._calls.serve(calls)
            elif self._calls.has_run and (reply.message.content or "").strip():
                return self._tools.redactor.text(reply.message.content or "")
            elif asked_again:
                raise self._no_answer()
            else:
                asked_again = True
                self._reject(
                    _EMPTY if self._calls.has_run else _NO_TOOL, "empty" if self._calls.has_run else "no_tool_call"
                )

    def say(self, text: str) -> None:
        """Add a message of the harness, such as what a check found after the model's answer."""
        self._history.append(Message("user", text))

    def _no_answer(self) -> RunStopped:
        ran = self._calls.has_run
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
        size = estimate_tokens(self._fixed_size + sum(map(characters, self._history)))
        ceiling = ledger.begin_round(size)
        number = ledger.rounds
        tools.emit(RoundStarted(number, len(self._history), size))
        started = tools.clock.monotonic()
        request = ProviderRequest(
            tuple(self._history), self._model, self._schemas, max_tokens=ceiling, timeout=ledger.seconds_left
        )
        reply = tools.provider.complete(request, lambda text: self._text_arrived(number, text))
        usage = reply.usage or estimated_usage(size, reply)
        self._history.append(for_history(reply.message))
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
                round((tools.clock.monotonic() - started) * 1000),
                len(reply.message.reasoning[1]) if reply.message.reasoning else 0,
            )
        )

    def _stop_if_cancelled(self) -> None:
        if self._tools.cancelled():
            raise Cancelled

    def _reject(self, text: str, reason: str) -> None:
        """Refuse a reply as a whole."""
        self._tools.emit(ReplyRejected(self._ledger.rounds, reason))
        calls = self._history[-1].tool_calls
        if not calls:
            self.say(text)
        self._calls.refuse(calls, text)
