"""What the model is told."""

from __future__ import annotations

import json

import pytest

from orefactor.core.prompts import opening, repair
from orefactor.core.tools import TOOL_SCHEMAS, TOOLS, offered
from orefactor.core.tools.base import AnyTool
from orefactor.core.tools.costs import cost_line

FILES = ("src/package/module.py", "tests/test_module.py")


@pytest.mark.traces("REQ-103-020", "REQ-103-021")
@pytest.mark.parametrize(
    "words",
    ["Observe before you change", "must be read before it is edited", "smallest edit", "Keep behaviour",
     "unless the task asks otherwise", "Verify with run_check before you finish", "Never make up file contents",
     "Copy old_string exactly from read_file", "only through the tools"],
)  # fmt: skip
def test_the_system_prompt_says(words: str) -> None:
    system, _ = opening("t", (), ())
    assert system.role == "system"
    assert words in (system.content or "")


@pytest.mark.parametrize(
    ("paths", "checks", "lines"),
    [
        (FILES, ("py_compile", "ruff"), ["May change: src/package/module.py, tests/test_module.py",
                                         "Checked at the end: py_compile, ruff"]),
        ((), (), ["May change: the whole repository", "Checked at the end: nothing"]),
        ((".",), (), ["May change: the whole repository"]),
    ],
)  # fmt: skip
def test_the_task(paths: tuple[str, ...], checks: tuple[str, ...], lines: list[str]) -> None:
    _, task = opening("rename {area} to surface", paths, checks)
    assert task.role == "user"
    said = (task.content or "").splitlines()
    assert said[0] == "Task: rename {area} to surface"
    assert [line for line in lines if line not in said] == []


def test_the_first_request_is_small() -> None:
    costs = cost_line(TOOLS.values())
    messages = opening("add docstrings", ("src/x.py",), ("py_compile", "ruff"), tools=TOOLS, costs=costs)
    tools = json.dumps(TOOL_SCHEMAS)
    sent = json.dumps([{"role": message.role, "content": message.content} for message in messages])
    assert (len(sent) + len(tools)) / 3.3 <= 1500


def test_the_beginning_is_the_same_for_every_task() -> None:
    assert opening("a", (), ())[0] == opening("b", FILES, ("ruff",), "any", "# x", tools=(), costs="")[0]


def test_advice_and_costs_are_those_of_the_tools_offered() -> None:
    def system(tools: dict[str, AnyTool]) -> str:
        return opening("t", (), (), tools=tools, costs=cost_line(tools.values()))[0].content or ""

    bare, indexed = system(offered()), system(offered("index"))
    assert "find_references" not in bare and "codebase_context" not in bare
    assert "- Ask find_references before renaming or moving, codebase_context before changing behaviour." in indexed
    assert (
        "\n- A call is instant and gives at most 8 KB; but read_file: 32 KB; run_check: seconds to minutes.\n" in bare
    )
    assert "codebase_context, find_references: about 1 s" in indexed
    assert "skill_section: 16 KB" in system(TOOLS)
    assert all(line.startswith("- ") for line in indexed.split("\n")[2:-2])


def test_the_context_stands_below_the_task() -> None:
    _, task = opening("rename area", (), (), "docstrings", "## x.py (target)\n{area}\n")
    said = task.content or ""
    assert said.startswith("Task: rename area\n")
    assert said.partition("Contract: docstrings\n\n")[2] == (
        "Chosen from the code for this task; a file shown whole counts as read:\n\n## x.py (target)\n{area}"
    )


def test_a_repair_lists_the_failures() -> None:
    text = repair(["- ruff: x.py:1: F401 {unused}", "- scope: y.py"])
    assert "- ruff: x.py:1: F401 {unused}\n- scope: y.py" in text


def test_a_long_repair_is_cut_at_a_line() -> None:
    text = repair([f"- ruff: x.py:{number}: F401 unused" for number in range(900)])
    assert len(text) < 4500
    assert "F401 unused\n… and more\n" in text
