"""Checks that run for real, isolated where that works."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import PYTEST_INI, Files, write_files

from orefactor.core.checks.catalogue import CHECKS
from orefactor.core.checks.command import CheckRequest
from orefactor.core.checks.host import CheckHost, HostSettings
from orefactor.core.checks.own import OwnCommand
from orefactor.core.errors import ExitCode, ToolError, UserError
from orefactor.sandbox.files import Root

MakeHost = Callable[..., CheckHost]
LINT = {"x.py": "import os\n", "good.py": "x = 1\n"}


@pytest.fixture
def host(tmp_path: Path) -> MakeHost:
    """Make a host for the checks of a few files; plain processes unless told otherwise."""

    def make(files: Files, **settings: Any) -> CheckHost:
        tree, scratch = tmp_path / "tree", tmp_path / "scratch"
        tree.mkdir()
        scratch.mkdir()
        write_files(tree, files)
        own: dict[str, Any] = {"mode": "none", "python": Path(sys.executable), **settings}
        given = HostSettings(tree, **own)
        return CheckHost(Root(tree), lambda: scratch, given)

    return make


@pytest.mark.traces("REQ-103-016")
@pytest.mark.parametrize(
    ("files", "command", "first", "rest"),
    [
        pytest.param(LINT, "ruff check good.py", "passed: ruff check good.py", "All checks passed!", id="ruff"),
        pytest.param(LINT, "ruff check .", "failed: ruff check .: 1 finding(s)",
                     "x.py:1: F401 `os` imported but unused", id="ruff-failed"),
        pytest.param({"x.py": "x=1\n"}, "ruff format --check x.py", "failed: ruff format --check x.py: 1 finding(s)",
                     "x.py", id="format"),
        pytest.param(LINT, "py_compile x.py", "passed: py_compile x.py", "", id="compile"),
        pytest.param({"a/x.py": "x = (\n", "a/b/y.pyi": "x: int\n", "a/z.txt": "("}, "py_compile a",
                     "failed: py_compile a: 1 finding(s)", "a/x.py:1: syntax '(' was never closed",
                     id="compile-folder"),
        pytest.param({"x.py": b"x = '\0'\n"}, "py_compile x.py", "failed: py_compile x.py: 1 finding(s)",
                     "source code string cannot contain null bytes", id="compile-nul"),
        pytest.param({"-x.py": "x = 1\n"}, "py_compile ./-x.py", "passed: py_compile ./-x.py", "", id="dash"),
        pytest.param({"py_compile.py": "boom\n", "x.py": "x = 1\n"}, "py_compile x.py", "passed: py_compile x.py", "",
                     id="a-module-of-that-name-is-not-run"),
    ],
)  # fmt: skip
def test_reports(host: MakeHost, files: Files, command: str, first: str, rest: str) -> None:
    said, _, output = host(files).run(command).partition("\n")
    assert said == first
    assert rest in output if rest else output == ""


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("ruff check lost.py", "`lost.py` does not exist; name a file or folder to run ruff on"),
        ("pytest lost.py::test_a", "`lost.py` does not exist"),
        ("ruff check link.py", "`link.py` is a symbolic link"),
        ("py_compile empty", "`empty` holds no Python file"),
        ("pytest", "pytest runs the project's code, and there is no isolation here (isolation was turned off)"),
        ("mypy good.py", "mypy runs the project's code"),
    ],
)
def test_what_can_not_run(host: MakeHost, tmp_path: Path, command: str, words: str) -> None:
    checks = host(LINT)
    (tmp_path / "tree/link.py").symlink_to("good.py")
    (tmp_path / "tree/empty").mkdir()
    with pytest.raises(ToolError) as raised:
        checks.run(command)
    assert words in str(raised.value)


def test_time_is_limited(host: MakeHost) -> None:
    with pytest.raises(ToolError, match="ran out of time after 0 s; check a smaller part"):
        host({"x.py": "x = 1\n"}, seconds=lambda: 0.0).run("py_compile x.py")


def test_many_files_are_checked_in_parts(host: MakeHost) -> None:
    files = {f"m{number:03}.py": "x = 1\n" for number in range(450)} | {"m401.py": "(\n", "m000.py": ")\n"}
    said = host(files).run("py_compile .")
    assert said.splitlines()[0] == "failed: py_compile .: 2 finding(s)"


@pytest.mark.parametrize(
    ("name", "words"),
    [("pytest", "the check `pytest` runs the project's code, and there is no isolation here: isolation was turned off"),
     ("mypy", "the check `mypy` runs the project's code")],
)  # fmt: skip
def test_required_without_isolation(host: MakeHost, name: str, words: str) -> None:
    with pytest.raises(UserError) as raised:
        host(LINT).require(name)
    assert words in raised.value.message
    assert raised.value.hint.startswith("leave out `--sandbox none`")
    assert raised.value.exit_code is ExitCode.ENVIRONMENT


@pytest.fixture
def bare_python(tmp_path: Path) -> Path:
    """An interpreter whose environment has no packages at all."""
    folder = tmp_path / "bare"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/python").symlink_to(Path(sys.executable).resolve())
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    (folder / f"lib/python{version}/site-packages").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\nversion = {version}\n")
    return folder / "bin/python"


@pytest.mark.parametrize("name", ["pytest", "mypy"])
def test_what_is_not_installed(host: MakeHost, bare_python: Path, name: str) -> None:
    checks = host(LINT, python=bare_python)
    with pytest.raises(UserError, match=f"the check `{name}` is not installed in the project's environment"):
        checks.require(name)
    for fine in ("ruff", "py_compile", "ruff-format"):
        checks.require(fine)
    assert checks.run("ruff check good.py").startswith("passed")


def test_an_interpreter_that_is_missing(host: MakeHost, tmp_path: Path) -> None:
    checks = host(LINT, python=tmp_path / "nowhere")
    checks.warm_up()
    assert checks.isolation_if_used is None
    with pytest.raises(UserError, match="no Python at"):
        checks.run("py_compile x.py")


def test_another_tree_has_its_own_files(host: MakeHost, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_files(other, {"x.py": "x = (\n"})
    checks = host({"x.py": "x = 1\n"})
    assert checks.run("py_compile x.py").startswith("passed")
    assert checks.elsewhere(Root(other), tmp_path / "scratch").run("py_compile x.py").startswith("failed")


@pytest.mark.sandbox
def test_what_is_not_installed_can_not_be_asked_for(host: MakeHost, bare_python: Path) -> None:
    with pytest.raises(ToolError, match="mypy is not installed in the project's environment; use another check"):
        host(LINT, mode="bwrap", python=bare_python).run("mypy x.py")


@pytest.mark.sandbox
def test_required_with_isolation(host: MakeHost) -> None:
    checks = host(LINT, mode="bwrap")
    checks.require("pytest")
    assert checks.isolation.isolated


@pytest.mark.sandbox
@pytest.mark.traces("REQ-103-016", "SEC-103-002")
def test_tests_run_in_isolation_and_change_nothing(host: MakeHost, tmp_path: Path) -> None:
    test = """
