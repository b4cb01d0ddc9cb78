"""Rows on a repository: the map of it, tools in it, a worktree of it, a search through it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench_request import Request
from context import BUDGET, OURS, THEIRS, forget, measured
from figures import Figure, alternate, figure, seconds
from repositories import commit_folder, make_repository
from worktree import ours as our_worktree
from worktree import plain as plain_worktree

from orefactor.core.tools.toolbox import RefactorTools
from orefactor.sandbox.grep import search
from orefactor.sandbox.repository import Repository, find_repository

_MINI = """
import json, sys, time
from minisweagent.environments.local import LocalEnvironment
shell = LocalEnvironment()
for command in json.loads(sys.argv[1]):
    started = time.perf_counter()
    shell.execute({"command": command})
    print(time.perf_counter() - started)
"""
_SLOW_PAIRS = 3
"""Pairs at the most of what takes many seconds."""
_PATTERN = r"raise [A-Z][a-z]+Error\("


def repository_map(request: Request) -> Iterator[Figure]:
    """The pack against aider's map: cold, in a new worktree, and five times with other hash seeds."""
    folder = _repository(request)
    aider = request.peers.get("aider")
    pairs = min(request.pairs, _SLOW_PAIRS)

    def cold(python: str, program: str) -> float:
        forget(folder)
        return float(measured(python, program, folder, request.target)["seconds"])

    def fresh(python: str, program: str) -> float:
        place = folder.with_name("map-worktree")
        git(folder, "worktree", "add", "-q", "--detach", str(place))
        try:
            return float(measured(python, program, place, request.target)["seconds"])
        finally:
            git(folder, "worktree", "remove", "--force", str(place))

    for name, measure in (("cold", cold), ("new worktree", fresh)):
        others = [partial(measure, aider.python, THEIRS)] if aider else []
        own, *other = alternate(pairs, partial(measure, sys.executable, OURS), *others)
        limit, ratio = (0.3, None) if measure is fresh else (None, 0.2 if aider else None)
        yield figure(f"repository map, {name}", own, *other, peer_name="aider", most=limit, most_ratio=ratio)
    texts, most = _five(sys.executable, OURS, folder, request.target)
    other_texts, other_most = _five(aider.python, THEIRS, folder, request.target) if aider else ([], [])
    yield figure("maps of one input, five times", texts, other_texts, unit="", peer_name="aider", most=1)
    yield figure("their most tokens", most, other_most, unit="", peer_name="aider", most=BUDGET)


def _five(python: str, program: str, folder: Path, target: str) -> tuple[list[float], list[float]]:
    rows: list[dict[str, Any]] = [measured(python, program, folder, target, seed) for seed in "12345"]
    return [len({row["digest"] for row in rows})], [max(row["tokens"] for row in rows)]


def tools(request: Request) -> Iterator[Figure]:
    """What a tool takes in a turn, model time aside; mini's commands as it runs them, in its own process."""
    folder = _repository(request)
    box = RefactorTools(folder)
    target, line = request.target, (folder / request.target).read_text().splitlines()[0]
    forth, back = (line, f"{line}  # seen"), (f"{line}  # seen", line)
    box.read_file(target)
    name = target.rpartition("/")[2].removesuffix(".py")

    def edit() -> float:
        taken = seconds(lambda: box.edit_file(target, *forth))
        return (taken + seconds(lambda: box.edit_file(target, *back))) / 2

    beside = target.rpartition("/")[0] or "."
    shell = f"grep -rnE 'import {name}' --include='*.py' {beside}"
    calls: dict[str, tuple[Callable[[], float], str]] = {
        "`read_file`": (lambda: seconds(lambda: box.read_file(target, 1, 200)), f"sed -n 1,200p {target}"),
        "`grep` in a folder": (lambda: seconds(lambda: box.grep(rf"import {name}", beside)), shell),
        "`edit_file`": (edit, f"sed -i '1s/$/ /' {target}"),
    }
    times = {name: alternate(5 * request.pairs, call)[0] for name, (call, _) in calls.items()}
    mini = request.peers.get("mini")
    for name, (_, command) in calls.items():
        own = [1000 * taken for taken in times[name]]
        other = _shell(mini.python, [command] * len(own), folder) if mini else []
        yield figure(name, own, other, unit="ms", peer_name="mini", most=10)
    git(folder, "checkout", "-q", "--", ".")


def _shell(python: str, commands: list[str], folder: Path) -> list[float]:
    told = subprocess.run(
        [python, "-c", _MINI, json.dumps(commands)], cwd=folder, capture_output=True, check=True, text=True
    )
    return [1000 * float(line) for line in told.stdout.splitlines()[-len(commands) :]]


def worktrees(request: Request) -> Iterator[Figure]:
    """Ours against `git worktree add`, until it can be worked in."""
    for files in (100,) if request.is_quick else (1_000, 10_000, 100_000):
        place = request.folder / f"worktree{files}"
        make_repository(place, files)
        repository = find_repository(place)
        commit = repository.git.line("rev-parse", "HEAD")
        pairs = min(request.pairs, _SLOW_PAIRS) if files > 10_000 else request.pairs
        plain = partial(plain_worktree, place, request.folder / "plain")
        other, own = alternate(pairs, plain, partial(_our_worktree, repository, commit))
        yield figure(f"worktree of {files:,} files", own, other, peer_name="`git worktree add`", most_ratio=1.2)
        shutil.rmtree(place)


def _our_worktree(repository: Repository, commit: str) -> float:
    return our_worktree(repository, commit, f"bench-{next(_numbers)}")


def search_tree(request: Request) -> Iterator[Figure]:
    """A regular expression over the tree: ours against ripgrep, or git's own where that isn't there."""
    folder = _repository(request)
    peer, found = request.peers.get("ripgrep"), shutil.which("rg")
    program = peer.program if peer else found
    words = [program, "-n", "-g", "*.py", _PATTERN, "."] if program else ["git", "grep", "-nP", _PATTERN, "--", "*.py"]
    own, other = alternate(
        5 * request.pairs,
        lambda: 1000 * seconds(lambda: search(folder, _PATTERN, ["*.py"], seconds=10)),
        lambda: 1000 * seconds(lambda: subprocess.run(words, cwd=folder, capture_output=True, check=False)),
    )
    name = "ripgrep" if program else "`git grep -P`"
    yield figure("grep over the tree", own, other, unit="ms", peer_name=name, most_ratio=2.0)


def _repository(request: Request) -> Path:
    folder = request.folder / "source"
    if not folder.exists():
        # A standard library may hold what was installed beside it.
        chosen = request.folder / "chosen"
        shutil.copytree(request.source, chosen, ignore=shutil.ignore_patterns("site-packages", "__pycache__"))
        folder.mkdir()
        commit_folder(chosen, folder)
        shutil.rmtree(chosen)
    return folder


def git(folder: Path, *words: str) -> None:
    """Run git there."""
    subprocess.run(["git", *words], cwd=folder, check=True)


_numbers = iter(range(1_000_000))
