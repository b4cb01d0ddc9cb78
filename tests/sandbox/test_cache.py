"""The folder for throwaway files: the user's own, closed to others, and emptied in time."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from orefactor.sandbox.cache import cache_folder, private_folder
from orefactor.sandbox.errors import ExitCode, UserError

DAY = 86_400


@pytest.mark.parametrize("value", [None, "", "relative"])
def test_the_cache_folder_without_a_usable_variable(
    monkeypatch: pytest.MonkeyPatch, sealed: Path, value: str | None
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    if value is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", value)
    assert cache_folder() == sealed / ".cache" / "git-orefactor"


def test_a_cache_folder_that_others_can_read_is_closed(sealed: Path) -> None:
    cache_folder().chmod(0o755)
    assert stat.S_IMODE(cache_folder().stat().st_mode) == 0o700


def test_a_cache_folder_that_can_not_be_made(sealed: Path) -> None:
    (sealed / ".cache").write_text("a file")
    with pytest.raises(UserError, match="can't make the cache folder") as caught:
        cache_folder()
    assert caught.value.exit_code is ExitCode.ENVIRONMENT


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_cache_folder_of_another_user_is_refused() -> None:
    os.chown(cache_folder(), 65534, 65534)
    with pytest.raises(UserError, match="belongs to another user"):
        cache_folder()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a link to another user")
def test_a_link_of_another_user_is_refused(sealed: Path) -> None:
    """In a shared place it could lead to a folder of ours, which would be closed to others then."""
    published = sealed / "published"
    published.mkdir(mode=0o755)
    (sealed / ".cache").mkdir()
    link = sealed / ".cache" / "git-orefactor"
    link.symlink_to(published)
    os.lchown(link, 65534, 65534)
    with pytest.raises(UserError, match="belongs to another user"):
        cache_folder()
    assert stat.S_IMODE(published.stat().st_mode) == 0o755


def test_a_private_folder_is_closed_and_gone_afterwards() -> None:
    with private_folder("index-") as folder, private_folder("index-") as other:
        assert folder != other
        (folder / "index").write_bytes(b"")
        assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)] == [0o700, 0o700]
        assert folder.is_relative_to(cache_folder())
    assert list(folder.parent.iterdir()) == []


def test_a_private_folder_is_gone_after_an_error() -> None:
    with pytest.raises(ValueError, match="work"), private_folder("x-") as folder:
        raise ValueError("work")
    assert not folder.exists()


def test_what_a_killed_process_left_goes_with_time() -> None:
    with private_folder("x-") as folder:
        parent = folder.parent
    dead, alive = parent / "dead", parent / "alive"
    for left, age in ((dead, 2 * DAY), (alive, DAY / 2)):
        left.mkdir()
        (left / "index").write_bytes(b"")
        when = time.time() - age
        os.utime(left, (when, when))
    with private_folder("x-"):
        assert (dead.exists(), alive.exists()) == (False, True)
