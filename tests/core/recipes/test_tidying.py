"""What a recipe made untidy by the project's own rules is mended; what was untidy before stays."""

from __future__ import annotations

import pytest

from orefactor.core.recipes.base import Options
from orefactor.core.recipes.docstrings import add_docstrings
from orefactor.core.recipes.project import project_options
from orefactor.core.recipes.tidying import tidied

UNSORTED = "import sys\nimport os\n"


@pytest.mark.parametrize(
    ("before", "after", "rules", "expected"),
    [
        ("import sys\n", UNSORTED, ("I001",), "import os\nimport sys\n"),
        ("import sys\n", UNSORTED, (), UNSORTED),
        (UNSORTED, UNSORTED + "x = 1\n", ("I001",), UNSORTED + "x = 1\n"),
        (UNSORTED, UNSORTED, ("I001",), UNSORTED),
    ],
)
def test_tidied(before: str, after: str, rules: tuple[str, ...], expected: str) -> None:
    assert tidied(before, after, Options(lint_rules=rules)) == expected


@pytest.mark.parametrize(
    ("body", "has_pass"),
    [
        ("class A:\n    pass\n", False),
        ("class A: pass\n", False),
        ("def f():\n    pass\n\n\nx = 1\n", False),
        ("class A:\n    pass  # for now\n", True),
        ("class A:\n    # why\n    pass\n", True),
        ("class A:\n    x = 1\n    pass\n", True),
    ],
)
def test_a_needless_pass_goes_where_the_project_wants_it(body: str, has_pass: bool) -> None:
    text = add_docstrings(f'"""Module."""\n\n\n{body}', Options(lint_rules=("PIE790",)))
    assert ("pass" in text) == has_pass
    assert not text.endswith("\n\n")
    assert "pass" in add_docstrings(body, Options())


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("", ()),
        ('lint.select = ["ALL"]', ("PIE790", "I001")),
        ('lint.select = ["PIE"]\nlint.extend-select = ["I"]', ("PIE790", "I001")),
        ('select = ["F", "I"]', ("I001",)),
        ('lint.select = ["ALL"]\nlint.ignore = ["PIE790"]', ("I001",)),
        ('lint.select = [1, ""]', ()),
    ],
)
def test_rules_that_the_project_chose(config: str, expected: tuple[str, ...]) -> None:
    assert project_options({"ruff.toml": config}).lint_rules == expected
