"""Times our throwaway worktree against plain `git worktree add`, alternating in one run, and prints the ratios.

    python bench/worktree.py [--files 1000 10000 100000] [--pairs 5] [--folder DIR]

Repositories are made in a temporary folder (on `--folder`'s file system; a RAM disk shows the work, a disk shows the
disk) and removed afterwards. Ratios are medians of pairs, so that a machine whose speed drifts is fair to both.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from repositories import make_repository

from orefactor.sandbox.repository import Repository, find_repository
from orefactor.sandbox.worktree import throwaway_worktree


def seconds(action: Callable[[], object]) -> float:
    """How long an action takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def plain(folder: Path, place: Path) -> float:
    """Time the plain command; its worktree is removed again."""
    command = ["git", "worktree", "add", "-q", "--detach", str(place)]
    taken = seconds(lambda: subprocess.run(command, cwd=folder, check=True))
    subprocess.run(["git", "worktree", "remove", "--force", str(place)], cwd=folder, check=True)
    return taken


def ours(repository: Repository, commit: str, run_id: str) -> float:
    """Time ours until it can be worked in."""
    started = time.perf_counter()
    with throwaway_worktree(repository, commit, run_id):
        return time.perf_counter() - started


def measure(files: int, pairs: int, folder: Path) -> None:
    """Print one line of the table."""
    place = folder / f"repository{files}"
    make_repository(place, files)
    repository = find_repository(place)
    commit = repository.git.line("rev-parse", "HEAD")
    rows = [(plain(place, folder / "plain"), ours(repository, commit, f"bench-{pair}")) for pair in range(pairs)]
    ratio = statistics.median(own / theirs for theirs, own in rows)
    medians = [statistics.median(column) for column in zip(*rows, strict=True)]
    print(f"{files:>8} files  plain {medians[0]:7.3f} s  ours {medians[1]:7.3f} s  ratio {ratio:.2f}")
    shutil.rmtree(place)


def main() -> None:
    """Measure each size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--files", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=None)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="orefactor-bench-", dir=chosen.folder) as name:
        os.environ["XDG_CACHE_HOME"] = f"{name}/cache"
        for files in chosen.files:
            measure(files, chosen.pairs, Path(name))


if __name__ == "__main__":
    main()
