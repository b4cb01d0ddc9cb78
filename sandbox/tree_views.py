"""How a check that may write sees the tree: a view whose changes live in memory and are thrown away.

    overlay      mounted by `overlay.py`, which caps what is written
    tmp-overlay  bubblewrap's own (0.11 on), where only bubblewrap may make a user namespace, as under Ubuntu's AppArmor
                 policy; it has no cap, so the memory watch looks at it too
    copy         a sized folder that `copy_inside.py` fills; costs time with the tree's size, works everywhere

The overlays have a layer of our own on top: it hides `.git`, and has the folders that the environment inside
the repository is mounted on. So no mount point is looked for in the tree, whose links lead anywhere.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .bwrap import NOBODY, Layout, Mount
from .limits import Limits
from .mounts import mount_points

Way = Literal["overlay", "tmp-overlay", "copy"]

OVERLAY = Path(__file__).with_name("overlay.py")
COPY = Path(__file__).with_name("copy_inside.py")
SYSTEM_PYTHON = Path("/usr/bin/python3")
# Where the copy's source is shown inside.
ORIGINAL = "/run/tree"
# The unit of `st_blocks`.
BLOCK = 512


@dataclass(frozen=True, slots=True)
class TreeView:
    """What a way adds to bubblewrap's command line.

    Attributes:
        mounts: of the tree.
        before: words that start bubblewrap.
        inside: words that start the check.
        place: where what is written is memory without a size of its own, as the check sees it; or None.
    """

    mounts: list[Mount]
    before: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    place: Path | None = None


def ways(layout: Layout, *, root: bool, has_overlays: Callable[[], bool]) -> Iterator[Way]:
    """The ways worth trying here, best first.

    Args:
        has_overlays: asked whether this bubblewrap makes overlays.
    """
    status = layout.tree.stat()
    # In a user namespace of ours nobody else's files can be changed (EOVERFLOW), such as in a setgid folder.
    ours = (status.st_uid, status.st_gid) == (os.geteuid(), os.getegid())
    if ours:
        yield "overlay"
    # As root the check is nobody, and bubblewrap's overlay would show it root's files.
    if not root and has_overlays():
        yield "tmp-overlay"
    yield "copy"


def view(way: Way, layout: Layout, limits: Limits, *, root: bool) -> TreeView:
    """What one way takes; makes what it needs in the scratch folder."""
    if way == "copy":
        return _copy(layout, limits)
    layers = (str(_top_layer(layout)), str(layout.tree))
    repository = str(layout.repository)
    if way == "tmp-overlay":
        return TreeView([Mount("tmp-overlay", repository, layers=layers)], place=layout.repository)
    stage = layout.scratch / "stage"
    stage.mkdir(exist_ok=True)
    owner = NOBODY if root else os.geteuid()
    program = (sys.executable, "-I", "-S", "-B", str(OVERLAY))
    before = (*program, str(stage), str(limits.tree), str(owner), *layers, "--")
    return TreeView([Mount("bind", repository, str(stage / "tree"))], before=before)


def _top_layer(layout: Layout) -> Path:
    layer = layout.scratch / "layer"
    layer.mkdir(exist_ok=True)
    _hide(layer / ".git")
    for folder in mount_points(layout):
        (layer / folder).mkdir(parents=True, exist_ok=True)
    return layer


def _hide(path: Path) -> None:
    """Make the sign by which an overlay leaves a name out of the layers below; an empty file where it can't be made."""
    if not os.path.lexists(path):
        try:
            os.mknod(path, stat.S_IFCHR, os.makedev(0, 0))
        except OSError:
            path.touch()


def _copy(layout: Layout, limits: Limits) -> TreeView:
    repository = str(layout.repository)
    size = limits.tree + _size(layout.tree)
    mounts = [
        Mount("tmpfs", repository, size=size, mode="1777"),
        Mount("ro-bind", ORIGINAL, str(layout.tree)),
    ]
    git = layout.tree / ".git"
    if git.is_file() and not git.is_symlink():
        mounts.append(Mount("ro-bind", f"{ORIGINAL}/.git", "/dev/null"))
    python = str(layout.environment.python if layout.environment else SYSTEM_PYTHON)
    left_out = (".git", *map(str, mount_points(layout)))
    program = (python, "-I", "-S", "-B", "-c", COPY.read_text(encoding="utf-8"))
    return TreeView(mounts, inside=(*program, ORIGINAL, repository, *left_out, "--"))


def _size(tree: Path) -> int:
    """Bytes that the tree's files take."""
    total = 0
    waiting = [str(tree)]
    while waiting:  # not by recursion: a commit may nest folders as deep as paths go
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    total += entry.stat(follow_symlinks=False).st_blocks * BLOCK
    return total
