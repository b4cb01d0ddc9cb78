"""The throwaway worktree: there for one run, gone however that ends, and nobody else's is touched."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, git, user_state, write_files

from orefactor.sandbox.cache import cache_folder
from orefactor.sandbox.git import GitFailed
from orefactor.sandbox.owner import current_owner
from orefactor.sandbox.repository import Repository, find_repository
from orefactor.sandbox.shield import Stopped, stop_on_signals
from orefactor.sandbox.worktree import (
    PREFIX,
    Worktree,
    repository_cache,
    running,
    sweep_dead,
    throwaway_worktree,
)

FILES = {"a.py": "a = 1\n", "run.sh": "#!/bin/sh\n", "pkg/b.py": "b = 1\n"}
DAY = 86_400
WORK = """
import os, signal, sys
from pathlib import Path
from orefactor.sandbox.repository import find_repository
from orefactor.sandbox.shield import stop_on_signals
from orefactor.sandbox.worktree import throwaway_worktree
with stop_on_signals(), throwaway_worktree(find_repository(Path.cwd()), "HEAD", sys.argv[1]) as worktree:
    print(worktree.path, flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def repository(make_repository: MakeRepository) -> Repository:
    return find_repository(make_repository(FILES))


def top_of(repository: Repository) -> Path:
    assert repository.top is not None
    return repository.top


@contextmanager
def another_run(repository: Repository, run_id: str) -> Generator[tuple["subprocess.Popen[str]", Path]]:
    """A run in its own process, which holds a worktree until it is given a line."""
    with subprocess.Popen(
        [sys.executable, "-c", WORK, run_id],
        cwd=repository.place,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def left(repository: Repository) -> list[str]:
    """What runs left behind, in the cache and in the repository."""
    folders = (repository_cache(repository), repository.common_dir / "worktrees")
    return sorted(entry.name for folder in folders if folder.exists() for entry in folder.iterdir())


def test_it_is_checked_out_detached_and_outside(repository: Repository, sealed: Path) -> None:
    with throwaway_worktree(repository, "HEAD", "one") as worktree:
        assert (worktree.path / "pkg" / "b.py").read_text() == "b = 1\n"
        assert worktree.path.is_relative_to(sealed / ".cache" / "git-orefactor")
        assert worktree.path.name == "orefactor-one"
        assert git(worktree.path, "status", "--porcelain") == ""
        assert git(worktree.path, "rev-parse", "--abbrev-ref", "HEAD") == "HEAD"
        assert worktree.scratch.parent == worktree.path.parent
        assert running(repository) == {"one"}
    assert left(repository) == []
    assert running(repository) == set()


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o000])
def test_only_the_owner_gets_in_and_a_check_as_another_user_can_read(repository: Repository, umask: int) -> None:
    before = os.umask(umask)
    try:
        with throwaway_worktree(repository, "HEAD", "modes") as worktree:
            folder = worktree.path.parent
            for private in (folder, folder.parent, cache_folder(), worktree.scratch):
                assert stat.S_IMODE(private.stat().st_mode) == 0o700
            for path, mode in {".": 0o755, "pkg": 0o755, "pkg/b.py": 0o644}.items():
                assert stat.S_IMODE((worktree.path / path).stat().st_mode) == mode
        assert os.umask(umask) == umask
    finally:
        os.umask(before)


@pytest.mark.parametrize("name", ["with space", "ünï-日本", "quo'te\"", "new\x0cpage"])
def test_repositories_on_odd_paths(make_repository: MakeRepository, name: str) -> None:
    folder = make_repository(FILES, name)
    before = user_state(folder)
    with throwaway_worktree(find_repository(folder), "HEAD", "odd") as worktree:
        assert (worktree.path / "a.py").exists()
    assert user_state(folder) == before


