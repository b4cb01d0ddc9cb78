"""Required checks: what the base had doesn't count, whatever moved."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from conftest import Files, write_files

from orefactor.core.checks.command import CheckName
from orefactor.core.checks.host import CheckHost, HostSettings, SandboxMode
from orefactor.core.checks.required import ChangedFiles, run_required
from orefactor.core.errors import ToolError
from orefactor.sandbox.files import Root

UNUSED = "import os\n"


def host_at(folder: Path, name: str, files: Files, mode: SandboxMode = "none") -> CheckHost:
    scratch = folder / f"{name}-scratch"
    (folder / name).mkdir()
    scratch.mkdir()
    write_files(folder / name, files)
    return CheckHost(Root(folder / name), lambda: scratch, HostSettings(folder / name, mode, Path(sys.executable)))


def check(
    folder: Path,
    before: Files,
    after: Files,
    names: Sequence[CheckName] = ("ruff",),
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
    names: tuple[CheckName, ...] = ("ruff", "py_compile", "ruff-format")
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
