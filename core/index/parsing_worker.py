"""The program that reads symbols for an index, one of several at once; `parsing.py` starts it and speaks with it.

    python -I -B parsing_worker.py FOLDER

It is a program of its own, since neither forking a process with threads nor `multiprocessing`, which runs the caller's
main module again, is safe in a library. FOLDER is where the package lies, for callers who have not installed it.

Numbers are little-endian and have 4 bytes. Once it is ready it writes `READY`. A request is a number of files, then for
each the lengths of path and content, and both. It is read wholly before anything is answered, so that neither side
waits for the other. The answer is, for each file, the lengths of names and symbols, and both.
"""

from __future__ import annotations

import gc
import json
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import IO

READY = b"ready"
HEADER = struct.Struct("<II")
COUNT = struct.Struct("<I")


def main() -> None:
    """Answer requests until standard input ends."""
    sys.path.append(sys.argv[1])
    serve(sys.stdin.buffer, sys.stdout.buffer)


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
            row = row_of(symbols_of(data, path))
            names = json.dumps(row.names).encode("ascii")
            # At once for each file: where this process dies, the caller knows at which.
            answers.write(HEADER.pack(len(names), len(row.symbols)) + names + row.symbols)
            answers.flush()


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
