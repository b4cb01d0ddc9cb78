"""Reads objects out of git's store, many in one call."""

from __future__ import annotations

from collections.abc import Sequence

from .git import Git


def blob_sizes(git: Git, ids: Sequence[str]) -> list[int | None]:
    """The bytes of each blob, in order, without reading any; None for an id that names none here."""
    if not ids:
        return []
    output = git.run("cat-file", "--batch-check", stdin="".join(f"{name}\n" for name in ids).encode())
    lines = [line.split(b" ") for line in output.splitlines()]
    return [int(words[2]) if len(words) == 3 and words[1] == b"blob" else None for words in lines]


def read_blobs(git: Git, ids: Sequence[str]) -> list[bytes | None]:
    """The content of each blob, in order; None for an id that names none here."""
    if not ids:
        return []
    output = git.run("cat-file", "--batch", stdin="".join(f"{name}\n" for name in ids).encode())
    found: list[bytes | None] = []
    position = 0
    while position < len(output):
        end = output.index(b"\n", position)
        words = output[position:end].split(b" ")
        position = end + 1
        if words[-1] == b"missing":
            found.append(None)
            continue
        size = int(words[2])
        found.append(output[position : position + size] if words[1] == b"blob" else None)
        position += size + 1
    return found
