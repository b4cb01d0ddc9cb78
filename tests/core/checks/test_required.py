"""Required checks: what the base had doesn't count, whatever moved."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import PYTEST_INI, Files, write_files

from orefactor.core.checks.baseline import Baseline
from orefactor.core.checks.host import CheckHost, HostSettings, SandboxMode
from orefactor.core.checks.own import OwnCommand
from orefactor.core.checks.required import ChangedFiles, CheckResult, run_deferred, run_required
from orefactor.core.errors import ToolError
from orefactor.sandbox.files import Root

UNUSED = "import os\n"


def host_at(folder: Path, name: str, files: Files, mode: SandboxMode = "none", **settings: Any) -> CheckHost:
    scratch = folder / f"{name}-scratch"
    (folder / name).mkdir()
    scratch.mkdir()
    write_files(folder / name, files)
    given = HostSettings(folder / name, mode, Path(sys.executable), **settings)
    return CheckHost(Root(folder / name), lambda: scratch, given)


def check(
    folder: Path,
    before: Files,
    after: Files,
    names: Sequence[str] = ("ruff",),
    moved: Mapping[str, str] | None = None,
) -> list[tuple[str, int, int]]:
    moved = moved or {}
    old, new = host_at(folder, "before", before), host_at(folder, "after", after)
    origin = {path: moved.get(path, path) for path in after if moved.get(path, path) in before}
    results = run_required(names, ChangedFiles(tuple(after), origin), new, lambda: old)
    return [(result.outcome, len(result.new), result.old) for result in results]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param({"x.py": "x = 1\n"}, {"x.py": "x = 2\n"}, ("passed", 0, 0), id="clean"),
        pytest.param({"x.py": UNUSED}, {"x.py": UNUSED + "x = 1\n"}, ("passed", 0, 1), id="there-before"),
        pytest.param({"x.py": UNUSED}, {"x.py": "\n\n" + UNUSED}, ("passed", 0, 1), id="lines-moved"),
        pytest.param({"x.py": UNUSED}, {"x.py": UNUSED + "import re\n"}, ("failed", 1, 1), id="one-new"),
        pytest.param({"x.py": "x = 1\n"}, {"x.py": UNUSED}, ("failed", 1, 0), id="new"),
        pytest.param({}, {"new.py": UNUSED}, ("failed", 1, 0), id="new-file"),
        pytest.param({"x.py": "x = (\n"}, {"x.py": "x = (\ny\n"}, ("passed", 0, 1), id="syntax-before"),
        pytest.param({"x.md": "x"}, {"x.md": "y"}, ("not_run", 0, 0), id="no-python"),
        pytest.param({}, {}, ("not_run", 0, 0), id="nothing"),
    ],
)
def test_only_what_is_new_counts(tmp_path: Path, before: Files, after: Files, expected: tuple[str, int, int]) -> None:
    assert check(tmp_path, before, after) == [expected]


def test_a_renamed_file_brings_its_findings(tmp_path: Path) -> None:
    expected = [("passed", 0, 1)]
    assert check(tmp_path, {"old.py": UNUSED}, {"new.py": UNUSED}, moved={"new.py": "old.py"}) == expected


def test_several_checks_keep_their_order(tmp_path: Path) -> None:
    names: tuple[str, ...] = ("ruff", "py_compile", "ruff-format")
    found = check(tmp_path, {"x.py": "x = 1\n"}, {"x.py": "import os\nx=1\n"}, names)
    assert [outcome for outcome, _, _ in found] == ["failed", "passed", "failed"]


def test_what_can_not_run_is_said(tmp_path: Path) -> None:
    assert check(tmp_path, {}, {"x.py": "x = 1\n"}, ("pytest",)) == [("not_installed", 0, 0)]


def test_no_checks(tmp_path: Path) -> None:
    assert check(tmp_path, {}, {"x.py": "x = 1\n"}, ()) == []


BROKEN = "lint.select = 7\n"


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("before", "outcome"), [(BROKEN, "not_run"), ("", "failed")], ids=["broken-before", "broken-by-the-change"]
)
def test_a_check_that_does_not_work(tmp_path: Path, before: str, outcome: str) -> None:
    old = host_at(tmp_path, "before", {"x.py": "x = 1\n", "ruff.toml": before}, "bwrap")
    new = host_at(tmp_path, "after", {"x.py": "x = 1\n", "ruff.toml": BROKEN}, "bwrap")
    results = run_required(("ruff",), ChangedFiles(("x.py",), {"x.py": "x.py"}), new, lambda: old)
    assert [(result.outcome, result.new) for result in results] == [(outcome, ())]


def test_an_error_in_one_check_stops_the_others(tmp_path: Path) -> None:
    host = host_at(tmp_path, "after", {"x.py": UNUSED})
    stopped: list[bool] = []

    def no_base() -> CheckHost:
        raise ToolError("no base")

    with pytest.raises(ToolError):
        run_required(("ruff",), ChangedFiles(("x.py",), {"x.py": "x.py"}), host, no_base, lambda: stopped.append(True))
    assert stopped == [True]


def test_time_that_runs_out_is_a_failure(tmp_path: Path) -> None:
    host = host_at(tmp_path, "after", {"x.py": "x = 1\n"}, seconds=lambda: 0.0)

    def never() -> CheckHost:
        raise AssertionError("the base says nothing about that")

    (result,) = run_required(("py_compile",), ChangedFiles(("x.py",), {"x.py": "x.py"}), host, never)
    assert (result.outcome, result.new, result.baseline) == ("failed", (), "none")
    assert result.detail.startswith("ran out of time after 0 s")


def test_what_a_result_says_besides(tmp_path: Path) -> None:
    old = host_at(tmp_path, "before", {"x.py": UNUSED})
    new = host_at(tmp_path, "after", {"x.py": "import os\nimport re\n"})
    changed = ChangedFiles(("x.py",), {"x.py": "x.py"})
    lint, compiled = run_required(("ruff", "py_compile"), changed, new, lambda: old)
    assert (lint.baseline, compiled.baseline, lint.counts) == ("measured", "none", True)
    assert lint.command[1:3] == ("check", "--no-cache")
    assert not any("\n" in word for word in compiled.command)
    (deferred,) = run_deferred(("ruff",), changed, new, lambda: old)
    assert (deferred.when, deferred.required, deferred.outcome) == ("on_demand", False, "failed")


TEST = "def test_a(): assert 1\n\n\ndef test_b(): assert 0\n"


def run_tests(folder: Path, before: Files, after: Files, *, early: bool = True, moved: str = "") -> CheckResult:
    common = {"pytest.ini": PYTEST_INI}
    old, new = (host_at(folder, name, {**common, **files}, "bwrap") for name, files in
                (("before", before), ("after", after)))  # fmt: skip
    changed = ChangedFiles(tuple(after), {path: moved or path for path in after})
    baseline = Baseline(new, lambda: old, ("pytest",))
    if early:
        baseline.start(("pytest",))
    try:
        (result,) = run_required(("pytest",), changed, new, lambda: old, baseline=baseline)
    finally:
        baseline.close()
    return result


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("after", "outcome", "new", "old", "lost"),
    [
        pytest.param(TEST.replace("assert 1", "assert 0"), "failed", ["test_x.py::test_a"], 1, (), id="fails"),
        pytest.param(TEST.replace("a()", "c()"), "passed", [], 1, ("test_x.py::test_a (gone)",), id="gone"),
        pytest.param("import nothing_there\n", "failed", ["test_x.py"], 0, ("test_x.py::test_a (gone)",), id="import"),
        pytest.param("def test_a(): assert 1\n", "passed", [], 0, (), id="clean"),
        pytest.param("", "failed", [], 0, (), id="no-tests"),
    ],
)
def test_tests_are_compared_one_by_one(
    tmp_path: Path, after: str, outcome: str, new: list[str], old: int, lost: tuple[str, ...]
) -> None:
    result = run_tests(tmp_path, {"test_x.py": TEST}, {"test_x.py": after})
    assert (result.outcome, [finding.rule for finding in result.new], result.old) == (outcome, new, old)
    assert (result.lost, result.baseline, result.counts) == (lost, "measured", True)


@pytest.mark.sandbox
def test_tests_of_a_renamed_file_are_the_same(tmp_path: Path) -> None:
    result = run_tests(tmp_path, {"test_x.py": TEST}, {"test_y.py": TEST}, moved="test_x.py")
    assert (result.outcome, result.old, result.lost) == ("passed", 1, ())


@pytest.mark.sandbox
def test_a_clean_run_without_an_early_baseline_asks_for_none(tmp_path: Path) -> None:
    result = run_tests(tmp_path, {"test_x.py": TEST}, {"test_x.py": "def test_c(): pass\n"}, early=False)
    assert (result.outcome, result.baseline, result.lost) == ("passed", "none", ())


@pytest.mark.sandbox
def test_a_test_that_fails_by_chance_does_not_count(tmp_path: Path) -> None:
    # Alone it is the first of its process, together it isn't.
    count = "SEEN = []\n"
    flaky = "import seen\n\n\ndef test_a(): seen.SEEN.append(1)\n\n\ndef test_b(): assert not seen.SEEN\n"
    files = {"seen.py": count, "test_x.py": flaky}
    result = run_tests(tmp_path, {**files, "test_x.py": flaky.replace("not ", "")}, files)
    assert (result.outcome, result.flaky, result.new) == ("passed", ("test_x.py::test_b",), ())
    assert "passed when it was run again alone" in result.detail


@pytest.mark.sandbox
def test_a_file_that_fails_to_be_collected_is_tried_again_too(tmp_path: Path) -> None:
    broken = "import nothing_there\n\n\ndef test_a(): pass\n"
    result = run_tests(tmp_path, {"test_x.py": TEST}, {"test_x.py": broken, "test_y.py": TEST}, early=False)
    assert result.flaky == ()
    assert {finding.rule for finding in result.new} == {"test_x.py", "test_y.py::test_b"}


@pytest.mark.sandbox
def test_a_test_whose_file_can_not_be_named_is_not_tried_again(tmp_path: Path) -> None:
    # Its node ids begin at another folder than the tree's top.
    after = {
        "inner/test_x.py": TEST,
        "inner/tox.ini": PYTEST_INI,
        "pytest.ini": "[pytest]\naddopts = -c inner/tox.ini inner\n",
    }
    result = run_tests(tmp_path, {"x.py": ""}, after, early=False)
    assert (result.outcome, result.flaky, len(result.new)) == ("failed", (), 1)


OWN = (OwnCommand("grep", ("sh", "-c", "! grep -n BAD x.txt | sed s/^/x.txt:/ | grep .")),)


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("good\n", "good\n", ("passed", 0, 0)),
        ("good\n", "BAD one\n", ("failed", 1, 0)),
        ("BAD one\n", "more\nBAD one\n", ("passed", 0, 1)),
        ("BAD one\n", "BAD one\nBAD two\n", ("failed", 1, 1)),
    ],
)
def test_own_commands(tmp_path: Path, before: str, after: str, expected: tuple[str, int, int]) -> None:
    old = host_at(tmp_path, "before", {"x.txt": before}, "bwrap", own=OWN)
    new = host_at(tmp_path, "after", {"x.txt": after}, "bwrap", own=OWN)
    (result,) = run_required(("grep",), ChangedFiles(("x.txt",), {"x.txt": "x.txt"}), new, lambda: old)
    assert (result.outcome, len(result.new), result.old) == expected
    assert result.isolated and result.command[0] == "sh"


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("own", "outcome"),
    [
        (("no-such-program",), "not_installed"),
        (("./no-such-file",), "not_run"),
        (("sh", "-c", "kill -9 $$"), "not_run"),
    ],
)
def test_own_commands_that_do_not_start_have_not_passed(tmp_path: Path, own: tuple[str, ...], outcome: str) -> None:
    commands = (OwnCommand("own", own),)
    old = host_at(tmp_path, "before", {"x.txt": ""}, "bwrap", own=commands)
    new = host_at(tmp_path, "after", {"x.txt": ""}, "bwrap", own=commands)
    (result,) = run_required(("own",), ChangedFiles(("x.txt",), {"x.txt": "x.txt"}), new, lambda: old)
    assert (result.outcome, result.counts) == (outcome, False)
