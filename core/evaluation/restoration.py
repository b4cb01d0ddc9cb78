"""Makes tasks from any repository: docstrings or annotations are taken out of some definitions, and asked for again.

The material is whatever repository or folder of Python the user names, under that project's own licence; nothing is
fetched. What the original held is known, so annotations can be scored, and an oracle can play the restoration.
The same path, seed and numbers give the same tasks: files and definitions are ordered by a digest of seed and name.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from orefactor.sandbox.base import private_index, unreferenced_commit
from orefactor.sandbox.made_repository import repository_at, repository_of_files
from orefactor.sandbox.names import is_plain
from orefactor.sandbox.objects import blob_sizes, read_blobs
from orefactor.sandbox.repository import Repository
from orefactor.sandbox.tree_listing import list_tree

from .command_check import refuse
from .known_change import KnownChange
from .made_material import folder_for_material, kept_repository
from .paths_of_tests import is_test
from .python_trees import definitions, parsed
from .restored import RestoredCheck
from .stripping import Kind, candidates, stripped
from .task import Source, Suite, Task

_LARGEST = 400_000
"""Bytes of a file."""
_WORDS: dict[Kind, str] = {
    "docstrings": "Write the missing docstrings of these definitions in `{file}`: {names}. "
    "Leave everything else in the file as it is.",
    "annotations": "Annotate the parameters and the results of these functions in `{file}` with their types: {names}. "
    "Leave everything else in the file as it is, but for imports that the types need.",
}


@dataclass(frozen=True, slots=True)
class Sampling:
    """What to take from a repository.

    Attributes:
        seed: which files and definitions.
        tasks: files at most.
        definitions: of one file at most.
    """

    seed: int = 0
    tasks: int = 20
    definitions: int = 4


def load_docstrings(path: Path, *, into: Path | None = None, sampling: Sampling | None = None) -> Suite:
    """Tasks that ask for docstrings which were taken out; the arguments are those of `load_restoration`.

    Raises:
        UserError: as there.
    """
    return load_restoration(path, "docstrings", into=into, sampling=sampling)


def load_annotations(path: Path, *, into: Path | None = None, sampling: Sampling | None = None) -> Suite:
    """Tasks that ask for annotations which were taken out; the arguments are those of `load_restoration`.

    Raises:
        UserError: as there.
    """
    return load_restoration(path, "annotations", into=into, sampling=sampling)


def load_restoration(path: Path, kind: Kind, *, into: Path | None = None, sampling: Sampling | None = None) -> Suite:
    """Make tasks from a repository's HEAD, or from a folder's files.

    Args:
        path: the repository's top or the folder; it is only read.
        kind: what is taken out and asked for.
        into: a folder for the repository that holds the tasks' bases; None for one in the user's cache.
        sampling: which and how many.

    Raises:
        UserError: it can't be read, or holds nothing to take out.
    """
    sampling = sampling or Sampling()
    top = path.resolve()
    name = _plain(top.name)
    # It may borrow the objects of the one that it is made of, so another path is another repository.
    repository = kept_repository(
        folder_for_material(into), f"{name}-{_digest(0, str(top))[:8]}", lambda folder: _copied(top, folder)
    )
    tasks = tuple(itertools.islice(_tasks(repository, kind, sampling), sampling.tasks))
    if not tasks:
        raise refuse(f"`{path}` holds no {kind} that can be taken out", "name a repository with documented Python code")
    return Suite(f"{kind}-{name}", tasks)


def _copied(path: Path, folder: Path) -> Repository:
    if (path / ".git").exists():
        return repository_at(folder, path, "HEAD")
    return repository_of_files(folder, path)


def _tasks(repository: Repository, kind: Kind, sampling: Sampling) -> Iterator[Task]:
    git = repository.git
    listing = list_tree(git, git.line("rev-parse", "HEAD^{tree}"))
    names = [path for path in listing.blobs if path.endswith(".py") and _is_fit(path)]
    names.sort(key=lambda path: _digest(sampling.seed, path))
    for path in names:
        blob = listing.blobs[path]
        if (blob_sizes(git, [blob])[0] or _LARGEST) >= _LARGEST:
            continue
        original = read_blobs(git, [blob])[0] or b""
        found = _stripped(original, kind, sampling, path)
        if found is not None:
            yield _task(repository, path, original, found, kind)


def _is_fit(path: str) -> bool:
    return not is_test(path) and path.isprintable() and "`" not in path and all(map(is_plain, path.split("/")))


@dataclass(frozen=True, slots=True)
class _Stripped:
    data: bytes
    places: tuple[int, ...]


def _stripped(original: bytes, kind: Kind, sampling: Sampling, path: str) -> _Stripped | None:
    """A file without something of some of its definitions; None where it has nothing that can be taken out surely."""
    try:
        tree = parsed(original)
    except ValueError:
        return None
    names = [name for name, _ in definitions(tree)]
    ordered = sorted(candidates(tree, kind), key=lambda place: _digest(sampling.seed, f"{path}:{names[place]}"))
    chosen = tuple(sorted(ordered[: sampling.definitions]))
    data = stripped(original, chosen, kind)
    if data is None:  # one of them can't be: each is tried by itself, which takes a file's time for each
        sure = [each for each in ordered[: 4 * sampling.definitions] if stripped(original, [each], kind) is not None]
        chosen = tuple(sorted(sure[: sampling.definitions]))
        data = stripped(original, chosen, kind)
    return None if data is None else _Stripped(data, chosen)


def _task(repository: Repository, path: str, original: bytes, found: _Stripped, kind: Kind) -> Task:
    names = definitions(parsed(original))
    text = _WORDS[kind].format(file=path, names=", ".join(f"`{names[place][0]}`" for place in found.places))
    assert repository.top is not None
    return Task(
        f"{_plain(path.removesuffix('.py'))[-60:]}-{_digest(0, path)[:8]}",
        text,
        Source(repository=repository.top, revision=_commit(repository, path, found.data)),
        (path,),
        (kind,),
        success={"restored": RestoredCheck(path, original, found.places, kind)},
        oracle=KnownChange({path: original}),
        licence="the repository's own",
    )


def _commit(repository: Repository, path: str, data: bytes) -> str:
    """HEAD with another content of one file, as a commit; its id depends on the content alone."""
    with private_index(repository.git) as git:
        git.run("read-tree", "HEAD")
        blob = git.run("hash-object", "-w", "--stdin", "--no-filters", stdin=data).decode().strip()
        git.run("update-index", "-z", "--index-info", stdin=b"100644 %b 0\t%b\0" % (blob.encode(), os.fsencode(path)))
        return unreferenced_commit(git, git.line("write-tree"), None, "orefactor: begin")


def _digest(seed: int, text: str) -> str:
    return hashlib.sha256(f"{seed}:{text}".encode("utf-8", "surrogateescape")).hexdigest()


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", ".", name).strip(".-") or "files"
