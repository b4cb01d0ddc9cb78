"""Rows: start to the first request, help and version, installed size."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from bench_request import Request
from contestants import contestants, ours
from docstring_task import Contestant, play
from figures import Figure, alternate, figure, seconds

_OURS = (sys.executable, "-m", "orefactor")
_CLIENT = "import openai; openai.OpenAI(api_key='none', base_url='http://127.0.0.1:9/v1')"
_SIZE = """
import importlib.metadata, json, pathlib, sysconfig
top = pathlib.Path(sysconfig.get_path("purelib"))
own = {"pip", "setuptools", "wheel"}
sizes = (path.stat().st_size for path in top.rglob("*") if path.is_file() and path.parts[len(top.parts)] not in own)
names = {found.name.lower() for found in importlib.metadata.distributions()} - own
print(json.dumps([sum(sizes), len(names)]))
"""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_TOP = Path(__file__).parents[1]


def start(request: Request) -> Iterator[Figure]:
    """From the process's start to the request at the server, with the worktree made and the context built."""
    peers: dict[str, Callable[[], float]] = {"the `openai` client": partial(run, sys.executable, "-c", _CLIENT)}
    if "llm" in request.peers:
        peers["llm"] = partial(first_request, request, contestants(request.peers)["llm"])
    for name, peer in peers.items():
        own, other = alternate(request.pairs, partial(first_request, request, ours()), peer)
        limit = 1.0 if name == "llm" else 1.4
        yield figure("start to the first request", own, other, peer_name=name, most_ratio=limit)


def first_request(request: Request, who: Contestant) -> float:
    """Seconds until it asks, in its own home, which is warm from the second time on."""
    home = request.folder / f"home-{who.name}"
    if not home.exists():
        play(who, request.folder / "warm" / who.name, home)
    return play(who, request.folder / "start" / who.name / str(next(_numbers)), home).first


def commands(request: Request) -> Iterator[Figure]:
    """Help and version, against an interpreter that does nothing, and against the peers' help."""
    for option, most, ratio in (("-h", 0.2, 15), ("--version", 0.1, 8)):
        own, bare = alternate(
            2 * request.pairs, partial(run, *_OURS, option), partial(run, sys.executable, "-c", "pass")
        )
        name = "`python -c pass`"
        yield figure(f"`{option}`", own, bare, peer_name=name, most=most, most_ratio=ratio, either=True)
    for name, peer in request.peers.items():
        if name != "ripgrep":
            own, other = alternate(request.pairs, partial(run, *_OURS, "-h"), partial(run, peer.program, "--help"))
            yield figure("help", own, other, peer_name=name)


def run(*command: str) -> float:
    """Seconds of a command that says nothing here."""
    environment = {**os.environ, "TERM": "dumb"}
    return seconds(lambda: subprocess.run(command, capture_output=True, check=True, env=environment))


def size(request: Request) -> Iterator[Figure]:
    """What an installation puts on the disk: bytes and distributions; ours without what only its makers need."""
    megabytes, count = _installed()
    peers = {name: _measured(peer.python) for name, peer in request.peers.items() if name != "ripgrep"}
    yield figure("installed size", [megabytes], unit="MB", most=170)
    yield figure("installed distributions", [count], unit="", most=40)
    for name, (other, others) in peers.items():
        yield figure("installed size", [megabytes], [other], unit="MB", peer_name=name)
        yield figure("installed distributions", [count], [others], unit="", peer_name=name)


def _measured(python: str) -> tuple[float, int]:
    told = subprocess.run([python, "-c", _SIZE], capture_output=True, check=True, text=True).stdout
    found, count = json.loads(told)
    return found / 1e6, count


def _installed() -> tuple[float, int]:
    """Megabytes and distributions of this package with all that it requires, extras left out."""
    names = ["git-orefactor"]
    for name in names:
        found = _requirements(name)
        names += [one for one in found if one not in names and _is_installed(one)]
    sources = [path for folder in ("cli", "core", "sandbox") for path in (_TOP / folder).rglob("*")]
    paths = {path for name in names[1:] for path in _files(name)} | {path for path in sources if path.is_file()}
    return sum(path.stat().st_size for path in paths) / 1e6, len(names)


def _requirements(name: str) -> Sequence[str]:
    required = importlib.metadata.requires(name) or []
    found = (_NAME.match(line) for line in required if "extra ==" not in line)
    return [re.sub(r"[-_.]+", "-", match[0]).lower() for match in found if match]


def _is_installed(name: str) -> bool:
    try:
        importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _files(name: str) -> Iterator[Path]:
    for file in importlib.metadata.files(name) or ():
        path = Path(str(file.locate())).resolve()
        if path.is_file():
            yield path


_numbers = iter(range(1_000_000))
