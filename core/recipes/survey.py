"""Finds a task's Python files and reads the project's settings, breadth first, by tool calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from .base import Options
from .conversation import Listing, Script, list_folders, read_files
from .project import CONFIG_FILES, project_options

_SUFFIXES = (".py", ".pyi")
_SOURCE_FOLDER = "src"


@dataclass(frozen=True, slots=True)
class Survey:
    """What a task is about.

    Attributes:
        files: the Python files, sorted.
        options: the project's settings, without a path.
        problems: reason by path, for what the task names and what isn't there.
    """

    files: tuple[str, ...]
    options: Options
    problems: Mapping[str, str]


def survey(paths: Iterable[str]) -> Script[Survey]:
    """Look around.

    Args:
        paths: files and folders relative to the top; none means everything.
    """
    scope = sorted({_plain(path) for path in paths} or {""})
    known = yield from list_folders([""])
    folders = [path for path in scope if not path.endswith(_SUFFIXES)]
    known |= yield from _list_all(folders, known)
    configs = yield from read_files(name for name in CONFIG_FILES if name in known[""].files)
    # ruff looks for the project's own modules at the top and in `src`.
    modules = [known[folder] for folder in ("", _SOURCE_FOLDER) if folder in known]
    texts = {name: reading.text for name, reading in configs.items() if not reading.problem}
    options = project_options(texts, (name for listing in modules for name in _module_names(listing)))
    return Survey(
        files=tuple(sorted({*_files(scope, known)})),
        options=options,
        problems={path: known[path].problem for path in folders if known[path].problem},
    )


def _plain(path: str) -> str:
    return "" if path in (".", "./") else path.removeprefix("./").rstrip("/")


def _list_all(folders: list[str], known: Mapping[str, Listing]) -> Script[dict[str, Listing]]:
    """The folders and all below them, one level a round, and the source folder's own names."""
    found: dict[str, Listing] = {}
    wave = list(folders)
    bonus = [_SOURCE_FOLDER] if _SOURCE_FOLDER in known[""].folders else []
    while wave or bonus:
        asked = [folder for folder in dict.fromkeys([*wave, *bonus]) if folder not in known and folder not in found]
        found |= yield from list_folders(asked)
        listed = {**known, **found}
        wave, bonus = [inner for folder in wave for inner in listed[folder].folders], []
    return found


def _files(scope: list[str], known: Mapping[str, Listing]) -> Iterable[str]:
    for path in scope:
        if path.endswith(_SUFFIXES):
            yield path
    for folder, listing in known.items():
        if any(not path or folder == path or folder.startswith(f"{path}/") for path in scope):
            yield from (file for file in listing.files if file.endswith(_SUFFIXES))


def _module_names(listing: Listing) -> Iterable[str]:
    names = [PurePosixPath(path).name for path in listing.folders]
    names += [PurePosixPath(path).stem for path in listing.files if path.endswith(_SUFFIXES)]
    return (name for name in names if name.isidentifier() and name != _SOURCE_FOLDER)
