"""What a review finds: by the model or by a check, in one form, so that the gate and all outputs treat both alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
Verdict = Literal["approve", "comment", "request_changes"]
FailOn = Literal["error", "warning", "never"]
"""The least severity that blocks."""

MODEL = "model"
"""The origin of what the model found; of what a check found it is the check's name."""


@dataclass(frozen=True, slots=True)
class SuggestedEdit:
    """An exact edit of the finding's file: `old_string` stands there once."""

    old_string: str
    new_string: str


@dataclass(frozen=True, slots=True)
class ReviewFinding:
    """One finding on a change.

    Attributes:
        rule: what it is about, such as `bug` or a rule's id.
        origin: who found it: `model`, or the check's name.
        path: relative to the top; empty where a check names no file.
        start_line, end_line: of the new file, from 1, both included; 0 where there is no line.
        confidence: from 0 to 1; None where a check found it.
    """

    rule: str
    origin: str
    severity: Severity
    path: str
    start_line: int
    end_line: int
    message: str
    suggestion: SuggestedEdit | None = None
    confidence: float | None = None
