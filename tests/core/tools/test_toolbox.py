"""Calls by name: routing, validation before anything runs, limits of answers, and one answer for every call."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import write_files

from orefactor.core import TOOL_SCHEMAS, RefactorTools
from orefactor.core.errors import UserError
from orefactor.core.redact import Redactor
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import AnyTool, Arguments, Scope, Tool, Workspace
from orefactor.core.tools.toolbox import Toolbox
from orefactor.sandbox.files import Root

EDIT = {"path": "x.py", "old_string": "x = 1", "new_string": "x = 2"}


@pytest.fixture
def tools(tmp_path: Path) -> RefactorTools:
    write_files(tmp_path, {"x.py": "x = 1\n", "pkg/y.py": "y = 1\n"})
    return RefactorTools(tmp_path)


@pytest.mark.traces("REQ-103-010", "TST-103-002")
@pytest.mark.parametrize("form", [dict, json.dumps])
def test_an_object_or_the_text_of_one(tools: RefactorTools, form: Any) -> None:
    assert tools.dispatch("read_file", form({"path": "x.py"})) == "x = 1\n"


@pytest.mark.parametrize("arguments", [None, "", "  ", "{}", {}])
def test_nothing_stands_for_an_empty_object(tools: RefactorTools, arguments: Any) -> None:
    assert tools.dispatch("list_dir", arguments) == "pkg/\nx.py"


@pytest.mark.traces("REQ-103-010", "TST-103-002")
def test_every_method_is_its_tool(tools: RefactorTools) -> None:
    assert tools.read_file("x.py", 1, 1) == "x = 1\n"
    assert tools.list_dir() == "pkg/\nx.py"
    assert tools.grep("= 1") == "pkg/y.py:1:y = 1\nx.py:1:x = 1"
    assert tools.ast_outline("x.py") == "x.py: no classes or functions"
    assert tools.edit_file("x.py", "x = 1", "x = 2") == "edited x.py:1: 1 line(s) replaced by 1"
    assert tools.write_file("new.py", "n = 1\n") == "created new.py: 1 line(s)"
    assert tools.move_file("new.py", "sub/newer.py") == "moved new.py to sub/newer.py"
    assert tools.delete_file("sub/newer.py") == "deleted sub/newer.py"
    assert tools.run_check("py_compile x.py") == "passed: py_compile x.py"
    assert tools.find_references("x").startswith("x.py:1 x: used in 0 lines\n")
    assert tools.codebase_context("pkg").startswith("pkg/: 1 files\n")
    assert tools.skill_section("x") == "ERROR: this project has no conventions that are known; go on without"
    assert all(callable(getattr(tools, name)) for name in TOOLS)


@pytest.mark.traces("REQ-103-009", "REQ-103-010", "SEC-103-004", "TST-103-002")
@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        pytest.param("shell", {}, "there is no tool `shell`. The tools are: read_file, list_dir,", id="unknown"),
        pytest.param("read_fil", {}, "did you mean `read_file`?", id="near"),
        pytest.param("t" * 999, {}, "there is no tool `" + "t" * 64 + "…`", id="endless-name"),
        pytest.param("__init__", {}, "there is no tool `__init__`", id="attribute"),
        pytest.param("read_file", {}, "invalid arguments: `path` is missing", id="missing"),
        pytest.param("read_file", {"file_path": "x.py"},
                     "`path` is missing; `file_path` is not an argument of this tool; did you mean `path`?",
                     id="synonym"),
        pytest.param("read_file", {"path": "x.py", "start_lin": 1}, "did you mean `start_line`?", id="typing-error"),
        pytest.param("read_file", {"path": "x.py", "zzz": 1}, "; it takes `path`, `start_line`, `end_line`",
                     id="undeclared"),
        pytest.param("edit_file", {**EDIT, "old_str": "a"}, "did you mean `old_string`?", id="synonym-old"),
        pytest.param("grep", {"pattern": "a", "include": "*"}, "did you mean `glob`?", id="synonym-glob"),
        pytest.param("read_file", {"path": "x.py", "start_line": "5"},
                     "`start_line` must be a valid integer, not a string", id="text-is-no-integer"),
        pytest.param("read_file", {"path": "x.py", "start_line": 1.0},
                     "`start_line` must be a valid integer, not a number", id="float"),
        pytest.param("read_file", {"path": "x.py", "start_line": True}, "not a boolean", id="boolean"),
        pytest.param("read_file", {"path": 5}, "`path` must be a valid string, not a number", id="number"),
        pytest.param("read_file", {"path": None}, "`path` must be a valid string, not null", id="null"),
        pytest.param("read_file", {"path": ["x.py"]}, "not a list", id="list"),
        pytest.param("read_file", {"path": {"a": 1}}, "not an object", id="object"),
        pytest.param("read_file", "[]", "must be one JSON object, not a list", id="json-list"),
        pytest.param("read_file", '"x.py"', "must be one JSON object, not a string", id="json-string"),
        pytest.param("read_file", "null", "must be one JSON object, not null", id="json-null"),
        pytest.param("read_file", ["x.py"], "must be one JSON object, not a list", id="no-object"),
        pytest.param("read_file", '{"path": ', "the arguments are not valid JSON", id="no-json"),
        pytest.param("read_file", "x.py", "the arguments are not valid JSON", id="bare-string"),
        pytest.param("read_file", "[" * 100_000, "the arguments are not valid JSON", id="deep-json"),
        pytest.param("write_file", {"path": "x.py"}, "`content` is missing", id="write-without-content"),
        pytest.param("write_file", {"path": "x.py", "content": None}, "`content` must be a valid string",
                     id="null-content"),
        pytest.param("run_check", {"cmd": "ruff check ."}, "did you mean `command`?", id="synonym-command"),
    ],
)  # fmt: skip
def test_what_is_refused_before_anything_runs(
    tools: RefactorTools, tmp_path: Path, name: str, arguments: Any, words: str
) -> None:
    answer = tools.dispatch(name, arguments)
    assert answer.startswith("ERROR: ")
    assert words in answer
    assert (tmp_path / "x.py").read_text() == "x = 1\n"


def test_a_refused_call_is_told_apart_from_a_failed_one(tmp_path: Path) -> None:
    box = Toolbox(TOOLS, Workspace(Root(tmp_path)), Redactor({}))
    assert box.call("read_file", {}).status == "refused"
    assert box.call("shell", {}).status == "refused"
    assert box.call("read_file", {"path": "lost.py"}).status == "failed"
    assert box.call("list_dir", {}).status == "executed"
    assert (box.effect("read_file"), box.effect("edit_file"), box.effect("run_check"), box.effect("shell")) == (
        "observe", "mutate", "verify", None,
    )  # fmt: skip


class Raise(Arguments):
    """Raise."""


def toolbox_that_raises(error: BaseException, folder: Path) -> Toolbox:
    def run(_arguments: Raise, _workspace: Workspace) -> str:
        raise error

    tools: dict[str, AnyTool] = {"bad": Tool("bad", "observe", Raise, run)}
    return Toolbox(tools, Workspace(Root(folder)), Redactor({"A_TOKEN": "hush-hush-hush"}))


@pytest.mark.traces("REQ-103-009")
@pytest.mark.parametrize(
    ("error", "words", "is_bug"),
    [
        (OSError(28, "No space left on device"), "No space left on device; try another path", False),
        (OSError("odd"), "odd; try another path", False),
        (UserError("no isolation", hint="install it"), "no isolation", False),
        (ZeroDivisionError("hush-hush-hush"), "bad has a bug (ZeroDivisionError); reach the aim another way", True),
        (RecursionError(), "bad has a bug (RecursionError)", True),
    ],
)
def test_what_a_tool_raises_is_an_answer(tmp_path: Path, error: Exception, words: str, is_bug: bool) -> None:
    answer = toolbox_that_raises(error, tmp_path).call("bad", {})
    assert (answer.status, answer.text) == ("failed", f"ERROR: {words}") or words in answer.text
    assert (answer.bug is not None) is is_bug
    assert "hush" not in repr(answer)


def test_a_signal_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        toolbox_that_raises(KeyboardInterrupt(), tmp_path).call("bad", {})


def test_a_root_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no folder"):
        RefactorTools(tmp_path / "missing")


LINES = "".join(f"line {number} ä\n" for number in range(1, 4001))


@pytest.mark.parametrize(
    ("arguments", "limit", "ends"),
    [
        pytest.param({}, 8192, "go on with start_line=", id="default"),
        pytest.param({"start_line": 1}, 32768, "go on with start_line=", id="asks-for-lines"),
        pytest.param({"end_line": 4000}, 32768, "go on with start_line=", id="asks-for-an-end"),
    ],
)
def test_a_long_file_is_cut_at_a_line_and_says_how_to_go_on(
    tmp_path: Path, arguments: dict[str, int], limit: int, ends: str
) -> None:
    write_files(tmp_path, {"long.txt": LINES})
    answer = RefactorTools(tmp_path).dispatch("read_file", {"path": "long.txt", **arguments})
    shown, _, told = answer.rpartition("[orefactor: ")
    assert limit - 400 < len(answer.encode()) <= limit
    assert LINES.startswith(shown) and shown.endswith("\n")
    assert told == f"lines 1-{shown.count(chr(10))} of 4000 shown; {ends}{shown.count(chr(10)) + 1}]"


def test_reading_on_gives_the_whole_file(tmp_path: Path) -> None:
    write_files(tmp_path, {"long.txt": LINES})
    tools, parts, start = RefactorTools(tmp_path), list[str](), 1
    while True:
        shown, mark, told = tools.read_file("long.txt", start).rpartition("[orefactor: ")
        parts.append(shown if mark else told)
        if not mark:
            break
        start = int(re.findall(r"start_line=(\d+)", told)[0])
    assert "".join(parts) == LINES


class Say(Arguments):
    """Say much."""

    text: str


@pytest.mark.parametrize("character", ["x", "ä", "漢", "😀"])
def test_any_answer_is_capped_between_characters(tmp_path: Path, character: str) -> None:
    tools: dict[str, AnyTool] = {"say": Tool("say", "observe", Say, lambda given, _workspace: given.text)}
    answer = Toolbox(tools, Workspace(Root(tmp_path)), Redactor({})).call("say", {"text": character * 9000}).text
    shown, _, told = answer.partition("\n[orefactor: ")
    assert len(answer.encode()) <= 8192
    assert set(shown) == {character}
    size = len(character.encode())
    assert told == f"cut after {len(shown) * size} of {9000 * size} bytes; ask for a smaller part]"


@pytest.mark.traces("REQ-103-010")
def test_the_schemas_are_those_of_function_calling() -> None:
    assert [schema["function"]["name"] for schema in TOOL_SCHEMAS] == list(TOOLS)
    for schema in TOOL_SCHEMAS:
        function = schema["function"]
        assert schema["type"] == "function"
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", function["name"])
        assert function["description"]
        parameters = function["parameters"]
        assert (parameters["type"], parameters["additionalProperties"]) == ("object", False)
        assert set(parameters.get("required", ())) <= set(parameters["properties"])
        assert all(set(value) <= {"type", "description"} for value in parameters["properties"].values())


def test_a_scope_in_other_folders_is_refused(tmp_path: Path) -> None:
    write_files(tmp_path, {"a/x.py": "x = 1\n", "ab/x.py": "x = 1\n", "y.py": "y = 1\n"})
    box = Toolbox(TOOLS, Workspace(Root(tmp_path), Scope(("a", "y.py"))), Redactor({}))
    for path, allowed in {"a/x.py": True, "y.py": True, "ab/x.py": False, "b.py": False, "a/new.py": True}.items():
        box.call("read_file", {"path": path})
        answer = box.call("write_file", {"path": path, "content": "z = 1\n"})
        assert (answer.status == "executed") is allowed, answer.text
        if not allowed:
            assert "is outside the scope of this task; only these may change: a, y.py" in answer.text


def test_a_tool_that_is_offered_later_stands_last(tmp_path: Path) -> None:
    box = Toolbox({"read_file": TOOLS["read_file"]}, Workspace(Root(tmp_path)), Redactor({}))
    box.offer(TOOLS["list_dir"])
    assert [tool.name for tool in box.tools] == ["read_file", "list_dir"]
    assert [schema["function"]["name"] for schema in box.schemas] == ["read_file", "list_dir"]
    assert box.call("list_dir", {}).status == "executed"
