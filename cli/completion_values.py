"""The values that completion offers, each taken from the table or the place that the command itself reads.

Everything here has to be there within a quarter of a second, so nothing slow is loaded, and git is asked once.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from orefactor.sandbox.repository import ask_git

from .wording import as_text

_MOST_REFS, _MOST_RUNS = 1000, 50
_LONGEST_LINE = 65_536
"""Bytes of the event in which a run's task stands."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that may stand at the cursor, and what it means."""

    value: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Values:
    """How the values of an option or argument are found.

    Attributes:
        look_up: from the folder that the user stands in.
        files: whether names of files may stand there.
        is_list: whether several may stand there, with commas.
        is_range: whether two may stand there, with dots.
    """

    look_up: Callable[[Path], Iterable[Candidate]] | None = None
    files: bool = False
    is_list: bool = False
    is_range: bool = False


def _words(*words: str) -> Callable[[Path], Iterable[Candidate]]:
    return lambda _: map(Candidate, words)


def _providers(_: Path) -> Iterable[Candidate]:
    from orefactor.core.providers.quirks import OFFLINE, PROVIDERS

    for name, row in PROVIDERS.items():
        yield Candidate(name, row.base_url or "a server of your own")
    for name in OFFLINE:
        yield Candidate(name, "offline")


def _models(_: Path) -> Iterable[Candidate]:
    from orefactor.core.providers.price_table import PRICES
    from orefactor.core.providers.quirks import PROVIDERS

    defaults = {row.default_model: f"the default of {row.name}" for row in PROVIDERS.values() if row.default_model}
    priced = (name for models in PRICES.values() for name in models)
    for name in dict.fromkeys([*defaults, *priced]):
        yield Candidate(name, defaults.get(name, ""))


def _checks(_: Path) -> Iterable[Candidate]:
    from orefactor.core.checks.command import CheckName

    return map(Candidate, get_args(CheckName))


def _contracts(_: Path) -> Iterable[Candidate]:
    from orefactor.core.guards.contracts.contract import KIND_NAMES

    return map(Candidate, KIND_NAMES)


def _allowed(_: Path) -> Iterable[Candidate]:
    from orefactor.core.guards.allowed import ALLOWABLE

    return map(Candidate, ALLOWABLE)


def _commands(_: Path) -> Iterable[Candidate]:
    from .commands import COMMANDS

    return map(Candidate, COMMANDS)


def _settings(_: Path) -> Iterable[Candidate]:
    from orefactor.core.settings import NAMED, option_name

    return (Candidate(option_name(name)) for name in NAMED)


def _task_types(_: Path) -> Iterable[Candidate]:
    from orefactor.core.context.task_types import TASK_TYPES

    return map(Candidate, TASK_TYPES)


def _refs(folder: Path, *below: str) -> Iterable[Candidate]:
    arguments = (f"--count={_MOST_REFS}", "--sort=-creatordate", "--format=%(refname:short)")
    listed = ask_git(folder, "for-each-ref", *arguments, *(below or ("refs/heads", "refs/tags", "refs/remotes")))
    return [Candidate(line) for line in listed.stdout.decode(errors="replace").split("\n") if line]


def _bases(folder: Path) -> Iterable[Candidate]:
    yield Candidate("HEAD", "the last commit")
    yield Candidate("index", "what is staged")
    yield Candidate("worktree", "the files as they are now")
    yield from _refs(folder)


def _branches(folder: Path) -> Iterable[Candidate]:
    return _refs(folder, "refs/heads")


def _remotes(folder: Path) -> Iterable[Candidate]:
    return [Candidate(line) for line in ask_git(folder, "remote").stdout.decode(errors="replace").split("\n") if line]


def _runs(folder: Path) -> Iterable[Candidate]:
    """The newest runs with their tasks; the trace's classes would take too long to load."""
    asked = ask_git(folder, "rev-parse", "--path-format=absolute", "--git-common-dir")
    place = os.fsdecode(asked.stdout.rstrip(b"\n"))
    with suppress(OSError):
        names = [entry.name for entry in os.scandir(Path(place, "orefactor", "runs")) if entry.is_dir()]
        for name in sorted(names, reverse=True)[:_MOST_RUNS]:
            yield Candidate(name, _task(Path(place, "orefactor", "runs", name, "events.jsonl")))


def _task(events: Path) -> str:
    try:
        opened = os.open(events, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(opened, "rb") as file:
            return as_text(json.loads(file.readline(_LONGEST_LINE)).get("task"))
    except (OSError, ValueError, AttributeError, RecursionError):
        return ""


VALUES: Mapping[str, Values] = {
    "--model": Values(_models),
    "--review-model": Values(_models),
    "--provider": Values(_providers),
    "--fallback": Values(_providers),
    "--base": Values(_bases),
    "pr --base": Values(_branches),
    "--branch": Values(_words("auto")),
    "--check": Values(_checks),
    "--contract": Values(_contracts, is_list=True),
    "--allow": Values(_allowed, is_list=True),
    "--tool-protocol": Values(_words("auto", "native", "text")),
    "--sandbox": Values(_words("auto", "bwrap", "landlock", "external", "none")),
    "--type": Values(_task_types),
    "--remote": Values(_remotes),
    "--forge": Values(_words("github", "gitlab", "gitea")),
    "--fail-on": Values(_words("error", "warning", "never")),
    "--hook": Values(_words("pre-commit", "pre-push")),
    "run task": Values(),
    "review words": Values(_bases, files=True, is_range=True),
    "context task": Values(),
    "config name": Values(_settings),
    "completion shell": Values(_words("bash", "zsh", "fish")),
    "completion words": Values(),
    "verify what": Values(_refs, files=True),
}
"""By an option's first name, or a command's and its option's or argument's."""

_BY_METAVAR = (
    ("TRACE", Values(_runs, files=True)),
    ("RUN", Values(_runs)),
    ("FILE", Values(files=True)),
    ("PATH", Values(files=True)),
    ("REV", Values(_refs)),
    ("RANGE", Values(_refs)),
    ("COMMIT", Values(_refs)),
    ("BRANCH", Values(_branches)),
    ("COMMAND", Values(_commands)),
)


def by_metavar(metavar: str) -> Values:
    """How values are found of which only the word in the help is known, such as `FILE`."""
    words = set(re.findall(r"\w+", metavar))
    return next((values for word, values in _BY_METAVAR if word in words), Values())
