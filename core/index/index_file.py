"""Where the database of symbols lies: in the common git directory, as a file that nobody else can have put there.

A git directory may have come with a download, so the file's name is made with the user's own key: a stranger who has
never read the user's git directory can't know it, and SQLite never opens what he made. One who has read it, and gets
his copy back under the same name, can't change a row of it, since each is sealed (`symbol_store.py`); at worst rows are
old ones, which are true of their blobs, or missing, which is noticed. Checks can't write there: they run isolated.

The name also holds what all rows depend on, the schema and the extractor's version, so nothing of another version is
ever read, and two versions can be used side by side. At its end stands a generation. A damaged file is not replaced
under its name but followed by the next generation: a process that is still writing to the old one keeps its journal
beside it, and SQLite would take that for the new file's.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import stat
import time
from contextlib import suppress
from pathlib import Path

from .database import Mode, Unusable, connect
from .extraction import extractor
from .symbol_store import SCHEMA, SymbolStore

MOST_BYTES = 4 << 30
"""Of the file; a repository of 100,000 files takes about a tenth of it."""
_SECONDS_UNUSED = 30 * 86_400.0
"""After which a file of another version is removed."""
_OURS = re.compile(r"symbols-(?P<seal>[0-9a-f]{24})\.(?P<generation>[0-9]{1,9})\.sqlite(?:-journal)?")


class IndexFile:
    """The database's file in one git directory, whether or not there is one yet."""

    def __init__(self, common_dir: Path, secret: bytes) -> None:
        """Look at nothing yet.

        Args:
            common_dir: the git directory that all worktrees share.
            secret: the user's key for this purpose.
        """
        self._folder = common_dir / "orefactor"
        self._secret = secret
        self._generation = 0
        version = f"{SCHEMA} {extractor()}".encode()
        self._seal = hmac.digest(secret, version, hashlib.sha256)[:12].hex()

    def open_kept(self, mode: Mode = "rw") -> SymbolStore | None:
        """The store in the newest generation; None where there is none.

        Raises:
            Damaged: there is something else.
            Unusable: it can't be opened now.
        """
        found = [_OURS.fullmatch(name) for name in self._names()]
        known = [int(name["generation"]) for name in found if name and name["seal"] == self._seal]
        self._generation = max(known, default=0)
        path = self._path(self._generation)
        return self._opened(mode) if self._generation and _is_sound(path) else None

    def open_next(self) -> SymbolStore | None:
        """The store in the generation after the one that was looked at, made where no other process was first.

        Returns:
            None where it can't be made.
        """
        self._generation += 1
        path = self._path(self._generation)
        if self._folder.is_symlink():
            return None  # it may lead anywhere
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
            store = self._opened("rw") if _is_sound(path) else None
        except (OSError, Unusable):
            return None
        self._tidy()
        return store

    def _opened(self, mode: Mode) -> SymbolStore:
        connection = connect(self._path(self._generation), mode)
        try:
            return SymbolStore(connection, self._secret)
        except BaseException:
            connection.close()
            raise

    def _path(self, generation: int) -> Path:
        return self._folder / f"symbols-{self._seal}.{generation}.sqlite"

    def _names(self) -> list[str]:
        if self._folder.is_symlink():
            return []
        try:
            return os.listdir(self._folder)
        except OSError:
            return []

    def _tidy(self) -> None:
        """Remove older generations, and what other versions have not used for long."""
        for name in self._names():
            found = _OURS.fullmatch(name)
            path = self._folder / name
            with suppress(OSError):
                if not found:
                    continue
                if found["seal"] == self._seal:
                    is_over = int(found["generation"]) < self._generation
                else:
                    is_over = time.time() - path.lstat().st_mtime > _SECONDS_UNUSED
                if is_over:
                    path.unlink()


def _is_sound(path: Path) -> bool:
    """Whether it can be a database of ours as far as its inode tells."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid() and status.st_size <= MOST_BYTES