def make_mess(worktree: Worktree) -> None:
    """Leave what a check may leave: unwritable folders, a loop of links, a link to the outside."""
    write_files(worktree.path, {"deep/er/file": "x", "a.py": "changed\n"})
    (worktree.path / "deep" / "outside").symlink_to("/etc")
    (worktree.path / "loop").symlink_to("loop")
    os.mkfifo(worktree.scratch / "fifo")
    for folder in ("deep/er", "deep"):
        (worktree.path / folder).chmod(0o500)


def test_it_is_gone_also_where_modes_forbid_it(repository: Repository) -> None:
    """As a plain user; root is held to the modes by taking away the right to pass over them."""
    script = (
        "import os, sys\nfrom pathlib import Path\n"
        "from orefactor.sandbox.repository import find_repository\n"
        "from orefactor.sandbox.worktree import throwaway_worktree\n"
        "with throwaway_worktree(find_repository(Path.cwd()), 'HEAD', 'modes') as worktree:\n"
        "    for mode in (0o000, 0o300, 0o500):\n"
        "        for top in (worktree.path, worktree.scratch):\n"
        "            folder = top / f'{mode:o}' / 'inner'\n"
        "            folder.mkdir(parents=True)\n"
        "            (folder / 'file').write_text('x')\n"
        "            (folder / 'link').symlink_to('/')\n"
        "            folder.chmod(mode)\n"
        "            folder.parent.chmod(mode)\n"
        "    worktree.path.chmod(0)\n"
    )
    held = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    subprocess.run([*held, sys.executable, "-c", script], cwd=repository.place, check=True)
    assert left(repository) == []


