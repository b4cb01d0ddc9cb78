"""The page on trouble names every reason and every exit code that there is, and none that there isn't."""

from __future__ import annotations

import importlib.util
import re
import sys
from types import ModuleType

import pytest
from docs.pages import DOCS

from orefactor.core.errors import ExitCode

PAGE = (DOCS / "troubleshooting.md").read_text("utf-8")
_REASON = re.compile(r"`([a-z_]+(?::[\w]+)?)`")


def _said() -> ModuleType:
    """The module that reads the lists; it lies beside the pages and belongs to no package."""
    spec = importlib.util.spec_from_file_location("said", DOCS / "said.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Its classes look themselves up by its name.
    sys.modules["said"] = module
    spec.loader.exec_module(module)
    return module


SAID = _said()


def test_the_page_names_exactly_the_reasons_that_there_are() -> None:
    rows = [line.split(" | ")[0] for line in PAGE.splitlines() if line.startswith("| `")]
    named = [reason for row in rows for reason in _REASON.findall(row)]
    assert sorted({*named, "bug"}) == sorted(set(SAID.reasons()))


@pytest.mark.parametrize("code", list(ExitCode), ids=lambda code: code.name)
def test_the_page_has_a_heading_for_each_exit_code(code: ExitCode) -> None:
    headings = " ".join(line for line in PAGE.splitlines() if line.startswith("## "))
    assert re.search(rf"exit codes? (?:\d+ and )?{int(code)}\b", headings)


@pytest.mark.parametrize(
    ("code", "text", "hint"),
    [
        pytest.param(2, "`--check` and `--no-check` exclude each other", "leave one of them out", id="plain"),
        pytest.param(2, "`\u2026` is no command", "known are: \u2026", id="with what differs left out"),
        pytest.param(5, "`\u2026` can't be asked: \u2026", "", id="of a provider"),
    ],
)
def test_messages_are_found_with_their_hints(code: int, text: str, hint: str) -> None:
    assert SAID.Message(code, text, hint) in SAID.messages()


def test_most_messages_are_found_where_they_are_made() -> None:
    made = [call for _, tree in SAID.sources() for call in SAID.calls(tree, "UserError")]
    found = SAID.messages()
    assert len(found) > len(made) * 0.8
    assert {message.exit_code for message in found} >= {2, 4, 5, 6, 7}
