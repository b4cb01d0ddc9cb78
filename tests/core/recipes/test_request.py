"""Which tasks the offline engine takes, and which it leaves to a model."""

from __future__ import annotations

import pytest

from orefactor.core.recipes import RECIPES
from orefactor.core.recipes.request import choose


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("add docstrings", "docstrings"),
        ("Please add missing docstrings to src/x.py.", "docstrings"),
        ("add Google-style docstrings to every function in x.py", "docstrings"),
        ("could you add docstrings?", "docstrings"),
        ("document all functions", "docstrings"),
        ("add docstrings to the functions and classes in src/", "docstrings"),
        ("add docstrings and type hints", "annotations docstrings"),
        ("add docstrings, type hints and sort imports", "annotations imports docstrings"),
        ("format & add type annotations everywhere", "annotations formatting"),
        ("annotate", "annotations"),
        ("sort imports in a.py, b.py and c/", "imports"),
        ("remove all unused imports", "imports"),
        ("tidy up imports, please", "imports"),
        ("format the code", "formatting"),
        ("modernize", "modernize"),
        ("use newer syntax then format", "modernize formatting"),
        ("Upgrade syntax for Python 3.11", "modernize"),
    ],
)
def test_known_tasks(task: str, names: str) -> None:
    chosen = choose(task)
    assert chosen is not None
    assert [recipe.name for recipe in chosen.recipes] == names.split()


@pytest.mark.parametrize(
    "task",
    [
        "",
        "please",
        "don't add docstrings",
        "never format",
        "remove docstrings",
        "rename the docstring function",
        "add docstrings to x.py and rename foo to bar",
        "add docstrings but not to the tests",
        "add docstrings to x.py except y.py",
        "add docstrings in German",
        "add numpy docstrings",
        "add a docstring",
        "add docstrings to the function foo",
        "add docstrings to x.py. Then delete y.py",
        "add docstrings to " + "very " * 20 + "much",
        "format the date in parse()",
        "format strings as f-strings",
        "sort imports by length",
        "annotate the diagram",
        "add type hints without changing imports",
        "modernize the login page",
        "and x.py",
    ],
)
def test_other_tasks(task: str) -> None:
    assert choose(task) is None


@pytest.mark.parametrize(
    ("task", "rules"),
    [
        ("sort imports", ("I",)),
        ("remove unused imports", ("F401",)),
        ("sort imports and remove unused imports", ("I", "F401")),
        ("organise imports", ("I", "F401")),
        ("format", ("I", "F401")),
    ],
)
def test_import_rules(task: str, rules: tuple[str, ...]) -> None:
    chosen = choose(task)
    assert chosen is not None
    assert chosen.import_rules == rules


@pytest.mark.parametrize(
    ("task", "paths", "public_only", "version"),
    [
        ("add docstrings", (), False, ""),
        ("add docstrings to ./src/a.py, `b.pyi` and src/c/", ("src/a.py", "b.pyi", "src/c"), False, ""),
        ("add docstrings to all public functions", (), True, ""),
        ("modernize for python 3.12", (), False, "py312"),
    ],
)
def test_what_narrows_a_task(task: str, paths: tuple[str, ...], public_only: bool, version: str) -> None:
    chosen = choose(task)
    assert chosen is not None
    assert (chosen.paths, chosen.public_only, chosen.target_version) == (paths, public_only, version)


@pytest.mark.parametrize(
    ("task", "title"),
    [
        ("add type hints and docstrings", "Add type hints and docstrings"),
        ("add docstrings and format", "Add docstrings and format code"),
        ("sort imports, sort imports", "Sort imports"),
    ],
)
def test_titles(task: str, title: str) -> None:
    chosen = choose(task)
    assert chosen is not None
    assert chosen.title == title


@pytest.mark.parametrize("name", RECIPES)
def test_the_examples_in_messages_are_understood(name: str) -> None:
    for example in RECIPES[name].examples:
        chosen = choose(example)
        assert chosen is not None
        assert [recipe.name for recipe in chosen.recipes] == [name]
    assert RECIPES[name].name == name
    assert RECIPES[name].description
