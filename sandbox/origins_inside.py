"""Says where modules would be imported from, run inside the isolation as a program of its own, on Python 3.7 and newer.

Nothing of the project is imported: only the finders are asked. Those of an editable install are code of the
environment, which is why this runs where the checks run. The current folder stands first on the path, as it does for
`python -m pytest`, but only while the finders are asked, so that no file of the tree stands in for what this imports.

    python -B -c TEXT JSON      JSON: {"names": [...], "tries": [[folder of the tree, ...], ...]}

The last line of stdout is a JSON list: for each try an object of `[place, whether it lies in the tree]` by name; a
module that isn't found has an empty place.
"""

from __future__ import annotations

import sys

sys.path[:] = [path for path in sys.path if path]

import json  # noqa: E402
import os  # noqa: E402
from importlib import invalidate_caches  # noqa: E402
from importlib.util import find_spec  # noqa: E402

TREE = os.path.realpath(os.getcwd())
INSTALLED = {"site-packages", "dist-packages"}


def place(name: str) -> str:
    """The file or the first folder of a module."""
    try:
        spec = find_spec(name)
    except Exception:  # noqa: BLE001 - a finder of the environment may raise anything
        return ""
    if spec is None:
        return ""
    if spec.has_location and spec.origin:
        return spec.origin
    return next(iter(spec.submodule_search_locations or ()), "")


def in_tree(path: str) -> bool:
    """Whether a place lies in the tree, and not in an environment inside of it."""
    relative = os.path.relpath(os.path.realpath(path), TREE).split(os.sep)
    return bool(path) and relative[0] != os.pardir and not INSTALLED.intersection(relative)


def answer(names: list[str], folders: list[str]) -> dict[str, tuple[str, bool]]:
    """Where each module would come from with further folders of the tree on the path."""
    before = sys.path[:]
    sys.path[:0] = [TREE] + [os.path.join(TREE, folder) for folder in folders]
    invalidate_caches()
    try:
        places = {name: place(name) for name in names}
        return {name: (path, in_tree(path)) for name, path in places.items()}
    finally:
        sys.path[:] = before


if __name__ == "__main__":
    questions = json.loads(sys.argv[1])
    print("\n" + json.dumps([answer(questions["names"], folders) for folders in questions["tries"]]), end="")  # noqa: T201
