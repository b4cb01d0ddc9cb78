"""Files below a root: what is read and written, what is refused, with both ways of following a path."""

import ctypes
import gc
import hashlib
import os
import resource
import socket
import stat
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from orefactor.sandbox import folders
from orefactor.sandbox.errors import Refused, UserError
from orefactor.sandbox.files import Root

BOTH = pytest.mark.parametrize("use_openat2", [True, False], ids=["openat2", "walk"])
SECRET = b"secret of the world outside"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A root with every odd thing that a commit, or a hostile one, may hold; a secret lies beside it."""
    top = tmp_path / "top"
    (top / "a" / "b").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "secret").write_bytes(SECRET)
    (top / "a" / "f.py").write_bytes(b"x = 1\n")
    (top / ".git").mkdir()
    (top / ".git" / "config").write_bytes(SECRET)
    for name, target in {
        "in_link": "a/f.py",
        "a/b/up": "../../a",
        "dirlink": "a",
        "absolute": str(tmp_path / "out" / "secret"),
        "relative": "../out/secret",
        "outdir": "../out",
        "magic": "/proc/self/root/etc/hostname",
        "gitlink": ".git/config",
        "gitdir": ".git",
        "loop": "loop",
        "dangling": "gone.py",
        "zero": "/dev/zero",
    }.items():
        (top / name).symlink_to(target)
    os.mkfifo(top / "fifo")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(top / "socket"))
    return top


def digest(root: Root, path: str) -> str:
    return root.read(path).digest


def leftovers(top: Path) -> list[str]:
    return [str(path) for path in top.rglob(".orefactor-*")]


@BOTH
@pytest.mark.parametrize("path", ["a/f.py", "./a//f.py"])
def test_reads(tree: Path, path: str, use_openat2: bool) -> None:
    content = Root(tree, use_openat2=use_openat2).read(path)
    assert content.data == b"x = 1\n"
    assert content.mode == stat.S_IMODE((tree / "a" / "f.py").stat().st_mode)
    assert content.digest == hashlib.sha256(b"x = 1\n").hexdigest()


@pytest.mark.parametrize("path", ["in_link", "dirlink/f.py", "a/b/up/f.py"])
def test_reads_through_links_that_stay_inside(tree: Path, path: str) -> None:
    assert Root(tree, use_openat2=True).read(path).data == b"x = 1\n"
    with pytest.raises(Refused, match=r"use the target's own path, 'a/f\.py'"):
        Root(tree, use_openat2=False).read(path)


@BOTH
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("absolute", "leads out of bounds"),
        ("relative", "is a symbolic link to '../out/secret', which leads out of bounds"),
        ("outdir/secret", "leads out of bounds"),
        ("magic", "leads out of bounds"),
        ("zero", "leads out of bounds"),
        ("gitlink", "git's own folder|out of bounds"),
        ("gitdir/config", "git's own folder|out of bounds"),
        ("loop", "is itself"),
        ("dangling", "use the target's own path, 'gone.py'"),
        ("fifo", "no regular file"),
        ("socket", "no regular file"),
        ("", "'.' is a directory; use list_dir"),
        ("a", "'a' is a directory; use list_dir"),
        ("a/f.py/x", "'a/f.py' is a file, so 'a/f.py/x' can't lie in it"),
        ("a/g.py", "'a/g.py' doesn't exist; did you mean 'a/f.py'?"),
        ("A/f.py", "there is no 'A' in '.'; did you mean 'a'"),
        ("a/zzzzzzzz", "doesn't exist; use list_dir on 'a'"),
        ("zzzzzzzz", "use list_dir on '.'"),
        ("../out/secret", "'..'"),
        ("/etc/passwd", "absolute"),
        (".git/config", "out of bounds"),
    ],
)
def test_refuses_to_read(tree: Path, path: str, words: str, use_openat2: bool) -> None:
    with pytest.raises(Refused, match=words):
        Root(tree, use_openat2=use_openat2).read(path)


@BOTH
def test_limit(tree: Path, use_openat2: bool) -> None:
    root = Root(tree, use_openat2=use_openat2)
    assert root.read("a/f.py", limit=6).data == b"x = 1\n"
    with pytest.raises(Refused, match=r"has 6 bytes, more than the 5"):
        root.read("a/f.py", limit=5)


def test_normalize(tree: Path) -> None:
    root = Root(tree)
    assert [root.normalize(path) for path in ("", ".", "./a//b/.", "gone/x")] == [".", ".", "a/b", "gone/x"]
    with pytest.raises(Refused):
        root.normalize("../x")


@pytest.mark.parametrize("name", ["gone", "a/f.py"])
def test_root_must_be_a_folder(tree: Path, name: str) -> None:
    with pytest.raises(UserError, match="can't be opened as a folder"):
        Root(tree / name)


def test_root_may_be_reached_through_a_link(tree: Path) -> None:
    assert Root(tree / "dirlink").read("f.py").data == b"x = 1\n"


def test_root_stays_the_same_folder(tree: Path) -> None:
    root = Root(tree)
    tree.rename(tree.with_name("moved"))
    (tree.with_name("out")).rename(tree)
    assert root.read("in_link").data == b"x = 1\n"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("", "directory"),
        ("a", "directory"),
        ("a/f.py", "file"),
        ("in_link", "link"),
        ("fifo", "other"),
        ("gone", "missing"),
        ("gone/x", "missing"),
    ],
)
def test_kind(tree: Path, path: str, kind: str) -> None:
    assert Root(tree).kind(path) == kind


@pytest.mark.parametrize(("path", "words"), [("dirlink/f.py", "'a/f.py'"), ("a/f.py/x", "is a file"), ("..", "'..'")])
def test_kind_refuses(tree: Path, path: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        Root(tree).kind(path)


def test_list(tree: Path) -> None:
    Path(os.fsdecode(os.fsencode(tree) + b"/a/caf\xe9")).write_bytes(b"")
    (tree / "a" / ".GIT").mkdir()
    (tree / "a" / "l").symlink_to("f.py")
    os.mkfifo(tree / "a" / "p")
    listed = Root(tree).list("a")
    assert [(entry.name, entry.kind) for entry in listed] == [
        ("b", "directory"),
        ("caf\\xe9", "file"),
        ("f.py", "file"),
        ("l", "link"),
        ("p", "other"),
    ]
    assert ".git" not in [entry.name for entry in Root(tree).list("")]


@pytest.mark.parametrize(
    ("path", "words"),
    [("a/f.py", "'a/f.py' is a file; use read_file"), ("dirlink", "'a'"), ("gone", "doesn't exist")],
)
def test_list_refuses(tree: Path, path: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        Root(tree).list(path)


def test_walk(tree: Path) -> None:
    (tree / "a" / "b" / "z.py").write_bytes(b"")
    (tree / "a" / "a\nb").write_bytes(b"")
    (tree / "a.py").write_bytes(b"")
    root = Root(tree)
    assert list(root.walk(limit=100)) == ["a/b/z.py", "a/f.py", "a.py"]
    assert list(root.walk("a/b", limit=100)) == ["a/b/z.py"]
    assert list(root.walk("a/f.py", limit=100)) == ["a/f.py"]
    assert list(root.walk(limit=2)) == ["a/b/z.py", "a/f.py"]
    assert list(root.walk("a/f.py", limit=0)) == []
    for path in ("gone", "dirlink", "fifo", ".."):
        with pytest.raises(Refused):
            root.walk(path, limit=1)


def test_walk_passes_over_a_folder_that_vanishes(tree: Path) -> None:
    (tree / "z").mkdir()
    found = Root(tree).walk(limit=9)
    assert next(found) == "a/f.py"
    (tree / "z").rmdir()
    (tree / "z").symlink_to("../out")
    assert list(found) == []


@pytest.mark.parametrize(
    ("path", "executable", "mode"), [("n.py", False, 0o666), ("n/e/w.py", False, 0o666), ("run", True, 0o777)]
)
def test_create(tree: Path, path: str, executable: bool, mode: int) -> None:
    umask = os.umask(0)
    os.umask(umask)
    Root(tree).create(path, b"new", executable=executable)
    assert (tree / path).read_bytes() == b"new"
    assert stat.S_IMODE((tree / path).stat().st_mode) == mode & ~umask


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a/f.py", "'a/f.py' is there already; read it and edit it"),
        ("a", "is a directory"),
        ("", "is a directory"),
        ("fifo", "no regular file"),
        ("in_link", "use the target's own path, 'a/f.py'"),
        ("dangling", "is a symbolic link to 'gone.py'"),
        ("outdir/x", "leads out of bounds"),
        ("dirlink/x", "use the target's own path, 'a/x'"),
        ("a/f.py/x", "is a file"),
        ("A/x.py", "'A' differs only by case from 'a'"),
        ("a/F.py", "'F.py' differs only by case from 'f.py'"),
        ("new/deep/bad?", "can't be created"),
        ("new/bad?/x", "can't be created"),
        (".git/hooks/post-checkout", "out of bounds"),
        ("a/.GIT/x", "out of bounds"),
    ],
)
def test_create_refuses_and_leaves_nothing(tree: Path, path: str, words: str) -> None:
    before = snapshot(tree.parent)
    with pytest.raises(Refused, match=words):
        Root(tree).create(path, b"new")
    assert snapshot(tree.parent) == before


def test_replace_keeps_the_mode_and_parts_hard_links(tree: Path) -> None:
    target = tree / "a" / "f.py"
    target.chmod(0o4755)
    os.link(target, tree.parent / "out" / "twin")
    root = Root(tree)
    root.replace("a/f.py", b"x = 2\n", expected=digest(root, "a/f.py"))
    assert target.read_bytes() == b"x = 2\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o755
    assert (tree.parent / "out" / "twin").read_bytes() == b"x = 1\n"
    assert leftovers(tree) == []


def test_replace_gives_old_or_new_content_and_no_other(tree: Path) -> None:
    descriptor = os.open(tree / "a" / "f.py", os.O_RDONLY)
    root = Root(tree)
    root.replace("a/f.py", b"longer than before", expected=digest(root, "a/f.py"))
    assert os.read(descriptor, 100) == b"x = 1\n"
    os.close(descriptor)


Change = Callable[[Root, str, str], None]
CHANGES: dict[str, Change] = {
    "replace": lambda root, path, expected: root.replace(path, b"new", expected=expected),
    "delete": lambda root, path, expected: root.delete(path, expected=expected),
    "move": lambda root, path, expected: root.move(path, "new/name.py", expected=expected),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a/f.py", "'a/f.py' has changed since it was read; read it again"),
        ("in_link", "is a symbolic link to 'a/f.py'; use the target's own path, 'a/f.py'"),
        ("dirlink/f.py", "use the target's own path, 'a/f.py'"),
        ("relative", "leads out of bounds"),
        ("outdir/secret", "leads out of bounds"),
        ("a", "is a directory"),
        (".", "is a directory"),
        ("fifo", "no regular file"),
        ("gone.py", "doesn't exist"),
        ("gone/x.py", "doesn't exist"),
        ("a/f.py/x", "is a file"),
        (".git/config", "out of bounds"),
    ],
)
def test_changes_refuse_and_leave_all_as_it_was(tree: Path, change: Change, path: str, words: str) -> None:
    before = snapshot(tree.parent)
    with pytest.raises(Refused, match=words):
        change(Root(tree), path, "0" * 64)
    assert snapshot(tree.parent) == before


def test_delete_takes_emptied_folders_along(tree: Path) -> None:
    root = Root(tree)
    root.create("p/q/r/x.py", b"")
    root.create("p/keep.py", b"")
    root.delete("p/q/r/x.py", expected=digest(root, "p/q/r/x.py"))
    assert root.kind("p/q") == "missing"
    root.delete("p/keep.py", expected=digest(root, "p/keep.py"))
    assert root.kind("p") == "missing"


def test_delete_keeps_the_root(tmp_path: Path) -> None:
    root = Root(tmp_path)
    root.create("x", b"")
    root.delete("x", expected=digest(root, "x"))
    assert root.list("") == ()


@pytest.mark.parametrize("target", ["g.py", "n/e/w.py", "a/b/f.py", "a/F.py"])
def test_move(tree: Path, target: str) -> None:
    (tree / "a" / "f.py").chmod(0o755)
    root = Root(tree)
    root.move("a/f.py", target, expected=digest(root, "a/f.py"))
    assert (tree / target).read_bytes() == b"x = 1\n"
    assert stat.S_IMODE((tree / target).stat().st_mode) == 0o755
    assert root.kind("a/f.py") == "missing"


def test_move_takes_emptied_folders_along(tree: Path) -> None:
    root = Root(tree)
    root.create("p/q/x.py", b"")
    root.move("p/q/x.py", "p/x.py", expected=digest(root, "p/q/x.py"))
    assert [entry.name for entry in root.list("p")] == ["x.py"]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("a/f.py", "same path"),
        ("taken.py", "is there already"),
        ("a/b", "is a directory"),
        ("in_link", "symbolic link"),
        ("outdir/x", "out of bounds"),
        ("bad?", "can't be created"),
        ("TAKEN.py", "differs only by case"),
        ("../x", "'..'"),
    ],
)
def test_move_refuses(tree: Path, target: str, words: str) -> None:
    (tree / "taken.py").write_bytes(b"taken")
    root = Root(tree)
    expected = digest(root, "a/f.py")
    before = snapshot(tree.parent)
    with pytest.raises(Refused, match=words):
        root.move("a/f.py", target, expected=expected)
    assert snapshot(tree.parent) == before


def test_a_failed_write_leaves_no_file(tree: Path) -> None:
    folder = os.open(tree, os.O_RDONLY)
    with pytest.raises(TypeError):
        folders.write_new(folder, "half", "no bytes", mode=0o600)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(IsADirectoryError):
        folders.write_over(folder, "a", b"", mode=0o600)
    os.close(folder)
    assert not (tree / "half").exists()
    assert leftovers(tree) == []


def test_a_read_that_the_system_forbids_is_said(tree: Path) -> None:
    """Too many open files stands here for every failure that isn't the path's own."""
    root = Root(tree)
    taken: list[int] = []
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    with pytest.raises(Refused, match="can't be used: too many open files"):
        try:
            while True:
                taken.append(os.dup(0))
        except OSError:
            root.read("a/f.py")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            for descriptor in taken:
                os.close(descriptor)


def test_descriptors_are_given_back(tree: Path) -> None:
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    use_all_ways(Root(tree), ["a/f.py", "gone", "a/b/up/f.py", "relative", "fifo", "gitlink", "a"])
    assert len(os.listdir("/proc/self/fd")) == before


def use_all_ways(root: Root, paths: list[str]) -> None:
    for path in paths:
        for use in (root.read, root.list, root.kind):
            try:
                use(path)
            except Refused:
                continue


def snapshot(top: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything below a folder: type and mode, time of change, content."""
    found: dict[str, tuple[int, int, bytes]] = {}
    for path in sorted(top.rglob("*")):
        status = path.lstat()
        data = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
        found[str(path)] = (status.st_mode, status.st_mtime_ns, data)
    return found


