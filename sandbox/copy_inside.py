"""Copies the tree to where a check may write, and becomes the check; run inside the sandbox, given as text.

    python -I -S -B -c TEXT SOURCE TARGET LEFT-OUT... -- COMMAND...

The target's file system caps what fits, and links in the tree lead nowhere but in the sandbox. Each LEFT-OUT is a
path relative to both. What stands in the target already (the places of mounts) stays.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection

PIECE = 1 << 30


def main(words: list[str]) -> None:
    """Copy and become the command. Never returns."""
    split = words.index("--")
    source, target, *left_out = words[:split]
    try:
        copy(source, target, left_out)
    except OSError as error:
        sys.exit(f"the tree can't be copied: {error}")
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # the interpreter ignores both, and a command would inherit that
    command = words[split + 1 :]
    os.execvp(command[0], command)  # noqa: S606


def copy(source: str, target: str, left_out: Collection[str]) -> None:
    """Copy a folder's content: files with their executable bit, links as links, nothing else.

    Args:
        left_out: paths relative to both.
    """
    waiting = [""]
    while waiting:  # not by recursion: a commit may nest folders as deep as paths go
        inner = waiting.pop()
        with os.scandir(f"{source}/{inner}") as entries:
            for entry in entries:
                path = inner + entry.name
                if path in left_out:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if not os.path.isdir(f"{target}/{path}"):
                        os.mkdir(f"{target}/{path}")
                    waiting.append(f"{path}/")
                else:
                    copy_entry(entry, f"{target}/{path}")


def copy_entry(entry: os.DirEntry[str], target: str) -> None:
    """Copy a file or a link, where nothing is yet."""
    if os.path.lexists(target):
        return  # a folder that leads to a mount, where the tree has a file or a link
    if entry.is_symlink():
        os.symlink(os.readlink(entry.path), target)
    elif entry.is_file():
        copy_file(entry.path, target, is_program=bool(entry.stat().st_mode & 0o100))


def copy_file(source: str, target: str, *, is_program: bool) -> None:
    """Copy a file's bytes to a new file."""
    with open(source, "rb") as old:
        new = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755 if is_program else 0o644)
        try:
            while os.sendfile(new, old.fileno(), None, PIECE):
                continue
        finally:
            os.close(new)


if __name__ == "__main__":
    main(sys.argv[1:])
