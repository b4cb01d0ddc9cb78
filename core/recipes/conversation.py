"""Reads and lists through tool calls: what a script says, and how it understands the answers.

A script is a generator: it yields a batch of calls, receives their answers in the same order, and returns
what it found out. It never opens a file itself.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")

MAX_CALLS = 50
"""Calls in one reply."""
ERROR = "ERROR: "
"""How a failed call's answer begins."""

_MAX_PROBLEM = 160
_NOTE = re.compile(r"\[orefactor: (.*)\]")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call."""

    tool: str
    arguments: Mapping[str, Any]


Script = Generator[Sequence[Call], Sequence[str], T]


@dataclass(frozen=True, slots=True)
class Reading:
    """A file's text, or the reason for having none."""

    text: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The names in a folder, or the reason for having none; links are left out."""

    folders: list[str] = field(default_factory=list[str])
    files: list[str] = field(default_factory=list[str])
    problem: str = ""


@dataclass(slots=True)
class _Pages:
    """The pages of one long answer as they arrive; `start` is where the next one begins, None at the end."""

    start: int | None
    text: str = ""
    problem: str = ""


def ask(calls: Sequence[Call]) -> Script[list[str]]:
    """Have any number of calls answered, in batches."""
    answers: list[str] = []
    for place in range(0, len(calls), MAX_CALLS):
        answers += yield calls[place : place + MAX_CALLS]
    return answers


def read_files(paths: Iterable[str]) -> Script[dict[str, Reading]]:
    """Read whole files, however long they are."""
    # Asking for certain lines gets longer answers.
    pages = yield from _all_pages(paths, "read_file", "start_line", 1)
    return {path: Reading(page.text, page.problem) for path, page in pages.items()}


def list_folders(folders: Iterable[str]) -> Script[dict[str, Listing]]:
    """List folders, the top as the empty name."""
    pages = yield from _all_pages(folders, "list_dir", "offset", 0)
    return {folder: _listing(folder, page) for folder, page in pages.items()}


def join(folder: str, name: str) -> str:
    """The path of a name in a folder."""
    return f"{folder}/{name}" if folder else name


def problem_of(answer: str) -> str:
    """The first line of a failed call's answer; empty where the call was served."""
    return answer.removeprefix(ERROR).partition("\n")[0][:_MAX_PROBLEM] if answer.startswith(ERROR) else ""


def _all_pages(paths: Iterable[str], tool: str, place: str, first: int) -> Script[dict[str, _Pages]]:
    pages = {path: _Pages(first) for path in paths}
    while waiting := [path for path, page in pages.items() if page.start is not None]:
        calls = [Call(tool, {"path": path or ".", place: pages[path].start}) for path in waiting]
        answers = yield from ask(calls)
        for path, answer in zip(waiting, answers, strict=True):
            _turn(pages[path], answer, place)
    return pages


def _turn(page: _Pages, answer: str, place: str) -> None:
    """Take one answer in: its text, and the note at its end that says whether and where to go on."""
    before, page.start = page.start or 0, None
    page.problem = problem_of(answer)
    body, newline, last = answer.rpartition("\n")
    note = _NOTE.fullmatch(last)
    if page.problem or note is None:
        page.text += "" if page.problem else answer
        return
    page.text += body + newline
    further = re.search(rf"\bgo on with {place}=(\d+)", note[1])
    if "was cut" in note[1] or not (further or note[1].endswith("is empty")):
        page.problem = note[1]
    elif further and int(further[1]) > before:
        page.start = int(further[1])
    elif further:
        page.problem = "it can't be read to its end"


def _listing(folder: str, page: _Pages) -> Listing:
    names = [name for name in page.text.split("\n") if name and name[-1] not in "@?"]
    folders = [join(folder, name[:-1]) for name in names if name.endswith("/") and name != ".git/"]
    return Listing(folders, [join(folder, name) for name in names if not name.endswith("/")], page.problem)
