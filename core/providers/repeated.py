"""Gives the replies of a recorded run again, the failures that it survived included, then a live provider's.

`replay` plays whatever replies a trace holds and looks at nothing else. Here a run takes the recorded one's way
exactly: where a server refused tools or a form, or the model's call, it is refused again, so that the protocol changes
in the same round. What was paid for once costs nothing here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..errors import ProviderFailed
from ..messages import OnDelta, Provider, ProviderRequest, ProviderResponse, Reasoning, Usage, ignore_delta
from ..reasoning_file import digest
from ..trace_model import RoundPart, Trace
from .replay import recorded_response

ENDED = "replay_ended"
"""The kind of the failure where no reply is left."""
_REFUSALS = {"text": "no_function_calling", "answer_alone": "no_structured_answer"}
_UNUSABLE = "tool_use_failed"
_SCRIPTED = "fixture"


class RepeatedProvider:
    """The recorded replies, one a request.

    Attributes:
        name: the live provider's, which answers at the end.
        follows_script, reads_context, asks_for_form, can_write_calls: as the recorded provider's or the live one's, see
            `core/conversation.py` and `core/asking.py`.
    """

    def __init__(
        self,
        trace: Trace,
        *,
        before: int | None = None,
        live: Provider | None = None,
        reasoning: Mapping[int, Reasoning] | None = None,
        is_free: bool = True,
    ) -> None:
        """Take the replies.

        Args:
            before: the first round whose reply is not played.
            live: answers when the replies are all given; None for nobody.
            reasoning: what the model thought, by round; only what the trace's digests name is believed.
            is_free: whether the replies use no tokens; otherwise what they used when they were recorded.
        """
        self._trace = trace
        self._live = live
        self._is_free = is_free
        self._reasoning = reasoning or {}
        self._steps = deque(_steps(trace, before, is_live=live is not None))
        self.name = live.name if live else "replay"
        alone = any(change.protocol == "answer_alone" for change in trace.protocol_changes)
        self.asks_for_form: bool = getattr(live, "asks_for_form", False) or alone
        self.can_write_calls: bool = live is None or getattr(live, "can_write_calls", False)
        self.follows_script: bool = trace.provider == _SCRIPTED if live is None else False
        has_context = trace.frame is not None or trace.context_pack is not None or bool(trace.context_failure)
        self.reads_context: bool = has_context if self._steps else getattr(live, "reads_context", True)

    @property
    def left(self) -> int:
        """How many replies have not been asked for."""
        return sum(isinstance(step, RoundPart) for step in self._steps)

    def supports_function_calling(self) -> bool:
        """As the live provider does; else unless the recorded run wrote its calls as text from the start."""
        if self._live is not None:
            return self._live.supports_function_calling()
        return not any(change.protocol == "text" and change.round == 0 for change in self._trace.protocol_changes)

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """The next recorded reply, or the recorded failure; when all are given, the live provider's.

        Raises:
            ProviderFailed: the recorded failure; none is left (kind `replay_ended`); or the live provider's.
        """
        if not self._steps:
            if self._live is None:
                raise ProviderFailed(
                    ENDED,
                    "the run asks for one more reply than the recorded run had",
                    hint="it went another way than the recorded one",
                )
            return self._live.complete(request, on_delta)
        step = self._steps.popleft()
        if isinstance(step, str):
            raise ProviderFailed(step, "the recorded run's request was refused here", hint="see the recorded run")
        if step.text:
            on_delta(step.text)
        return self._response(step)

    def _response(self, part: RoundPart) -> ProviderResponse:
        response = recorded_response(part)
        thought = self._reasoning.get(part.round)
        if thought is not None and digest(thought) == part.reasoning_digest:
            response = replace(response, message=replace(response.message, reasoning=thought))
        return replace(response, usage=Usage()) if self._is_free else response


def _steps(trace: Trace, before: int | None, *, is_live: bool) -> Iterator[RoundPart | str]:
    """What each request gives: a reply, or the kind of a failure."""
    refusals: dict[int, list[str]] = {}
    for change in trace.protocol_changes:
        # Whether the live server has function calling is its own to say.
        if change.round and not (is_live and change.protocol == "text"):
            refusals.setdefault(change.round, []).append(_REFUSALS[change.protocol])
    parts = [part for part in trace.rounds if before is None or part.round < before]
    last = max((number for number, part in enumerate(parts) if part.finish_reason), default=-1)
    answered = False
    for number, part in enumerate(parts):
        yield from refusals.pop(part.round, ())
        if part.finish_reason:
            yield part
        elif part.rejected == _UNUSABLE or (answered and number < last):
            # After an answer only its form is asked for, and where that fails, the answer stands as it was.
            yield _UNUSABLE
        answered = bool(part.finish_reason) and not part.reply_calls
