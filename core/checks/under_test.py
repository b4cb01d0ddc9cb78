"""Whose code the checks that run the project's code would run: the change's, or a copy that was installed before it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from orefactor.sandbox.origins import Origins

from ..errors import ToolError

_ENV = "/usr/bin/env"


class InstalledCopy(ToolError):
    """The check would run another copy of the project than the tree's, so its verdict says nothing of the change."""


def require_tree(origins: Origins) -> None:
    """Make sure that nothing comes from elsewhere.

    Raises:
        InstalledCopy: something does, whatever is put on the search path.
    """
    if origins.elsewhere:
        first = origins.elsewhere[0]
        raise InstalledCopy(
            f"tests the installed copy, not your change: `{first.name}` is imported from {first.place}; "
            "install the project in place (`pip install -e .`)"
        )


def with_search_path(command: Sequence[str], origins: Origins, tree: Path | None) -> list[str]:
    """The command line with the folders of the tree that it needs.

    Args:
        tree: where the tree stands for the check; None where only the check's current folder tells.
    """
    if not origins.search_path:
        return list(command)
    path = ":".join(str(tree / folder) if tree else folder for folder in origins.search_path)
    return [_ENV, f"PYTHONPATH={path}", f"MYPYPATH={path}", *command]
