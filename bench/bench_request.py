"""What the person who measures chose, and what every row gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from figures import Figure
from peers import Peer


@dataclass(frozen=True, slots=True)
class Request:
    """What is measured, and where.

    Attributes:
        folder: a throwaway folder for what rows make.
        peers: the peers that are there, by name.
        pairs: how often each of two is measured, in turn.
        is_quick: whether sizes are tiny, to try the rows themselves; the figures mean nothing then.
        source: a folder of Python code for the map and the tools.
        target: a file in it.
        archive: aider's refactor benchmark; None leaves its row out.
    """

    folder: Path
    peers: Mapping[str, Peer]
    pairs: int
    is_quick: bool
    source: Path
    target: str
    archive: Path | None = None


Measure = Callable[[Request], Iterator[Figure]]
