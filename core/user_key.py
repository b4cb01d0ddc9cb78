"""The user's own key, which tells what this program itself has kept in a repository from what came with it.

A git directory may have come with a download. Whatever a run keeps there and believes afterwards is signed with this
key, which lies in the user's cache folder and nowhere else.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

from orefactor.sandbox.cache import cache_folder

from .errors import UserError

# The first thing that was signed with it were baselines; renaming it would forget what users have kept.
_FILE = "baseline-key"
_BYTES = 32


def user_key() -> bytes | None:
    """The key, 32 bytes, made at the first use; None where there can't be one."""
    try:
        path = cache_folder() / _FILE
        if not path.exists():
            _make(path)
        found = path.read_bytes()
    except (OSError, UserError):
        return None
    return found if len(found) == _BYTES else None


def derived_key(purpose: str) -> bytes | None:
    """A key, 32 bytes, for one purpose, so that what was signed for one is worth nothing for another."""
    key = user_key()
    return None if key is None else hmac.digest(key, purpose.encode(), hashlib.sha256)


def _make(path: Path) -> None:
    part = path.with_name(f"{_FILE}.{secrets.token_hex(4)}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
        with suppress(FileExistsError):  # another process was first; its key is whole
            os.link(part, path)
    finally:
        part.unlink(missing_ok=True)
