"""Which tier is opened, and what is said of those that don't work."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from isolated_world import PYTHON, World, newer_bwrap, open_folder

from orefactor.sandbox.bwrap import Layout, find_bwrap
from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.execution import Command
from orefactor.sandbox.isolation import Mode, open_isolation
from orefactor.sandbox.limits import Limits
from orefactor.sandbox.tiers import Closed, Opened, has_overlays, open_bwrap, open_landlock, open_seatbelt

LIMITS = Limits()
needs_bwrap = pytest.mark.skipif(find_bwrap() is None or not PYTHON.exists(), reason="no bubblewrap here")


@pytest.fixture
def world() -> Iterator[World]:
    with open_folder() as folder:
        yield World(folder, os.geteuid())


def program(folder: Path, script: str) -> Path:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def closed(opened: Opened | Closed) -> Closed:
    assert isinstance(opened, Closed)
    return opened


@pytest.mark.parametrize(
    ("script", "error", "cause"),
    [
        ("echo 'bwrap: Unknown option --size' >&2; exit 1", "bwrap: Unknown option --size", "too old"),
        ('echo "bwrap: Can\'t mount proc on /newroot/proc" >&2; exit 1', "mount proc", "masks /proc"),
        ("exit 3", "no answer (3)", "unknown"),
        ('while test "$1" != --; do shift; done; exec "$@"', "did not isolate: secret: can be read", "doesn't hold"),
    ],
)
def test_a_bubblewrap_that_does_not_work(world: World, script: str, error: str, cause: str) -> None:
    bwrap = program(world.base, script)
    failure = closed(open_bwrap(world.layout, LIMITS, None, bwrap=bwrap)).failure
    if os.geteuid() != 0 or "isolate" not in error:  # setpriv closes the secret, even without bubblewrap
        assert error in failure.error
        assert cause in failure.cause
    assert failure.tried == str(bwrap)


def test_a_program_that_is_none(world: World) -> None:
    (world.base / "text").write_text("")
    failure = closed(open_bwrap(world.layout, LIMITS, None, bwrap=world.base / "text")).failure
    assert "can't start" in failure.error


def test_seatbelt_is_only_where_it_is(world: World) -> None:
    assert "sandbox-exec" in closed(open_seatbelt(world.layout, LIMITS, None, program=Path("/no/such"))).failure.tried


def test_a_seatbelt_that_lets_everything_through_is_not_believed(world: World) -> None:
    pretender = program(world.base, 'shift 2; exec "$@"')
    tried = closed(open_seatbelt(world.layout, LIMITS, None, program=pretender))
    assert "did not isolate" in tried.failure.error
    assert {line.name for line in tried.probe if not line.ok} >= {"secret", "tcp", "unix socket"}


@pytest.mark.sandbox
def test_a_standalone_folder_hides_its_repository_from_landlock(world: World) -> None:
    (world.tree / ".git").unlink()
    (world.tree / ".git").mkdir()
    (world.tree / ".git" / "HEAD").write_text("HOSTSECRET")
    opened = open_landlock(world.layout, LIMITS, None)
    assert isinstance(opened, Opened), opened
    result = opened.run(Command(["python", "-c", "import os; print(sorted(os.listdir()))"], False, 20))
    assert result.stdout == b"['a.py', 'pkg']\n"


def test_external_is_taken_at_the_users_word(world: World) -> None:
    isolation = open_isolation("external", world.layout, limits=Limits(files=77))
    assert (isolation.tier, isolation.isolated, isolation.probe, isolation.failures) == ("external", True, (), ())
    assert isolation.place == world.tree
    result = isolation.run(["sh", "-c", "ulimit -n; env"], writable=False, timeout=20)
    assert result.stdout.startswith(b"77\n")
    assert b"API_KEY" not in result.stdout


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("mode", ["auto", "bwrap"])
def test_the_tree_stands_at_the_repositorys_path(world: World, mode: Mode) -> None:
    isolation = open_isolation(mode, world.layout)
    assert (isolation.tier, isolation.place) == ("bwrap", world.repository)


@pytest.mark.parametrize("mode", ["bwrap", "landlock"])
def test_what_was_asked_for_is_not_replaced(world: World, mode: Mode) -> None:
    environment = PythonEnvironment(world.base / "no-python", None, (3, 11), ())
    isolation = open_isolation(mode, Layout(world.repository, world.tree, environment, world.scratch))
    with pytest.raises(UserError, match="no working sandbox") as raised:
        _ = isolation.isolated
    assert raised.value.exit_code == ExitCode.ENVIRONMENT
    assert raised.value.hint


@needs_bwrap
@pytest.mark.alone
@pytest.mark.sandbox
@pytest.mark.parametrize("mode", ["bwrap", "landlock", "none"])
def test_memory_is_watched_in_each(world: World, mode: Mode) -> None:
    isolation = open_isolation(mode, world.layout, limits=Limits(total_memory=50 << 20))
    inner = "import signal; held = b'x' * (90 << 20); signal.pause()"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    result = isolation.run(["python3", "-c", code], writable=False, timeout=20)
    assert result.ended_by == "memory"


@needs_bwrap
@pytest.mark.sandbox
def test_without_an_overlay_the_tree_is_copied(world: World) -> None:
    """As on a machine where only bubblewrap may make a user namespace."""
    bwrap = program(world.base, f'case "$*" in */stage/tree*) exit 1;; esac; exec {find_bwrap()} "$@"')
    opened = open_bwrap(world.layout, LIMITS, None, bwrap=bwrap)
    assert isinstance(opened, Opened), opened
    for _ in range(2):
        result = opened.run(Command(["sh", "-c", "echo x > pkg/new; test -e /run/tree && ls pkg"], True, 20))
        assert result.stdout == b"__init__.py\nnew\n"


@needs_bwrap
def test_overlays_are_found_in_the_help() -> None:
    newer = newer_bwrap()
    assert newer is None or has_overlays(newer)
    system = find_bwrap()
    assert system is not None
    assert has_overlays(system) in (True, False)
