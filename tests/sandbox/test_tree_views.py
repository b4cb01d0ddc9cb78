"""What a check that may write sees and leaves behind: the same for each way, for root and for others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from isolated_world import USERS, Checks, checks_of, newer_bwrap

from orefactor.sandbox.bwrap import Layout, Mount, find_bwrap
from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.limits import Limits
from orefactor.sandbox.removal import remove_all
from orefactor.sandbox.tree_views import ORIGINAL, view, ways

MEBIBYTE = 1 << 20
CAP = 4 * MEBIBYTE
needs_bwrap = pytest.mark.skipif(find_bwrap() is None, reason="no bubblewrap here")


@pytest.fixture(scope="module", params=USERS)
def checks(request: pytest.FixtureRequest) -> Iterator[Checks]:
    with checks_of(request.param, "bwrap", tree=CAP) as running:
        _make_odd_tree(running)
        yield running


@pytest.fixture(scope="module")
def newer_checks() -> Iterator[Checks]:
    program = newer_bwrap()
    if program is None:
        pytest.skip("no bubblewrap that makes overlays")
    with checks_of(USERS[-1], "bwrap", program, tree=CAP, total_memory=40 * MEBIBYTE) as running:
        _make_odd_tree(running)
        yield running


def _make_odd_tree(checks: Checks) -> None:
    """Links that lead out of it, one where an environment's mount point is, names with what options are made of."""
    tree = checks.world.tree
    (tree / "out").symlink_to("/etc")
    (tree / ".venv").symlink_to(checks.world.home)
    (tree / "a,b:c\\d").mkdir()
    (tree / "a,b:c\\d" / "run").write_text("#!/bin/sh\necho ran\n")
    (tree / "a,b:c\\d" / "run").chmod(0o755)
    checks.world.give()


WRITES = """
import os, pathlib, shutil, subprocess, sys
pathlib.Path('pkg/new.txt').write_text('beside')
pathlib.Path('a.py').write_text('changed')
os.rename('pkg/__init__.py', 'pkg/moved.py')
os.makedirs('deep/er')
os.symlink('a.py', 'link')
os.chmod('a.py', 0o600)
os.remove('out')
print(pathlib.Path('pkg/new.txt').read_text(), pathlib.Path('link').read_text(), sorted(os.listdir('.')))
print(subprocess.run(['./a,b:c\\\\d/run'], capture_output=True, text=True).stdout, sys.prefix)
shutil.rmtree('pkg')
"""


def expect_writes(checks: Checks, way: str | None) -> None:
    world = checks.world
    before, entries = world.content(), sorted(str(path) for path in world.tree.rglob("*"))
    result = checks.python(WRITES, writable=True, way=way)
    assert result.stderr == b""
    shown = ["a,b:c\\d", "a.py", "deep", "link", "pkg"]
    listed = sorted([".venv", *shown])
    assert result.stdout.decode("utf-8") == f"beside changed {listed}\nran\n {world.prefix}\n"
    assert world.content() == before
    assert sorted(str(path) for path in world.tree.rglob("*")) == entries
    assert sorted(os.listdir(world.home)) == sorted(["secret", world.repository.name])


FILLS = """
try:
    for number in range(64):
        with open(f'pkg/{number}', 'wb') as file:
            file.write(bytes(1 << 20))
except OSError as error:
    print(number, error)
"""


def expect_cap(checks: Checks, way: str | None) -> None:
    result = checks.python(FILLS, writable=True, way=way)
    number, _, error = result.stdout.decode().partition(" ")
    assert "No space left" in error
    assert int(number) <= CAP // MEBIBYTE


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("expect", [expect_writes, expect_cap])
@pytest.mark.parametrize("way", [None, "overlay", "copy"])
def test_a_view_is_writable_thrown_away_and_capped(checks: Checks, way: str | None, expect: Any) -> None:
    expect(checks, way)


@needs_bwrap
@pytest.mark.alone
@pytest.mark.parametrize("way", ["overlay", "tmp-overlay", "copy"])
def test_a_newer_bubblewrap_makes_the_same_view(newer_checks: Checks, way: str) -> None:
    expect_writes(newer_checks, way)


