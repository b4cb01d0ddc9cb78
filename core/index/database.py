"""SQLite as the store of symbols uses it: guarded against files that strangers wrote, with two kinds of failure."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

if TYPE_CHECKING:
    import sqlite3

_Value = TypeVar("_Value")
Mode = Literal["rw", "ro"]
SECONDS_TO_WAIT = 5.0
"""For a lock; writing a batch takes about half a second, and a writer that was stopped may hold it for good."""
_SETTINGS = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -16384",
    # A power cut may then cost what was kept, and hardly ever leaves half of it.
    "PRAGMA synchronous = NORMAL",
)
_MOST_VALUES = 900
"""Of one statement; SQLite before 3.32 takes 999."""


class Unusable(Exception):
    """The database can't be read or written now: locked for long, no space, read-only."""


class Damaged(Unusable):
    """What the database holds is not what was written."""


def connect(path: Path | None, mode: Mode, seconds: float = SECONDS_TO_WAIT) -> sqlite3.Connection:
    """A connection with autocommit to a file that exists, which several threads may use in turns.

    Args:
        path: None for a database in memory.
        mode: whether anything is written.
        seconds: that are waited for a lock.

    Raises:
        Unusable: it can't be opened.
    """
    import sqlite3
    from urllib.parse import quote

    # The mode never makes a file: whoever opens one that was just removed must not find an empty one.
    name = ":memory:" if path is None else f"file:{quote(bytes(path))}?mode={mode}"
    with translated():
        connection = sqlite3.connect(
            name, uri=path is not None, timeout=seconds, isolation_level=None, check_same_thread=False
        )
        try:
            for setting in _SETTINGS:
                connection.execute(setting)
        except BaseException:
            connection.close()
            raise
        return connection


@contextmanager
def translated() -> Generator[None]:
    """Turn SQLite's errors into ours.

    Raises:
        Damaged: for whatever isn't known to be the circumstances' fault.
        Unusable: for the rest.
    """
    import sqlite3

    try:
        yield
    except sqlite3.ProgrammingError as error:  # it was closed
        raise Unusable(str(error)) from error
    except sqlite3.Error as error:
        circumstances = (
            sqlite3.SQLITE_BUSY,
            sqlite3.SQLITE_LOCKED,
            sqlite3.SQLITE_READONLY,
            sqlite3.SQLITE_PERM,
            sqlite3.SQLITE_NOMEM,
            sqlite3.SQLITE_IOERR,
            sqlite3.SQLITE_FULL,
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_PROTOCOL,
        )
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        raise (Unusable if code in circumstances else Damaged)(str(error)) from error


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Write all or nothing, alone.

    Raises:
        Unusable: it can't be written.
    """
    with translated():
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def select(connection: sqlite3.Connection, query: str, values: Collection[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of a query that ends in `IN`, for any number of values of one type.

    Raises:
        Unusable: it can't be read.
    """
    with translated():
        for group in groups(sorted(values), _MOST_VALUES):
            yield from connection.execute(f"{query} ({','.join('?' * len(group))})", group)


def groups(values: Sequence[_Value], size: int) -> Iterator[Sequence[_Value]]:
    """The values in order, `size` at a time."""
    for start in range(0, len(values), size):
        yield values[start : start + size]
