"""The table of checks, and how a name finds its check."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from orefactor.core.checks import entries
from orefactor.core.checks.catalogue import CHECKS, DEFAULT_CHECKS, catalogue, find_check, is_python
from orefactor.core.checks.command import CheckName
from orefactor.core.checks.own import OwnCommand
from orefactor.core.errors import UserError


def test_the_table_is_the_folder() -> None:
    folder = Path(str(entries.__file__)).parent
    modules = [import_module(f"{entries.__name__}.{path.stem}") for path in folder.glob("[a-z]*.py")]
    assert {module.CHECK.name for module in modules if hasattr(module, "CHECK")} == set(CHECKS)
    assert all(name == check.name for name, check in CHECKS.items())
    assert set(get_args(CheckName)) == set(CHECKS) > set(DEFAULT_CHECKS)


@pytest.mark.parametrize("name", CHECKS)
def test_each_says_its_cost_and_limit(name: str) -> None:
    check = CHECKS[name]
    assert check.seconds > check.cost.seconds > 0
    assert str(check.cost) == f"about {check.cost.seconds} s, up to {check.cost.result_kib} KB"


def test_own_commands_are_checks_too() -> None:
    checks = catalogue((OwnCommand("docs", ("make", "docs")),))
    assert find_check("docs", checks).name == "docs"
    assert "docs" not in CHECKS
    with pytest.raises(UserError, match="there is a check `ruff` already"):
        catalogue((OwnCommand("ruff", ("x",)),))
    with pytest.raises(UserError, match="there is a check `x` already"):
        catalogue((OwnCommand("x", ("x",)), OwnCommand("x", ("y",))))


@pytest.mark.parametrize(
    ("written", "near"),
    [("pytset", "pytest"), ("ruff_format", "ruff-format"), ("MyPy", "mypy"), ("pycompile", "py_compile")],
)
def test_a_wrong_name_is_answered_with_the_nearest(written: str, near: str) -> None:
    with pytest.raises(UserError, match="is no check") as raised:
        find_check(written)
    assert f"did you mean `{near}`?" in raised.value.hint


def test_a_name_like_no_other_is_answered_with_all() -> None:
    with pytest.raises(UserError) as raised:
        find_check("zzz" * 100)
    assert all(name in raised.value.hint for name in CHECKS)
    assert len(raised.value.message) < 100


@pytest.mark.parametrize(("path", "is_source"), [("x.py", True), ("a/x.pyi", True), ("x.pyc", False), ("py", False)])
def test_sources(path: str, is_source: bool) -> None:
    assert is_python(path) is is_source