@needs_bwrap
@pytest.mark.alone
def test_what_bubblewrap_does_not_cap_is_watched(newer_checks: Checks) -> None:
    code = FILLS + "\nimport time\ntime.sleep(30)"
    result = newer_checks.python(code, writable=True, way="tmp-overlay")
    assert (result.ended_by, result.returncode) == ("memory", None)


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("way", ["overlay", "copy"])
def test_git_stays_out_of_sight(checks: Checks, way: str) -> None:
    code = """
        import os
        for path in ('.git', '/run/tree/.git'):
            try: print(path, open(path).read())
            except OSError as error: print(path, type(error).__name__)
    """
    closed = {"overlay": b"FileNotFoundError", "copy": b"PermissionError"}[way]  # of the copy's source a device is seen
    result = checks.python(code, writable=True, way=way)
    assert result.stdout == b".git FileNotFoundError\n/run/tree/.git " + closed + b"\n"


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    for name in ("tree", "scratch", "repo/.venv"):
        (tmp_path / name).mkdir(parents=True)
    environment = PythonEnvironment(Path("/usr/bin/python3"), tmp_path / "repo" / ".venv", (3, 11), ())
    return Layout(tmp_path / "repo", tmp_path / "tree", environment, tmp_path / "scratch")


@pytest.mark.parametrize(
    ("root", "has_overlays", "expected"),
    [
        (False, True, ["overlay", "tmp-overlay", "copy"]),
        (False, False, ["overlay", "copy"]),
        (True, True, ["overlay", "copy"]),
    ],
)
def test_the_best_way_is_tried_first(layout: Layout, root: bool, has_overlays: bool, expected: list[str]) -> None:
    assert list(ways(layout, root=root, has_overlays=lambda: has_overlays)) == expected


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_files_of_others_cannot_be_in_an_overlay_of_ours(layout: Layout) -> None:
    os.chown(layout.tree, -1, 4711)
    assert list(ways(layout, root=False, has_overlays=lambda: False)) == ["copy"]


def test_an_overlay_is_prepared_before_bubblewrap(layout: Layout) -> None:
    made = view("overlay", layout, Limits(tree=7), root=False)
    assert made.mounts == [Mount("bind", str(layout.repository), str(layout.scratch / "stage" / "tree"))]
    words = made.before[made.before.index(str(layout.scratch / "stage")) :]
    assert words == (
        str(layout.scratch / "stage"),
        "7",
        str(os.geteuid()),
        str(layout.scratch / "layer"),
        str(layout.tree),
        "--",
    )
    assert (layout.scratch / "layer" / ".venv").is_dir()


def test_bubblewraps_own_overlay_is_one_option(layout: Layout) -> None:
    made = view("tmp-overlay", layout, Limits(), root=False)
    layers = (str(layout.scratch / "layer"), str(layout.tree))
    assert made.mounts == [Mount("tmp-overlay", str(layout.repository), layers=layers)]
    assert made.place == layout.repository


def test_a_copy_has_room_for_the_tree_and_more(layout: Layout) -> None:
    deep = layout.tree
    for _ in range(1100):
        deep /= "d"
        deep.mkdir()
    (deep / "file").write_bytes(bytes(8192))
    (layout.tree / "link").symlink_to("/etc")
    (layout.tree / ".git").write_text("gitdir: x")
    size = 8192 + (layout.tree / ".git").stat().st_blocks * 512
    made = view("copy", layout, Limits(tree=10), root=False)
    assert made.mounts == [
        Mount("tmpfs", str(layout.repository), size=size + 10, mode="1777"),
        Mount("ro-bind", ORIGINAL, str(layout.tree)),
        Mount("ro-bind", f"{ORIGINAL}/.git", "/dev/null"),
    ]
    remove_all(layout.tree)  # pytest can't
    assert made.inside[-4:] == (str(layout.repository), ".git", ".venv", "--")
