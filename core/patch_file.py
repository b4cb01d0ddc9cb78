"""Reads the patch that a person names: a regular file of a sane size, or standard input. Nothing else is waited for."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from .errors import UserError

LARGEST = 512 << 20
"""Bytes; as large as a kept run's patch may be."""


def read_patch_file(path: Path) -> bytes:
    """Read a patch; links are followed, since a person named them.

    Raises:
        UserError: it is no regular file, too large, or can't be read.
    """
    try:
        # A FIFO that nobody writes to would keep us waiting.
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise UserError(f"can't read `{path}`: {error.strerror}", hint="name the file of a patch") from error
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise UserError(f"`{path}` is no regular file", hint="pipe the patch in: `git orefactor verify -`")
    with open(opened, "rb") as file:
        return read_patch(file)


def read_patch(stream: BinaryIO, largest: int = LARGEST) -> bytes:
    """Read a patch to its end.

    Args:
        largest: bytes.

    Raises:
        UserError: it is larger than that.
    """
    data = stream.read(largest + 1)
    if len(data) > largest:
        raise UserError(
            f"the patch is larger than {largest >> 20:,} MiB", hint="verify the commit that was made of it instead"
        )
    return data
