"""Makes the repositories that the measurements work on."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path


def make_repository(folder: Path, files: int) -> None:
    """A packed repository with one commit of so many Python files in folders of two hundred.

    Each file holds up to sixty functions of one name that no other file has, and calls its neighbour's.
    """
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    chance = random.Random(files)
    importing = subprocess.Popen(["git", "fast-import", "--quiet"], cwd=folder, stdin=subprocess.PIPE)
    assert importing.stdin is not None
    importing.stdin.write(b"commit refs/heads/main\ncommitter a <a@b> 0 +0000\ndata 1\nx\n")
    for number in range(files):
        name = f"package{number // 200}/module{number}.py"
        text = b"def f%d(a, b):\n    return a + f%d(a, b)\n\n\n" % (number, max(0, number - 1)) * chance.randint(1, 60)
        importing.stdin.write(f"M 100644 inline {name}\ndata {len(text)}\n".encode() + text + b"\n")
    importing.stdin.close()
    importing.wait()
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=folder, check=True)
    subprocess.run(["git", "repack", "-adq"], cwd=folder, check=True)


def commit_folder(source: Path, folder: Path) -> None:
    """A repository whose one commit holds a copy of a folder's Python files."""
    for path in source.rglob("*.py"):
        copy = folder / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0"]
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    subprocess.run(["git", *identity, "commit", "-q", "-m", "x"], cwd=folder, check=True)
    # As in every clone; objects of their own are read many times slower.
    subprocess.run(["git", "repack", "-adq"], cwd=folder, check=True)
