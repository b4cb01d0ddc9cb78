"""How time and memory grow: with the files of a repository, the rounds of a run, and the edits in a file.

Each point is the whole command, with replies from a file, in a process of its own. Memory is that of the largest of its
processes, as the system tells it at the end, which costs no time; for the pack alone it is that of all, by looking.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench_request import Request
from context import OURS, forget, timed
from kept import Curve
from repositories import make_repository

_EDITS_A_REPLY = 20
_LAST = {"content": json.dumps({"title": "Document it", "summary": "Says what it gives.", "follow_ups": []})}
_UNLIMITED = ("--max-iterations", "2000", "--max-tokens", "1000000000", "--allow", "size", "--quiet", "--fresh")
_FUNCTION = "def f{0}(a):\n    return a + {0}\n\n\n"
Reply = dict[str, Any]


def over_files(request: Request) -> Iterator[Curve]:
    """One file's docstring in larger and larger repositories: at first sight, again, and the pack alone."""
    first: list[tuple[int, float, float]] = []
    again: list[tuple[int, float, float]] = []
    packs: list[tuple[int, float, float]] = []
    for files in (100, 200) if request.is_quick else (1_000, 10_000, 100_000):
        folder = request.folder / f"files{files}"
        make_repository(folder, files)
        name = f"package{files // 400}/module{files // 2}.py"
        documented = f'"""Number {files // 2}."""\n\n\n{(folder / name).read_text()}'
        script = [_calls(("read_file", {"path": name})), _calls(("write_file", {"path": name, "content": documented}))]
        forget(folder)
        first.append((files, *run(folder, name, script)))
        again.append((files, *run(folder, name, script)))
        pack = timed(sys.executable, OURS, folder, name)
        packs.append((files, pack["seconds"], pack["kilobytes"] / 1024))
        shutil.rmtree(folder)
    yield Curve("first run", "files", tuple(first))
    yield Curve("next run", "files", tuple(again))
    yield Curve("pack alone, cold", "files", tuple(packs))


def over_rounds(request: Request) -> Iterator[Curve]:
    """Longer and longer conversations: a few lines are read in each round, the last one edits."""
    points: list[tuple[int, float, float]] = []
    for rounds in (3, 10) if request.is_quick else (10, 100, 300):
        folder, name = _one_file(request, rounds)
        reads = [
            ("read_file", {"path": name, "start_line": 4 * k + 1, "end_line": 4 * k + 4}) for k in range(rounds - 2)
        ]
        points.append((rounds, *run(folder, name, [*map(_calls, reads), _calls(_edit(name, 0))], "--no-context")))
    yield Curve("run", "rounds", tuple(points))


def over_edits(request: Request) -> Iterator[Curve]:
    """More and more edits of one file, some in each reply."""
    points: list[tuple[int, float, float]] = []
    for edits in (1, 10) if request.is_quick else (1, 10, 100, 1_000):
        folder, name = _one_file(request, edits)
        batches = (range(start, min(edits, start + _EDITS_A_REPLY)) for start in range(0, edits, _EDITS_A_REPLY))
        script = [_calls(*(_edit(name, number) for number in batch)) for batch in batches]
        points.append((edits, *run(folder, name, [_calls(("read_file", {"path": name})), *script], "--no-context")))
    yield Curve("run", "edits of one file", tuple(points))


GROWTHS: tuple[Callable[[Request], Iterator[Curve]], ...] = (over_files, over_rounds, over_edits)


def run(folder: Path, name: str, script: Sequence[Reply], *options: str) -> tuple[float, float]:
    """Let the command play a script.

    Returns:
        Seconds, and megabytes of its largest process.

    Raises:
        RuntimeError: nothing landed, so that its time says nothing.
    """
    fixture = folder.with_name(f"{folder.name}.json")
    fixture.write_text(json.dumps({"replies": [*script, _LAST]}))
    command = [sys.executable, "-m", "orefactor", "add docstrings", name, "--provider", "fixture"]
    started = time.perf_counter()
    with open(f"{folder}.patch", "w+b") as patch, open(f"{folder}.said", "w+b") as said:
        command += ["--fixture", str(fixture), *_UNLIMITED, *options]
        process = subprocess.Popen(command, cwd=folder, stdout=patch, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        patch.seek(0)
        said.seek(0)
        if process.returncode or not patch.read(1):
            raise RuntimeError(f"it ended with {process.returncode}: {said.read().decode(errors='replace')[-500:]}")
    return seconds, used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _one_file(request: Request, size: int) -> tuple[Path, str]:
    folder = request.folder / f"one{next(_numbers)}"
    folder.mkdir()
    (folder / "module.py").write_text("".join(map(_FUNCTION.format, range(size))))
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder, "module.py"


def _edit(name: str, number: int) -> tuple[str, Reply]:
    old = f"def f{number}(a):\n"
    return "edit_file", {"path": name, "old_string": old, "new_string": f'{old}    """Add {number} to a number."""\n'}


def _calls(*calls: tuple[str, Reply]) -> Reply:
    return {"tool_calls": [{"name": tool, "arguments": arguments} for tool, arguments in calls]}


_numbers = iter(range(1_000_000))
