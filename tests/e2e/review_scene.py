"""A small change to review, the model's answers to it, and short ways to review it in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conftest import MakeRepository, write_files
from scripted import ScriptedProvider, Step, reply

from orefactor.core import events
from orefactor.core.book import Surroundings
from orefactor.core.messages import Provider, ProviderRequest, ProviderResponse, Usage
from orefactor.core.review.request import ReviewRequest
from orefactor.core.review.result import ReviewResult
from orefactor.core.review.run import review

PATH = "src/shapes.py"
SHAPES = "def area(a, b):\n    return a * b\n\n\ndef twice(a):\n    return 2 * a\n"
FILES = {PATH: SHAPES, "README.md": "shapes\n"}
CHANGED = SHAPES.replace("    return a * b\n", "    if not a:\n        return 0\n    return a * b\n")
"""Two more lines, in which no check finds anything."""
UNUSED = "import os\n\n" + CHANGED.replace("if not a:", "if a == None:")
"""The same with what ruff finds: an unused import (F401), and None that is compared by equality (E711)."""
SAID = "MODEL-SAID-THIS"
"""A mark that stands in whatever a scripted model says, to look for where nothing of it may stand."""


def finding(start: int = 2, end: int | None = None, **changed: Any) -> dict[str, Any]:
    """One finding of the model's."""
    made: dict[str, Any] = {
        "rule": "edge-case",
        "severity": "error",
        "path": PATH,
        "start_line": start,
        "end_line": end,
        "message": f"{SAID}: zero is no area of nothing.",
        "suggestion": None,
        "confidence": 0.8,
    }
    return {**made, **changed}


def answer(*findings: Mapping[str, Any], verdict: str = "comment", summary: str = f"{SAID} on the whole.") -> str:
    """The answer of a model, as it writes it."""
    return json.dumps({"verdict": verdict, "summary": summary, "findings": list(findings)})


def says(*findings: Mapping[str, Any], usage: Usage | None = None) -> ProviderResponse:
    """The reply with that answer."""
    return reply(text=answer(*findings), usage=usage)


@dataclass(frozen=True, slots=True)
class Reviewing:
    """A review that was done here.

    Attributes:
        requests: what the model was asked.
        seen: what happened.
    """

    result: ReviewResult
    requests: tuple[ProviderRequest, ...]
    seen: tuple[events.Event, ...]

    @property
    def asked(self) -> tuple[str, ...]:
        """What it was told, round by round, each as one text."""
        return tuple("\n".join(message.content or "" for message in told.messages) for told in self.requests)

    @property
    def told(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return self.result.to_json()


def changed_repository(make_repository: MakeRepository, after: str = CHANGED, **more: str) -> Path:
    """A repository whose working tree holds the change."""
    repository = make_repository({**FILES, **more})
    write_files(repository, {PATH: after})
    return repository


def review_here(
    repository: Path,
    *steps: Step,
    words: Sequence[str] = (),
    provider: Provider | None = None,
    tools: bool = True,
    listen: Callable[[events.Event], None] = lambda _event: None,
    **options: Any,
) -> Reviewing:
    """Review the change with a model that plays these steps."""
    scripted = ScriptedProvider(steps, tools=tools)
    seen: list[events.Event] = []
    request = ReviewRequest(repository, tuple(words), options, provider or scripted, user_settings=True)
    result = review(request, Surroundings([seen.append, listen]))
    return Reviewing(result, tuple(scripted.requests), tuple(seen))
