"""Linux' openat2(2), which the standard library doesn't have: opens a path that can't leave a folder.

The kernel resolves the whole path under one rule, so no swap of a folder for a link can slip between a check
and the open. It exists since Linux 5.6; old container runtimes forbid it, other systems lack it.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import struct
import sys

_NUMBER = 437  # the same on every architecture that CPython supports
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_BENEATH = 0x08
_HOW = struct.Struct("=QQQ")  # struct open_how: flags, mode, resolve
_ATTEMPTS = 64
"""The kernel answers EAGAIN when something was renamed meanwhile."""


def open_beneath(folder: int, path: str, flags: int) -> int:
    """Opens an existing path below a folder; links are followed as long as they stay below it.

    Args:
        folder: descriptor of the folder.
        path: relative to it.
        flags: as for `os.open`; the descriptor is never inherited.

    Returns:
        The descriptor, which the caller closes.

    Raises:
        OSError: EXDEV where the path would leave the folder, ELOOP for a magic link, and what open(2) says.
    """
    how = ctypes.create_string_buffer(
        _HOW.pack(flags | os.O_CLOEXEC, 0, _RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS), _HOW.size
    )
    libc = ctypes.CDLL(None, use_errno=True)
    number = errno.EAGAIN
    for _ in range(_ATTEMPTS):
        descriptor = int(
            libc.syscall(_NUMBER, folder, ctypes.c_char_p(os.fsencode(path)), how, ctypes.c_size_t(_HOW.size))
        )
        if descriptor >= 0:
            return descriptor
        number = ctypes.get_errno()
        if number not in (errno.EAGAIN, errno.EINTR):
            break
    raise OSError(number, os.strerror(number), path)


@functools.cache
def is_available() -> bool:
    """Whether this kernel, and what confines this process, lets us call it and see what it opened."""
    if not sys.platform.startswith("linux"):
        return False
    root = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.close(open_beneath(root, ".", os.O_PATH | os.O_DIRECTORY))
        os.readlink(f"/proc/self/fd/{root}")
    except OSError:
        return False
    finally:
        os.close(root)
    return True
