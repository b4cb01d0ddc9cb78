"""What a run has used so far, summed as its rounds end."""

from __future__ import annotations

from dataclasses import dataclass, field

from orefactor.core import events
from orefactor.core.messages import Usage

from ..wording import money, tokens


@dataclass(slots=True)
class Totals:
    """Rounds, tokens and money. `cost` is None once the price of a round isn't known."""

    rounds: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0

    def listen(self, event: events.Event) -> None:
        """Take one event."""
        match event:
            case events.RoundFinished():
                self.rounds += 1
                self._use(event.usage, event.cost_usd)
            case events.ShardEnded():
                self.rounds += event.rounds
                self._use(event.usage, event.cost_usd)
            case events.ResultReviewed():
                self._use(event.usage, event.cost_usd)
            case events.ReuseTried() if event.difference:
                # What was played up to there counts for nothing; the run begins anew.
                self.rounds, self.usage, self.cost = 0, Usage(), 0.0
            case _:
                pass

    def _use(self, usage: Usage, cost: float | None) -> None:
        self.usage += usage
        self.cost = None if cost is None or self.cost is None else self.cost + cost

    def words(self) -> list[str]:
        """Tokens and cost, where there are any."""
        used = [f"{tokens(self.usage.total)} tokens"] if self.usage.total else []
        return [*used, money(self.cost)] if self.cost else used
