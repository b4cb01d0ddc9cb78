"""What a model call is made with, and what came of it; `asking` makes the call."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .clock import Clock
from .events import Listener
from .limits import Ledger, Reservation
from .messages import ProviderResponse, Usage
from .providers.choose import Choice
from .providers.prices import PriceList
from .redact import Redactor

if TYPE_CHECKING:
    from .sharding.pacing import Pacing

ToolProtocol = Literal["auto", "native", "text"]


@dataclass(frozen=True, slots=True)
class Asking:
    """What a call is made with.

    Attributes:
        choices: the chain of providers, the first one first.
        jitter: gives a number from 0 to 1.
        has_tools: whether tools are offered, so that only providers that can call them count.
        pacing: when sessions that work side by side may ask; None for one that is alone.
    """

    choices: Sequence[Choice]
    ledger: Ledger
    clock: Clock
    emit: Listener
    redactor: Redactor
    prices: PriceList
    protocol: ToolProtocol = "auto"
    cancelled: Callable[[], bool] = lambda: False
    jitter: Callable[[], float] = random.random
    has_tools: bool = True
    pacing: Pacing | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A reply and what it took.

    Attributes:
        usage: as the server reported it; ours where `estimated`.
        cost: in USD; None where the price isn't known.
        reservation: what is to be committed.
        attempts: how often it was asked for.
    """

    reply: ProviderResponse
    choice: Choice
    usage: Usage
    estimated: bool
    cost: float | None
    reservation: Reservation
    attempts: int
