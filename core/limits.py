"""What a run may use, and the ledger that keeps count: it reserves the worst case of a model call before the call.

A reservation is committed with what the server says was used, or released where the call failed. So calls that run
side by side can't pass a limit together.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

from .clock import Clock
from .errors import LimitReached
from .messages import Usage
from .providers.prices import Price

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings of a run, each positive.

    Attributes:
        max_rounds: model calls.
        max_tokens: tokens in and out, summed over the rounds.
        max_seconds: wall time.
        max_output_tokens: tokens of one reply.
        tool_seconds: wall time of one tool call.
        max_cost: USD of all model calls; None for no ceiling.
    """

    max_rounds: int = 25
    max_tokens: int = 1_000_000
    max_seconds: float = 1800.0
    max_output_tokens: int = 8192
    tool_seconds: float = 300.0
    max_cost: float | None = None


@dataclass(frozen=True, slots=True)
class Reservation:
    """The worst case of one model call.

    Attributes:
        tokens: of prompt and reply together.
        max_tokens: the reply's ceiling: what the limits leave.
        cost: in USD; 0 where the price isn't known.
    """

    tokens: int
    max_tokens: int
    cost: float


class Ledger:
    """Counts what a run has used against its limits."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self.limits = limits
        self._clock = clock
        self._started = clock.monotonic()
        self._lock = threading.Lock()
        self._reserved_tokens = 0
        self._reserved_cost = 0.0
        self.rounds = 0
        self.usage = Usage()
        self.cost: float | None = 0.0
        """USD so far; None once a call was made whose price isn't known."""

    @property
    def seconds_left(self) -> float:
        """Wall time that is left, never below zero."""
        return max(0.0, self.limits.max_seconds - (self._clock.monotonic() - self._started))

    @property
    def tokens_left(self) -> int:
        """Tokens that are left and not reserved, never below zero."""
        return max(0, self._tokens_left())

    @property
    def cost_left(self) -> float | None:
        """USD that are left and not reserved, never below zero; None where there is no ceiling."""
        if self.limits.max_cost is None:
            return None
        return max(0.0, self.limits.max_cost - (self.cost or 0.0) - self._reserved_cost)

    @property
    def tool_seconds(self) -> float:
        """The time limit of a tool that starts now."""
        return min(self.limits.tool_seconds, self.seconds_left)

    @property
    def has_reservations(self) -> bool:
        """Whether calls are under way whose reservations may be given back in part."""
        return self._reserved_tokens > 0

    @property
    def has_round(self) -> bool:
        """Whether another round may begin."""
        return self.rounds < self.limits.max_rounds

    def begin_round(self, prompt_tokens: int, price: Price | None = None) -> Reservation:
        """Count a round that is about to start, and reserve its worst case.

        Raises:
            LimitReached: no round, or as `reserve`; it isn't counted then.
        """
        if not self.has_round:
            raise LimitReached(
                "max_iterations",
                f"the model had not finished after {self.limits.max_rounds} rounds",
                hint="give it more with `--max-iterations N`, or a smaller task",
            )
        reservation = self.reserve(prompt_tokens, price)
        self.rounds += 1
        return reservation

    def reserve(self, prompt_tokens: int, price: Price | None = None) -> Reservation:
        """Reserve the worst case of a model call.

        Args:
            prompt_tokens: the estimated size of its request.
            price: of the model; None where it isn't known.

        Returns:
            What is reserved; its `max_tokens` is the request's own ceiling, lowered to what the limits leave.

        Raises:
            LimitReached: no time, or no token of a reply would fit.
        """
        self.require_time()
        with self._lock:
            ceiling = min(self.limits.max_output_tokens, self._tokens_left() - prompt_tokens)
            if ceiling <= 0:
                raise self._out_of_tokens()
            cost = 0.0
            if price is not None:
                ceiling = int(min(ceiling, self._affordable(prompt_tokens, price)))
                cost = self._cost(price, prompt_tokens, ceiling)
            elif self.limits.max_cost is not None:
                raise self._out_of_money("the price of this model isn't known, so its cost can't be kept")
            reservation = Reservation(prompt_tokens + ceiling, ceiling, cost)
            self._reserved_tokens += reservation.tokens
            self._reserved_cost += reservation.cost
            return reservation

    def _tokens_left(self) -> int:
        return self.limits.max_tokens - self.usage.total - self._reserved_tokens

    def _affordable(self, prompt_tokens: int, price: Price) -> float:
        """Tokens of a reply that the money left pays for."""
        if self.limits.max_cost is None:
            return math.inf
        alone = self._cost(price, prompt_tokens, 0)
        million = self._cost(price, prompt_tokens, _MILLION) - alone
        left = self.limits.max_cost - (self.cost or 0.0) - self._reserved_cost - alone
        tokens = math.floor(left / million * _MILLION) if million else math.inf
        if left < 0 or tokens < 1:
            raise self._out_of_money(f"the next step would pass {self.limits.max_cost:g} USD ({self._spent()} spent)")
        return tokens

    def _cost(self, price: Price, prompt_tokens: int, tokens: int) -> float:
        """The worst case: nothing of the prompt is cached, at the tariff of the moment."""
        return price.cost(Usage(prompt_tokens, 0, tokens, 1), self._clock.now())

    def release(self, reservation: Reservation) -> None:
        """Give a reservation back whose call failed."""
        with self._lock:
            self._reserved_tokens -= reservation.tokens
            self._reserved_cost -= reservation.cost

    def commit(self, reservation: Reservation, usage: Usage, cost: float | None) -> None:
        """Count what a call has used in place of what was reserved for it.

        Args:
            usage: its tokens.
            cost: in USD; None where the price isn't known.

        Raises:
            LimitReached: it was more than allowed.
        """
        self.release(reservation)
        self.add(usage, cost)

    def add(self, usage: Usage, cost: float | None) -> None:
        """Count what was used, such as what a session with a ledger of its own used for this run.

        Args:
            usage: its tokens.
            cost: in USD; None where a price isn't known.

        Raises:
            LimitReached: it was more than allowed.
        """
        with self._lock:
            self.usage += usage
            self.cost = None if cost is None or self.cost is None else self.cost + cost
            if self.usage.total > self.limits.max_tokens:
                raise self._out_of_tokens()
            if self.limits.max_cost is not None and (self.cost or 0.0) > self.limits.max_cost:
                raise self._out_of_money(f"the run has cost {self._spent()}, more than {self.limits.max_cost:g} USD")

    def require_time(self) -> None:
        """Make sure that time is left.

        Raises:
            LimitReached: none is.
        """
        if self.seconds_left <= 0:
            raise LimitReached(
                "max_seconds",
                f"the run was not finished after {self.limits.max_seconds:g} seconds",
                hint="give it more with `--max-seconds N`, or a smaller task",
            )

    def require_left(self) -> None:
        """Make sure that something of each limit but the rounds is left.

        Raises:
            LimitReached: nothing of one is.
        """
        self.require_time()
        if self.tokens_left <= 0:
            raise self._out_of_tokens()
        if self.cost_left == 0.0:
            raise self._out_of_money(f"the next step would pass {self.limits.max_cost:g} USD ({self._spent()} spent)")

    def _spent(self) -> str:
        return f"{self.cost or 0.0:.4f} USD"

    def _out_of_tokens(self) -> LimitReached:
        return LimitReached(
            "max_tokens",
            f"the next step would pass {self.limits.max_tokens} tokens ({self.usage.total} used)",
            hint="give it more with `--max-tokens N`, or a smaller task",
        )

    def _out_of_money(self, message: str) -> LimitReached:
        return LimitReached("max_cost", message, hint="give it more with `--max-cost USD`, or a smaller task")
