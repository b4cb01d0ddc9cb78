"""Takes the change under review: its two sides, the diff, and which lines of which files a finding may be about.

Git compares the two commits in an empty working tree, so that the diff depends on them alone: what a change writes
into `.gitattributes` can't hide a file from the reviewer as binary. A file above `LONGEST_FILE` counts as binary, since
nobody reviews it by the line. What the words mean is for `change_sides.py`.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from orefactor.sandbox.base import Base
from orefactor.sandbox.cache import private_folder
from orefactor.sandbox.git import Git
from orefactor.sandbox.objects import blob_sizes, read_blobs
from orefactor.sandbox.repository import Repository

from ..errors import UserError
from ..patch_hunks import PatchFile, Section, read_patch
from .change_sides import find_sides
from .change_words import split_words as split_words
from .reviewed_change import ReviewedChange

LONGEST_FILE = 2 * 1024 * 1024
"""Bytes of a file that is read by the line."""

_READ_AT_ONCE = 64 * 1024 * 1024
"""Bytes of files that are held in memory."""
_BINARY_WITHIN = 8000
"""Bytes; git takes a file for binary where there is a zero byte among the first so many."""
_GONE, _SUBMODULE = "000000", "160000"
_FORM = (
    "--full-index",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--ignore-submodules=none",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--diff-algorithm=myers",
    "-U3",
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One changed path and what is there now: git's mode and the content's id, zeros where it is gone."""

    path: str
    mode: str
    content: str


def take_change(repository: Repository, wanted: str | None, paths: Sequence[str]) -> ReviewedChange:
    """The change that is to be reviewed; it may be empty.

    Args:
        wanted: as in `find_sides`.
        paths: files and folders relative to the top; empty or `.` for all.

    Raises:
        UserError: bad input, a path that neither side has, or a repository in which there is no such change.
    """
    git = repository.git
    scope = _usable(paths)
    sides = find_sides(repository, wanted, scope)
    _require_paths(git, sides.before, sides.after.commit, scope)
    limits = () if "." in scope else scope
    return change_between(git, sides.before, sides.after, limits, is_published=sides.is_published)


def change_between(
    git: Git, before: str, after: Base, limits: Sequence[str] = (), *, is_published: bool = False
) -> ReviewedChange:
    """The change from one commit to another; it may be empty.

    Args:
        before: the old side's commit.
        after: the new side; its `source` says in words what is reviewed.
        limits: the paths that it is looked at in; none for all.
        is_published: as in `ReviewedChange`.
    """
    with _apart(git) as reader:
        entries = _entries(reader, before, after.commit, limits)
        compared = ("-r", "-p", "-M", *_FORM, before, after.commit, "--", *limits)
        patch = reader.run("diff-tree", *compared) if entries else b""
    files = read_patch(patch)
    lines = _count_lines(git, [entry for entry in entries if entry.mode != _GONE])
    return ReviewedChange(
        source=after.source,
        before=before,
        before_tree=git.line("rev-parse", before + "^{tree}"),
        after=after,
        paths=tuple(sorted(entry.path for entry in entries)),
        hunks=_hunks(files, lines),
        lines=lines,
        patch=patch,
        changed_lines=sum(file.added + file.removed for file in files),
        is_published=is_published,
    )


def touches(change: ReviewedChange, path: str, start: int, end: int) -> bool:
    """Whether a finding at these lines of the new file, from 1, both included, is about the change.

    The file exists now and has these lines, and they meet at least one of its hunks. A file without hunks, which only
    moved, changed its mode or is binary, has no line that changed.
    """
    if not 1 <= start <= end <= change.lines.get(path, 0):
        return False
    hunks = change.hunks.get(path, ())
    place = bisect_left(hunks, start, key=lambda hunk: hunk[1])
    return place < len(hunks) and hunks[place][0] <= end


def _usable(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_usable_path(path) for path in paths))


def _usable_path(path: str) -> str:
    """The path in its shortest form; a bare repository's haven't been held against a working tree."""
    try:
        written = os.fsencode(path)
    except UnicodeEncodeError:
        written = b""
    short = os.path.normpath(path)
    if not written or b"\0" in written or b"\n" in written or short.startswith("/") or short.split("/")[0] == "..":
        raise UserError(f"{path!r} is no usable path", hint="name a file or folder of the repository")
    return short


