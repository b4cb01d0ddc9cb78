"""The suites that can be named on a command line: a folder in our format, or `LOADER:PATH`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ..errors import UserError
from .task import Suite


def _folder(path: Path) -> Suite:
    from .suite import load_suite

    return load_suite(path)


def _refactor_benchmark(path: Path) -> Suite:
    from .refactor_benchmark import load_refactor_benchmark

    return load_refactor_benchmark(path)


def _docstrings(path: Path) -> Suite:
    from .restoration import load_restoration

    return load_restoration(path, "docstrings")


def _annotations(path: Path) -> Suite:
    from .restoration import load_restoration

    return load_restoration(path, "annotations")


def _history(path: Path) -> Suite:
    from .history import load_history

    return load_history(path)


LOADERS: Mapping[str, Callable[[Path], Suite]] = {
    "suite": _folder,
    "refactor-benchmark": _refactor_benchmark,
    "docstrings": _docstrings,
    "annotations": _annotations,
    "history": _history,
}
"""By the word before the colon; `suite` is a folder, and needs no word."""


def load(named: str) -> Suite:
    """The suite that a word means.

    Raises:
        UserError: there is no such loader or path, or what lies there is wrong.
    """
    kind, mark, rest = named.partition(":")
    if not mark or kind not in LOADERS:
        if mark and not Path(named).exists():
            raise UserError(f"`{kind}` is no loader of suites", hint=f"known are: {', '.join(LOADERS)}")
        kind, rest = "suite", named
    path = Path(rest)
    if not rest or not path.exists():
        raise UserError(f"there is no suite at `{rest}`", hint="name a folder, or LOADER:PATH")
    return LOADERS[kind](path)
