"""Kept baselines: found again by their key, believed only where they are the user's own, bounded in number and age."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from orefactor.core.checks.baseline_store import MOST_FILES, MOST_SECONDS, BaselineStore
from orefactor.core.checks.findings import Finding
from orefactor.core.checks.outcome import CheckRun

FOUND = (Finding("x.py", 3, "F401", "`os` unused", "f", "import os"),)
RUN = CheckRun("pytest", "failed", FOUND, "words", 1.5, True, {"t.py::a": "failed"}, ("python", "-m"))


def files(folder: Path) -> list[Path]:
    return sorted((folder / "orefactor" / "baselines").iterdir())


def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    assert store.get("key") is None
    store.put("key", RUN)
    kept = BaselineStore(tmp_path).get("key")
    assert kept == CheckRun("pytest", "failed", FOUND, "", 1.5, True, {"t.py::a": "failed"}, ("python", "-m"))
    assert store.get("other key") is None
    (file,) = files(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("outcome", ["broken", "timeout"])
def test_what_says_nothing_is_not_kept(tmp_path: Path, outcome: str) -> None:
    run = CheckRun("ruff", "broken" if outcome == "broken" else "timeout", (), "", 1.0, True)
    BaselineStore(tmp_path).put("key", run)
    assert not (tmp_path / "orefactor").exists()


def test_what_can_not_be_written_is_not_kept(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    store.put("key", CheckRun("ruff", "failed", (Finding("\ud800", 1, "r", "t"),), "", 1.0, True))
    store.put("key", CheckRun("ruff", "failed", (Finding("x", 1, "r", "t" * (9 << 20)),), "", 1.0, True))
    assert store.get("key") is None
    (tmp_path / "orefactor").write_text("no folder")
    store.put("key", RUN)
    assert store.get("key") is None


def swap(data: bytes) -> bytes:
    return data.replace(b'"failed"', b'"passed"')


def forge(data: bytes) -> bytes:
    body = json.loads(data.partition(b"\n")[2])
    body["tests"] = {"t.py::b": "failed"}
    return b"0" * 64 + b"\n" + json.dumps(body).encode()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[:-9],
    "longer": lambda data: data + b" ",
    "huge": lambda data: data * 200_000,
    "unsigned": lambda data: data.partition(b"\n")[2],
    "no-text": lambda data: b"\xff\x00" * 50,
    "changed": swap,
    "forged": forge,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_not_ours_is_measured_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    store = BaselineStore(tmp_path)
    store.put("key", RUN)
    (file,) = files(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    assert store.get("key") is None
    store.put("key", RUN)
    assert store.get("key") is not None


def test_a_file_under_anothers_name_does_not_count(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    store.put("key", RUN)
    (first,) = files(tmp_path)
    store.put("other", RUN)
    (second,) = set(files(tmp_path)) - {first}
    second.write_bytes(first.read_bytes())
    assert store.get("other") is None


def test_another_user_does_not_believe_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = BaselineStore(tmp_path)
    store.put("key", RUN)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    assert store.get("key") is None
    store.put("key", RUN)
    assert store.get("key") is not None


@pytest.mark.parametrize("key", [b"", b"short", b"k" * 40])
def test_a_key_that_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: bytes) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "git-orefactor").mkdir(mode=0o700)
    (tmp_path / "git-orefactor/baseline-key").write_bytes(key)
    store = BaselineStore(tmp_path)
    store.put("key", RUN)
    assert store.get("key") is None


def test_without_a_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = BaselineStore(tmp_path)
    store.put("key", RUN)
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    assert store.get("key") is None
    store.put("key", RUN)


def test_the_least_recently_used_go(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    for number in range(MOST_FILES):
        store.put(f"key {number}", RUN)
    for file in files(tmp_path):
        os.utime(file, (file.stat().st_atime, file.stat().st_mtime - 100))
    foreign = tmp_path / "orefactor/baselines/notes.txt"
    foreign.write_text("kept")
    os.utime(foreign, (1, 1))
    assert store.get("key 0") is not None
    for number in range(5):
        store.put(f"new {number}", RUN)
    assert len(files(tmp_path)) == MOST_FILES + 1
    assert store.get("key 0") is not None
    assert foreign.exists()


def test_what_is_old_does_not_count(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    store.put("key", RUN)
    (file,) = files(tmp_path)
    os.utime(file, (1, file.stat().st_mtime - MOST_SECONDS - 1))
    assert store.get("key") is None


@pytest.mark.parametrize("link", ["orefactor", "orefactor/baselines"])
def test_nothing_is_written_through_links(tmp_path: Path, link: str) -> None:
    common, elsewhere = tmp_path / "common", tmp_path / "elsewhere"
    for folder in (common, elsewhere):
        folder.mkdir()
    (common / link).parent.mkdir(exist_ok=True)
    (common / link).symlink_to(elsewhere)
    BaselineStore(common).put("key", RUN)
    assert not list(elsewhere.iterdir())


def test_a_file_that_is_none(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    store.put("key", RUN)
    (file,) = files(tmp_path)
    file.unlink()
    os.mkfifo(file)
    assert store.get("key") is None
    file.unlink()
    file.mkdir()
    assert store.get("key") is None


def test_several_threads(tmp_path: Path) -> None:
    def work() -> None:
        for number in range(10):
            BaselineStore(tmp_path).put(f"key {number}", RUN)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(BaselineStore(tmp_path).get(f"key {number}") is not None for number in range(10))
    assert all(file.suffix == ".json" for file in files(tmp_path))