@pytest.mark.parametrize("error", [None, KeyError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_it_is_gone_however_the_block_ends(repository: Repository, error: type[BaseException] | None) -> None:
    top = top_of(repository)
    before = user_state(top)
    expected = nullcontext() if error is None else pytest.raises(error)
    with expected, throwaway_worktree(repository, "HEAD", "ends") as worktree:
        make_mess(worktree)
        if error is not None:
            raise error
    assert left(repository) == []
    assert not (top / ".git" / "worktrees").exists()
    assert user_state(top) == before


def test_it_is_gone_after_a_signal(repository: Repository) -> None:
    with pytest.raises(Stopped), stop_on_signals(), throwaway_worktree(repository, "HEAD", "signal"):
        signal.raise_signal(signal.SIGTERM)
    assert left(repository) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda n: n.name)
def test_signals_to_another_process(repository: Repository, number: signal.Signals) -> None:
    with another_run(repository, "stopped") as (process, path):
        assert path.is_dir()
        for _ in range(3):
            process.send_signal(number)
        process.wait(20)
    assert left(repository) == []


@pytest.mark.parametrize(
    "moment",
    [
        "{cache}",
        "{cache}/owner.json",
        "{cache}/scratch",
        "{admin}",
        "{admin}/locked",
        "{admin}/HEAD",
        "{admin}/logs/HEAD",
        "{cache}/{name}/.git",
        "{admin}/index.lock",
        "{admin}/index",
        "{cache}/{name}/pkg",
    ],
)
def test_a_signal_at_the_moment_that_a_file_appears(repository: Repository, moment: str) -> None:
    """Also while git itself is at work, whose half-made worktree has to go too."""
    name, cache = f"{PREFIX}moment", repository_cache(repository) / "moment"
    awaited = Path(moment.format(cache=cache, admin=repository.common_dir / "worktrees" / name, name=name))
    with subprocess.Popen(
        [sys.executable, "-c", WORK, "moment"],
        cwd=repository.place,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        end = time.monotonic() + 2
        # A lock file may be gone before we look; the signal comes a little later then.
        while not awaited.exists() and not (cache / name / "run.sh").exists() and time.monotonic() < end:
            pass
        process.send_signal(signal.SIGTERM)
        process.wait(20)
    assert left(repository) == []


def test_the_next_run_clears_a_killed_one(repository: Repository) -> None:
    with another_run(repository, "killed") as (process, path):
        process.kill()
        process.wait()
        write_files(path, {"junk/file": "x"})
    assert left(repository) == ["killed", f"{PREFIX}killed"]
    assert running(repository) == set()
    with throwaway_worktree(repository, "HEAD", "next"):
        assert left(repository) == ["next", f"{PREFIX}next"]
    assert left(repository) == []


def test_a_living_run_is_left_alone(repository: Repository) -> None:
    with another_run(repository, "living") as (process, path):
        assert sweep_dead(repository) == []
        with throwaway_worktree(repository, "HEAD", "mine"):
            assert running(repository) == {"living", "mine"}
        assert (path / "a.py").exists()
        assert running(repository) == {"living"}
        process.communicate("\n", timeout=20)
    assert left(repository) == []


@pytest.mark.parametrize(
    ("changes", "age", "swept"),
    [
        ({}, 0, False),
        ({}, 9 * DAY, False),
        ({"pid": 2**22 + 1}, 0, True),
        ({"started": "another:1"}, 0, True),
        ({"place": "elsewhere"}, 0, False),
        ({"place": "elsewhere", "pid": 2**22 + 1}, 0, False),
        ({"place": "elsewhere"}, 2 * DAY, True),
    ],
)
@pytest.mark.parametrize("kept", ["both", "cache", "repository"])
def test_which_owners_are_dead(
    repository: Repository, changes: dict[str, Any], age: float, swept: bool, kept: str
) -> None:
    """A process id says nothing without the time of its start, nor on another machine."""
    text = replace(current_owner(), **changes).to_text()
    folder = repository_cache(repository) / "old"
    git(top_of(repository), "worktree", "add", "-q", "--lock", "--reason", text, str(folder / f"{PREFIX}old"))
    lock = repository.common_dir / "worktrees" / f"{PREFIX}old" / "locked"
    owner = folder / "owner.json"
    owner.write_text(text)
    for path in (lock, owner):
        os.utime(path, (time.time() - age, time.time() - age))
    if kept == "repository":
        owner.unlink()
    elif kept == "cache":
        lock.unlink()
        lock.parent.rename(repository.common_dir / "worktrees" / "other")
    before = left(repository)
    assert sweep_dead(repository) == (["old"] if swept else [])
    assert (left(repository) == before) is not swept


@pytest.mark.parametrize(
    "words", ["", "mine", "caf\xe9", "{}", "[" * 9999, None], ids=["empty", "words", "latin-1", "json", "deep", "none"]
)
@pytest.mark.parametrize("there", [True, False], ids=["there", "prunable"])
def test_worktrees_of_the_user_are_left_alone(
    repository: Repository, tmp_path: Path, words: str | None, there: bool
) -> None:
    """Also one that looks like ours, and one whose folder is out of reach now."""
    top, path = top_of(repository), tmp_path / f"{PREFIX}users"
    git(top, "worktree", "add", "-q", str(path))
    if words is not None:
        (top / ".git" / "worktrees" / path.name / "locked").write_bytes(words.encode("latin-1"))
    if not there:
        path.rename(tmp_path / "moved")
    before = user_state(top)
    with throwaway_worktree(repository, "HEAD", "mine"):
        pass
    assert user_state(top) == before


def test_a_lock_that_is_no_file_does_not_hang(repository: Repository) -> None:
    folder = repository.common_dir / "worktrees" / f"{PREFIX}odd"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "locked")
    assert sweep_dead(repository) == []


@pytest.mark.parametrize(
    ("name", "age", "swept"),
    [("x.dead", 0, True), ("x", 0, False), ("x", 2 * DAY, True)],
)
def test_removals_and_starts_that_were_killed_themselves(
    repository: Repository, name: str, age: float, swept: bool
) -> None:
    folder = repository_cache(repository) / name
    write_files(folder, {"orefactor-x/a.py": "x\n"})
    os.utime(folder, (time.time() - age, time.time() - age))
    sweep_dead(repository)
    assert folder.exists() is not swept


def test_an_id_in_use_is_refused_and_its_run_goes_on(repository: Repository) -> None:
    with throwaway_worktree(repository, "HEAD", "same") as worktree:
        with pytest.raises(FileExistsError), throwaway_worktree(repository, "HEAD", "same"):
            pass
        assert (worktree.path / "a.py").exists()
        assert git(worktree.path, "status", "--porcelain") == ""


def test_a_commit_that_is_not_there(repository: Repository) -> None:
    with pytest.raises(GitFailed), throwaway_worktree(repository, "0" * 39 + "1", "missing"):
        pass
    assert left(repository) == []


def in_threads(work: Callable[[int], object]) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(8)))