import os, pathlib, socket
def test_writes(): pathlib.Path("written").write_text("x")
def test_sees_no_secret(): assert not [name for name in os.environ if "TOKEN" in name]
def test_reaches_nobody():
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=0.2)
    except OSError:
        return
    raise AssertionError
def test_fails(): assert 1 == 2
"""
    checks = host({"test_x.py": test}, mode="bwrap")
    checks.warm_up()
    said = checks.run("pytest test_x.py")
    assert said.splitlines()[0] == "failed: pytest test_x.py: 1 finding(s)"
    assert "FAILED test_x.py::test_fails" in said and "3 passed" in said
    assert not (tmp_path / "tree/written").exists()
    assert checks.isolation_if_used is not None
    # From here on without all the plugins that are installed beside us.
    write_files(tmp_path / "tree", {"pytest.ini": PYTEST_INI})
    assert checks.run("pytest test_x.py -k 'writes or secret' -x").startswith("passed")
    assert checks.run("pytest test_x.py::test_writes").startswith("passed")


@pytest.mark.sandbox
def test_types_are_checked_in_isolation(host: MakeHost) -> None:
    said = host({"x.py": "x: int = 'a'\n"}, mode="bwrap").run("mypy x.py")
    assert said.splitlines()[0] == "failed: mypy x.py: 1 finding(s)"
    assert "Incompatible types in assignment" in said


@pytest.mark.sandbox
@pytest.mark.parametrize("mode", ["bwrap", "landlock"])
def test_pyright_downloads_nothing(host: MakeHost, mode: str) -> None:
    checks = host({"x.py": "x: int = 'a'\n"}, mode=mode)
    if not CHECKS["pyright"].is_installed(checks.environment):
        pytest.skip("no pyright with its program, or no Node.js")
    said = checks.run("pyright x.py")
    assert said.splitlines()[0] == "failed: pyright x.py: 1 finding(s)"
    assert "x.py:1: reportAssignmentType" in said
    assert checks.run("pyright .").startswith("failed")


@pytest.mark.sandbox
def test_findings_say_where_they_lie(host: MakeHost) -> None:
    files = {"x.py": "def f() -> None:\n    x:  int = 'a'\n"}
    (finding,) = host(files, mode="bwrap").perform(CheckRequest("mypy", ("x.py",))).findings
    assert (finding.line, finding.symbol, finding.source) == (2, "f", "x: int = 'a'")


@pytest.mark.sandbox
def test_the_projects_configuration_counts_in_isolation_only(host: MakeHost, tmp_path: Path) -> None:
    files = {"x.py": "import os\n", "ruff.toml": 'lint.ignore = ["F401"]\n'}
    checks = host(files, mode="bwrap")
    assert checks.run("ruff check x.py").startswith("passed")
    plain = CheckHost(Root(tmp_path / "tree"), lambda: tmp_path / "scratch", HostSettings(tmp_path / "tree", "none"))
    assert plain.run("ruff check x.py").startswith("failed")


@pytest.mark.sandbox
def test_several_threads_probe_once(host: MakeHost) -> None:
    checks = host({"x.py": "x = 1\n"}, mode="auto")
    said: list[str] = []
    threads = [threading.Thread(target=lambda: said.append(checks.run("py_compile x.py"))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == ["passed: py_compile x.py"] * 3


def test_a_request_may_come_as_data(host: MakeHost) -> None:
    run = host(LINT).perform(CheckRequest("ruff", ("x.py",)))
    assert (run.outcome, run.isolated, [finding.rule for finding in run.findings]) == ("failed", False, ["F401"])


def test_a_name_that_is_none(host: MakeHost) -> None:
    checks = host(LINT, own=(OwnCommand("docs", ("make",)),))
    with pytest.raises(UserError, match="`flake8` is no check"):
        checks.require("flake8")
    with pytest.raises(UserError, match="the check `docs` runs the project's code, and there is no isolation"):
        checks.require("docs")
    assert checks.check("docs").name == "docs"


def test_what_a_check_looks_at(host: MakeHost) -> None:
    checks = host({"mypy.ini": "[mypy]\nfiles = x.py\n", "x.py": ""})
    assert checks.request("ruff", ("x.py", "y.txt")) == CheckRequest("ruff", ("x.py",))
    assert checks.request("ruff", ("y.txt",)) is None
    assert checks.request("mypy", ("y.txt",)) == CheckRequest("mypy")
    assert checks.request("pyright", ("y.txt",)) is None
    assert checks.request("pytest", ()) == CheckRequest("pytest")


def test_a_host_that_is_to_end_earlier(host: MakeHost) -> None:
    checks = host(LINT)
    assert checks.until(lambda: True).perform(CheckRequest("ruff", ("x.py",))).outcome in ("broken", "failed")
    assert checks.until(lambda: False).perform(CheckRequest("ruff", ("good.py",))).outcome == "passed"
