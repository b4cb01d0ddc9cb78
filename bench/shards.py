"""Times a task over many files that is split into shards, against a slow and a crowded server, and one after the other.

    python bench/shards.py [--files 200] [--jobs 200] [--latency 0.5] [--alone 10] [--folder DIR] [--context]

The server is scripted, in a process of its own, and answers each call after `--latency` seconds; in the second row it
refuses every other request with 429. A ratio is told against the same shards one after the other, of which only
`--alone` are really done. Memory is the proportional share of the command and all that it starts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_TESTS = Path(__file__).parents[1] / "tests"
_SERVE = """
import json, sys
from chat_server import serving
from shard_server import Manner, ShardServer
with serving() as chat:
    own = ShardServer(chat, Manner(**json.loads(sys.argv[1])))
    chat.next_answer = own.next_answer
    print(chat.url, flush=True)
    sys.stdin.readline()
    print(json.dumps({"requests": len(own.times), "refused": sum(r for _, r in own.times), "most": own.most}))
"""
_SAMPLE = 0.25
"""Seconds between two looks at the memory."""


@contextmanager
def server(**manner: float | bool) -> Generator[tuple[str, subprocess.Popen[str]]]:
    """The scripted server in a process of its own."""
    command = [sys.executable, "-c", _SERVE, json.dumps(manner)]
    environment = {**os.environ, "PYTHONPATH": str(_TESTS)}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process


def make_repository(folder: Path, files: int) -> None:
    """A repository of small files that want a docstring."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    for number in range(files):
        path = folder / f"pkg{number // 20}" / f"module{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("def f(a):\n    return a\n\n\n" + f"def g{number}(b):\n    return f(b)\n" * 20)
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", str(folder), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(folder), *who, "commit", "-qm", "first"], check=True)


def children(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found: list[int] = [pid]
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    for known in found:
        found += [child for child, parent in parents.items() if parent == known]
    return found


def memory(pid: int) -> int:
    """Bytes that a process and its descendants take, what they share counted once."""
    taken = 0
    for each in children(pid):
        try:
            lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        taken += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return taken


def run(folder: Path, url: str, jobs: int, paths: list[str], *, context: bool) -> dict[str, Any]:
    """One run of the command: seconds, processor, memory, and what it says of itself."""
    options = ["--jobs", str(jobs), "--max-tokens", "100000000", "--fresh", "--json", "--quiet"]
    options += [] if context else ["--no-context"]
    where = ["--provider", "openai-compatible", "--model", "m", "--base-url", url]
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile() as output:
        environment = {**os.environ, "XDG_CACHE_HOME": home, "no_proxy": "127.0.0.1"}
        before, started, most = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter(), [0]
        command = [sys.executable, "-m", "orefactor", "add docstrings", *paths, *where, *options]
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output)

        def watch() -> None:
            while process.poll() is None:
                most[0] = max(most[0], memory(process.pid))
                time.sleep(_SAMPLE)

        threading.Thread(target=watch, daemon=True).start()
        process.wait()
        seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        output.seek(0)
        told = json.load(output)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    shards = told.get("shards", [])
    done = sum(shard["status"] == "completed" for shard in shards)
    return {
        "shards": len(shards),
        "done": done,
        "exit_code": process.returncode,
        "seconds": round(seconds, 2),
        "processor_seconds": round(used, 2),
        "use_of_cores": round(used / seconds / (os.cpu_count() or 1), 3),
        "memory_mb": most[0] >> 20,
    }


def main() -> None:
    """Measure, and print a line of JSON for each row."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.5)
    parser.add_argument("--alone", type=int, default=10)
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--context", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as place:
        folder = Path(place, "repository")
        make_repository(folder, chosen.files)
        alone = 0.0
        few = [f"pkg{number // 20}/module{number}.py" for number in range(chosen.alone)]
        for name, jobs, paths, manner in (
            ("one after the other", 2, few, {}),
            ("side by side", chosen.jobs, ["."], {}),
            ("side by side, half refused", chosen.jobs, ["."], {"crowded": True}),
        ):
            with server(latency=chosen.latency, **manner) as (url, process):
                if name == "one after the other":
                    started = time.perf_counter()
                    for path in paths:
                        run(folder, url, 1, [path], context=chosen.context)
                    alone = (time.perf_counter() - started) / len(paths) * chosen.files
                    process.communicate("\n")
                    print(json.dumps({"row": name, "seconds": round(alone, 1), "extrapolated_from": len(paths)}))
                    continue
                row = run(folder, url, jobs, paths, context=chosen.context)
                said, _ = process.communicate("\n")
                print(json.dumps({"row": name, **row, "ratio": round(alone / row["seconds"], 2), **json.loads(said)}))


if __name__ == "__main__":
    main()
