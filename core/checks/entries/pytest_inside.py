"""The small program that runs pytest for a check, and at the end says the outcome of each test by its exact node id.

    python -B -c PROGRAM ARGUMENTS...

It may use nothing but Python 3.7 and pytest, whatever the version. JUnit XML isn't asked for: its names of files and
classes are joined by dots, which can't be taken apart again (`a.b` is a file, a folder or a class), its `file` is
where a function was written and not where it was collected, and what a test prints may break it.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import sys
import zlib
from typing import Any

MARK = "orefactor-outcomes "
RANKS = ("passed", "xpassed", "xfailed", "skipped", "failed", "error")


class Recorder:
    """A plugin that notes the worst outcome that each node had, and which tests were to be run."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}
        self.collected: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401 - of any pytest
        """One phase of a test, or one of its subtests, has ended."""
        self._note(report.nodeid, of_phase(report))

    def pytest_collectreport(self, report: Any) -> None:  # noqa: ANN401
        """A file was collected; the session itself has no id."""
        if report.nodeid and report.outcome != "passed":
            self._note(report.nodeid, "error" if report.outcome == "failed" else "skipped")

    def pytest_collection_finish(self, session: Any) -> None:  # noqa: ANN401
        """All that is to be run is known."""
        self.collected = [item.nodeid for item in session.items]

    def is_complete(self, code: int) -> bool:
        """Whether each test had its turn, so that one without an outcome isn't there."""
        return code in (0, 1) and all(node in self.outcomes for node in self.collected)

    def _note(self, node: str, outcome: str) -> None:
        if outcome in RANKS:
            known = self.outcomes.get(node, outcome)
            self.outcomes[node] = max(known, outcome, key=RANKS.index)


def of_phase(report: Any) -> str:  # noqa: ANN401
    """The outcome that one report stands for; empty where it says nothing yet."""
    expected = hasattr(report, "wasxfail")
    if report.outcome == "skipped":
        # A subtest that is skipped leaves its test as it is.
        return "" if hasattr(report, "context") else "xfailed" if expected else "skipped"
    if report.when == "call":
        return "xpassed" if expected and report.outcome == "passed" else str(report.outcome)
    return "error" if report.outcome == "failed" else ""


def packed(outcomes: dict[str, str], complete: bool) -> str:
    """The outcomes as one word, small enough to survive the limit on output."""
    said = {"complete": complete, "outcomes": outcomes}
    return base64.b64encode(zlib.compress(json.dumps(said).encode())).decode()


def main(arguments: list[str]) -> int:
    """Run pytest; the exit code is its own."""
    import pytest

    sys.path[0] = os.getcwd()  # as `python -m pytest` has it
    sys.argv[0] = "pytest"
    recorder = Recorder()
    code = int(pytest.main(arguments, plugins=[recorder]))
    with contextlib.suppress(ValueError, OSError):  # a test may have closed it
        sys.stdout.flush()
    with open(1, "wb", closefd=False) as out:
        out.write(f"\n{MARK}{packed(recorder.outcomes, recorder.is_complete(code))}\n".encode())
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
