"""The bounded tool-use loop. It knows no task, no git, no check: two callers can use it, and tests drive it alone.

Each reply's calls are answered in order, one message each; calls that only observe run side by side. The history only
grows at its end, so that a provider's prefix cache hits. The loop ends on a reply without calls, on a limit, or on an
error; text beside calls is never an answer, and a reply that was cut for length runs none of its calls.
"""

from __future__ import annotations

from collections.abc import Sequence

from .asking import Asked, Asker
from .calls import CallServer, SessionTools
from .errors import Cancelled, ExitCode, ProviderFailed, RunStopped, ToolError
from .events import ReplyRejected, RoundFinished, RoundStarted
from .history import for_history
from .limits import Ledger
from .messages import Message, ProviderRequest, ProviderResponse, ResponseSchema, ToolSchema
from .prompts import told
from .reasoning_file import digest
from .tools.validation import load_object

_MAX_FAULTS_NATIVE, _MAX_FAULTS_TEXT = 2, 3
"""Replies in a row with a call that can't be read. A model that should call natively is asked again once."""


class Session:
    """One conversation with a model that may call tools."""

    def __init__(
        self,
        asker: Asker,
        messages: Sequence[Message],
        tools: SessionTools,
        ledger: Ledger,
        answer: ResponseSchema | None = None,
        *,
        must_call: bool = True,
    ) -> None:
        """Begin.

        Args:
            answer: the form that the last reply is asked for in; another form is taken as text.
            must_call: whether an answer counts only after a tool was called.
        """
        self._asker = asker
        self._tools = tools
        self._ledger = ledger
        self._answer = answer
        self._must_call = must_call
        self._history = list(messages)
        self._calls = CallServer(tools, ledger, self._history)
        self._schemas = tools.server.schemas
        self._asked_again = False
        self._faults = 0

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
        self._asked_again = False
        while True:
            reply = self._reply()
            if reply is None:
                continue
            text = (reply.message.content or "").strip()
            if reply.finish_reason == "length" or (reply.tool_calls and reply.finish_reason == "content_filter"):
                self._reject(told("cut"), "cut_for_length")
                continue
            if reply.fault:
                self._refuse_fault(reply)
                continue
            self._faults = 0
            if reply.tool_calls:
                self._calls.serve(reply.tool_calls)
            elif text and self._has_looked:
                return self._tools.redactor.text(self._in_form(reply.message.content or ""))
            else:
                self._ask_again()

    @property
    def _has_looked(self) -> bool:
        return self._calls.has_run or not self._must_call

    def say(self, text: str) -> None:
        """Add a message of the harness, such as what a check found after the model's answer."""
        self._history.append(Message("user", text))

    def _ask_again(self) -> None:
        """Once: a reply without anything is no answer, and neither is one of a model that has looked at nothing."""
        if self._asked_again:
            raise self._no_answer()
        self._asked_again = True
        if self._has_looked:
            self._reject(told("empty"), "empty")
        else:
            self._reject(told("no_tool"), "no_tool_call")

    def _no_answer(self) -> RunStopped:
        ran = self._has_looked
        return _stopped(
            "model:empty_reply" if ran else "model:no_tool_call",
            "the model gave an empty reply twice"
            if ran
            else "the model never used a tool, so nothing was read or changed",
        )

    def _reply(self) -> ProviderResponse | None:
        """The next reply; None where the server refused the model's call, which the model is told once."""
        try:
            return self._round(self._schemas)
        except ProviderFailed as error:
            if error.kind != "tool_use_failed" or self._faults:
                raise
            self._faults += 1
            self._tools.emit(ReplyRejected(self._ledger.rounds, "tool_use_failed"))
            said = f"{error.message}\nYou wrote: {error.said}" if error.said else error.message
            self.say(told("unreadable", fault=self._tools.redactor.text(said)))
            return None

    def _refuse_fault(self, reply: ProviderResponse) -> None:
        """A call that can't be read: none of the reply's calls runs, and the model is told why."""
        self._faults += 1
        if self._faults >= (_MAX_FAULTS_TEXT if self._asker.writes else _MAX_FAULTS_NATIVE):
            raise _stopped("model:unreadable_call", f"the model's calls could not be read: {reply.fault}")
        self._reject(told("unreadable", fault=reply.fault), "unreadable_call")

    def _in_form(self, text: str) -> str:
        """The answer as the form wants it, where that could not be asked for together with tools."""
        if self._answer is None or not self._asker.answers_alone or _is_object(text) or not self._ledger.has_round:
            return text
        self.say(told("form"))
        try:
            return self._round(()).message.content or text
        except ProviderFailed:
            return text

    def _round(self, tools: tuple[ToolSchema, ...]) -> ProviderResponse:
        if self._tools.cancelled():
            raise Cancelled
        size = self._asker.estimate(self._history, tools)
        reservation = self._ledger.begin_round(size, self._asker.price())
        number = self._ledger.rounds
        self._tools.emit(RoundStarted(number, len(self._history), size))
        started = self._tools.clock.monotonic()
        request = ProviderRequest(tuple(self._history), tools=tools, response_schema=self._answer)
        asked = self._asker.ask(request, number, reservation)
        self._history.append(for_history(asked.reply.message))
        self._finish_round(number, asked, self._tools.clock.monotonic() - started)
        self._ledger.commit(asked.reservation, asked.usage, asked.cost)
        return asked.reply

    def _finish_round(self, number: int, asked: Asked, seconds: float) -> None:
        reply, redact = asked.reply, self._tools.redactor.text
        reasoning = reply.message.reasoning
        if reasoning is not None:
            self._tools.keep_reasoning(number, reasoning)
        self._tools.emit(
            RoundFinished(
                number,
                reply.finish_reason,
                asked.choice.provider.name,
                redact(reply.model or asked.choice.model),
                redact(reply.message.content or ""),
                tuple((redact(call.id), redact(call.name), redact(call.arguments)) for call in reply.tool_calls),
                asked.usage,
                asked.estimated,
                asked.cost,
                round(seconds * 1000),
                reply.written,
                redact(reply.fault),
                len(reasoning.text) if reasoning else 0,
                digest(reasoning) if reasoning else "",
                asked.attempts,
            )
        )

    def _reject(self, text: str, reason: str) -> None:
        """Refuse a reply as a whole."""
        self._tools.emit(ReplyRejected(self._ledger.rounds, reason))
        calls = self._history[-1].tool_calls
        if not calls:
            self.say(text)
        self._calls.refuse(calls, text)


def _stopped(reason: str, message: str) -> RunStopped:
    hint = "try another model: `--model NAME`"
    return RunStopped("error", reason, message, hint=hint, exit_code=ExitCode.PROVIDER)


def _is_object(text: str) -> bool:
    try:
        load_object(text)
    except ToolError:
        return False
    return True
