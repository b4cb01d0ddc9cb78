"""Which type of task a text asks for, and which contract it promises: none where anything is unclear."""

import pytest

from orefactor.core.checks.catalogue import CHECKS
from orefactor.core.context.frame import TASK_TYPES, contract_for, task_type
from orefactor.core.guards.contracts.parsing import parse_contract

PROMISES = {
    "add docstrings": ("docstrings",),
    "Add docstrings.": ("docstrings",),
    "please add the missing docstrings": ("docstrings",),
    "Add Google-style docstrings to all public functions and methods in src/x.py": ("docstrings",),
    "improve docstrings in `core.run`, `cli/main.py` and tests/": ("docstrings",),
    "add doc strings everywhere, without changing the code": ("docstrings",),
    "add docstrings. Do not change any behavior": ("docstrings",),
    "document all functions": ("docstrings", "comments"),
    "add docstrings and type hints": ("docstrings", "annotations"),
    "add docstrings, comments and type annotations to x.py": ("docstrings", "comments", "annotations"),
    "add type hints to a.py and b.py": ("annotations",),
    "annotate the functions in this module": ("annotations",),
    "write comments": ("comments",),
    "sort imports": ("imports",),
    "sort the imports and remove unused imports": ("imports",),
    "format the code with ruff": ("formatting",),
    "reformat all files": ("formatting",),
    "rename foo to bar": ("rename:foo=bar",),
    "Rename the function `pkg.foo()` to `bar` everywhere": ("rename:foo=bar",),
    "rename class Foo to Bar and Baz to Qux in src/": ("rename:Foo=Bar", "rename:Baz=Qux"),
    "move f to b.py": ("move",),
    "move the functions f, g and h from a.py to lib/b.py, do not change the code": ("move",),
    "Move class `Foo` into its own module": ("move",),
}
OPEN = [
    "",
    "refactor this",
    "add docstrings and fix the bug",
    "add docstrings where useful",
    "add docstrings, but not to tests",
    "add comments explaining the algorithm",
    "do not add docstrings",
    "document the API in README.md",
    "document the release process",
    "clean up imports",
    "move imports to the top",
    "move to pathlib",
    "move f to b.py and add a test",
    "rename variables to snake_case",
    "rename foo to something better",
    "rename everything to lowercase",
    "rename utils.py to helpers.py",
    "rename foo to bar-baz",
    "rename foo to foo",
    "rename foo to bar and foo to baz",
    "foo to bar",
    "format dates as ISO",
    "add types",
    "add docstrings " * 100,
    "add docstrings\n\nand then delete the module",
]


@pytest.mark.parametrize(("text", "kinds"), PROMISES.items(), ids=PROMISES)
def test_promises(text: str, kinds: tuple[str, ...]) -> None:
    assert contract_for(text) == kinds
    assert parse_contract(kinds).kinds != ("any",)
    assert task_type(text).contract != ("any",) or task_type(text).name == "simplify"


@pytest.mark.parametrize("text", OPEN)
def test_open(text: str) -> None:
    assert contract_for(text) == ("any",)
    assert parse_contract(contract_for(text)).is_open


TYPES = {
    "add docstrings and type hints": "document",
    "explain what it does with comments": "document",
    "annotate it fully with mypy in mind": "annotate",
    "rename foo to something better": "rename",
    "extract the parsing into a function": "extract",
    "inline the helper": "inline",
    "relocate it": "move",
    "sort imports": "simplify",
    "reformat the code": "simplify",
    "Simplify the loop": "simplify",
    "modernise for Python 3.12": "modernize",
    "fix the crash in the tests": "fix",
    "add unit tests": "test",
    "make it faster": "general",
    "": "general",
}


@pytest.mark.parametrize(("text", "name"), TYPES.items(), ids=TYPES)
def test_types(text: str, name: str) -> None:
    assert task_type(text).name == name


@pytest.mark.parametrize("name", TASK_TYPES)
def test_rows_are_consistent(name: str) -> None:
    row = next(row for row in TASK_TYPES.values() if row.name == name)
    assert parse_contract(row.contract).kinds == row.contract
    assert set(row.checks) <= set(CHECKS)
