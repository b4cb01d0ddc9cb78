"""The command line as text, and which bubblewrap is believed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from orefactor.sandbox.bwrap import Layout, Mount, command_line, find_bwrap, is_trustworthy
from orefactor.sandbox.limits import Limits

LAYOUT = Layout(Path("/home/dev/repo"), Path("/cache/tree"), None, Path("/cache/scratch"))
LIMITS = Limits(cpu=1, processes=2, files=3, file_size=4, memory=5, temporary=6, shared=7)
MOUNTS = [Mount("dir", "/home"), Mount("ro-bind", "/home/dev/repo", "/cache/tree")]


def words(*, root: bool, seccomp_fd: int | None = 5) -> str:
    line = command_line(
        Path("/usr/bin/bwrap"),
        LAYOUT,
        ["ruff", "check", "./a b.py"],
        mounts=MOUNTS,
        limits=LIMITS,
        environ={"PATH": "/usr/bin", "A": "b c"},
        root=root,
        seccomp_fd=seccomp_fd,
    )
    return "\n".join(line)


def between(text: str, start: str, end: str) -> list[str]:
    return text[text.index(start) : text.index(end)].split()


def test_an_ordinary_user_gets_a_user_namespace() -> None:
    assert between(words(root=False), "/usr/bin/bwrap", "--ro-bind") == [
        "/usr/bin/bwrap",
        "--unshare-all",
        "--unshare-user",
        "--disable-userns",
        "--die-with-parent",
        "--new-session",
        "--hostname",
        "orefactor",
        "--cap-drop",
        "ALL",
    ]


def test_root_gets_none_and_becomes_nobody() -> None:
    text = words(root=True)
    assert between(text, "/usr/bin/bwrap", "--ro-bind") == [
        "/usr/bin/bwrap",
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--die-with-parent",
        "--new-session",
        "--hostname",
        "orefactor",
        "--cap-drop",
        "ALL",
        "--cap-add",
        "CAP_SETUID",
        "--cap-add",
        "CAP_SETGID",
    ]
    assert between(text, "/usr/bin/setpriv", "/usr/bin/prlimit") == [
        "/usr/bin/setpriv",
        "--reuid",
        "65534",
        "--regid",
        "65534",
        "--clear-groups",
        "--inh-caps",
        "-all",
        "--no-new-privs",
        "--",
    ]


def test_the_rest_is_the_same_for_both() -> None:
    expected = (
        "--proc /proc --ro-bind /proc/sys /proc/sys --dev /dev --size 7 --perms 1777 --tmpfs /dev/shm"
        " --remount-ro /dev --size 6 --perms 1777 --tmpfs /tmp --perms 1777 --dir /tmp/home"
        " --perms 1777 --dir /tmp/cache --perms 0755 --dir /var --perms 0755 --dir /run"
        " --perms 0755 --dir /home --ro-bind /cache/tree /home/dev/repo"
        " --remount-ro / --chdir /home/dev/repo --clearenv --setenv PATH /usr/bin --setenv A b c --seccomp 5"
        " -- /usr/bin/prlimit --cpu=1 --nofile=3 --fsize=4 --as=5 --core=0 --memlock=65536 --nproc=2 --"
    )
    for root in (False, True):
        text = words(root=root).replace("\n", " ")
        shown = text[text.index("--proc /proc") :]
        if root:
            start, end = shown.index("/usr/bin/setpriv"), shown.index("/usr/bin/prlimit")
            shown = shown[:start] + shown[end:]
        assert shown == f"{expected} ruff check ./a b.py"


def test_etc_is_made_up() -> None:
    assert "--ro-bind\n/cache/scratch/etc/passwd\n/etc/passwd\n" in words(root=False)


def test_without_a_filter() -> None:
    assert "--seccomp" not in words(root=False, seccomp_fd=None)


@pytest.mark.parametrize(
    ("mount", "expected"),
    [
        (Mount("bind", "/a", "/b"), "--bind /b /a"),
        (Mount("symlink", "/a", "x/y"), "--symlink x/y /a"),
        (Mount("tmpfs", "/a"), "--size 1048576 --perms 0755 --tmpfs /a"),
        (Mount("tmpfs", "/a", size=5, mode="1777"), "--size 5 --perms 1777 --tmpfs /a"),
        (Mount("tmp-overlay", "/a", layers=("/top", "/low")), "--overlay-src /low --overlay-src /top --tmp-overlay /a"),
        (Mount("dir", "/a"), "--perms 0755 --dir /a"),
        (Mount("remount-ro", "/a"), "--remount-ro /a"),
    ],
)
def test_mounts_are_options(mount: Mount, expected: str) -> None:
    assert mount.words() == expected.split()


@pytest.mark.parametrize(
    ("mode", "uid", "expected"),
    [
        (stat.S_IFREG | 0o755, 0, True),
        (stat.S_IFREG | 0o755, 1000, False),
        (stat.S_IFREG | 0o775, 0, False),
        (stat.S_IFREG | 0o757, 0, False),
        (stat.S_IFREG | 0o4755, 0, False),
        (stat.S_IFLNK | 0o777, 0, False),
        (stat.S_IFDIR | 0o755, 0, False),
    ],
)
def test_only_a_plain_file_of_root_is_trusted(mode: int, uid: int, expected: bool) -> None:
    assert is_trustworthy(os.stat_result((mode, 1, 1, 1, uid, 0, 1, 0, 0, 0))) is expected


def test_the_first_trustworthy_place_counts(tmp_path: Path) -> None:
    (tmp_path / "closed").write_text("")
    (tmp_path / "closed").chmod(0o666)
    (tmp_path / "link").symlink_to("/bin/sh")
    places = [tmp_path / "none", tmp_path / "closed", tmp_path / "link"]
    assert find_bwrap(places) is None
    program = Path(os.path.realpath("/usr/bin/env"))
    assert find_bwrap([*places, program]) == program


def test_bwrap_is_never_looked_for_on_path() -> None:
    assert str(find_bwrap()) in ("/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "None")
