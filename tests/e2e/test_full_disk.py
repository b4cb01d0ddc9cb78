"""A disk that is full: of the cache, and of the repository itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state
from e2e.processes import run_here
from e2e.scenes import FILES, REPLIES, TASK, leftovers, run_folders

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]
MakeDisk = Callable[[str], Path]


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[MakeDisk, None, None]:
    """Mount a file system of a given size."""
    place = tmp_path / "disk"

    def mount(size: str) -> Path:
        place.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(place)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
        return place

    yield mount
    subprocess.run(["umount", "--lazy", str(place)], capture_output=True, check=False)


def _fill(folder: Path, *, leave: int) -> None:
    """Leave only so many bytes free."""
    with open(folder / "filler", "wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096) == 4096:
                pass
        except OSError:
            pass
        file.truncate(max(0, file.tell() // 4096 * 4096 - leave))


@pytest.mark.parametrize("size", ["16k", "128k"])
def test_of_the_cache(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
    small_disk: MakeDisk,
    size: str,
) -> None:
    repository = make_repository({**FILES, "big.txt": os.urandom(300_000)})
    before = user_state(repository)
    monkeypatch.setenv("XDG_CACHE_HOME", str(small_disk(size)))
    done = run_here(capfdbinary, repository, TASK, "-q", "--fixture", str(fixture_file(*REPLIES)))
    assert (done.returncode, done.stdout) == (6, b"")
    assert [line.partition(":")[0] for line in done.stderr.decode().splitlines()] == ["error", "hint"]
    assert user_state(repository) == before
    assert not run_folders(repository) + leftovers(repository)


@pytest.mark.parametrize("leave", [0, 4096, 3 * 4096, 8 * 4096, 12 * 4096, 16 * 4096, 20 * 4096])
def test_of_the_repository(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    small_disk: MakeDisk,
    leave: int,
) -> None:
    repository = small_disk("2m") / "repo"
    shutil.copytree(make_repository(FILES), repository)
    git(repository, "status")
    _fill(repository.parent, leave=leave)
    before = user_state(repository)
    done = run_here(capfdbinary, repository, TASK, "-q", "--no-check", "--fixture", str(fixture_file(*REPLIES)))
    (repository.parent / "filler").unlink()
    assert user_state(repository) == before
    assert leftovers(repository) == []
    if done.returncode:
        assert (done.returncode, done.stdout) == (6, b"")
        assert [line.partition(":")[0] for line in done.stderr.decode().splitlines()][:2] == ["error", "hint"]
    again = run_here(capfdbinary, repository, TASK, "-q", "--no-check", "--fixture", str(fixture_file(*REPLIES)))
    assert (again.returncode, again.stderr) == (0, b"")
