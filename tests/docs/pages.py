"""Reads the documentation's pages: what they show as commands, programs and files, and why something isn't run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).parents[2]
DOCS = TOP / "docs"
PAGES = sorted(path for path in DOCS.glob("*.md"))

_FENCE = re.compile(r"(?P<mark>`{3,}|:{3,})(?:\{code-block\} )?(?P<language>[\w{}-]*).*")
_NOTE = re.compile(r"<!-- (?P<kind>not run|run): (?P<text>.+) -->")
_CAPTION = re.compile(r":caption: (?P<path>\S+)\n+")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block.

    Attributes:
        line: of its fence, from 1.
        language: such as `console`.
        path: the file that it is or changes; empty where it is none.
        not_run: why a test doesn't run it.
        before: a command that a test runs before, and that readers needn't see.
    """

    line: int
    language: str
    text: str
    path: str = ""
    not_run: str = ""
    before: str = ""

    def steps(self) -> Iterator[Step]:
        """The commands of a console, each with the output below it."""
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield Step(command, tuple(line.strip() for line in output.splitlines() if line.strip()))


@dataclass(frozen=True, slots=True)
class Step:
    """A command, and pieces of what it prints, in order; an ellipsis stands for anything."""

    command: str
    output: tuple[str, ...]

    def missing(self, printed: str) -> str | None:
        """The first line of the output that was not printed."""
        at = 0
        for line in self.output:
            for piece in filter(None, map(str.strip, line.split("\u2026"))):
                found = printed.find(piece, at)
                if found < 0:
                    return line
                at = found + len(piece)
        return None


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = page.read_text("utf-8").splitlines()
    at = 0
    while at < len(lines):
        fence = _FENCE.fullmatch(lines[at])
        if fence is None:
            at += 1
            continue
        end = lines.index(fence["mark"], at + 1)
        text = "\n".join(lines[at + 1 : end]) + "\n"
        caption = _CAPTION.match(text)
        note = _NOTE.fullmatch(lines[at - 1]) if at else None
        notes = {note["kind"]: note["text"]} if note else {}
        yield Block(
            at + 1,
            fence["language"],
            text[caption.end() :] if caption else text,
            caption["path"] if caption else "",
            notes.get("not run", ""),
            notes.get("run", ""),
        )
        at = end + 1
