"""The state of a choice while it is made, hunk by hunk, with the keys of `git add -p`. It shows and reads nothing.

Unlike there, `q` takes nothing at all, as a choice is put on the working tree whole or not at all; `t` takes what has
been chosen so far. There is no `e`: what a person edits is no part of the run's change any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from orefactor.core.hunk_pieces import Piece

KEYS = {
    "y": "take this hunk",
    "n": "leave this hunk",
    "a": "take this hunk and all later ones of the file",
    "d": "leave this hunk and all later ones of the file",
    "j": "leave it undecided, go to the next undecided one",
    "J": "leave it undecided, go to the next one",
    "k": "leave it undecided, go back to the last undecided one",
    "K": "leave it undecided, go back one",
    "s": "split this hunk into smaller ones",
    "p": "show all of this hunk",
    "t": "take what is chosen so far, leave the rest",
    "q": "quit, take nothing",
    "?": "this help",
}


@dataclass(slots=True)
class Item:
    """What is asked about at once: a hunk, or a part of one after `s`. `taken` is None while it is undecided."""

    pieces: tuple[Piece, ...]
    taken: bool | None = None
    is_part: bool = False

    @property
    def label(self) -> str:
        """As `--hunks` names it."""
        first = self.pieces[0]
        numbers = ",".join(map(str, first.numbers))
        return f"{numbers}.{first.part}" if self.is_part else numbers


@dataclass(slots=True)
class Dialogue:
    """The choice as far as it has come.

    Attributes:
        at: the item that is asked about.
        ended: `taken` where the choice stands, `quit` where nothing shall be taken.
    """

    items: list[Item]
    at: int = 0
    ended: Literal["", "taken", "quit"] = ""

    @property
    def item(self) -> Item:
        """What is asked about."""
        return self.items[self.at]

    @property
    def taken(self) -> tuple[Piece, ...]:
        """The pieces that are chosen; none after `q`."""
        if self.ended == "quit":
            return ()
        return tuple(piece for item in self.items if item.taken for piece in item.pieces)

    def offered(self) -> list[str]:
        """Those that do something here."""
        possible = {
            "j": self._undecided(range(self.at + 1, len(self.items))) is not None,
            "J": self.at + 1 < len(self.items),
            "k": self._undecided(range(self.at - 1, -1, -1)) is not None,
            "K": self.at > 0,
            "s": len(self.item.pieces) > 1,
        }
        return [key for key in KEYS if possible.get(key, True)]

    def press(self, key: str) -> None:
        """Do what a key of `offered` gives; `p` and `?` only show something."""
        match key:
            case "y" | "n":
                self.item.taken = key == "y"
                self._go_on()
            case "a" | "d":
                self._rest_of_file(taken=key == "a")
                self._go_on()
            case "J" | "K":
                self.at += 1 if key == "J" else -1
            case "j" | "k":
                rows = range(self.at + 1, len(self.items)) if key == "j" else range(self.at - 1, -1, -1)
                self.at = self._undecided(rows) or 0
            case "s":
                self.items[self.at : self.at + 1] = [Item((piece,), is_part=True) for piece in self.item.pieces]
            case "t" | "q":
                self.ended = "taken" if key == "t" else "quit"
            case _:
                pass

    def _rest_of_file(self, *, taken: bool) -> None:
        place, self.item.taken = self.item.pieces[0].place, taken
        for item in self.items[self.at :]:
            if item.pieces[0].place == place and item.taken is None:
                item.taken = taken

    def _go_on(self) -> None:
        """To the next undecided one, from the beginning again after the last; the end where there is none."""
        found = self._undecided([*range(self.at + 1, len(self.items)), *range(self.at)])
        self.at = self.at if found is None else found
        self.ended = "taken" if found is None else ""

    def _undecided(self, places: Iterable[int]) -> int | None:
        return next((place for place in places if self.items[place].taken is None), None)


def new_dialogue(pieces: Sequence[Piece]) -> Dialogue:
    """A dialogue that asks about whole hunks."""
    by_hunk: defaultdict[tuple[int, ...], list[Piece]] = defaultdict(list)
    for piece in pieces:
        by_hunk[piece.numbers].append(piece)
    return Dialogue([Item(tuple(several)) for several in by_hunk.values()])
