"""Listens to one run's events and holds what the trace and the result are made from."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from . import events
from .messages import Usage
from .trace_model import (
    BasePart,
    BuildProductsPart,
    CallPart,
    CheckPart,
    ContractPart,
    DeliveryPart,
    GuardPart,
    IsolationPart,
    MinimizedPart,
    ModulePart,
    OriginsPart,
    ProbePart,
    ProtocolChangePart,
    ProviderChangePart,
    ReplyCallPart,
    RetryPart,
    RoundPart,
    SparePart,
    SummaryPart,
    Trace,
    UsagePart,
    UserStatePart,
)


@dataclass(slots=True)
class Record:
    """Facts of one run, gathered event by event."""

    started: events.RunStarted | None = None
    base: events.BaseTaken | None = None
    products: events.BuildProductsCopied | None = None
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
    cost: float | None = 0.0
    usage: Usage = field(default_factory=Usage)

    def listen(self, event: events.Event) -> None:
        """Take one event."""
        match event:
            case events.RunStarted():
                self.started = event
            case events.BaseTaken():
                self.base = event
            case events.BuildProductsCopied():
                self.products = event
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
                self.minimized = event
            case events.RepairAsked():
                self.repairs += 1
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
                self.usage += event.usage
                unknown = event.cost_usd is None or self.cost is None
                self.cost = None if unknown else (self.cost or 0.0) + (event.cost_usd or 0.0)
                self._update_round(**_reply(event))
            case events.ReplyRejected():
                self._update_round(rejected=event.reason)

    def _update_round(self, **values: Any) -> None:  # noqa: ANN401 - fields of RoundPart
        self.rounds[-1] = self.rounds[-1].model_copy(update=values)


def _reply(event: events.RoundFinished) -> dict[str, Any]:
    """The fields of `RoundPart` that a reply fills."""
    facts = asdict(event)
    calls = [ReplyCallPart(id=call[0], name=call[1], arguments=call[2]) for call in event.reply_calls]
    renamed = {"usage": UsagePart(**facts.pop("usage")), "usage_estimated": facts.pop("estimated")}
    return {**facts, **renamed, "calls": len(calls), "reply_calls": tuple(calls)}


def build_trace(record: Record, started: str) -> Trace:
    """The trace of a run; one that broke off gives what is known up to then."""
    run, outcome = record.started, record.outcome
    commits = [delivery for delivery in record.delivered if delivery.kind == "branch"]
    return Trace(
        version=run.version if run else "",
        run_id=run.run_id if run else "",
        task=run.task if run else "",
        paths=run.paths if run else (),
        settings=dict(run.settings) if run else {},
        status=outcome.status if outcome else "error",
        reason=outcome.reason if outcome else "interrupted",
        exit_code=outcome.exit_code if outcome else 70,
        message=outcome.message if outcome else "the run broke off",
        verified=outcome.verified if outcome else None,
        files_changed=outcome.files_changed if outcome else (),
        iterations=len(record.rounds),
        summary=_summary(outcome),
        base=BasePart(**asdict(record.base)) if record.base else None,
        tree=outcome.tree if outcome else None,
        branch=commits[0].what if commits else None,
        commit=commits[0].commit if commits else None,
        delivered=tuple(DeliveryPart(**asdict(delivery)) for delivery in record.delivered),
        usage=UsagePart(**asdict(record.usage)),
        cost_usd=record.cost,
        checks=tuple(CheckPart.model_validate(asdict(check)) for check in record.checks),
        guards=tuple(GuardPart(**asdict(guard)) for guard in record.guards),
        contract=ContractPart(**asdict(record.contract)) if record.contract else ContractPart(),
        spare=_spare(record.spare),
        minimized=MinimizedPart(**asdict(record.minimized)) if record.minimized else None,
        tool_calls=tuple(CallPart(**asdict(call)) for call in record.calls),
        rounds=tuple(record.rounds),
        retries=tuple(RetryPart(**asdict(retry)) for retry in record.retries),
        provider_changes=tuple(ProviderChangePart(**asdict(change)) for change in record.provider_changes),
        protocol_changes=tuple(ProtocolChangePart(**asdict(change)) for change in record.protocol_changes),
        repairs=record.repairs,
        build_products=_products(record.products),
        isolation=_isolation(record.isolation),
        origins=_origins(record.origins),
        user_state=UserStatePart.model_validate(asdict(record.user_state)) if record.user_state else None,
        started=started,
        duration_ms=record.ended.duration_ms if record.ended else 0,
        **_tools(record),
    )


def _spare(found: events.SpareHunksFound | None) -> tuple[SparePart, ...]:
    hunks = found.hunks if found else ()
    return tuple(SparePart(path=path, line=line, symbol=symbol, why=why) for path, line, symbol, why in hunks)


def _summary(outcome: events.OutcomeReached | None) -> SummaryPart:
    if outcome is None:
        return SummaryPart(title="", body="")
    return SummaryPart(title=outcome.title, body=outcome.body, follow_ups=outcome.follow_ups)


def _products(copied: events.BuildProductsCopied | None) -> BuildProductsPart:
    return BuildProductsPart(**asdict(copied)) if copied else BuildProductsPart()


def _isolation(probed: events.IsolationProbed | None) -> IsolationPart | None:
    if probed is None:
        return None
    probe = tuple(ProbePart(name=name, ok=ok, detail=detail) for name, ok, detail in probed.probe)
    return IsolationPart(tier=probed.tier, failure=probed.failure, probe=probe)


def _origins(found: events.OriginsFound | None) -> OriginsPart | None:
    if found is None:
        return None
    modules = tuple(ModulePart(name=name, place=place, in_tree=in_tree) for name, place, in_tree in found.modules)
    return OriginsPart(modules=modules, search_path=found.search_path)


def _tools(record: Record) -> dict[str, Any]:
    """Which tools were offered, which the model asked for, and which it decided not to."""
    offered = record.offered.names if record.offered else ()
    requested = tuple(dict.fromkeys(call.name for call in record.calls))
    decided = record.outcome is not None and record.outcome.status in ("completed", "gate")
    return {
        "provider": record.offered.provider if record.offered else "",
        "offered": offered,
        "requested": requested,
        "not_requested": tuple(name for name in offered if name not in requested) if decided else (),
        "undecided": None if decided else "the model did not come to an answer",
    }
