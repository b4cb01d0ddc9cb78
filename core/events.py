"""Everything that happens in a run, one small frozen class each. What isn't an event didn't happen.

There is one stream: the trace writer, the log, the progress view and the tests listen to it. Text in events is
redacted already, since whoever emits an event redacts first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from .messages import Usage

CallStatus = Literal["executed", "refused", "failed"]


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
class ToolsOffered:
    """The tools that the model is offered."""

    names: tuple[str, ...]
    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A model call begins. `prompt_tokens` is our estimate."""

    round: int
    messages: int
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class TextArrived:
    """A piece of the reply's text came in. It is passed on, not written to the trace."""

    round: int
    text: str


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """A model call gave a reply. `text` is its text; `reasoning_chars` counts what isn't shown."""

    round: int
    finish_reason: str
    model: str
    text: str
    calls: int
    usage: Usage
    estimated: bool
    duration_ms: int
    reasoning_chars: int = 0


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A tool call begins. It is passed on, not written to the trace."""

    round: int
    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallFinished:
    """A tool call was answered. `digest` is the sha256 of the answer as the model got it."""

    round: int
    id: str
    name: str
    arguments: Any
    status: CallStatus
    duration_ms: int
    summary: str
    digest: str
    bug: str | None = None


@dataclass(frozen=True, slots=True)
class ReplyRejected:
    """A reply was not acted on and the model was told why, for example because it was cut for length."""

    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class ChecksStarted:
    """The required checks begin."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckFinished:
    """One required check ended."""

    name: str
    required: bool
    when: str
    outcome: str
    findings_new: int
    findings_old: int
    detail: str
    duration_ms: int
    isolated: bool


@dataclass(frozen=True, slots=True)
class GuardJudged:
    """One guard looked at the change."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class RepairAsked:
    """The gate's failures went back to the model."""

    number: int
    text: str


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
    | BuildProductsCopied
    | ToolsOffered
    | RoundStarted
    | TextArrived
    | RoundFinished
    | CallStarted
    | CallFinished
    | ReplyRejected
    | ChecksStarted
    | CheckFinished
    | GuardJudged
    | RepairAsked
    | IsolationProbed
    | OriginsFound
    | OutcomeReached
    | Delivered
    | UserStateCompared
    | RunEnded
)
EVENT_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Event)}
TRANSIENT = (TextArrived, CallStarted)
"""Shown while they happen; the trace holds their completed forms."""

Listener = Callable[[Event], None]


def to_json(event: Event) -> dict[str, Any]:
    """The event as a JSON object whose `event` names its kind."""
    return {"event": type(event).__name__, **asdict(event)}
