"""Keeps what checks gave at a base, so that the next run from the same tree in the same environment doesn't pay again.

The files lie in the repository's common git directory, which may have come with a download: one that says that all
tests failed before would let any change pass. So each is signed with a key of the user's own cache folder, and what
isn't, or can't be read, isn't there. Their number and age are bounded.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from ..user_key import user_key
from .findings import Finding
from .outcome import CheckRun

MOST_FILES = 48
MOST_SECONDS = 14 * 86_400.0
"""Tests look at more than the tree: clocks, the machine. What they gave weeks ago says little."""
_MOST_BYTES = 8 << 20
_NAME = re.compile(r"[0-9a-f]{64}\.json")


class _Kept(BaseModel):
    """What a file holds."""

    model_config = ConfigDict(extra="forbid", strict=True)

    key: str
    check: str
    outcome: Literal["passed", "failed"]
    findings: tuple[tuple[str, int, str, str, str, str], ...]
    tests: dict[str, str] | None
    seconds: float
    isolated: bool
    command: tuple[str, ...]


class BaselineStore:
    """The kept baselines of one repository. Any thread and any process may use it; nothing of it ever fails."""

    def __init__(self, common_dir: Path) -> None:
        """Look at nothing yet.

        Args:
            common_dir: the git directory that all worktrees share.
        """
        self._folder = common_dir / "orefactor" / "baselines"

    def get(self, key: str) -> CheckRun | None:
        """What was kept under a key; None where nothing was, or nothing that holds."""
        path = self._path(key)
        data = _read(path)
        if data is None or (secret := user_key()) is None:
            return None
        mac, _, body = data.partition(b"\n")
        if not hmac.compare_digest(mac, _mac(secret, body)):
            return None
        try:
            kept = _Kept.model_validate_json(body)
        except ValidationError:
            return None
        if kept.key != key:
            return None
        with suppress(OSError):
            os.utime(path)  # the least recently used ones go first
        findings = tuple(Finding(*fields) for fields in kept.findings)
        return CheckRun(kept.check, kept.outcome, findings, "", kept.seconds, kept.isolated, kept.tests, kept.command)

    def put(self, key: str, run: CheckRun) -> None:
        """Keep a run that passed or failed."""
        secret = user_key()
        if run.outcome not in ("passed", "failed") or secret is None:
            return
        kept = _Kept(
            key=key,
            check=run.check,
            outcome="passed" if run.outcome == "passed" else "failed",
            findings=tuple((f.path, f.line, f.rule, f.text, f.symbol, f.source) for f in run.findings),
            tests=None if run.tests is None else dict(run.tests),
            seconds=run.seconds,
            isolated=run.isolated,
            command=run.command,
        )
        try:
            body = kept.model_dump_json().encode()
        except ValueError:  # half of a surrogate pair
            return
        if len(body) < _MOST_BYTES:
            with suppress(OSError):
                self._write(self._path(key), _mac(secret, body) + b"\n" + body)

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode('utf-8', 'surrogateescape')).hexdigest()}.json"

    def _write(self, path: Path, data: bytes) -> None:
        if self._folder.is_symlink() or self._folder.parent.is_symlink():
            return  # it may lead anywhere, and old files are removed there
        self._folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{secrets.token_hex(4)}.part")
        try:
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
                file.write(data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        self._prune()

    def _prune(self) -> None:
        with os.scandir(self._folder) as entries:
            found = [
                (entry.stat(follow_symlinks=False).st_mtime, entry.path) for entry in entries if _is_ours(entry.name)
            ]
        for _, old in sorted(found, reverse=True)[MOST_FILES:]:
            os.unlink(old)


def _is_ours(name: str) -> bool:
    return _NAME.fullmatch(name) is not None or name.endswith(".part")


def _mac(secret: bytes, body: bytes) -> bytes:
    return hmac.new(secret, body, hashlib.sha256).hexdigest().encode()


def _read(path: Path) -> bytes | None:
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            status = os.fstat(file.fileno())
            is_fresh = time.time() - status.st_mtime < MOST_SECONDS
            if not (stat.S_ISREG(status.st_mode) and status.st_size <= _MOST_BYTES + 65 and is_fresh):
                return None
            return file.read(_MOST_BYTES + 65)
    except OSError:
        return None
