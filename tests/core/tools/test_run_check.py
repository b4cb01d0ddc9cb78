"""`run_check`: accepted forms run for real, everything else is refused before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import write_files

from orefactor.core import RefactorTools
from orefactor.core.redact import Redactor
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import Workspace
from orefactor.core.tools.toolbox import Toolbox
from orefactor.sandbox.files import Root


@pytest.mark.traces("REQ-103-016", "TST-103-001")
def test_a_report_says_first_whether_it_passed(tmp_path: Path) -> None:
    write_files(tmp_path, {"good.py": "x = 1\n", "bad.py": "import os\nx = (\n", "lint.py": "import os\n"})
    tools = RefactorTools(tmp_path)
    assert tools.run_check("py_compile good.py") == "passed: py_compile good.py"
    first, *rest = tools.run_check("python -m py_compile bad.py").splitlines()
    assert first == "failed: python -m py_compile bad.py: 1 finding(s)"
    assert rest == ["bad.py:2: syntax '(' was never closed"]
    assert tools.run_check("ruff check good.py") == "passed: ruff check good.py\nAll checks passed!"


@pytest.mark.traces("REQ-103-016", "SEC-103-002", "TST-103-001", "TST-103-005")
@pytest.mark.parametrize(
    "command",
    ["rm -rf .", "git push", "pip install x", "curl http://x", "ruff check --fix x.py", "ruff format x.py",
     "pytest -p evil", "mypy @x", "python x.py", "bash -c 'ruff check x.py'", "ruff check x.py; touch y",
     "ruff check x.py && touch y", "ruff check $(touch y)", "ruff check x.py > y", "env ruff check x.py", ""],
)  # fmt: skip
def test_nothing_else_runs(tmp_path: Path, command: str) -> None:
    write_files(tmp_path, {"x.py": "x = 1\n"})
    answer = RefactorTools(tmp_path).run_check(command)
    assert answer.startswith("ERROR: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.py"]


def test_where_no_check_can_run(tmp_path: Path) -> None:
    answer = Toolbox(TOOLS, Workspace(Root(tmp_path)), Redactor({})).call("run_check", {"command": "ruff check ."})
    assert answer.text == "ERROR: no check can run here; go on without"
