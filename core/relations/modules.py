"""Where imports lead: from a module as it is written to files of the tree, by the spelling of paths alone.

No interpreter is asked and no search path is known, so an absolute import is looked for below each folder that can be a
root of sources: one that is itself no package. Where several fit, the roots above the importer and the usual ones win.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cached_property

_PYTHON = (".py", ".pyi")
_PACKAGE_FILES = frozenset(["__init__", "index", "mod"])
_ROOTS = {"": 0, "src": 1, "lib": 2, "python": 2}
_PARTS = re.compile(r"[/\\.]+|::")
_HEADERS = frozenset(["h", "hpp", "hh", "hxx"])
_KIN = (
    frozenset([".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"]),
    frozenset([".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx"]),
)
_MOST = 50
"""Files that one import of a folder stands for at most."""


def module_name(path: str) -> str:
    """The dotted name of a file as a module, from the top of the tree: `src.shapes` of `src/shapes/__init__.py`."""
    return _stem(path).replace("/", ".")


def _stem(path: str) -> str:
    """A path without its suffix; of a package's own file its folder."""
    stem = posixpath.splitext(path)[0]
    folder, _, name = stem.rpartition("/")
    return folder if name in _PACKAGE_FILES else stem


class Modules:
    """The files of one tree as modules; what was resolved is kept, since all files of a folder import alike."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self._resolved: dict[tuple[str, str, str], tuple[str, ...]] = {}

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self._paths)

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[str, str]]]:
        """Files with their stems (a slash in front), by the last part of the stem."""
        found: dict[str, list[tuple[str, str]]] = {}
        for path in self._paths:
            stem = f"/{_stem(path)}"
            found.setdefault(stem.rpartition("/")[2], []).append((stem, path))
        return found

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self._paths:
            folder = posixpath.dirname(path)
            found.setdefault(posixpath.basename(folder), []).append(path)
        return found

    def has(self, path: str) -> bool:
        """Whether the tree has this file."""
        return path in self._known

    def named(self, dotted: str) -> tuple[str, ...]:
        """The files whose module's name ends with these dotted parts, from wherever it is looked at."""
        return tuple(path for _, path in self._stems_ending(dotted.split(".")))

    def resolve(self, module: str, importer: str) -> tuple[str, ...]:
        """The files that an import may mean; none where it leads out of the tree.

        Args:
            module: as written, with its leading dots.
            importer: the path of the file that imports it.

        Returns:
            For Python one file at most; elsewhere a folder may be imported too, which stands for its files.
        """
        folder, suffix = posixpath.dirname(importer), posixpath.splitext(importer)[1]
        key = (module, folder, suffix)
        if key not in self._resolved:
            self._resolved[key] = tuple(self._found(module, folder, suffix))
        return self._resolved[key]

    def _found(self, module: str, folder: str, suffix: str) -> Iterable[str]:
        if suffix not in _PYTHON:
            return self._elsewhere(module, folder, suffix)
        found = self._relative(module, folder) if module.startswith(".") else self._absolute(module, folder)
        return (found,) if found else ()

    def _stems_ending(self, wanted: Sequence[str]) -> Iterable[tuple[str, str]]:
        end = "/" + "/".join(wanted)
        return (each for each in self._by_name.get(wanted[-1] if wanted else "", ()) if each[0].endswith(end))

    def _relative(self, module: str, here: str) -> str | None:
        name = module.lstrip(".")
        folder = here.split("/") if here else []
        up = len(module) - len(name) - 1
        if up > len(folder):
            return None
        parts = [*folder[: len(folder) - up], *filter(None, name.split("."))]
        return self._python_file("/".join(parts))

    def _python_file(self, stem: str) -> str | None:
        package = f"{stem}/__init__" if stem else "__init__"
        tried = (f"{place}{suffix}" for place in (package, stem) for suffix in _PYTHON)
        return next((path for path in tried if path in self._known), None)

    def _absolute(self, module: str, here: str) -> str | None:
        wanted = module.split(".")
        size = len("/".join(wanted))
        found = [
            (self._rank(root, here), path)
            for stem, path in self._stems_ending(wanted)
            if path.endswith(_PYTHON) and self._is_root(root := stem[1:-size].rstrip("/"), wanted[0], here)
        ]
        return min(found)[1] if found else None

    def _is_root(self, root: str, top: str, here: str) -> bool:
        if root in _ROOTS:
            return True
        # A file that shares its name with a module of the standard library hides it only where its folder is searched.
        return not self._python_file(root) and (root == here or top not in sys.stdlib_module_names)

    def _rank(self, root: str, here: str) -> tuple[int, int, int, str]:
        """Roots above the importer first, the nearest of them; then the usual ones."""
        is_above = root in ("", here) or here.startswith(root + "/")
        return (0 if is_above else 1, -len(root) if is_above else 0, _ROOTS.get(root, 3), root)

    def _elsewhere(self, module: str, here: str, suffix: str) -> tuple[str, ...]:
        if module.startswith("."):
            return self._written(posixpath.normpath(posixpath.join(here, module)), suffix)
        wanted = [part for part in _PARTS.split(module) if part not in ("", "crate", "self", "super")]
        # Of `geo::shapes::Square` and `geo.shapes.Square` the last part may be no module.
        shorter = [wanted[:-1]] if "::" in module or "/" not in module else []
        return next((found for parts in (wanted, *shorter) if (found := self._ending(parts, suffix))), ())

    def _written(self, place: str, suffix: str) -> tuple[str, ...]:
        """A path as scripts write it: with its suffix, without it, or the folder of an index file."""
        if place in self._known:
            return (place,)
        bare = posixpath.splitext(place)[0]
        stems = [stem for stem in dict.fromkeys((place, bare)) if stem]
        found = (path for stem in stems for at, path in self._stems_ending([*stem.split("/")]) if at == f"/{stem}")
        return tuple(path for path in found if _is_kin(path, suffix))[:_MOST]

    def _ending(self, wanted: Sequence[str], suffix: str) -> tuple[str, ...]:
        if not wanted:
            return ()
        bare = wanted[:-1] if wanted[-1] in _HEADERS else wanted
        end = f".{wanted[-1]}" if bare is not wanted else ""
        files = [path for _, path in self._stems_ending(bare) if _is_kin(path, suffix) and path.endswith(end)]
        folders = self._by_folder.get(wanted[-1], ()) if not files else ()
        return tuple(files or (path for path in folders if _is_in(path, wanted) and _is_kin(path, suffix)))[:_MOST]


def _is_in(path: str, wanted: Sequence[str]) -> bool:
    """Whether the end of the file's folder is the end of what is wanted, as Go's modules have a host in front."""
    folder = posixpath.dirname(path).split("/")
    shared = min(len(folder), len(wanted), 2)
    return folder[-shared:] == list(wanted[-shared:])


def _is_kin(path: str, suffix: str) -> bool:
    own = posixpath.splitext(path)[1]
    return own == suffix or any(own in kin and suffix in kin for kin in _KIN)
