"""Which files a task is split into: each named or found file is a shard of its own.

One file a shard is the finest split that keeps a session small: what fails is left out alone, and an unchanged file's
result can be reused, since nothing about a shard depends on the other ones or on how many run at once. What ties files
together can't be split, so a rename or a move is done by one session, as ever.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orefactor.sandbox.git import Git

from ..code.documents import is_document
from ..code.languages import row_of
from ..code.text import PYTHON_SUFFIXES
from ..guards.contracts.contract import Contract, KindName
from ..request import Prepared

_ACROSS_FILES: frozenset[KindName] = frozenset(["rename", "move"])
_PYTHON_ONLY: frozenset[KindName] = frozenset(["docstrings", "annotations", "imports"])
"""Contracts that are about Python alone."""
_REGULAR = ("100644", "100755")


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of a task.

    Attributes:
        number: from 1, in the order of the paths, which is the order of merging.
        path: the file that may change, relative to the top.
        size: in bytes.
    """

    number: int
    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The shards of a task, in the order of their paths.

    Attributes:
        jobs: how many run at once.
        others: how many files of the scope are in none: not named, and nothing that such a task is about.
    """

    shards: tuple[Shard, ...]
    jobs: int
    others: int

    @property
    def by_size(self) -> tuple[Shard, ...]:
        """The largest first: begun last, it would be waited for alone."""
        return tuple(sorted(self.shards, key=lambda shard: (-shard.size, shard.number)))


def plan_shards(prepared: Prepared) -> Plan | None:
    """Split a task; None where it is one session's: one job, one file, a replay, or what ties files together."""
    request = prepared.request
    is_played = request.continues is not None or any(choice.provider.name == "replay" for choice in prepared.choices)
    if prepared.settings.jobs < 2 or is_played or not _ACROSS_FILES.isdisjoint(prepared.contract.kinds):
        return None
    listed = list(_files(prepared.repository.git, prepared.base.commit, prepared.paths))
    chosen = [(path, size) for path, size in listed if path in prepared.paths or _is_meant(path, size, prepared)]
    if len(chosen) < 2:
        return None
    shards = tuple(Shard(number, path, size) for number, (path, size) in enumerate(chosen, start=1))
    return Plan(shards, min(prepared.settings.jobs, len(shards)), len(listed) - len(shards))


def _files(git: Git, commit: str, paths: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The regular files in a scope with their sizes, by path."""
    named = () if "." in paths else paths
    found: dict[str, int] = {}
    for entry in git.run("ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", *named).split(b"\0"):
        facts, _, name = entry.partition(b"\t")
        mode, *_, size = facts.decode().split() or ("", "-")
        if mode in _REGULAR and size.isdigit():
            found[os.fsdecode(name)] = int(size)
    yield from sorted(found.items())


def _is_meant(path: str, size: int, prepared: Prepared) -> bool:
    """Whether a file that was found in a folder is one that the task may be about."""
    if size == 0:
        return False
    if _is_of_python(prepared.contract):
        return path.lower().endswith(PYTHON_SUFFIXES)
    return row_of(path) is not None or is_document(path)


def _is_of_python(contract: Contract) -> bool:
    return _PYTHON_ONLY.issuperset(contract.kinds)
