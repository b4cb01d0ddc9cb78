"""Listens to one run's events and holds what the trace and the result are made from."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from . import events
from .messages import Usage
from .trace_model import (
    ReplyCallPart,
    RoundPart,
    UsagePart,
)


@dataclass(slots=True)
class Record:
    """Facts of one run, gathered event by event."""

    started: events.RunStarted | None = None
    base: events.BaseTaken | None = None
    continued: events.RunContinued | None = None
    reused: str | None = None
    products: events.BuildProductsCopied | None = None
    context: events.ContextBuilt | None = None
    offered: events.ToolsOffered | None = None
    outcome: events.OutcomeReached | None = None
    isolation: events.IsolationProbed | None = None
    origins: events.OriginsFound | None = None
    user_state: events.UserStateCompared | None = None
    ended: events.RunEnded | None = None
    rounds: list[RoundPart] = field(default_factory=list[RoundPart])
    calls: list[events.CallFinished] = field(default_factory=list[events.CallFinished])
    checks: list[events.CheckFinished] = field(default_factory=list[events.CheckFinished])
    contract: events.ContractJudged | None = None
    spare: events.SpareHunksFound | None = None
    minimized: events.ChangeMinimized | None = None
    guards: list[events.GuardJudged] = field(default_factory=list[events.GuardJudged])
    delivered: list[events.Delivered] = field(default_factory=list[events.Delivered])
    retries: list[events.RetryScheduled] = field(default_factory=list[events.RetryScheduled])
    provider_changes: list[events.ProviderChanged] = field(default_factory=list[events.ProviderChanged])
    protocol_changes: list[events.ProtocolChanged] = field(default_factory=list[events.ProtocolChanged])
    repairs: int = 0
    reviewed: events.ChangeTaken | None = None
    deliberation: events.DeliberationEnded | None = None
    verdict_of: str | None = None
    review: events.ReviewReached | None = None
    shards: list[events.ShardEnded] = field(default_factory=list[events.ShardEnded])
    reviews: list[events.ResultReviewed] = field(default_factory=list[events.ResultReviewed])
    cost: float | None = 0.0
    usage: Usage = field(default_factory=Usage)

    def listen(self, event: events.Event) -> None:
        """Take one event."""
        match event:
            case events.RunStarted():
                self.started = event
            case events.BaseTaken():
                self.base = event
            case events.RunContinued():
                self.continued = event
            case events.ReuseTried():
                self._take_reuse(event)
            case events.BuildProductsCopied():
                self.products = event
            case events.ContextBuilt():
                self.context = event
            case events.ToolsOffered():
                self.offered = event
            case events.RoundStarted() | events.RoundFinished() | events.ReplyRejected():
                self._listen_to_round(event)
            case events.RetryScheduled():
                self.retries.append(event)
            case events.ProviderChanged():
                self.provider_changes.append(event)
            case events.ProtocolChanged():
                self.protocol_changes.append(event)
            case events.CallFinished():
                self.calls.append(event)
            case events.ChecksStarted():
                # Only the last verification counts; earlier ones led to repairs.
                self.checks.clear()
                self.guards.clear()
            case events.CheckFinished():
                self.checks.append(event)
            case events.GuardJudged():
                self.guards.append(event)
            case events.ContractJudged():
                self.contract = event
            case events.SpareHunksFound():
                self.spare = event
            case events.ChangeMinimized():
                self._take_minimized(event)
            case events.RepairAsked():
                self.repairs += 1
            case events.ChangeTaken():
                self.reviewed = event
            case events.DeliberationEnded():
                self.deliberation = event
            case events.VerdictReused():
                self.verdict_of = event.run_id
            case events.ReviewReached():
                self.review = event
            case events.ResultReviewed():
                self.reviews.append(event)
                self._use(event.usage, event.cost_usd)
            case events.ShardEnded():
                self.shards.append(event)
                self._use(event.usage, event.cost_usd)
            case events.IsolationProbed():
                self.isolation = event
            case events.OriginsFound():
                self.origins = event
            case events.OutcomeReached():
                self.outcome = event
            case events.Delivered():
                self.delivered.append(event)
            case events.UserStateCompared():
                self.user_state = event
            case events.RunEnded():
                self.ended = event
            case events.TextArrived() | events.ReasoningArrived() | events.CallStarted():
                pass
            case events.ReuseBegun() | events.CheckEnded() | events.ResultReviewBegun() | events.ShardsPlanned():
                pass

    def _take_minimized(self, event: events.ChangeMinimized) -> None:
        """What went before an earlier review of the result is gone, too."""
        last = self.minimized
        earlier, trials = (last.dropped, last.trials) if last else ((), 0)
        self.minimized = replace(event, dropped=(*earlier, *event.dropped), trials=trials + event.trials)

    def _take_reuse(self, event: events.ReuseTried) -> None:
        if not event.difference:
            self.reused = event.run_id
            return
        anew = Record(self.started, self.base)
        for each in fields(self):
            setattr(self, each.name, getattr(anew, each.name))

    def _listen_to_round(self, event: events.RoundStarted | events.RoundFinished | events.ReplyRejected) -> None:
        match event:
            case events.RoundStarted():
                self.rounds.append(
                    RoundPart(
                        round=event.round,
                        messages=event.messages,
                        prompt_tokens_estimated=event.prompt_tokens,
                    )
                )
            case events.RoundFinished():
                self._use(event.usage, event.cost_usd)
                self._update_round(**_reply(event))
            case events.ReplyRejected():
                self._update_round(rejected=event.reason)

    def _use(self, usage: Usage, cost: float | None) -> None:
        self.usage += usage
        self.cost = None if cost is None or self.cost is None else self.cost + cost

    def _update_round(self, **values: Any) -> None:  # noqa: ANN401 - fields of RoundPart
        self.rounds[-1] = self.rounds[-1].model_copy(update=values)


def _reply(event: events.RoundFinished) -> dict[str, Any]:
    """The fields of `RoundPart` that a reply fills."""
    facts = asdict(event)
    calls = [ReplyCallPart(id=call[0], name=call[1], arguments=call[2]) for call in event.reply_calls]
    renamed = {"usage": UsagePart(**facts.pop("usage")), "usage_estimated": facts.pop("estimated")}
    return {**facts, **renamed, "calls": len(calls), "reply_calls": tuple(calls)}
