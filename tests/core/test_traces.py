"""Every number of the refactoring specification is shown by a test that names it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

NUMBERS = (
    *(f"REQ-103-{number:03}" for number in range(1, 26)),
    *(f"SEC-103-{number:03}" for number in range(1, 5)),
    *(f"TST-103-{number:03}" for number in range(1, 7)),
)
STORIES = ("US-001", "US-002", "US-003", "US-004")
SOURCES = sorted(Path(__file__).parents[1].rglob("test_*.py"))


def marked(source: Path) -> Iterator[tuple[str, str]]:
    """Each number that a test of the file names, with the test's name."""
    for node in ast.walk(ast.parse(source.read_bytes())):
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.traces":
                yield from ((ast.literal_eval(argument), node.name) for argument in decorator.args)


SHOWN = {number for source in SOURCES for number, _ in marked(source)}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_has_a_test(number: str) -> None:
    assert number in SHOWN


def test_no_number_is_made_up() -> None:
    assert not SHOWN - {*NUMBERS, *STORIES}


def test_only_tests_are_marked() -> None:
    names = [name for source in SOURCES for _, name in marked(source)]
    assert all(name.startswith(("test_", "Test")) for name in names)