def test_several_at_once_in_threads(repository: Repository) -> None:
    umask = os.umask(0o077)

    def work(number: int) -> None:
        with throwaway_worktree(repository, "HEAD", f"thread-{number}") as worktree:
            assert git(worktree.path, "status", "--porcelain") == ""
            assert stat.S_IMODE((worktree.path / "a.py").stat().st_mode) == 0o644

    try:
        in_threads(work)
        assert os.umask(0o077) == 0o077
    finally:
        os.umask(umask)
    assert left(repository) == []


def test_several_at_once_in_processes(repository: Repository) -> None:
    """All begin beside each other, and beside the clean-up of a dead one."""
    with another_run(repository, "dead") as (dead, _):
        dead.kill()

    def work(number: int) -> None:
        with another_run(repository, f"process-{number}") as (process, path):
            assert (path / "pkg" / "b.py").exists()
            _, said = process.communicate("\n", timeout=30)
            assert (process.returncode, said) == (0, "")

    in_threads(work)
    assert left(repository) == []


def test_a_sparse_checkout_stays_sparse(repository: Repository) -> None:
    git(top_of(repository), "sparse-checkout", "set", "--cone", "pkg")
    with throwaway_worktree(find_repository(top_of(repository)), "HEAD", "sparse") as worktree:
        assert sorted(path.name for path in worktree.path.iterdir()) == [".git", "a.py", "pkg", "run.sh"]
    git(top_of(repository), "sparse-checkout", "set", "--no-cone", "/a.py")
    with throwaway_worktree(find_repository(top_of(repository)), "HEAD", "sparse") as worktree:
        assert sorted(path.name for path in worktree.path.iterdir()) == [".git", "a.py"]


@pytest.mark.parametrize("kind", ["bare", "linked", "sha256", "shallow"])
def test_other_kinds_of_repositories(make_repository: MakeRepository, tmp_path: Path, kind: str) -> None:
    options = ["--object-format=sha256"] if kind == "sha256" else []
    folder = make_repository(FILES, "origin", *options)
    match kind:
        case "bare":
            git(tmp_path, "clone", "-q", "--bare", str(folder), "start")
        case "linked":
            git(folder, "worktree", "add", "-q", str(tmp_path / "start"))
        case "shallow":
            git(tmp_path, "clone", "-q", "--depth=1", f"file://{folder}", "start")
        case _:
            folder.rename(tmp_path / "start")
    repository = find_repository(tmp_path / "start")
    with throwaway_worktree(repository, "HEAD", "kind") as worktree:
        assert (worktree.path / "a.py").read_text() == "a = 1\n"
        assert git(worktree.path, "status", "--porcelain") == ""
    assert left(repository) == (["start"] if kind == "linked" else [])


def test_line_ends_are_the_users(repository: Repository) -> None:
    git(top_of(repository), "config", "--global", "core.autocrlf", "true")
    with throwaway_worktree(find_repository(top_of(repository)), "HEAD", "eol") as worktree:
        assert (worktree.path / "a.py").read_bytes() == b"a = 1\r\n"


def test_the_cache_folder_of_a_repository_names_it(make_repository: MakeRepository) -> None:
    folders = [repository_cache(find_repository(make_repository(FILES, name))) for name in ("x/my repo", "y/my repo")]
    assert len(set(folders)) == 2
    assert all(folder.name.startswith("my_repo-") for folder in folders)
