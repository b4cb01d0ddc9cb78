"""The form of `trace.json`, version 1: a field may be added, none renamed. Its JSON Schema ships beside this file.

`scripts/write-schema` writes the schema from these classes; a test says that both agree.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Literal

from pydantic import ConfigDict, Field

from .trace_checks import CheckPart as CheckPart
from .trace_checks import ContractPart as ContractPart
from .trace_checks import FindingPart as FindingPart
from .trace_checks import GuardPart as GuardPart
from .trace_checks import MinimizedPart as MinimizedPart
from .trace_checks import SparePart as SparePart
from .trace_review import ResultReviewPart as ResultReviewPart
from .trace_review import ReviewPart as ReviewPart
from .trace_rounds import CallPart as CallPart
from .trace_rounds import Count, Part
from .trace_rounds import ProtocolChangePart as ProtocolChangePart
from .trace_rounds import ProviderChangePart as ProviderChangePart
from .trace_rounds import ReplyCallPart as ReplyCallPart
from .trace_rounds import RetryPart as RetryPart
from .trace_rounds import RoundPart as RoundPart
from .trace_rounds import UsagePart as UsagePart
from .trace_shards import ShardPart as ShardPart

SCHEMA_FILE = "trace.schema.json"


class SummaryPart(Part):
    """What the change does, in the model's words."""

    title: str
    body: str
    follow_ups: tuple[str, ...] = ()


class BasePart(Part):
    """What the change started from."""

    source: str
    commit: str
    tree: str
    head: str | None = None


class BuildProductsPart(Part):
    """Ignored files of the user's tree that were copied for the checks; they are no part of the change."""

    paths: tuple[str, ...] = ()
    bytes: Count = 0
    left_out: Count = 0
    """How many more there are, for which there was no room or that can't be copied."""


class ProbePart(Part):
    """One assertion of the isolation's self-probe."""

    name: str
    ok: bool
    detail: str


class IsolationPart(Part):
    """How checks were isolated."""

    tier: str
    failure: str | None = None
    probe: tuple[ProbePart, ...] = ()


class ModulePart(Part):
    """Where one of the project's modules was imported from."""

    name: str
    place: str
    """Empty where it wasn't found."""
    in_tree: bool


class OriginsPart(Part):
    """Whose code the checks ran that run the project's code."""

    modules: tuple[ModulePart, ...] = ()
    search_path: tuple[str, ...] = ()
    """Folders of the tree that had to be put on the search path."""


class UserStatePart(Part):
    """What belongs to the user, before and after; digests by name."""

    before: dict[str, str]
    after: dict[str, str]
    same: bool


class ContinuesPart(Part):
    """The run whose rounds before this one were played again."""

    run_id: str
    round: Count


class DeliveryPart(Part):
    """Where the result went."""

    kind: Literal["patch", "branch", "applied"]
    what: str
    commit: str | None = None
    hooks_not_run: tuple[str, ...] = ()


class Trace(Part):
    """One run from beginning to end."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, populate_by_name=True)

    schema_: Literal["orefactor.trace/1"] = Field(default="orefactor.trace/1", alias="schema")
    version: str
    run_id: str
    task: str
    paths: tuple[str, ...]
    settings: dict[str, Any]
    status: str
    reason: str
    exit_code: Count
    message: str
    verified: bool | None
    files_changed: tuple[str, ...]
    iterations: Count
    summary: SummaryPart
    base: BasePart | None
    tree: str | None
    branch: str | None = None
    commit: str | None = None
    delivered: tuple[DeliveryPart, ...] = ()
    usage: UsagePart
    cost_usd: float | None = None
    checks: tuple[CheckPart, ...] = ()
    guards: tuple[GuardPart, ...] = ()
    contract: ContractPart = ContractPart()
    spare: tuple[SparePart, ...] = ()
    minimized: MinimizedPart | None = None
    tool_calls: tuple[CallPart, ...] = ()
    frame: dict[str, Any] | None = None
    context_pack: dict[str, Any] | None = None
    context_failure: str = ""
    """Why there is no pack, although one was asked for."""
    provider: str = ""
    offered: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()
    not_requested: tuple[str, ...] = ()
    undecided: str | None = None
    """Why nothing can be read from tools that were not requested: the model never came to decide."""
    rounds: tuple[RoundPart, ...] = ()
    retries: tuple[RetryPart, ...] = ()
    provider_changes: tuple[ProviderChangePart, ...] = ()
    protocol_changes: tuple[ProtocolChangePart, ...] = ()
    repairs: Count = 0
    build_products: BuildProductsPart = BuildProductsPart()
    isolation: IsolationPart | None = None
    origins: OriginsPart | None = None
    user_state: UserStatePart | None = None
    continues: ContinuesPart | None = None
    reused: str | None = None
    """The run whose replies hold here too, so that no model was asked."""
    review: ReviewPart | None = Field(default=None, exclude_if=lambda value: value is None)
    """What a review found; the main job's trace has no such part."""
    reviews: tuple[ResultReviewPart, ...] = Field(default=(), exclude_if=lambda value: not value)
    """The reviews of the main job's result, in order; the last one is about what came of it."""
    shards: tuple[ShardPart, ...] = Field(default=(), exclude_if=lambda value: not value)
    """The runs that the task was split into, as far as they ended, in order."""
    left_out: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """The paths of those that failed."""
    started: str = ""
    duration_ms: Count = 0


def trace_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `trace.json`, as it ships."""
    schema: dict[str, Any] = json.loads((files("orefactor.core") / SCHEMA_FILE).read_text(encoding="utf-8"))
    return schema


def derived_schema() -> dict[str, Any]:
    """The JSON Schema that the classes above give."""
    derived = Trace.model_json_schema(by_alias=True, mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:orefactor:trace:1",
        **derived,
    }
