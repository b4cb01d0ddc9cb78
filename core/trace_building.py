"""Makes the trace of a run from what was recorded of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from . import events
from .record import Record
from .trace_model import (
    BasePart,
    BuildProductsPart,
    CallPart,
    CheckPart,
    ContinuesPart,
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
    ResultReviewPart,
    RetryPart,
    ReviewPart,
    RoundPart,
    ShardPart,
    SparePart,
    SummaryPart,
    Trace,
    UsagePart,
    UserStatePart,
)


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
        iterations=len(record.rounds) + sum(shard.rounds for shard in record.shards),
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
        **_context(record.context),
        tool_calls=tuple(CallPart(**asdict(call)) for call in record.calls),
        rounds=_rounds(record),
        retries=tuple(RetryPart(**asdict(retry)) for retry in record.retries),
        provider_changes=tuple(ProviderChangePart(**asdict(change)) for change in record.provider_changes),
        protocol_changes=tuple(ProtocolChangePart(**asdict(change)) for change in record.protocol_changes),
        repairs=record.repairs,
        build_products=_products(record.products),
        isolation=_isolation(record.isolation),
        origins=_origins(record.origins),
        user_state=UserStatePart.model_validate(asdict(record.user_state)) if record.user_state else None,
        continues=ContinuesPart(**asdict(record.continued)) if record.continued else None,
        reused=record.reused,
        review=_review(record),
        reviews=tuple(map(result_review, record.reviews)),
        **_shards(record.shards),
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


def _context(built: events.ContextBuilt | None) -> dict[str, Any]:
    if built is None:
        return {}
    return {
        "frame": dict(built.frame) if built.frame is not None else None,
        "context_pack": dict(built.pack) if built.pack is not None else None,
        "context_failure": built.failure,
    }


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


def _rounds(record: Record) -> tuple[RoundPart, ...]:
    """The rounds; where a review hit a limit, nothing that its model wrote beside its calls goes out."""
    withheld = record.deliberation is not None and record.deliberation.limit
    return tuple(part.model_copy(update={"text": ""}) if withheld else part for part in record.rounds)


def _shards(ended: Sequence[events.ShardEnded]) -> dict[str, Any]:
    ordered = sorted(ended, key=lambda shard: shard.number)
    return {
        "shards": tuple(ShardPart.model_validate(asdict(shard)) for shard in ordered),
        "left_out": tuple(path for shard in ordered if shard.status != "completed" for path in shard.paths),
    }


def _review(record: Record) -> ReviewPart | None:
    change, ended, reached = record.reviewed, record.deliberation, record.review
    if change is None:
        return None
    told = asdict(change)
    told["diff_digest"] = told.pop("digest")
    if ended is not None:
        told |= {"limit": ended.limit, "tokens": ended.tokens, "results_digest": ended.results_digest}
    if reached is not None:
        found = asdict(reached)
        found["blocking_findings"] = found.pop("blocking")
        told |= found
    return ReviewPart.model_validate({**told, "reused": record.verdict_of})


def result_review(reviewed: events.ResultReviewed) -> ResultReviewPart:
    """A review of the main job's result as the trace tells it."""
    told = asdict(reviewed)
    told["blocking_findings"] = told.pop("blocking")
    kind, _, limit = reviewed.reason.partition(":")
    is_limit = kind == "deliberation_limit"
    degraded = bool(reviewed.limitations)
    return ResultReviewPart.model_validate({**told, "limit": limit if is_limit else "", "quality_degraded": degraded})


def _tools(record: Record) -> dict[str, Any]:
    """Which tools were offered, which the model asked for, and which it decided not to."""
    offered = record.offered.names if record.offered else ()
    requested = tuple(dict.fromkeys(call.name for call in record.calls))
    decided, why = _decided(record)
    return {
        "provider": record.offered.provider if record.offered else "",
        "offered": offered,
        "requested": requested,
        "not_requested": tuple(name for name in offered if name not in requested) if decided else (),
        "undecided": None if decided else why,
    }


def _decided(record: Record) -> tuple[bool, str]:
    """Whether the model came to decide what it asked for; a review's says so itself."""
    ended = record.deliberation
    if ended is not None:
        return not ended.undecided, ended.undecided
    decided = record.outcome is not None and record.outcome.status in ("completed", "gate")
    return decided, "the model did not come to an answer"
