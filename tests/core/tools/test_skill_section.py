"""One section of the project's conventions, by its id."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Files

from orefactor.core.tools.toolbox import Toolbox

OpenTree = Callable[[Files], Toolbox]

AGENTS = "# Rules\n\nBe kind.\n\n## Testing\n\nRun `tox`.\n\n### Slow ones\n\nAt night.\n\n## Style\n\nBlack.\n"
FILES: Files = {
    "AGENTS.md": AGENTS,
    "pyproject.toml": "[tool.ruff]\nline-length = 99\n",
    "sub/AGENTS.md": "# Below\n\nOther rules.\n",
    "x.py": "x = 1\n",
}


@pytest.mark.parametrize(
    ("rule_id", "text"),
    [
        ("AGENTS.md#testing", "## Testing\n\nRun `tox`.\n\n### Slow ones\n\nAt night.\n"),
        (" `AGENTS.md#style` ", "## Style\n\nBlack.\n"),
        ("pyproject.toml#tool.ruff", "[tool.ruff]\nline-length = 99\n"),
        ("sub/AGENTS.md#below", "# Below\n\nOther rules.\n"),
    ],
)
def test_the_text_of_a_section(open_tree: OpenTree, rule_id: str, text: str) -> None:
    answer = open_tree(FILES).call("skill_section", {"rule_id": rule_id})
    assert (answer.status, answer.text) == ("executed", text)


@pytest.mark.parametrize("rule_id", ["testing", "AGENTS.md#none", "../AGENTS.md#testing", "x.py", "", "\ud800\n"])
def test_unknown_ids_are_answered_with_the_known_ones(open_tree: OpenTree, rule_id: str) -> None:
    answer = open_tree(FILES).call("skill_section", {"rule_id": rule_id})
    assert answer.status == "failed"
    assert answer.text.startswith("ERROR: there is no section `")
    assert "AGENTS.md#testing (Testing)" in answer.text
    assert "\n" not in answer.text


def test_a_project_without_conventions(open_tree: OpenTree) -> None:
    answer = open_tree({"x.py": "x = 1\n"}).call("skill_section", {"rule_id": "AGENTS.md#testing"})
    assert answer.text == "ERROR: this project has no conventions that are known; go on without"


def test_a_long_section_is_cut_at_a_line(open_tree: OpenTree) -> None:
    long = "# Rules\n\n" + "".join(f"{number}. Do not do what was done here.\n" for number in range(900))
    answer = open_tree({"AGENTS.md": long}).call("skill_section", {"rule_id": "AGENTS.md#rules"}).text
    assert 12_000 < len(answer.encode()) <= 16_384
    assert "[cut here; lines " in answer.splitlines()[-1]


def test_only_so_many_ids_are_named(open_tree: OpenTree) -> None:
    files = {f"AGENTS{number}.md": "" for number in range(3)}
    many = "".join(f"## Rule {number}\n\nText.\n\n" for number in range(60))
    answer = open_tree({**files, "AGENTS.md": many}).call("skill_section", {"rule_id": "x"}).text
    assert 0 < answer.count("(Rule ") <= 40