@contextmanager
def swapping(one: Path, other: Path) -> Generator[None]:
    """Exchanges two names without a pause, as an attacker would."""
    libc = ctypes.CDLL(None)
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            libc.renameat2(-100, os.fsencode(one), -100, os.fsencode(other), 2)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def naive_read(top: Path, path: str) -> bytes:
    """What a check before the open comes to."""
    real = os.path.realpath(top / path, strict=True)
    return (top / path).read_bytes() if real.startswith(f"{top}/") else b""


def test_race_between_a_folder_and_a_link_that_leads_out(tree: Path) -> None:
    (tree / "r" / "real").mkdir(parents=True)
    (tree / "r" / "real" / "secret").write_bytes(b"inside")
    (tree / "r" / "link").symlink_to("../../out")
    roots = [Root(tree, use_openat2=True), Root(tree, use_openat2=False)]
    with swapping(tree / "r" / "real", tree / "r" / "link"):
        assert until_leaked(lambda: naive_read(tree, "r/real/secret"), seconds=20)
        for root in roots:
            assert not until_leaked(partial(read_and_write, root, "r/real/secret"), seconds=0.4)
    assert (tree.parent / "out" / "secret").read_bytes() == SECRET
    assert os.listdir(tree.parent / "out") == ["secret"]


def read_and_write(root: Root, path: str) -> bytes:
    content = root.read(path)
    root.replace(path, b"inside", expected=content.digest)
    return content.data


def until_leaked(read: Callable[[], bytes], *, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if read() == SECRET:
                return True
        except (OSError, Refused):
            continue
    return False
