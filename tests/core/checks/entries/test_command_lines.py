"""The command lines of the checks that aren't pytest, as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import write_files

from orefactor.core.checks.catalogue import CHECKS
from orefactor.core.checks.check import Circumstances
from orefactor.core.checks.command import CheckRequest
from orefactor.sandbox.environment import PythonEnvironment

ISOLATED, PLAIN = Circumstances(isolated=True, has_ruff_config=True), Circumstances(isolated=False)


@pytest.fixture
def environment(tmp_path: Path) -> PythonEnvironment:
    packages = tmp_path / "lib"
    write_files(
        tmp_path,
        {"bin/python": "", "bin/ruff": "", "bin/node": "", "lib/pyright/dist/index.js": "", "lib/mypy/x.py": ""},
    )
    for program in ("python", "ruff", "node"):
        (tmp_path / "bin" / program).chmod(0o755)
    return PythonEnvironment(tmp_path / "bin/python", None, (3, 11), (), (packages,))


def words(name: str, environment: PythonEnvironment, circumstances: Circumstances = ISOLATED) -> list[str]:
    command = CHECKS[name].command(environment, CheckRequest(name, ("@x.py", "-y.py")), circumstances)
    assert command[-2:] == ["./@x.py", "./-y.py"]
    return command[:-2]


@pytest.mark.parametrize(
    ("version", "is_json"),
    [("1.10.1", False), ("1.11.0", True), ("2.4.1", True), ("1.11.0+dev.abc", True), ("unknown", False), (None, False)],
)
def test_mypy_writes_json_where_it_can(environment: PythonEnvironment, version: str | None, is_json: bool) -> None:
    if version is not None:
        (environment.packages[0] / f"mypy-{version}.dist-info").mkdir()
    command = words("mypy", environment)
    assert ("--output=json" in command) is is_json
    assert command[1:5] == ["-I", "-B", "-m", "mypy"]


def test_pyright_is_started_without_its_downloader(environment: PythonEnvironment) -> None:
    folder = environment.packages[0]
    assert words("pyright", environment) == [
        str(environment.python.with_name("node")),
        str(folder / "pyright/dist/index.js"),
        "--outputjson",
        f"--pythonpath={environment.python}",
    ]
    assert CHECKS["pyright"].is_installed(environment)
    (folder / "pyright/dist/index.js").unlink()
    assert not CHECKS["pyright"].is_installed(environment)


@pytest.mark.parametrize("name", ["ruff", "ruff-format"])
def test_the_projects_ruff_and_its_settings_only_in_isolation(environment: PythonEnvironment, name: str) -> None:
    isolated, plain = words(name, environment), words(name, environment, PLAIN)
    assert isolated[0] == str(environment.python.with_name("ruff"))
    assert plain[0] != isolated[0]
    assert ("--isolated" in isolated, "--isolated" in plain) == (False, True)


def test_ruff_selects_errors_only_where_nothing_is_configured(environment: PythonEnvironment) -> None:
    selected = [word for word in words("ruff", environment) if word.startswith("--select")]
    bare = [word for word in words("ruff", environment, Circumstances(isolated=True)) if word.startswith("--select")]
    assert (selected, bare) == ([], ["--select=E4,E7,E9,F"])


def test_py_compile_imports_nothing_of_the_project(environment: PythonEnvironment) -> None:
    assert words("py_compile", environment)[1:5] == ["-I", "-S", "-B", "-c"]
    assert CHECKS["py_compile"].is_installed(environment)
