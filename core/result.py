"""What a run gives back to its caller, and the same as JSON."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ExitCode, Status
from .trace_model import CallPart, CheckPart, GuardPart, Trace, UsagePart

_FACTS = (
    "run_id",
    "status",
    "reason",
    "exit_code",
    "verified",
    "files_changed",
    "iterations",
    "summary",
    "branch",
    "commit",
    "tree",
    "usage",
    "cost_usd",
    "contract",
    "continues",
    "reused",
)
_CALL = ("round", "id", "name", "arguments", "status", "duration_ms", "summary", "digest")
_CHECK = ("name", "required", "when", "outcome", "findings_new", "findings_old")


@dataclass(frozen=True, slots=True)
class RefactorResult:
    """The result of one run. Nothing that failed has a patch.

    Attributes:
        verified: True when the required checks ran and none failed anew, False when one did, None where none
            could run.
        patch: the patch with its proof at the head; None unless it was delivered, empty where nothing changed.
        message: one line for people; `hint` says what to do.
        trace: everything that is known of the run.
    """

    status: Status
    reason: str
    exit_code: ExitCode
    verified: bool | None
    message: str
    hint: str
    patch: bytes | None
    trace: Trace
    trace_path: Path

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.trace.run_id

    @property
    def files_changed(self) -> tuple[str, ...]:
        """Paths that differ from the base, relative to the top."""
        return self.trace.files_changed

    @property
    def left_out(self) -> tuple[str, ...]:
        """Paths of a task that was split whose part failed, so that the patch has nothing of them."""
        return self.trace.left_out

    @property
    def iterations(self) -> int:
        """Model calls."""
        return self.trace.iterations

    @property
    def tool_calls(self) -> tuple[CallPart, ...]:
        """The calls in order."""
        return self.trace.tool_calls

    @property
    def usage(self) -> UsagePart:
        """Tokens of all requests."""
        return self.trace.usage

    @property
    def checks(self) -> Sequence[CheckPart]:
        """The required checks of the last verification."""
        return self.trace.checks

    @property
    def guards(self) -> Sequence[GuardPart]:
        """The guards of the last verification."""
        return self.trace.guards

    @property
    def branch(self) -> str | None:
        """The new branch, where one was asked for."""
        return self.trace.branch

    @property
    def commit(self) -> str | None:
        """The commit on it."""
        return self.trace.commit

    def to_json(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        dumped = self.trace.model_dump(mode="json", by_alias=True)
        return {
            **{name: dumped[name] for name in _FACTS},
            "base": dumped["base"] and {name: dumped["base"][name] for name in ("source", "commit", "tree")},
            **encoded_patch(self.patch),
            "checks": [{name: check[name] for name in _CHECK} for check in dumped["checks"]],
            "guards": dumped["guards"],
            "isolation": dumped["isolation"] and {name: dumped["isolation"][name] for name in ("tier", "failure")},
            "tool_calls": [{name: call[name] for name in _CALL} for call in dumped["tool_calls"]],
            "message": self.message,
            "trace_path": str(self.trace_path),
            **({"reviews": dumped["reviews"]} if self.trace.reviews else {}),
            **({"shards": dumped["shards"]} if self.trace.shards else {}),
            **({"left_out": list(self.left_out)} if self.trace.shards else {}),
        }


def encoded_patch(patch: bytes | None) -> dict[str, str | None]:
    """A patch in JSON: as text where it is text, else in base64."""
    if patch is None:
        return {"patch": None, "patch_encoding": "utf-8"}
    try:
        return {"patch": patch.decode(), "patch_encoding": "utf-8"}
    except UnicodeDecodeError:
        return {"patch": base64.b64encode(patch).decode(), "patch_encoding": "base64"}
