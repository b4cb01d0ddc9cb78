"""The program that reads symbols for an index, one of several at once; `parsing.py` starts it and speaks with it.

    python -I parsing_worker.py FOLDER

It is a program of its own, since neither forking a process with threads nor `multiprocessing`, which runs the caller's
main module again, is safe in a library. FOLDER is where the package lies, for callers who have not installed it.

Numbers are little-endian and have 4 bytes. Once it is ready it writes `READY`. A request is a number of files, then for
each the lengths of path and content, and both. It is read wholly before anything is answered, so that neither side
waits for the other. The answer is, for each file, the lengths of names and symbols, and both.
"""

from __future__ import annotations

import gc
import json
import os
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from orefactor.core.index.symbol_rows import Row

READY = b"ready"
HEADER = struct.Struct("<II")
COUNT = struct.Struct("<I")
_BUFFER = 1 << 18
"""Nearly every answer is shorter, and so is written and read in one piece."""
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def main() -> None:
    """Answer requests until standard input ends."""
    sys.path.append(sys.argv[1])
    with open(sys.stdout.fileno(), "wb", _BUFFER, closefd=False) as answers:
        serve(sys.stdin.buffer, answers)
    os._exit(0)  # everything is written; taking the interpreter down takes longer than many files


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer each request; the caller's death ends its pipe, and with it this."""
    # What is made of a file has no cycles, and a collector looks for them every few hundred objects.
    gc.set_threshold(200_000)
    from orefactor.core.index.extraction import symbols_of
    from orefactor.core.index.symbol_rows import row_of

    answers.write(READY)
    answers.flush()
    while head := requests.read(COUNT.size):
        for path, data in list(_files(requests, *COUNT.unpack(head))):
            # At once for each file: where this process dies, the caller knows at which.
            answers.write(answer(row_of(symbols_of(data, path))))
            answers.flush()


def answer(row: Row) -> bytes:
    """The answer for one file."""
    from orefactor.core.index.symbol_rows import packed

    names = {family: packed(found) for family, found in row.names.items()}
    positions = {family: list(found) for family, found in row.positions.items()}
    found = _encode([names, positions]).encode("ascii")
    return HEADER.pack(len(found), len(row.symbols)) + found + row.symbols


def request(files: Sequence[tuple[str, bytes]]) -> bytes:
    """A request as bytes."""
    pieces = [COUNT.pack(len(files))]
    for path, data in files:
        name = path.encode("utf-8", "surrogatepass")
        pieces += [HEADER.pack(len(name), len(data)), name, data]
    return b"".join(pieces)


def _files(requests: IO[bytes], count: int) -> Iterator[tuple[str, bytes]]:
    for _ in range(count):
        name, content = HEADER.unpack(requests.read(HEADER.size))
        yield requests.read(name).decode("utf-8", "surrogatepass"), requests.read(content)


if __name__ == "__main__":
    main()
