"""The oracle of a task whose right result is known: files and what they hold in the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from orefactor.sandbox.files import Root

from ..messages import RunFacts
from .oracle import Oracle, Wanted


@dataclass(frozen=True, slots=True)
class KnownChange:
    """Gives an oracle that turns files into others.

    Attributes:
        wanted: what each file is to hold, by its path relative to the top.
    """

    wanted: Mapping[str, bytes]

    def __call__(self, _facts: RunFacts, tree: Path) -> Oracle:
        """The oracle at a tree that holds the files as they are before.

        Raises:
            Refused: a file can't be read.
        """
        root = Root(tree)
        return Oracle({path: Wanted(root.read(path).data, after) for path, after in self.wanted.items()})
