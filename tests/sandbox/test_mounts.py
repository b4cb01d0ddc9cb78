"""What is mounted where, for trees and environments of many shapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from orefactor.sandbox.bwrap import Layout, Mount
from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.mounts import choose_way, copied, mount_points, plan, skeleton, whole


def make(folder: Path, *names: str) -> None:
    """Files; with a slash at the end folders; `a -> b` a link."""
    for name in names:
        link, arrow, text = name.partition(" -> ")
        path = folder / link
        path.parent.mkdir(parents=True, exist_ok=True)
        if arrow:
            path.symlink_to(text)
        elif name.endswith("/"):
            path.mkdir(exist_ok=True)
        else:
            path.write_text("")


def layout(
    base: Path, *, prefix: str | None = None, read_only: tuple[str, ...] = (), tools: tuple[str, ...] = ()
) -> Layout:
    environment = None
    if prefix or read_only:
        environment = PythonEnvironment(
            python=base / "python",
            prefix=base / prefix if prefix else None,
            version=(3, 11),
            read_only=tuple(base / path for path in read_only),
        )
    return Layout(base / "repo", base / "tree", environment, base / "scratch", tuple(base / tool for tool in tools))


def shown(mounts: list[Mount], base: Path) -> list[str]:
    """One short line for each mount."""
    lines = [f"{mount.kind} {mount.target} {mount.source}".strip() for mount in mounts]
    return [line.replace(str(base), "B") for line in lines]


def test_a_skeleton_leaves_out_git_and_odd_files(tmp_path: Path) -> None:
    make(tmp_path / "tree", "a.py", "src/b.py", "link -> a.py", "away -> /etc", ".git", "src/.git")
    assert shown(skeleton(layout(tmp_path)), tmp_path) == [
        "tmpfs B/repo",
        "ro-bind B/repo/a.py B/tree/a.py",
        "symlink B/repo/away /etc",
        "symlink B/repo/link a.py",
        "ro-bind B/repo/src B/tree/src",
        "remount-ro B/repo",
    ]


@pytest.mark.parametrize("there", [(), (".venv/x",), (".venv -> /etc",), (".venv",)])
def test_an_environment_inside_takes_the_place_of_what_is_there(tmp_path: Path, there: tuple[str, ...]) -> None:
    make(tmp_path / "tree", "a.py", *there)
    make(tmp_path / "repo", ".venv/")
    assert shown(plan(inside := layout(tmp_path, prefix="repo/.venv"), skeleton(inside)), tmp_path)[-4:] == [
        "tmpfs B/repo",
        "ro-bind B/repo/a.py B/tree/a.py",
        "ro-bind B/repo/.venv B/repo/.venv",
        "remount-ro B/repo",
    ]


@pytest.mark.parametrize(
    ("there", "lines"),
    [
        (("back/main.py",), ["ro-bind B/repo/back/main.py B/tree/back/main.py"]),
        (("back -> /etc",), []),
        (("back",), []),
        ((), []),
    ],
)
def test_a_nested_environment_opens_the_folders_above(tmp_path: Path, there: tuple[str, ...], lines: list[str]) -> None:
    make(tmp_path / "tree", "a.py", *there)
    assert shown(skeleton(layout(tmp_path, prefix="repo/back/.venv")), tmp_path) == [
        "tmpfs B/repo",
        "dir B/repo/back",
        *lines,
        "ro-bind B/repo/a.py B/tree/a.py",
        "remount-ro B/repo",
    ]


def test_outer_places_come_first_with_the_folders_that_lead_there(tmp_path: Path) -> None:
    make(
        tmp_path,
        "repo/.venv/",
        "python/bin/",
        "tree/",
        "other/lib/.git/",
        "bin/python -> ../python/bin/x",
        "ruff",
    )
    project = layout(
        tmp_path,
        prefix="repo/.venv",
        read_only=("python", "python/bin", "other/lib", "bin/python"),
        tools=("ruff", "repo/.venv/bin/mypy"),
    )
    lines = shown(plan(project, skeleton(project)), tmp_path)
    start = lines.index("dir B")
    assert lines[start:] == [
        "dir B",
        "ro-bind B/python B/python",
        "ro-bind B/ruff B/ruff",
        "tmpfs B/repo",
        "dir B/bin",
        "symlink B/bin/python B/python/bin/x",
        "dir B/other",
        "ro-bind B/other/lib B/other/lib",
        "tmpfs B/other/lib/.git",
        "ro-bind B/repo/.venv B/repo/.venv",
        "remount-ro B/repo",
        "remount-ro B/other/lib/.git",
    ]


def test_what_lies_in_usr_is_there_already() -> None:
    environment = PythonEnvironment(Path("/usr/bin/python3"), None, (3, 11), (Path("/usr/lib/x"),))
    project = Layout(Path("/srv/repo"), Path("/tree"), environment, Path("/scratch"))
    assert shown(plan(project, []), Path("/nowhere")) == ["dir /srv"]


@pytest.mark.parametrize(
    ("count", "prefix", "git", "way"),
    [
        (3, None, ".git", "skeleton"),
        (3, None, ".git/", "skeleton"),
        (100, None, ".git", "whole"),
        (100, "repo/.venv", ".git", "skeleton"),
        (100, "venv", ".git", "whole"),
        (100, None, ".git/", "copy"),
        (100, None, ".git -> /etc", "copy"),
        (500, "repo/.venv", ".git", "copy"),
        (2500, None, ".git", "whole"),
    ],
)
def test_the_way_depends_on_breadth(tmp_path: Path, count: int, prefix: str | None, git: str, way: str) -> None:
    make(tmp_path / "tree", git, *(f"f{number}" for number in range(count)))
    assert choose_way(layout(tmp_path, prefix=prefix)) == way


def test_the_breadth_of_an_opened_folder_counts(tmp_path: Path) -> None:
    make(tmp_path / "tree", *(f"back/f{number}" for number in range(500)))
    assert choose_way(layout(tmp_path, prefix="repo/back/.venv")) == "copy"


@pytest.mark.parametrize(("git", "masked"), [((".git",), ["ro-bind B/repo/.git /dev/null"]), ((), [])])
def test_a_whole_tree_hides_git(tmp_path: Path, git: tuple[str, ...], masked: list[str]) -> None:
    make(tmp_path / "tree", "a.py", *git)
    assert shown(whole(layout(tmp_path)), tmp_path) == ["ro-bind B/repo B/tree", *masked]


def test_a_copy_is_one_mount(tmp_path: Path) -> None:
    assert shown(copied(layout(tmp_path), tmp_path / "copy"), tmp_path) == ["ro-bind B/repo B/copy"]


def test_mount_points_are_the_outermost_inside(tmp_path: Path) -> None:
    project = layout(tmp_path, prefix="repo/.venv", read_only=("repo/.venv/lib", "repo/py", "elsewhere"))
    assert mount_points(project) == [Path(".venv"), Path("py")]
