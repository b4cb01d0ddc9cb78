"""Everything that happens in a run, one small frozen class each. What isn't an event didn't happen.

There is one stream: the trace writer, the log, the progress view and the tests listen to it. Text in events is
redacted already, since whoever emits an event redacts first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from .check_events import ChangeMinimized as ChangeMinimized
from .check_events import CheckEnded as CheckEnded
from .check_events import CheckFinding as CheckFinding
from .check_events import CheckFinished as CheckFinished
from .check_events import ChecksStarted as ChecksStarted
from .check_events import ContractJudged as ContractJudged
from .check_events import GuardJudged as GuardJudged
from .check_events import RepairAsked as RepairAsked
from .check_events import SpareHunksFound as SpareHunksFound
from .model_events import CallFinished as CallFinished
from .model_events import CallStarted as CallStarted
from .model_events import CallStatus as CallStatus
from .model_events import ContextBuilt as ContextBuilt
from .model_events import ProtocolChanged as ProtocolChanged
from .model_events import ProviderChanged as ProviderChanged
from .model_events import ReasoningArrived as ReasoningArrived
from .model_events import ReplyRejected as ReplyRejected
from .model_events import RetryScheduled as RetryScheduled
from .model_events import ReuseBegun as ReuseBegun
from .model_events import ReuseTried as ReuseTried
from .model_events import RoundFinished as RoundFinished
from .model_events import RoundStarted as RoundStarted
from .model_events import RunContinued as RunContinued
from .model_events import TextArrived as TextArrived
from .model_events import ToolsOffered as ToolsOffered
from .review_events import ChangeTaken as ChangeTaken
from .review_events import DeliberationEnded as DeliberationEnded
from .review_events import ResultReviewBegun as ResultReviewBegun
from .review_events import ResultReviewed as ResultReviewed
from .review_events import ReviewReached as ReviewReached
from .review_events import VerdictReused as VerdictReused
from .shard_events import ShardEnded as ShardEnded
from .shard_events import ShardsPlanned as ShardsPlanned


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run began. `settings` are the effective ones; no key is among them."""

    run_id: str
    task: str
    paths: tuple[str, ...]
    settings: Mapping[str, Any]
    version: str


@dataclass(frozen=True, slots=True)
class BaseTaken:
    """The base is known. `head` is None where HEAD names no commit."""

    source: str
    commit: str
    tree: str
    head: str | None


@dataclass(frozen=True, slots=True)
class BuildProductsCopied:
    """Ignored files that were built in the user's tree were copied for the checks; `left_out` counts the others."""

    paths: tuple[str, ...]
    bytes: int
    left_out: int


@dataclass(frozen=True, slots=True)
class IsolationProbed:
    """The isolation told what it can do."""

    tier: str
    failure: str | None
    probe: tuple[tuple[str, bool, str], ...]


@dataclass(frozen=True, slots=True)
class OriginsFound:
    """Where the project's modules are imported from in checks that run its code: name, place, whether in the tree."""

    modules: tuple[tuple[str, str, bool], ...]
    search_path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutcomeReached:
    """The gate decided."""

    status: str
    reason: str
    exit_code: int
    verified: bool | None
    message: str
    hint: str
    files_changed: tuple[str, ...]
    tree: str | None
    title: str
    body: str
    follow_ups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivered:
    """The result left the run. `what` is a file, a branch or `stdout`; a commit's hooks are named, not run."""

    kind: Literal["patch", "branch", "applied"]
    what: str
    commit: str | None = None
    hooks_not_run: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UserStateCompared:
    """What belongs to the user, before and after."""

    before: Mapping[str, str]
    after: Mapping[str, str]
    same: bool


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run's last event."""

    duration_ms: int


Event = (
    RunStarted
    | BaseTaken
    | RunContinued
    | ReuseBegun
    | ReuseTried
    | BuildProductsCopied
    | ContextBuilt
    | ToolsOffered
    | RoundStarted
    | TextArrived
    | ReasoningArrived
    | RetryScheduled
    | ProviderChanged
    | ProtocolChanged
    | RoundFinished
    | CallStarted
    | CallFinished
    | ReplyRejected
    | ChecksStarted
    | CheckEnded
    | CheckFinished
    | GuardJudged
    | ContractJudged
    | SpareHunksFound
    | ChangeMinimized
    | RepairAsked
    | ChangeTaken
    | DeliberationEnded
    | VerdictReused
    | ReviewReached
    | ResultReviewBegun
    | ResultReviewed
    | ShardsPlanned
    | ShardEnded
    | IsolationProbed
    | OriginsFound
    | OutcomeReached
    | Delivered
    | UserStateCompared
    | RunEnded
)
EVENT_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Event)}
TRANSIENT = (TextArrived, ReasoningArrived, CallStarted, CheckEnded)
"""Shown while they happen; the trace holds their completed forms."""

Listener = Callable[[Event], None]


def to_json(event: Event) -> dict[str, Any]:
    """The event as a JSON object whose `event` names its kind."""
    return {"event": type(event).__name__, **asdict(event)}
