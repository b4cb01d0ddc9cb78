"""Plays the right calls, and the usual mistakes, for aider's refactor benchmark through the real main job.

    python bench/oracle.py ARCHIVE [--fault KIND …] [--rate 0.3] [--seeds 1] [--jobs 1] [--stubborn] [--only PART]

ARCHIVE is the benchmark's `tar.gz` (github.com/Aider-AI/refactor-benchmark, Apache-2.0) or its unpacked folder. Each
task runs in a throwaway repository of its own, with the default checks and no context pack. The table says what came
of each kind of mistake; below it stands everything that must never happen, by name, and the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from orefactor.core.evaluation.faults import FAULTS, FaultyOracle, Mistakes
from orefactor.core.evaluation.refactor_benchmark import load_refactor_benchmark
from orefactor.core.evaluation.task import Task
from orefactor.core.messages import RunFacts
from orefactor.core.request import RunRequest
from orefactor.core.result import RefactorResult
from orefactor.core.run import run

IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0")
OTHER_FILES = {"README.md": "# Read me\n", "other.py": "import os\n"}
TITLES = (
    "runs",
    "faults",
    "landed",
    "as meant",
    "strict",
    "own",
    "refused",
    "rounds",
    "median s",
    "most s",
    "edit ms",
    "broken",
)
OPTIONS = {"reuse": False, "context_tokens": 0}


@dataclass(frozen=True)
class Job:
    """One task in one way."""

    task: Task
    mistakes: Mistakes | None


@dataclass
class Row:
    """What came of a job."""

    task: str
    status: str
    reason: str
    code: int
    landed: bool
    right: bool
    rounds: int
    mistakes: int
    seconds: float
    slowest_edit: int
    passed: Counter[str]
    refused: Counter[str]
    broken: list[str]


def play(job: Job) -> Row:
    """Run one task and hold what came of it against what must never happen."""
    task, file = job.task, job.task.paths[0]
    assert task.source.files is not None
    assert task.oracle is not None
    before = (task.source.files / file).read_bytes()
    with tempfile.TemporaryDirectory(prefix="orefactor-oracle-") as name:
        top = Path(name, "outer", "repository")
        make(top, {file: before})
        oracle = task.oracle(RunFacts(task.text, task.paths), top)
        wanted = oracle.wanted[file].after
        provider = FaultyOracle(oracle, job.mistakes) if job.mistakes else oracle
        state = seen(Path(name))
        started = time.monotonic()
        result = run(RunRequest(task.text, top, task.paths, OPTIONS, provider=provider))
        seconds = time.monotonic() - started
        broken = [] if seen(Path(name)) == state else ["the user's files changed"]
        landed = bool(result.patch) and result.status == "completed"
        after = delivered(top, result, file, broken) if landed else before
        passed = Counter(
            name for name, check in task.success.items() if landed and check(task.source.files, top).passed
        )
    broken += list(faults_of(result, before, after, wanted, landed=landed))
    edits = [call.duration_ms for call in result.tool_calls if call.name == "edit_file"]
    return Row(
        task.name,
        result.status,
        result.reason,
        int(result.exit_code),
        landed,
        after == wanted,
        result.iterations,
        provider.made if isinstance(provider, FaultyOracle) else 0,
        seconds,
        max(edits, default=0),
        passed,
        refusals(result),
        broken,
    )


def make(top: Path, files: dict[str, bytes]) -> None:
    """A repository with one commit of these files and some others."""
    top.mkdir(parents=True)
    for name, text in {**files, **{name: text.encode() for name, text in OTHER_FILES.items()}}.items():
        (top / name).write_bytes(text)
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), (*IDENTITY, "commit", "-q", "-m", "x")):
        subprocess.run(["git", *words], cwd=top, check=True)


def seen(folder: Path) -> dict[str, bytes]:
    """Every file of the user's: the repository's, those beside it, hooks, HEAD and the index."""
    hidden = re.compile(r"\.git/(?!hooks/|HEAD$|index$|config$|refs/)")
    found = (path for path in folder.rglob("*") if path.is_file() and not hidden.search(path.as_posix()))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def delivered(top: Path, result: RefactorResult, name: str, broken: list[str]) -> bytes:
    """The file after the patch, which git itself applies."""
    applied = subprocess.run(["git", "apply", "--index"], cwd=top, input=result.patch, capture_output=True, check=False)
    if applied.returncode:
        broken.append(f"the patch doesn't apply: {applied.stderr.decode()[:200]}")
    changed = subprocess.run(["git", "diff", "--cached", "--name-only"], cwd=top, capture_output=True, check=True)
    if changed.stdout.decode().split() != [name]:
        broken.append(f"it changes {changed.stdout.decode().split()}")
    return (top / name).read_bytes()


def faults_of(
    result: RefactorResult, before: bytes, after: bytes, wanted: bytes | None, *, landed: bool
) -> Iterator[str]:
    """What of the outcome must never be."""
    code = int(result.exit_code)
    if landed and after != wanted:
        yield "something else than the oracle meant was delivered"
    if code == 0 and not landed and result.files_changed:
        yield "exit 0 although a change was not delivered"
    if landed and code != 0:
        yield f"exit {code} although it was delivered"
    if parses(before) and not parses(after):
        yield "the delivered file can't be parsed"
    if any(call.bug for call in result.tool_calls):
        yield "a tool has a bug"
    if not result.trace.user_state.same if result.trace.user_state else True:
        yield "the trace says that the user's state changed"


def parses(data: bytes) -> bool:
    """Whether Python can parse it."""
    try:
        ast.parse(data)
    except SyntaxError:
        return False
    return True


def refusals(result: RefactorResult) -> Counter[str]:
    """How often calls and replies were refused, by the first words that were said."""
    calls = (call.summary for call in result.tool_calls if call.status != "executed")
    quoted = re.compile(r"(?<![a-z])'[^']*'|`[^`]*`|\d+")
    texts = [" ".join(quoted.sub("…", text.removeprefix("ERROR: ")).split())[:44] for text in calls]
    return Counter([*texts, *(f"reply {one.rejected}" for one in result.trace.rounds if one.rejected)])


def show(kind: str, rows: Sequence[Row], *, is_long: bool) -> None:
    """One line of the table, and why calls were refused."""
    count = len(rows)
    codes = Counter(row.code for row in rows)
    told = ", ".join(f"{code}: {number}" for code, number in sorted(codes.items()))
    passed = sum((row.passed for row in rows), Counter[str]())
    seconds = sorted(row.seconds for row in rows)
    cells: list[object] = [
        count,
        sum(row.mistakes for row in rows),
        sum(row.landed for row in rows),
        sum(row.landed and row.right for row in rows),
        passed["strict"],
        passed["own"],
        sum(row.refused.total() for row in rows),
        f"{sum(row.rounds for row in rows) / count:.1f}",
        f"{seconds[count // 2]:.2f}",
        f"{seconds[-1]:.1f}",
        max(row.slowest_edit for row in rows),
        sum(bool(row.broken) for row in rows),
    ]
    print(f"{kind:<12}" + "".join(f"{cell:>9}" for cell in cells) + f"  {told}", flush=True)
    for text, number in sum((row.refused for row in rows), Counter[str]()).most_common(20 if is_long else 0):
        print(f"{'':14}{number:>5}  {text}")
    for row in rows:
        if is_long and not row.landed:
            print(f"{'':14}{row.task}: {row.status} {row.reason} (exit {row.code})")
        for what in row.broken:
            print(f"{'':14}NEVER: {row.task}: {what} ({row.status}, {row.reason}, {row.mistakes} mistakes)")


def main() -> None:
    """Run them all and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("--fault", action="append", choices=[*FAULTS, "none"], help="only this kind; again for more")
    parser.add_argument("--rate", type=float, default=0.3)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--stubborn", action="store_true", help="make mistakes one after the other")
    parser.add_argument("--only", default="", help="tasks with this in their names")
    parser.add_argument("--short", action="store_true", help="no reasons")
    chosen = parser.parse_args()
    print(f"{'':<12}" + "".join(f"{title:>9}" for title in TITLES) + "  exit codes")
    broken = 0
    with tempfile.TemporaryDirectory(prefix="orefactor-oracle-") as folder:
        suite = load_refactor_benchmark(chosen.archive, into=Path(folder))
        found = [task for task in suite.tasks if chosen.only in task.name]
        with ProcessPoolExecutor(chosen.jobs) as pool:
            for kind in chosen.fault or ["none", *FAULTS]:
                seeds = range(chosen.seeds) if kind != "none" else range(1)
                errs = [Mistakes(kind, chosen.rate, seed, not chosen.stubborn) for seed in seeds]
                jobs = [Job(task, None if kind == "none" else each) for each in errs for task in found]
                rows = list(pool.map(play, jobs))
                show(kind, rows, is_long=not chosen.short)
                broken += sum(bool(row.broken) for row in rows)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