def _require_paths(git: Git, before: str, after: str, paths: Sequence[str]) -> None:
    named = [path for path in paths if path != "."]
    questions = [os.fsencode(f"{side}:{path}\n") for path in named for side in (before, after)]
    answers = git.run("cat-file", "--batch-check", stdin=b"".join(questions)).splitlines() if questions else []
    for path, *found in zip(named, answers[::2], answers[1::2], strict=True):
        # Git calls a submodule missing, as its commit isn't in this repository.
        if all(line.endswith(b" missing") for line in found) and not _is_listed(git, path, (before, after)):
            raise UserError(
                f"`{path}` is on neither side of the change",
                hint="check the spelling: a path is relative to the current folder, a range is one word before them",
            )


def _is_listed(git: Git, path: str, commits: Iterable[str]) -> bool:
    return any(git.run("ls-tree", "-z", "--name-only", commit, "--", path) for commit in commits)


@contextmanager
def _apart(git: Git) -> Generator[Git]:
    """The same repository with an empty working tree and index, in which large files count as binary."""
    number = int(git.environment.get("GIT_CONFIG_COUNT", "0"))
    environment = {
        **git.environment,
        "GIT_CONFIG_COUNT": str(number + 1),
        f"GIT_CONFIG_KEY_{number}": "core.bigFileThreshold",
        f"GIT_CONFIG_VALUE_{number}": str(LONGEST_FILE),
    }
    with private_folder("review-") as folder:
        yield Git(git.git_dir, environment, folder, folder / "index")


def _entries(git: Git, before: str, after: str, limits: Sequence[str]) -> list[_Entry]:
    """What differs, a renamed file under both names. Git writes `:MODE MODE ID ID LETTER`, then the path."""
    options = ("-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-relative", "--ignore-submodules=none")
    fields = git.run("diff-tree", *options, before, after, "--", *limits).decode("utf-8", "surrogateescape").split("\0")
    abouts = [about.split(" ") for about in fields[:-1:2]]
    return [_Entry(path, about[1], about[3]) for about, path in zip(abouts, fields[1::2], strict=True)]


def _count_lines(git: Git, entries: Sequence[_Entry]) -> dict[str, int]:
    """How many lines each file has; none where it is no text, too large, or a submodule."""
    counts = dict.fromkeys((entry.path for entry in entries), 0)
    files = [entry for entry in entries if entry.mode != _SUBMODULE]
    sizes = blob_sizes(git, [entry.content for entry in files])
    readable = [(entry, size) for entry, size in zip(files, sizes, strict=True) if size and size <= LONGEST_FILE]
    for group in _portions(readable):
        for entry, content in zip(group, read_blobs(git, [entry.content for entry in group]), strict=True):
            counts[entry.path] = _lines(content)
    return counts


def _portions(sized: Iterable[tuple[_Entry, int]]) -> Generator[list[_Entry]]:
    group: list[_Entry] = []
    total = 0
    for entry, size in sized:
        if group and total + size > _READ_AT_ONCE:
            yield group
            group, total = [], 0
        group.append(entry)
        total += size
    yield group


def _lines(content: bytes | None) -> int:
    if not content or b"\0" in content[:_BINARY_WITHIN]:
        return 0
    return content.count(b"\n") + (not content.endswith(b"\n"))


def _hunks(files: Iterable[PatchFile], lines: Mapping[str, int]) -> dict[str, tuple[tuple[int, int], ...]]:
    """The changed places of each file that is there. Where a file became a link, git tells it as gone and as new."""
    found: dict[str, tuple[tuple[int, int], ...]] = dict.fromkeys(lines, ())
    for file in files:
        if file.kind != "deleted" and lines.get(file.path):
            sections = (section for hunk in file.hunks for section in hunk.sections)
            found[file.path] = tuple(place for place in map(_place, sections) if place[0] <= place[1])
    return found


def _place(section: Section) -> tuple[int, int]:
    """First and last line in the new file; the last is below the first where none is left."""
    return section.new_start, section.new_start + sum(line.kind != "-" for line in section.lines) - 1
