"""The form of `trace.json`, version 1: a field may be added, none renamed. Its JSON Schema ships beside this file.

`scripts/write-schema` writes the schema from these classes; a test says that both agree.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_FILE = "trace.schema.json"

Count = Annotated[int, Field(ge=0, le=10**18)]
"""A trace may be a stranger's, and larger numbers break what shows them."""


class _Part(BaseModel):
    # Built when first used: a run needs these classes only at its end.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class SummaryPart(_Part):
    """What the change does, in the model's words."""

    title: str
    body: str
    follow_ups: tuple[str, ...] = ()


class BasePart(_Part):
    """What the change started from."""

    source: str
    commit: str
    tree: str
    head: str | None = None


class UsagePart(_Part):
    """Tokens of one or more requests; cached ones are part of the prompt tokens."""

    prompt_tokens: Count = 0
    cached_tokens: Count = 0
    completion_tokens: Count = 0
    requests: Count = 0


class CheckPart(_Part):
    """One check."""

    name: str
    required: bool
    when: Literal["baseline", "final", "on_demand"]
    outcome: Literal["passed", "failed", "not_installed", "not_run"]
    findings_new: Count
    findings_old: Count
    detail: str = ""
    duration_ms: Count = 0
    isolated: bool = False


class GuardPart(_Part):
    """One guard."""

    name: str
    ok: bool
    detail: str


class CallPart(_Part):
    """One tool call; all text is redacted."""

    round: Count
    id: str
    name: str
    arguments: Any
    status: Literal["executed", "refused", "failed"]
    duration_ms: Count
    summary: str
    digest: str
    """Sha256 (hex) of the answer as the model got it."""
    bug: str | None = None


class RoundPart(_Part):
    """One model call."""

    round: Count
    messages: Count
    prompt_tokens_estimated: Count
    model: str = ""
    finish_reason: str = ""
    text: str = ""
    calls: Count = 0
    usage: UsagePart = UsagePart()
    usage_estimated: bool = False
    cost_usd: float | None = None
    duration_ms: Count = 0
    reasoning_chars: Count = 0
    rejected: str | None = None
    """Why the reply was not acted on."""


class BuildProductsPart(_Part):
    """Ignored files of the user's tree that were copied for the checks; they are no part of the change."""

    paths: tuple[str, ...] = ()
    bytes: Count = 0
    left_out: Count = 0
    """How many more there are, for which there was no room or that can't be copied."""


class ProbePart(_Part):
    """One assertion of the isolation's self-probe."""

    name: str
    ok: bool
    detail: str


class IsolationPart(_Part):
    """How checks were isolated."""

    tier: str
    failure: str | None = None
    probe: tuple[ProbePart, ...] = ()


class ModulePart(_Part):
    """Where one of the project's modules was imported from."""

    name: str
    place: str
    """Empty where it wasn't found."""
    in_tree: bool


class OriginsPart(_Part):
    """Whose code the checks ran that run the project's code."""

    modules: tuple[ModulePart, ...] = ()
    search_path: tuple[str, ...] = ()
    """Folders of the tree that had to be put on the search path."""


class UserStatePart(_Part):
    """What belongs to the user, before and after; digests by name."""

    before: dict[str, str]
    after: dict[str, str]
    same: bool


class ContractPart(_Part):
    """What kind of change was promised."""

    kinds: tuple[str, ...] = ("any",)
    ok: bool = True
    detail: str = ""


class DeliveryPart(_Part):
    """Where the result went."""

    kind: Literal["patch", "branch", "applied"]
    what: str
    commit: str | None = None
    hooks_not_run: tuple[str, ...] = ()


class Trace(_Part):
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
    tool_calls: tuple[CallPart, ...] = ()
    frame: dict[str, Any] | None = None
    context_pack: dict[str, Any] | None = None
    provider: str = ""
    offered: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()
    not_requested: tuple[str, ...] = ()
    undecided: str | None = None
    """Why nothing can be read from tools that were not requested: the model never came to decide."""
    rounds: tuple[RoundPart, ...] = ()
    repairs: Count = 0
    build_products: BuildProductsPart = BuildProductsPart()
    isolation: IsolationPart | None = None
    origins: OriginsPart | None = None
    user_state: UserStatePart | None = None
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
