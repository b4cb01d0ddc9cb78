"""Refuses a path by its spelling alone, before anything is opened.

A path comes from a model or a file of the repository. What passes here names something below the root on
every file system that git supports, and can't name git's own folder. `files.py` follows the path safely.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable

from .errors import Refused

MAX_PATH = 4000
"""Bytes; Linux refuses paths from 4096 on, and the root comes in front."""
MAX_NAME = 255
"""Bytes in one component, the limit of every file system that matters."""

_ADVICE = "use a path relative to the root, such as 'src/x.py'"
_DRIVE = re.compile(r"[A-Za-z]:")
# Code points that HFS+ ignores when it compares names (git: utf8.c, next_hfs_char).
_IGNORED_BY_HFS = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])
_SHORT_DOT_GIT = re.compile(r"git~\d+")
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [port + digit for port in ("com", "lpt") for digit in "123456789\u00b9\u00b2\u00b3"]
)
_UNPORTABLE = frozenset('<>:"|?*')


def split(path: str) -> tuple[str, ...]:
    """Takes a path apart; the root itself has no parts.

    Args:
        path: relative, with slashes. Empty and `.` parts are dropped.

    Raises:
        Refused: the path isn't relative, climbs, is disguised, or names git's own folder or a device.
    """
    _check_characters(path)
    _check_relative(path)
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    for part in parts:
        _check_part(part, path)
    return parts


def is_dot_git(name: str) -> bool:
    """Whether some file system takes the name for `.git` (git: `is_hfs_dotgit`, `is_ntfs_dotgit`)."""
    plain = unicodedata.normalize("NFC", name.translate(_IGNORED_BY_HFS)).casefold()
    plain = re.split(r"[\\:]", plain, maxsplit=1)[0].rstrip(" .")
    return plain == ".git" or _SHORT_DOT_GIT.fullmatch(plain) is not None


def check_new(parts: Iterable[str]) -> None:
    """Refuses names that must not come into being, although a file that has one may be read.

    Raises:
        Refused: another system can't hold the name, or it looks like a different one.
    """
    for name in parts:
        if not _UNPORTABLE.isdisjoint(name) or name.endswith((" ", ".")):
            raise Refused(f"{name!r} can't be created: names hold none of < > : \" | ? * and end in no dot or space")
        if unicodedata.normalize("NFC", name) != name or any(unicodedata.category(c) == "Cf" for c in name):
            raise Refused(f"{name!a} can't be created: it holds invisible or decomposed characters; use plain ones")


def case_twin(name: str, others: Iterable[str]) -> str | None:
    """The name among others that a case-insensitive file system would take for this one."""
    key = _folded(name)
    return next((other for other in others if other != name and _folded(other) == key), None)


def is_plain(name: str) -> bool:
    """Whether a name found on disk can be said in a path that `split` takes."""
    try:
        return split(name) == (name,)
    except Refused:
        return False


def shown(name: str) -> str:
    """The name in one line of valid text: odd bytes and control characters are escaped."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _check_characters(path: str) -> None:
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in path):
        raise Refused(f"{path[:200]!a} holds a control character or a line break; {_ADVICE}")
    if len(path.encode()) > MAX_PATH:
        raise Refused(f"'{path[:40]}...' is too long for a path; {_ADVICE}")


def _check_relative(path: str) -> None:
    if "\\" in path:
        raise Refused(f"'{path}' holds a backslash; separate folders with '/', such as 'src/x.py'")
    if path.startswith("/") or _DRIVE.match(path):
        raise Refused(f"'{path}' is an absolute path; {_ADVICE}")
    if path.startswith("~"):
        raise Refused(f"'{path}' begins with '~', which isn't expanded; {_ADVICE}")


def _check_part(part: str, path: str) -> None:
    if part == "..":
        raise Refused(f"'{path}' holds '..'; {_ADVICE}, with no '..' in it")
    if len(part.encode()) > MAX_NAME:
        raise Refused(f"'{part[:40]}...' is too long for a name")
    if is_dot_git(part):
        raise Refused(f"'{path}' names git's own folder, which is out of bounds")
    if part.split(".")[0].rstrip(" ").casefold() in _DEVICES:
        raise Refused(f"'{path}' names a device on Windows; use another name")
