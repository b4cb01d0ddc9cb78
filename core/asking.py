"""One model call, from the reservation to the reply: retries, the chain of providers, the protocol of the calls.

The session decides what is asked and what comes of it; a provider asks once. What lies between is here: who is asked,
how often, and at what price. Everything that happens on the way is an event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .asking_terms import Asked as Asked
from .asking_terms import Asking as Asking
from .asking_terms import ToolProtocol as ToolProtocol
from .errors import Cancelled, ProviderFailed, ToolsUnsupported
from .estimates import Estimator
from .events import ProtocolChanged, ProviderChanged, ReasoningArrived, RetryScheduled, TextArrived
from .history import estimated_usage, request_characters
from .limits import Reservation
from .messages import Message, ProviderRequest, ProviderResponse, ToolSchema
from .providers.choose import Choice
from .providers.prices import Price
from .retries import backoff, pause

_STEP = 0.1
"""Seconds of a wait after which a caller that wants to stop is heard."""
_PATIENT = 3
"""The attempt at which the count stays while a crowded server serves others."""
_PATIENCE = 30.0
"""Seconds that a server may ask to wait before the next provider of the chain is asked instead."""


class Asker:
    """Asks the chain of providers.

    Raises:
        ToolsUnsupported: none of them can call tools.
    """

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._estimator = Estimator()
        self._chain = [choice for number, choice in enumerate(asking.choices) if self._is_usable(choice, number == 0)]
        if not self._chain:
            raise ToolsUnsupported(asking.choices[0].provider.name)
        first = self._chain[0].provider
        self.writes = asking.has_tools and (asking.protocol == "text" or not first.supports_function_calling())
        """Whether calls go as text, for the whole run: its history has one form."""
        self._begun = False
        self.answers_alone = False
        """Whether the answer's form must be asked for without tools, as the server refused both together."""

    def announce(self) -> None:
        """Say where the first provider or its protocol is not what was asked for."""
        given, chosen = self._asking.choices[0], self._chain[0]
        if chosen is not given:
            self._say_changed(0, given, f"`{given.provider.name}` can't call tools")
        elif self.writes:
            asked = self._asking.protocol == "text"
            why = "asked for" if asked else f"`{chosen.provider.name}` can't call tools with the model `{chosen.model}`"
            self._asking.emit(ProtocolChanged(0, "text", why))

    def _is_usable(self, choice: Choice, is_first: bool) -> bool:
        can_call = choice.provider.supports_function_calling() or self._asking.protocol == "text"
        if can_call or not self._asking.has_tools:
            return True
        # A server whose model has no calls of its own can write them, but nobody moves to such a one.
        return is_first and self._asking.protocol == "auto" and getattr(choice.provider, "can_write_calls", False)

    @property
    def choice(self) -> Choice:
        """Who is asked next."""
        return self._chain[0]

    def estimate(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> int:
        """About how many tokens a request has."""
        return self._estimator.prompt_tokens(request_characters(messages, tools))

    def price(self) -> Price | None:
        """What the model of who is asked next costs; None where that isn't known."""
        return self._asking.prices.of(self.choice.model, self.choice.provider.name)

    def ask(self, request: ProviderRequest, number: int, reservation: Reservation) -> Asked:
        """Ask until there is a reply.

        Args:
            request: its model, ceiling and time are set here.
            number: the round's.
            reservation: the round's. It is released where there is no reply; else the caller commits it.

        Raises:
            LimitReached: no time is left, or another attempt would pass a limit.
            ProviderFailed: no reply, and asking again or elsewhere would not help.
            Cancelled: while it waited.
        """
        attempt, attempts = 1, 1
        while True:
            try:
                reply = self._once(request, number, reservation)
                if self._asking.pacing is not None:
                    self._asking.pacing.heard(self.choice.provider.name)
                return self._asked(request, reply, reservation, attempts)
            except ProviderFailed as error:
                self._asking.ledger.release(reservation)
                attempt = self._recover(error, number, attempt)
            except BaseException:
                self._asking.ledger.release(reservation)
                raise
            attempts += 1
            reservation = self._asking.ledger.reserve(self.estimate(request.messages, request.tools), self.price())

    def _once(self, request: ProviderRequest, number: int, reservation: Reservation) -> ProviderResponse:
        asking, choice = self._asking, self.choice
        self._begun = False
        self._rest()

        def arrived(text: str, /, *, reasoning: bool = False) -> None:
            self._begun = True
            self._stop_if_cancelled()
            asking.emit(ReasoningArrived(number, text) if reasoning else TextArrived(number, text))

        schema = None if self.answers_alone and request.tools else request.response_schema
        full = replace(
            request,
            model=choice.model,
            max_tokens=reservation.max_tokens,
            timeout=asking.ledger.seconds_left,
            response_schema=schema,
        )
        taken = frozenset(call.id for message in request.messages for call in message.tool_calls)
        if self.writes:
            from .providers.as_text.text_tools import as_text, read_text_reply

            return read_text_reply(choice.provider.complete(as_text(full), arrived), request.tools, taken)
        reply = choice.provider.complete(full, arrived)
        if asking.protocol != "auto" or reply.tool_calls:
            return reply
        from .providers.as_text.written_calls import recognise

        return recognise(reply, request.tools, taken)

    def _asked(
        self, request: ProviderRequest, reply: ProviderResponse, reservation: Reservation, attempts: int
    ) -> Asked:
        size = request_characters(request.messages, request.tools)
        usage = reply.usage or estimated_usage(self._estimator.prompt_tokens(size), reply)
        if reply.usage is not None:
            self._estimator.learn(size, reply.usage.prompt_tokens)
        price = self.price()
        cost = None if price is None else price.cost(usage, self._asking.clock.now())
        return Asked(reply, self.choice, usage, reply.usage is None, cost, reservation, attempts)

    def _recover(self, error: ProviderFailed, number: int, attempt: int) -> int:
        """Do what makes another attempt worth while; the number of that attempt, or the error again."""
        asking = self._asking
        asking.ledger.require_time()
        if self._has_adapted(error, number):
            return 1
        attempt = self._counted(error, attempt)
        elsewhere = error.elsewhere and not self._begun and len(self._chain) > 1
        wait = pause(error, attempt, asking.jitter)
        if wait is not None and wait < asking.ledger.seconds_left and not (elsewhere and wait > _PATIENCE):
            said = asking.redactor.text(error.message)
            attempts = backoff(error).attempts
            asking.emit(RetryScheduled(number, attempt + 1, attempts, error.kind, said, round(wait, 3)))
            if asking.pacing is not None and error.kind == "rate_limited":
                asking.pacing.hold(self.choice.provider.name, wait, error.retry_after)
            self._wait(wait)
            return attempt + 1
        if elsewhere:
            before = self._chain.pop(0)
            self._say_changed(number, before, error.message)
            return 1
        if wait is not None:
            error.message += f"; the next attempt in {wait:.0f} s would be past the run's time"
        elif attempt > 1:
            error.message += f" (asked {attempt} times)"
        raise error

    def _counted(self, error: ProviderFailed, attempt: int) -> int:
        """The attempt's number; a server that serves others meanwhile is not given up because it is crowded."""
        pacing = self._asking.pacing
        if pacing is not None and error.kind == "rate_limited" and pacing.is_alive(self.choice.provider.name):
            return min(attempt, _PATIENT)
        return attempt

    def _rest(self) -> None:
        """Wait while the server wants nobody to ask."""
        asking = self._asking
        if asking.pacing is None:
            return

        def wait(seconds: float) -> None:
            asking.ledger.require_time()
            self._wait(min(seconds, asking.ledger.seconds_left))

        asking.pacing.rest(self.choice.provider.name, wait, asking.jitter)

    def _has_adapted(self, error: ProviderFailed, number: int) -> bool:
        """Whether the request is made in another way from now on, as the server can't have it this way."""
        if error.kind == "no_function_calling" and self._asking.protocol == "auto" and not self.writes:
            self.writes = True
            self._asking.emit(ProtocolChanged(number, "text", self._asking.redactor.text(error.message)))
            return True
        if error.kind == "no_structured_answer" and not self.answers_alone:
            self.answers_alone = True
            self._asking.emit(ProtocolChanged(number, "answer_alone", self._asking.redactor.text(error.message)))
            return True
        return False

    def _say_changed(self, number: int, before: Choice, reason: str) -> None:
        now = self.choice
        said = self._asking.redactor.text(reason)
        self._asking.emit(ProviderChanged(number, before.provider.name, now.provider.name, now.model, said))

    def _wait(self, seconds: float) -> None:
        clock = self._asking.clock
        end = clock.monotonic() + seconds
        while (left := end - clock.monotonic()) > 0:
            self._stop_if_cancelled()
            clock.sleep(min(left, _STEP))

    def _stop_if_cancelled(self) -> None:
        if self._asking.cancelled():
            raise Cancelled
