"""Remembers which run answered a request, so that the same request needs no model.

The files lie in the common git directory, beside the runs, which may have come with a download: a run that somebody
else has made must not stand for an answer of the user's model. So each is signed with a key of the user's own, over the
digest of the run's trace; what isn't signed, or has changed since, or was forgotten, isn't there.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from .trace import RUN_ID, SHARDS, TRACE, RunFolder, runs_folder
from .trace_model import Trace
from .user_key import derived_key

MOST_FILES = 256
_LARGEST = 4096
"""Bytes of one file."""
_NAME = re.compile(r"[0-9a-f]{64}(?:\.[0-9a-f]{8}\.part)?")
_PURPOSE = "reuse"


class ReuseStore:
    """The answers that one repository remembers. Any process may use it; nothing of it ever fails."""

    def __init__(self, common_dir: Path) -> None:
        """Look at nothing yet; `common_dir` is the git directory that all worktrees share."""
        self._common_dir = common_dir
        self._folder = common_dir / "orefactor" / "reuse"

    def get(self, key: str) -> Trace | None:
        """The trace of the run that answered the request with this key (64 hex digits); None where there is none."""
        secret, data = derived_key(_PURPOSE), self._read(key)
        mac, _, body = data.partition(b"\n")
        if secret is None or not hmac.compare_digest(mac, _mac(secret, body)):
            return None
        said = json.loads(body)
        whole = said.get("part_of", "")
        if said["key"] != key or not RUN_ID.fullmatch(said["run_id"]) or not (not whole or RUN_ID.fullmatch(whole)):
            return None
        runs = runs_folder(self._common_dir)
        folder = RunFolder((runs / whole / SHARDS if whole else runs) / said["run_id"])
        places = (folder.path, *folder.path.parents[: 3 if whole else 1])
        kept = b"" if any(place.is_symlink() for place in places) else folder.read(TRACE) or b""
        if hashlib.sha256(kept).hexdigest() != said["trace"]:
            return None
        try:
            return Trace.model_validate_json(kept)
        except ValidationError:  # of another version
            return None

    def put(self, key: str, folder: RunFolder) -> None:
        """Remember that this run answered the request with this key."""
        secret, trace = derived_key(_PURPOSE), folder.read(TRACE)
        if secret is None or trace is None:
            return
        said = {"key": key, "run_id": folder.run_id, "trace": hashlib.sha256(trace).hexdigest()}
        if folder.path.parent.name == SHARDS:
            said["part_of"] = folder.path.parent.parent.name
        body = json.dumps(said).encode()
        with suppress(OSError):
            self._write(key, _mac(secret, body) + b"\n" + body)

    def _read(self, key: str) -> bytes:
        try:
            opened = os.open(self._folder / key, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return b""
        try:
            return os.read(opened, _LARGEST) if stat.S_ISREG(os.fstat(opened).st_mode) else b""
        finally:
            os.close(opened)

    def _write(self, key: str, data: bytes) -> None:
        if self._folder.is_symlink() or self._folder.parent.is_symlink():
            return  # it may lead anywhere, and old files are removed there
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = self._folder / f"{key}.{secrets.token_hex(4)}.part"
        try:
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
                file.write(data)
            part.replace(self._folder / key)
        finally:
            part.unlink(missing_ok=True)
        self._prune()

    def _prune(self) -> None:
        with os.scandir(self._folder) as entries:
            found = [
                (entry.stat(follow_symlinks=False).st_mtime_ns, entry.path)
                for entry in entries
                if _NAME.fullmatch(entry.name)
            ]
        for _, old in sorted(found, reverse=True)[MOST_FILES:]:
            os.unlink(old)


def _mac(secret: bytes, body: bytes) -> bytes:
    return hmac.new(secret, body, hashlib.sha256).hexdigest().encode()
