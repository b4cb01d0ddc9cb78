"""Which checks a project's own files show, and which of them can run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import Files, write_files

from orefactor.core.checks.configuration import ini_section, mypy_covers_project, tool_table
from orefactor.core.checks.host import CheckHost, HostSettings, SandboxMode
from orefactor.core.checks.offered import offered, used
from orefactor.sandbox.files import Root


@pytest.mark.parametrize(
    ("files", "names"),
    [
        pytest.param({"x.py": ""}, (), id="nothing"),
        pytest.param({"pyproject.toml": "[tool.pytest.ini_options]\n"}, ("pytest",), id="pytest-pyproject"),
        pytest.param({"pytest.ini": ""}, ("pytest",), id="pytest-ini"),
        pytest.param({"tox.ini": "[tox]\n[pytest]\n"}, ("pytest",), id="tox"),
        pytest.param({"tox.ini": "[tox]\n"}, (), id="tox-without"),
        pytest.param({"setup.cfg": "[tool:pytest]\n"}, ("pytest",), id="setup-cfg"),
        pytest.param({"tests/x.py": ""}, ("pytest",), id="tests"),
        pytest.param({"test/x.py": ""}, ("pytest",), id="test"),
        pytest.param({"pyproject.toml": "[tool.mypy]\n"}, ("mypy",), id="mypy-pyproject"),
        pytest.param({"mypy.ini": "[mypy]\n"}, ("mypy",), id="mypy-ini"),
        pytest.param({".mypy.ini": "broken"}, ("mypy",), id="mypy-hidden"),
        pytest.param({"setup.cfg": "[mypy]\nfiles = x\n"}, ("mypy",), id="mypy-setup"),
        pytest.param({"pyproject.toml": "[tool.pyright]\n"}, ("pyright",), id="pyright"),
        pytest.param({"pyrightconfig.json": "{}"}, ("pyright",), id="pyright-json"),
        pytest.param({"pyproject.toml": "[tool.ruff.format]\n"}, ("ruff-format",), id="ruff"),
        pytest.param({"ruff.toml": ""}, ("ruff-format",), id="ruff-toml"),
        pytest.param({".ruff.toml": ""}, ("ruff-format",), id="ruff-hidden"),
        pytest.param({"pyproject.toml": "[tool.ruff]\n[tool.black]\n"}, (), id="formatted-by-black"),
        pytest.param({"pyproject.toml": "[broken"}, (), id="broken"),
        pytest.param({"pyproject.toml": "tool = 1\n"}, (), id="no-table"),
        pytest.param({"pyproject.toml": b"\xff"}, (), id="no-text"),
        pytest.param({"pyproject.toml": "a = " + "[" * 5000}, (), id="deep"),
        pytest.param({"pytest.ini/x": "", "tests": "no folder"}, (), id="other-kinds"),
        pytest.param(
            {"pyproject.toml": "[tool.mypy]\n[tool.pyright]\n[tool.ruff]\n[tool.pytest.ini_options]\n"},
            ("ruff-format", "mypy", "pyright", "pytest"),
            id="all",
        ),
    ],
)
def test_what_is_used(tmp_path: Path, files: Files, names: tuple[str, ...]) -> None:
    write_files(tmp_path, files)
    assert used(Root(tmp_path)) == names


@pytest.mark.parametrize(
    ("files", "covers"),
    [
        ({"pyproject.toml": '[tool.mypy]\nfiles = ["src"]\n'}, True),
        ({"pyproject.toml": '[tool.mypy]\npackages = ["x"]\n'}, True),
        ({"mypy.ini": "[mypy]\nfiles = src\n"}, True),
        ({"mypy.ini": "[mypy]\nstrict = true\n", "pyproject.toml": '[tool.mypy]\nfiles = ["src"]\n'}, False),
        ({"pyproject.toml": "[tool.mypy]\nstrict = true\n"}, False),
        ({}, False),
    ],
)
def test_what_mypy_is_run_on(tmp_path: Path, files: Files, covers: bool) -> None:
    write_files(tmp_path, files)
    assert mypy_covers_project(Root(tmp_path)) is covers


def test_links_configure_nothing(tmp_path: Path) -> None:
    write_files(tmp_path, {"real/tests/x.py": ""})
    (tmp_path / "tests").symlink_to("real/tests")
    (tmp_path / "pytest.ini").symlink_to("nowhere")
    root = Root(tmp_path)
    assert used(root) == ()
    assert (tool_table(root, "x"), ini_section(root, "pytest.ini", "x")) == (None, None)


EVERYTHING = {"pyproject.toml": "[tool.mypy]\n[tool.pyright]\n[tool.ruff]\n[tool.pytest.ini_options]\n"}


def host(tmp_path: Path, mode: SandboxMode) -> CheckHost:
    tree, scratch = tmp_path / "tree", tmp_path / "scratch"
    scratch.mkdir()
    write_files(tree, EVERYTHING)
    return CheckHost(Root(tree), lambda: scratch, HostSettings(tree, mode, Path(sys.executable)))


def test_without_isolation_only_what_runs_no_code(tmp_path: Path) -> None:
    assert offered(host(tmp_path, "none")) == ("ruff-format",)


@pytest.mark.sandbox
def test_with_isolation_all_but_required_ones(tmp_path: Path) -> None:
    checks = host(tmp_path, "bwrap")
    assert set(offered(checks)) >= {"ruff-format", "mypy", "pytest"}
    assert offered(checks, ("mypy", "pyright", "ruff-format")) == ("pytest",)
