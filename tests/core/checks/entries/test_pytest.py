"""How pytest is started, and what is read where its own report is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import PYTEST_INI, write_files

from orefactor.core.checks.check import Circumstances
from orefactor.core.checks.command import CheckRequest
from orefactor.core.checks.entries import pytest as entry
from orefactor.core.checks.entries import pytest_inside
from orefactor.core.checks.entries.pytest_inside import Recorder, of_phase, packed
from orefactor.sandbox.environment import PythonEnvironment

SUMMARY = "=== short test summary info ===\n"


def said(outcomes: dict[str, str], complete: bool = True) -> str:
    return f"words\n{pytest_inside.MARK}{packed(outcomes, complete)}\n"


def test_outcomes() -> None:
    reading = entry.parse(said({"t.py::a": "passed", "t.py::b": "failed", "u.py": "error"}), "/repo")
    assert reading.tests == {"t.py::a": "passed", "t.py::b": "failed", "u.py": "error"}
    assert [(finding.path, finding.rule, finding.text) for finding in reading.findings] == [
        ("t.py", "t.py::b", "failed"),
        ("u.py", "u.py", "error"),
    ]
    assert reading.shown == "words"


def test_a_run_that_was_cut_short_does_not_say_which_tests_are_gone() -> None:
    reading = entry.parse(said({"t.py::a": "failed"}, complete=False), "/repo")
    assert (reading.tests, [finding.rule for finding in reading.findings]) == (None, ["t.py::a"])


def test_the_last_word_counts() -> None:
    assert entry.parse(said({"t.py::a": "passed"}) + said({"t.py::b": "passed"}), "/repo").tests == {
        "t.py::b": "passed"
    }


@pytest.mark.parametrize(
    ("summary", "nodes"),
    [
        pytest.param("FAILED t.py::a - assert 1 == 2", ["t.py::a"], id="message"),
        pytest.param("FAILED t.py::a", ["t.py::a"], id="bare"),
        pytest.param("FAILED t.py::a[x - 1] - ValueError: [y]", ["t.py::a[x - 1]"], id="parameter"),
        pytest.param("FAILED t.py::a[x - 1]", ["t.py::a[x - 1]"], id="parameter-without-message"),
        pytest.param("FAILED t.py::a - assert [1] == [2]", ["t.py::a"], id="brackets-in-the-message"),
        pytest.param("ERROR my tests/t.py - ImportError: x", ["my tests/t.py"], id="collection"),
        pytest.param("SUBFAILED(i=1) t.py::a - x", ["t.py::a"], id="subtest"),
        pytest.param("SUBFAIL t.py::a - x", ["t.py::a"], id="subtest-of-a-plugin"),
    ],
)
def test_the_summary(summary: str, nodes: list[str]) -> None:
    output = f"FAILED t.py::before_it\n{SUMMARY}{summary}\n1 failed in 0.10s\n"
    assert [finding.rule for finding in entry.parse(output, "/repo").findings] == nodes


@pytest.mark.parametrize("mark", ["", f"\n{pytest_inside.MARK}e30=\n", f"\n{pytest_inside.MARK}eJw=\n"])
@pytest.mark.parametrize(
    ("output", "is_report"),
    [("1 passed in 0.01s", True), ("=== 3 skipped in 0.1s ===", True), ("", False), ("Killed", False)],
)
def test_without_a_report_nothing_has_passed(output: str, is_report: bool, mark: str) -> None:
    if is_report:
        assert entry.parse(output + mark, "/repo").findings == ()
    else:
        with pytest.raises(ValueError, match="pytest ended before it had reported"):
            entry.parse(output + mark, "/repo")


def test_the_command_line() -> None:
    environment = PythonEnvironment(Path("/usr/bin/python3"), None, (3, 11), ())
    request = CheckRequest("pytest", ("-x.py",), (("t.py", "a[$(x)]"),), "a and b", first_only=True)
    words = entry.command(environment, request, Circumstances(isolated=True))
    assert words[-5:] == ["-k", "a and b", "-x", "./-x.py", "./t.py::a[$(x)]"]


def report(when: str, outcome: str, **more: Any) -> Any:
    return SimpleNamespace(nodeid="t.py::a", when=when, outcome=outcome, **more)


@pytest.mark.parametrize(
    ("reports", "expected"),
    [
        pytest.param([report("setup", "passed")], None, id="not-yet"),
        pytest.param([report("setup", "passed"), report("call", "passed")], "passed", id="passed"),
        pytest.param([report("setup", "failed")], "error", id="setup"),
        pytest.param([report("call", "passed"), report("teardown", "failed")], "error", id="teardown"),
        pytest.param([report("setup", "skipped")], "skipped", id="mark"),
        pytest.param([report("call", "skipped")], "skipped", id="in-the-test"),
        pytest.param([report("call", "skipped", wasxfail="why")], "xfailed", id="xfailed"),
        pytest.param([report("call", "passed", wasxfail="why")], "xpassed", id="xpassed"),
        pytest.param([report("call", "rerun"), report("call", "passed")], "passed", id="repeated-by-a-plugin"),
        pytest.param([report("call", "failed", context=1), report("call", "passed")], "failed", id="subtest"),
        pytest.param([report("call", "skipped", context=1), report("call", "passed")], "passed", id="subtest-skipped"),
    ],
)
def test_the_worst_phase_counts(reports: list[Any], expected: str | None) -> None:
    recorder = Recorder()
    for one in reports:
        recorder.pytest_runtest_logreport(one)
    assert recorder.outcomes.get("t.py::a") == expected
    assert of_phase(report("setup", "passed")) == ""


def test_files_that_can_not_be_collected() -> None:
    recorder = Recorder()
    for node, outcome in (("", "failed"), ("a.py", "failed"), ("b.py", "skipped"), ("c.py", "passed")):
        recorder.pytest_collectreport(SimpleNamespace(nodeid=node, outcome=outcome))
    assert recorder.outcomes == {"a.py": "error", "b.py": "skipped"}


def run_inside(folder: Path, *arguments: str) -> tuple[int, Any]:
    # Imported and not given as text, as checks get it, so that its lines can be counted.
    program = "import sys, orefactor.core.checks.entries.pytest_inside as it; sys.exit(it.main(sys.argv[1:]))"
    words = [sys.executable, "-B", "-c", program, "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False)
    return done.returncode, entry.parse(done.stdout.decode(), str(folder))


TESTS = "import sys\ndef test_a(): pass\ndef test_b(): assert 0\ndef test_c(): pass\n"


def test_the_program(tmp_path: Path) -> None:
    # At first with all plugins that are installed here.
    write_files(tmp_path, {"test_x.py": TESTS, "pytest.ini": "[pytest]\n"})
    code, reading = run_inside(tmp_path)
    assert (code, reading.tests) == (
        1,
        {"test_x.py::test_a": "passed", "test_x.py::test_b": "failed", "test_x.py::test_c": "passed"},
    )
    code, reading = run_inside(tmp_path, "-x", "--disable-plugin-autoload")
    assert (code, reading.tests, len(reading.findings)) == (1, None, 1)


def test_the_program_speaks_whatever_tests_do_to_its_output(tmp_path: Path) -> None:
    write_files(tmp_path, {"test_x.py": "import sys\ndef test_a(): sys.stdout.close()\n", "pytest.ini": PYTEST_INI})
    code, reading = run_inside(tmp_path, "-s", "-p", "no:terminal")
    assert (code, reading.tests) == (0, {"test_x.py::test_a": "passed"})
