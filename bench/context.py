"""Times the context pack against aider's repository map, alternating in one run, and prints the ratios.

    python bench/context.py SOURCE TARGET [--aider PYTHON] [--pairs 3] [--many 100000] [--folder DIR]

SOURCE is a folder of Python code, such as Django's unpacked source archive, TARGET a file in it. PYTHON is the
interpreter of an environment where `aider-chat` is installed. Both get the same Python files, the same target and the
same budget; both are timed in new processes after their imports. aider counts tokens by a cheap guess here, which
spares it the tokenizer's time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from repositories import commit_folder, make_repository

BUDGET = 6000
TASK = "add docstrings"
OURS = """
import json, sys, time
from pathlib import Path
import pydantic, rustworkx, sqlite3, tree_sitter, tree_sitter_python
from orefactor.core.context.build import build_context
from orefactor.core.index.stored_index import open_index
from orefactor.sandbox.repository import find_repository
task, target, budget = sys.argv[1], sys.argv[2], int(sys.argv[3])
repository = find_repository(Path.cwd())
tree = repository.git.line("rev-parse", "HEAD^{tree}")
started = time.perf_counter()
index = open_index(repository, tree)
pack = build_context(task, targets=[target], index=index, budget=budget).pack
seconds = time.perf_counter() - started
print(json.dumps({"seconds": seconds, "tokens": pack.tokens, "digest": pack.pack_id,
                  "parsed": index.parsed}))
"""
THEIRS = """
import hashlib, json, os, subprocess, sys, time
from aider.repomap import RepoMap
target, budget = sys.argv[2], int(sys.argv[3])
class Io:
    def read_text(self, name):
        try:
            with open(name, encoding="utf-8") as file:
                return file.read()
        except (OSError, UnicodeDecodeError):
            return None
    def __getattr__(self, name):
        return lambda *words, **named: None
class Model:
    def token_count(self, text):
        return len(text) / 4
root = os.getcwd()
listed = subprocess.run(["git", "ls-files", "-z", "*.py"], capture_output=True, check=True).stdout.decode()
files = [os.path.join(root, name) for name in listed.split("\\0") if name]
chosen = os.path.join(root, target)
started = time.perf_counter()
repository_map = RepoMap(map_tokens=budget, root=root, main_model=Model(), io=Io())
text = repository_map.get_repo_map([chosen], [name for name in files if name != chosen])
seconds = time.perf_counter() - started
print(json.dumps({"seconds": seconds,
                  "tokens": len(text) / 4, "digest": hashlib.sha256(text.encode()).hexdigest()[:16]}))
"""


def measured(
    python: str, program: str, folder: Path, target: str, seed: str = "0", *, weighs: bool = False
) -> dict[str, Any]:
    """One measurement in a process of its own; weighing it slows it down, so its time doesn't count then."""
    command = [python, "-c", program, TASK, target, str(BUDGET)]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    most = 0
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        while weighs and process.poll() is None:
            most = max(most, kilobytes(process.pid))
            time.sleep(0.05)
        assert process.stdout is not None
        answer: dict[str, Any] = json.loads(process.stdout.read().splitlines()[-1])
    return {**answer, **({"kilobytes": most} if weighs else {})}


def timed(python: str, program: str, folder: Path, target: str) -> dict[str, Any]:
    """Two measurements of a cold start: its time, then its memory."""
    forget(folder)
    seconds = measured(python, program, folder, target)["seconds"]
    forget(folder)
    return {**measured(python, program, folder, target, weighs=True), "seconds": seconds}


def kilobytes(pid: int) -> int:
    """The memory of a process and all that it has started, with what they share counted once."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    own = next((int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")), 0)
    return own + sum(kilobytes(int(child)) for child in children)


def forget(folder: Path) -> None:
    """Remove what either of them has kept."""
    shutil.rmtree(folder / ".git" / "orefactor", ignore_errors=True)
    for kept in folder.glob(".aider.tags.cache*"):
        shutil.rmtree(kept)


def show(name: str, own: list[dict[str, Any]], their: list[dict[str, Any]]) -> None:
    """One line of the table: medians, and the median of the pairs' ratios."""
    words = [f"{name:<28}"]
    for unit, key, scale in (("s", "seconds", 1.0), ("MB", "kilobytes", 1024.0)):
        if key not in own[0]:
            continue
        mine = statistics.median(row[key] for row in own) / scale
        words.append(f"ours {mine:8.3f} {unit}")
        if their:
            other = statistics.median(row[key] for row in their) / scale
            ratio = statistics.median(a[key] / b[key] for a, b in zip(own, their, strict=True))
            words.append(f"aider {other:8.3f} {unit}  ratio {ratio:.3f}")
    words.append(f"{own[-1]['tokens']} tokens, {own[-1]['parsed']} files parsed")
    print("  ".join(words), flush=True)


def compare(folder: Path, target: str, aider: str | None, pairs: int) -> None:
    """Cold, in new worktrees, again with other hash seeds, and after some files have changed."""
    cold: list[tuple[dict[str, Any], ...]] = []
    for _ in range(pairs):
        theirs = [timed(aider, THEIRS, folder, target)] if aider else []
        cold.append((timed(sys.executable, OURS, folder, target), *theirs))
    show("cold", [row[0] for row in cold], [row[1] for row in cold if aider])
    fresh: list[tuple[dict[str, Any], ...]] = []
    for number in range(pairs):
        place = folder.with_name(f"worktree{number}")
        subprocess.run(["git", "worktree", "add", "-q", "--detach", str(place)], cwd=folder, check=True)
        theirs = [measured(aider, THEIRS, place, target)] if aider else []
        fresh.append((measured(sys.executable, OURS, place, target), *theirs))
    show("in a new worktree", [row[0] for row in fresh], [row[1] for row in fresh if aider])
    for name, python, program in (("ours", sys.executable, OURS), ("aider", aider, THEIRS)):
        if python:
            rows = [measured(python, program, folder, target, seed) for seed in "12345"]
            most = max(row["tokens"] for row in rows)
            print(f"{name}: {len({row['digest'] for row in rows})} text(s) for 5 hash seeds, at most {most} tokens")
    for count in (1, 10, 100):
        change(folder, count)
        show(f"{count} changed file(s)", [measured(sys.executable, OURS, folder, target)], [])


def change(folder: Path, count: int) -> None:
    """Commit a change of so many files."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=folder, capture_output=True, check=True, text=True)
    for name in listed.stdout.splitlines()[:count]:
        with open(folder / name, "a", encoding="utf-8") as file:
            file.write(f"\n# changed {count}\n")
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *identity, "commit", "-q", "-a", "-m", "y"], cwd=folder, check=True)


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target")
    parser.add_argument("--aider", metavar="PYTHON")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--many", type=int, default=100_000, help="files of a made repository (0: none)")
    parser.add_argument("--folder", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="orefactor-bench-", dir=chosen.folder) as name:
        os.environ["XDG_CACHE_HOME"] = f"{name}/cache"
        repository = Path(name, "repository")
        repository.mkdir()
        commit_folder(chosen.source, repository)
        compare(repository, chosen.target, chosen.aider, chosen.pairs)
        if chosen.many:
            large = Path(name, "large")
            make_repository(large, chosen.many)
            target = f"package{chosen.many // 400}/module{chosen.many // 2}.py"
            show(f"{chosen.many} files, cold", [timed(sys.executable, OURS, large, target)], [])
            show(f"{chosen.many} files, warm", [measured(sys.executable, OURS, large, target) for _ in range(3)], [])


if __name__ == "__main__":
    main()
