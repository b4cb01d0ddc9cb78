"""What a request is about: its type, what it names, and which contract it promises: none where anything is unclear."""

from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import Any, cast

import pytest

from orefactor.core.checks.catalogue import CHECKS, DEFAULT_CHECKS
from orefactor.core.context.frame import (
    SUBJECTS,
    TASK_TYPES,
    LinkedEntity,
    RequestFrame,
    TaskName,
    analyze_request,
    task_type,
)
from orefactor.core.context.promise import promised
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.index.symbol_index import MemoryIndex

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
    assert promised(text) == kinds
    assert parse_contract(kinds).kinds != ("any",)
    assert task_type(text).contract != ("any",) or task_type(text).name == "simplify"


@pytest.mark.parametrize("text", OPEN)
def test_open(text: str) -> None:
    assert promised(text) == ("any",)
    assert parse_contract(promised(text)).is_open


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
    "TYPE-HINTS please": "annotate",
    "add typehints and tests": "annotate",
    "rename the test for the fix": "rename",
    "fix the docstring of rename": "document",
    "clean up, then fix it": "fix",
    "the function should be renamed": "rename",
    "test_fix is slow": "general",
    "a general overhaul": "general",
    "\udcff\x00 \u202e fix": "fix",
    "x " * 20_000 + "fix": "general",
}


@pytest.mark.parametrize(("text", "name"), TYPES.items(), ids=[text[:40] for text in TYPES])
def test_types(text: str, name: str) -> None:
    assert task_type(text).name == name


@pytest.mark.parametrize("name", TASK_TYPES)
def test_rows_are_consistent(name: str) -> None:
    row = next(row for row in TASK_TYPES.values() if row.name == name)
    assert parse_contract(row.contract).kinds == row.contract
    assert set(row.checks) <= set(CHECKS)
    assert TASK_TYPES["general"].checks == DEFAULT_CHECKS


def test_table_is_whole() -> None:
    assert {*SUBJECTS.values(), "general"} == set(TASK_TYPES)
    assert next(iter(SUBJECTS)) == "docstrings"
    assert {key: task_type(key).name for key in SUBJECTS} == dict(SUBJECTS)


INDEX = MemoryIndex({"shapes.py": b"class Square:\n    def area(self): pass\n"})
AREA = LinkedEntity("area", "function", "shapes.py::Square.area", ambiguous=False)
REQUESTS: dict[str, tuple[str | Mapping[str, Any], RequestFrame]] = {
    "text": ("annotate area", RequestFrame("annotate", (AREA,), 100, "human")),
    "nothing": ("", RequestFrame("general", (), 100, "human")),
    "empty payload": ({}, RequestFrame("general", (), 100, "human")),
    "subject first": ({"subject": "rename", "text": "add docstrings"}, RequestFrame("rename", (), 100, "human")),
    "subject folded": ({"subject": "Type_Hints"}, RequestFrame("annotate", (), 100, "human")),
    "subject names a type": ({"subject": "General", "text": "fix"}, RequestFrame("general", (), 100, "human")),
    "unknown subject": ({"subject": "pay fix", "text": "move area"}, RequestFrame("move", (AREA,), 100, "human")),
    "target": ({"text": "", "target": "area", "description": "fix"}, RequestFrame("general", (AREA,), 100, "human")),
    "description": (
        {"text": None, "target": " ", "description": "fix area"},
        RequestFrame("fix", (AREA,), 100, "human"),
    ),
    "other types": ({"subject": 3, "text": ["fix", "area"]}, RequestFrame("fix", (AREA,), 100, "human")),
    "unknown keys": ({"body": "fix area"}, RequestFrame("general", (), 100, "human")),
}


@pytest.mark.parametrize(("request_", "frame"), REQUESTS.values(), ids=REQUESTS)
def test_requests(request_: str | Mapping[str, Any], frame: RequestFrame) -> None:
    assert analyze_request(request_, repo=INDEX, budget=100, requester="human") == frame


def test_override_and_frozen() -> None:
    frame = analyze_request({"subject": "rename"}, repo=INDEX, task_type="test", budget=-1, requester="\udcff")
    assert frame == RequestFrame("test", (), -1, "\udcff")
    assert RequestFrame("fix") == RequestFrame("fix", (), 0, "agent")
    with pytest.raises(FrozenInstanceError):
        frame.budget = 1  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("name", "nearest"), {"docment": "document", "": "", "\udcff" * 9_999: ""}.items(), ids=["near", "empty", "junk"]
)
def test_unknown_override(name: str, nearest: str) -> None:
    with pytest.raises(ValueError, match=f"^no task type .*; the nearest is '{nearest}"):
        analyze_request("", repo=INDEX, task_type=cast("TaskName", name), budget=1, requester="x")
