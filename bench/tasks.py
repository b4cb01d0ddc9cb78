"""Rows: the whole docstring task, its requests, tokens and cost; and aider's 89 refactorings, played by an oracle."""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench_request import Request
from contestants import contestants, ours
from docstring_task import Contestant, Played, play, tokens, with_other_task
from figures import Figure, alternate, figure
from oracle import Job
from oracle import play as play_oracle

from orefactor.core.evaluation.refactor_benchmark import load_refactor_benchmark

_CEILING = 85
"""What a plain text oracle gets through aider's own edit format, as its benchmark's page tells."""


def whole_task(request: Request) -> Iterator[Figure]:
    """From the command's start to its end; the model answers at once."""
    whole, bare = _Runs(request, ours()), _Runs(request, ours("--no-context"))
    first = tokens(bare.play().prompts[0])
    yield figure("tokens of the first request", [first], unit="", most=1500, note="without the pack")
    for name, who in contestants(request.peers).items():
        if name == "llm":
            continue
        runs = _Runs(request, who)
        own, other = alternate(request.pairs, whole.seconds, runs.seconds)
        yield figure("docstring task", own, other, peer_name=name, most_ratio=0.25)
        mine, theirs = bare.last, runs.last
        asked, read = [[len(one.prompts)] for one in (mine, theirs)], [[one.tokens] for one in (mine, theirs)]
        yield figure("its requests", *asked, unit="", peer_name=name)
        yield figure("its prompt tokens", *read, unit="", peer_name=name, note="without the pack")
        for when, before in (("cache empty", False), ("cache warm from another task", True)):
            costs = [[one.last.cost(one.other.prompts if before else ())] for one in (bare, runs)]
            yield figure("its cost", *costs, unit="USD", peer_name=name, most_ratio=1.0, note=when)


class _Runs:
    """One contestant's runs, each in a repository of its own.

    Attributes:
        last: the last one.
        other: one with another task, after which a server's cache is warm.
    """

    def __init__(self, request: Request, who: Contestant) -> None:
        self._who = who
        self._folder = Path(tempfile.mkdtemp(prefix="task-", dir=request.folder))
        self._count = 0
        self.other = play(with_other_task(who), self._folder / "other", self._folder / "home")
        self.last = self.play()

    def play(self) -> Played:
        """Do it once more.

        Raises:
            RuntimeError: it didn't land, so that its time says nothing.
        """
        self._count += 1
        self.last = play(self._who, self._folder / str(self._count), self._folder / "home")
        if not self.last.landed:
            raise RuntimeError(f"{self._who.name} did not do the task")
        return self.last

    def seconds(self) -> float:
        """How long it takes."""
        return self.play().seconds


def refactorings(request: Request) -> Iterator[Figure]:
    """Each of the 89 tasks through the main job, its calls played by the oracle; nothing where no archive is named."""
    if request.archive is None:
        return
    with tempfile.TemporaryDirectory(dir=request.folder) as name:
        tasks = load_refactor_benchmark(request.archive, into=Path(name)).tasks
        chosen = tasks[:3] if request.is_quick else tasks
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            rows = list(pool.map(play_oracle, [Job(task, None) for task in chosen]))
    landed = sum(row.landed and row.right and not row.broken for row in rows)
    yield Figure(
        "aider's refactorings that land",
        landed,
        peer=_CEILING if len(rows) == len(tasks) else None,
        peer_name="(plain text oracle)" if len(rows) == len(tasks) else "",
        aim=f"all {len(rows)}",
        met=landed == len(rows),
    )
    yield figure("one of them", [statistics.median(row.seconds for row in rows)], note="median, two side by side")
    yield figure("the slowest edit", [max(row.slowest_edit for row in rows)], unit="ms")
