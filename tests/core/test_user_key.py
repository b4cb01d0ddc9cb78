"""The user's key: made once, the same for every process, and another one for each purpose."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from orefactor.core.user_key import derived_key, user_key


def test_one_key_for_all_who_ask_at_once(sealed: Path) -> None:
    found: list[bytes | None] = []
    threads = [threading.Thread(target=lambda: found.append(user_key())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert found[0] is not None
    assert len(found[0]) == 32
    (file,) = (sealed / ".cache/git-orefactor").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_each_purpose_has_its_own() -> None:
    keys = {user_key(), derived_key("symbols"), derived_key("others")}
    assert len(keys) == 3
    assert derived_key("symbols") in keys


def test_where_there_can_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    assert user_key() is None
    assert derived_key("symbols") is None
