"""Which Python the project has, and what it needs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from orefactor.sandbox.environment import (
    PythonEnvironment,
    find_python,
    find_tool,
    has_module,
    inspect,
    links,
)
from orefactor.sandbox.errors import ExitCode, UserError

VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    return folder


def real_python() -> Path:
    return Path(os.path.realpath(sys.executable))


def venv(folder: Path, python: Path | None = None) -> Path:
    """A virtual environment, made by hand because `venv` takes a second."""
    python = python or real_python()
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(python)
    (folder / "lib" / f"python{VERSION}" / "site-packages").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
    return folder


def program(path: Path, text: str = "#!/bin/sh\nexit 1\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_what_the_user_names_is_taken(repository: Path) -> None:
    named = program(repository / "py")
    assert find_python(repository, explicit=named, virtual_env=None, path="") == named
    with pytest.raises(UserError, match="no Python at") as raised:
        find_python(repository, explicit=repository / "none", virtual_env="/x", path="/usr/bin")
    assert raised.value.exit_code == ExitCode.ENVIRONMENT


def test_the_order_of_places(repository: Path, tmp_path: Path) -> None:
    active = venv(tmp_path / "active")
    inside = venv(repository / ".venv")
    first = program(tmp_path / "first" / "python3")
    (tmp_path / "zeroth").mkdir()
    path = f"{tmp_path / 'zeroth'}:relative::{first.parent}"

    def find() -> Path:
        return find_python(repository, explicit=None, virtual_env=str(active), path=path)

    assert find() == active / "bin" / "python"
    (active / "bin" / "python").unlink()
    assert find() == inside / "bin" / "python"
    (inside / "bin" / "python").unlink()
    assert find() == first
    first.chmod(0o644)
    assert find() == Path(sys.executable)


@pytest.mark.parametrize("kind", ["program", "link", "loop"])
def test_a_program_of_the_repository_is_not_started(repository: Path, kind: str) -> None:
    inside = repository / ".venv" / "bin" / "python"
    if kind == "program":
        program(inside)
    else:
        inside.parent.mkdir(parents=True)
        inside.symlink_to(program(repository / "evil") if kind == "link" else inside)
    found = find_python(repository, explicit=None, virtual_env=None, path="")
    assert found == Path(sys.executable)


def test_a_virtual_environment(repository: Path) -> None:
    prefix = venv(repository / ".venv")
    environment = inspect(prefix / "bin" / "python", repository)
    assert environment.python == prefix / "bin" / "python"
    assert environment.prefix == prefix
    assert environment.version == sys.version_info[:2]
    assert environment.packages == (prefix / "lib" / f"python{VERSION}" / "site-packages",)
    assert not environment.installed_in_place
    base = Path(sys.base_prefix)
    assert base.is_relative_to("/usr") or base in environment.read_only
    assert not any(path.is_relative_to(prefix) for path in environment.read_only)


def test_packages_that_lie_elsewhere(repository: Path, tmp_path: Path) -> None:
    prefix = venv(tmp_path / "venv")
    for name in ("other", "other/src", "broad"):
        (tmp_path / name).mkdir(parents=True)
    packages = prefix / "lib" / f"python{VERSION}" / "site-packages"
    (packages / "x.pth").write_text(f"{tmp_path / 'other'}\n{tmp_path / 'other' / 'src'}\n/\n/tmp\n{Path.home()}\n")
    environment = inspect(prefix / "bin" / "python", repository)
    assert tmp_path / "other" in environment.read_only
    assert not {Path("/"), Path("/tmp"), Path.home(), tmp_path / "other" / "src"} & set(environment.read_only)
    assert not environment.installed_in_place
    (packages / "y.pth").write_text(str(repository))
    environment = inspect(prefix / "bin" / "python", repository)
    assert environment.installed_in_place
    assert repository not in environment.read_only


def test_each_link_on_the_way_is_kept(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "hop").mkdir()
    (tmp_path / "real").mkdir()
    (tmp_path / "hop" / "python").symlink_to("../real/python")
    (tmp_path / "real" / "python").symlink_to(real_python())
    prefix = venv(tmp_path / "venv", tmp_path / "hop" / "python")
    assert list(links(prefix / "bin" / "python")) == [
        prefix / "bin" / "python",
        tmp_path / "hop" / "python",
        tmp_path / "real" / "python",
        real_python(),
    ]
    environment = inspect(prefix / "bin" / "python", repository)
    assert {tmp_path / "hop" / "python", tmp_path / "real" / "python"} <= set(environment.read_only)


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert len(list(links(tmp_path / "a"))) == 40


def test_a_script_of_a_version_manager_is_seen_through(repository: Path, tmp_path: Path) -> None:
    shim = program(tmp_path / "shims" / "python3", f'#!/bin/sh\nexec {real_python()} "$@"\n')
    environment = inspect(shim, repository)
    assert environment.python == real_python()
    assert environment.prefix is None


def test_nothing_of_an_environment_is_run(repository: Path, tmp_path: Path) -> None:
    prefix = venv(tmp_path / "venv")
    packages = prefix / "lib" / f"python{VERSION}" / "site-packages"
    touched = tmp_path / "touched"
    (packages / "evil.pth").write_text(f"import pathlib; pathlib.Path({str(touched)!r}).touch()\n")
    (packages / "sitecustomize.py").write_text(f"open({str(touched)!r}, 'w')")
    inspect(prefix / "bin" / "python", repository)
    assert not touched.exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("#!/bin/sh\necho first >&2; echo last >&2; exit 1\n", "last"),
        ("#!/bin/sh\nexit 7\n", "7"),
        ("#!/bin/sh\necho no JSON\n", "0"),
    ],
)
def test_a_python_that_does_not_start(repository: Path, tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(UserError, match=f"doesn't start: {why}") as raised:
        inspect(program(tmp_path / "python", text), repository)
    assert raised.value.exit_code == ExitCode.ENVIRONMENT


def test_tools_and_modules(tmp_path: Path) -> None:
    packages = tmp_path / "site-packages"
    (packages / "mypy").mkdir(parents=True)
    (packages / "six.py").write_text("")
    mypy = program(tmp_path / "bin" / "mypy")
    environment = PythonEnvironment(tmp_path / "bin" / "python", tmp_path, (3, 11), (), (packages,))
    assert find_tool(environment, "mypy") == mypy
    assert find_tool(environment, "pytest") is None
    own = find_tool(environment, "ruff")
    assert own
    assert own.name == "ruff"
    assert not own.is_relative_to(tmp_path)
    theirs = program(tmp_path / "bin" / "ruff")
    assert find_tool(environment, "ruff") == theirs
    assert [has_module(environment, name) for name in ("mypy", "six", "pytest")] == [True, True, False]
