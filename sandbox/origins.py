"""Tells whether checks that run the project's code would run the tree's: an installed copy proves nothing.

The tree stands over the repository's path, so an editable install leads to it. A plain install doesn't; then the tree's
own folders go on the search path, and where that doesn't help either, the check must not count.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from .errors import Refused
from .files import Root
from .process import ProcessResult
from .search_path import installed_copies
from .toml_text import read_toml

INSIDE = Path(__file__).with_name("origins_inside.py")
SOURCE = "src"
_MOST_NAMES = 200


@dataclass(frozen=True, slots=True)
class Modules:
    """What the project's own modules are.

    Attributes:
        names: importable top-level names.
        tries: folders of the tree to put on the search path, one try after the other; the first is none.
    """

    names: tuple[str, ...]
    tries: tuple[tuple[str, ...], ...] = ((),)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a module would be imported from; `place` is empty where it isn't found."""

    name: str
    place: str
    in_tree: bool


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the project's modules would be imported from.

    Attributes:
        search_path: folders of the tree that have to be on the search path for that.
    """

    modules: tuple[Origin, ...] = ()
    search_path: tuple[str, ...] = ()

    @property
    def elsewhere(self) -> tuple[Origin, ...]:
        """The modules that would come from another place than the tree."""
        return tuple(module for module in self.modules if module.place and not module.in_tree)


def project_modules(root: Root, packages: Sequence[Path], repository: Path) -> Modules:
    """The top-level modules of a tree: those at its top and in `src`, and those that were installed from it.

    Args:
        packages: the `site-packages` folders of the project's environment.
        repository: where an installation was made from.
    """
    top = list(_names(root, ".", package_only=True))
    is_layout = root.kind(SOURCE) == "directory" and SOURCE not in top
    source = list(_names(root, SOURCE, package_only=False)) if is_layout else []
    installed = [name for name in installed_copies(packages, repository, _project_name(root)) if _stands_in(root, name)]
    names = tuple(sorted({*top, *source, *installed} - sys.stdlib_module_names))[:_MOST_NAMES]
    # On the search path a `types.py` would stand in for the library's, and no interpreter would start.
    if not sys.stdlib_module_names.isdisjoint(source):
        return Modules(names)
    return Modules(names, ((), (SOURCE, ".") if is_layout else (".",)))


def find_origins(run: Callable[[Sequence[str]], ProcessResult], python: Path, modules: Modules) -> Origins:
    """Ask the project's Python for the first try that serves: all modules from the tree, else none from elsewhere.

    Args:
        run: runs a command where the checks run, from the tree's top.

    Returns:
        What it said. Nothing where it said nothing: then the checks won't work either, and say so themselves.
    """
    if not modules.names:
        return Origins()
    questions = json.dumps({"names": modules.names, "tries": modules.tries})
    result = run([str(python), "-B", "-c", INSIDE.read_text(encoding="utf-8"), questions])
    try:
        # The environment's own start-up may have printed something before.
        answers: list[dict[str, tuple[str, bool]]] = json.loads(result.stdout.rpartition(b"\n")[2])
        tried = [
            Origins(tuple(Origin(name, *answer[name]) for name in modules.names), folders)
            for answer, folders in zip(answers, modules.tries, strict=True)
        ]
    except ValueError:
        return Origins()
    complete = [origins for origins in tried if all(module.in_tree for module in origins.modules)]
    sound = [origins for origins in tried if not origins.elsewhere]
    return next(iter((*complete, *sound, tried[0])))


def _names(root: Root, folder: str, *, package_only: bool) -> Iterator[str]:
    for entry in root.list(folder):
        if entry.kind == "file" and entry.name.endswith(".py") and not package_only:
            name = entry.name.removesuffix(".py")
        elif entry.kind == "directory" and (not package_only or _is_package(root, f"{folder}/{entry.name}")):
            name = entry.name
        else:
            continue
        if name.isidentifier():
            yield name


def _is_package(root: Root, folder: str) -> bool:
    return _is_file(root, f"{folder}/__init__.py")


def _stands_in(root: Root, name: str) -> bool:
    """Whether the tree has a module of that name at its top or in a folder there; generated ones it hasn't."""
    folders = [".", *(entry.name for entry in root.list(".") if entry.kind == "directory")]
    return any(_is_package(root, f"{folder}/{name}") or _is_file(root, f"{folder}/{name}.py") for folder in folders)


def _is_file(root: Root, path: str) -> bool:
    try:
        return root.kind(path) == "file"
    except Refused:  # a name that no path can say, or a link on the way
        return False


def _project_name(root: Root) -> str | None:
    """The distribution's name as installers spell it; None where the project doesn't say it in a readable way."""
    try:
        table: dict[str, Any] = read_toml(root.read("pyproject.toml").data)
    except (Refused, ValueError, RecursionError):
        return None
    for place in (("project",), ("tool", "poetry")):
        found: Any = table
        for key in place:
            found = cast("dict[str, Any]", found).get(key) if isinstance(found, dict) else None
        name: Any = cast("dict[str, Any]", found).get("name") if isinstance(found, dict) else None
        if isinstance(name, str):
            return re.sub(r"[-_.]+", "_", name).lower()
    return None
