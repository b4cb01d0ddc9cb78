"""Decides how the tree and the environment are mounted, by looking at the disk.

The tree is shown without its `.git`, and an environment inside the repository (`.venv`) is shown in it
although the tree has no such folder. Three ways, because bwrap's cost grows with the square of the number of
mounts (100 mounts 20 ms, 300 mounts 125 ms) and because nothing may be made in the tree:

    skeleton  an empty folder with one mount for each entry of the tree; all mount points are bwrap's own
    whole     one mount, and an empty file over `.git`; for broad trees
    copy      a copy that the caller makes, with the mount points in it; for broad trees with an environment
              inside

Checks that may write see the tree as `tree_views.py` says.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from .bwrap import TEMPORARY, Layout, Mount
from .environment import links

CHEAP_SKELETON = 64
LARGEST_SKELETON = 400

Way = Literal["skeleton", "whole", "copy"]


def choose_way(layout: Layout) -> Way:
    """How to show the tree read-only."""
    inside = mount_points(layout)
    opened = {Path(), *(parent for path in inside for parent in path.parents)}
    count = sum(len(os.listdir(layout.tree / path)) for path in opened if _is_plain(layout.tree, path))
    if count <= (LARGEST_SKELETON if inside else CHEAP_SKELETON):
        return "skeleton"
    git = layout.tree / ".git"
    return "copy" if inside or git.is_symlink() or git.is_dir() else "whole"


def mount_points(layout: Layout) -> list[Path]:
    """What of the environment lies inside the repository, relative to it; none contains another."""
    inside = [path for path in visible(layout) if path.is_relative_to(layout.repository)]
    return [path.relative_to(layout.repository) for path in _outermost(inside)]


def plan(layout: Layout, tree: Sequence[Mount]) -> list[Mount]:
    """All mounts, in order: outer ones first, each with the folders that lead there.

    Args:
        layout: what is worked on.
        tree: the mounts of the tree, from `skeleton`, `whole` or `copied`.
    """
    repository = layout.repository
    paths = visible(layout)
    outside = _outermost([path for path in paths if not path.is_relative_to(repository)])
    inside = _outermost([path for path in paths if path.is_relative_to(repository)])
    groups = [(path, _shown(path)) for path in (*outside, *inside)]
    groups.append((repository, list(tree)))
    mounts: list[Mount] = []
    # The sort is stable and by depth, so whatever lies inside of something else comes after it.
    for path, group in sorted(groups, key=lambda group: len(group[0].parts)):
        mounts += [Mount("dir", str(parent)) for parent in _new_parents(path, mounts)]
        mounts += group
    closing = [mount for mount in mounts if mount.kind == "remount-ro"]
    return [mount for mount in mounts if mount.kind != "remount-ro"] + closing


def skeleton(layout: Layout) -> list[Mount]:
    """The tree as an empty folder with a mount for each entry."""
    top = str(layout.repository)
    inside = mount_points(layout)
    return [Mount("tmpfs", top), *_entries(layout, Path(), inside), Mount("remount-ro", top)]


def whole(layout: Layout) -> list[Mount]:
    """The tree in one mount."""
    mounts = [Mount("ro-bind", str(layout.repository), str(layout.tree))]
    if (layout.tree / ".git").is_file():
        mounts.append(Mount("ro-bind", str(layout.repository / ".git"), "/dev/null"))
    return mounts


def copied(layout: Layout, copy: Path) -> list[Mount]:
    """A copy of the tree, which has all mount points and no `.git`."""
    return [Mount("ro-bind", str(layout.repository), str(copy))]


def _entries(layout: Layout, folder: Path, inside: Sequence[Path]) -> Iterator[Mount]:
    """One mount for each entry of a folder of the tree; folders that lead to a mount point are opened up."""
    leading = {parent for path in inside for parent in path.parents}
    for path in sorted(leading - {Path()}):
        if path.parent == folder:
            yield Mount("dir", str(layout.repository / path))
            if _is_plain(layout.tree, path):
                yield from _entries(layout, path, inside)
    with os.scandir(layout.tree / folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            path = folder / entry.name
            if path != Path(".git") and path not in leading and path not in inside:
                yield from _entry(entry, str(layout.repository / path))


def _entry(entry: os.DirEntry[str], target: str) -> Iterator[Mount]:
    mode = entry.stat(follow_symlinks=False).st_mode
    if stat.S_ISLNK(mode):
        yield Mount("symlink", target, os.readlink(entry.path))
    elif stat.S_ISDIR(mode) or stat.S_ISREG(mode):
        yield Mount("ro-bind", target, entry.path)


def visible(layout: Layout) -> list[Path]:
    """What checks must see besides the tree and /usr."""
    environment = layout.environment
    paths = [place for tool in layout.tools for place in links(tool)]
    if environment:
        paths += [*environment.read_only, *([environment.prefix] if environment.prefix else [])]
    return [path for path in paths if path.is_relative_to(layout.repository) or not path.is_relative_to("/usr")]


def _is_plain(tree: Path, folder: Path) -> bool:
    """Whether a path of the tree is a folder and no link, in each of its parts."""
    parts = [tree / part for part in (folder, *folder.parents)]
    return all(part.is_dir() and (part == tree or not part.is_symlink()) for part in parts)


def _outermost(paths: Sequence[Path]) -> list[Path]:
    kept: list[Path] = []
    for path in sorted(set(paths), key=lambda path: (len(path.parts), path)):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept


def _shown(path: Path) -> list[Mount]:
    """A folder or a file as it is; a link to a file as a link, because interpreters look where it leads."""
    if path.is_symlink() and not path.is_dir():
        return [Mount("symlink", str(path), os.path.normpath(path.parent.resolve() / path.readlink()))]
    mounts = [Mount("ro-bind", str(path), str(path))]
    git = path / ".git"
    if git.is_dir():  # another project that is installed in place: its history is nobody's business
        mounts += [Mount("tmpfs", str(git)), Mount("remount-ro", str(git))]
    return mounts


def _new_parents(path: Path, mounts: Sequence[Mount]) -> list[Path]:
    """The folders above `path` that don't exist inside yet, outermost first.

    They are made one by one for their mode: bwrap gives them the mode of the source's parent, which may be
    closed.
    """
    made = {Path(mount.target) for mount in mounts} | {Path("/"), Path("/usr"), Path(TEMPORARY)}
    missing: list[Path] = []
    for parent in path.parents:
        if parent in made:
            break
        missing.append(parent)
    return missing[::-1]
