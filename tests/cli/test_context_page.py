"""The page of `context` at several widths, from hand-made values."""

from __future__ import annotations

from dataclasses import replace

import pytest
from graph_scenes import FRAME, PACK, SHAPES, item

from orefactor.cli.context_page import context_lines
from orefactor.cli.pages import rendered
from orefactor.core.context.build import Context
from orefactor.core.context.conventions import Section
from orefactor.core.context.frame import LinkedEntity, RequestFrame
from orefactor.core.context.pack import ContextPack
from orefactor.core.context_request import ContextFound
from orefactor.sandbox.base import Base

BASE = Base("worktree", "0123456789abcdef0123", "f" * 40, None)


def _page(width: int, frame: RequestFrame = FRAME, pack: ContextPack = PACK, *paths: str) -> list[str]:
    found = ContextFound("document\narea", paths, BASE, Context(frame, pack))
    return rendered(context_lines(found, width), coloured=False).decode().splitlines()


def test_at_120_columns_the_reasons_stand_beside_the_items() -> None:
    assert _page(120, FRAME, PACK, "src/shapes.py") == [
        "task         document area",
        "type         document: contract docstrings; checks py_compile, ruff",
        "paths        src/shapes.py",
        "base         worktree 0123456789ab",
        "names        area  function src/shapes.py::area",
        "             x  one of 2",
        "               class a.py::X",
        "               function b.py::x",
        "pack         0123456789abcdef  7 item(s), 1,234 of 6,000 tokens; 3 more did not fit",
        "",
        " score tokens form      item                                why",
        "1.0000     10 signature src/shapes.py:1-9                   target",
        "0.9000     10 signature src/shapes.py:3-4 area              named in the task; target",
        "0.5000     10 signature src/report.py:1-9 total             calls `area`",
        "0.4000     10 signature tests/test_shapes.py:1-9 test_area  tests `area`",
        "0.3000     10 signature src/units.py:1-9 metres             called by `area`",
        "0.2000     10 signature src/base.py:1-9 Shape               base of `Square`",
        "0.1000     10 signature AGENTS.md:1-9 docstrings            conventions",
        "",
        "conventions  AGENTS.md#docstrings  Docstrings",
    ]


def test_at_60_columns_they_stand_below() -> None:
    lines = _page(60)
    assert max(map(len, lines)) <= 60
    start = lines.index(" score tokens form      item, why")
    assert lines[start + 3 : start + 5] == [
        "0.9000     10 signature src/shapes.py:3-4 area",
        f"{'':24}named in the task; target",
    ]
    assert "paths        the whole repository" in lines
    assert "pack         0123456789abcdef  7 item(s), 1,234 of 6,000" in lines
    assert "             tokens; 3 more did not fit" in lines


@pytest.mark.parametrize("width", [40, 60, 99, 100, 120, 200])
def test_only_what_can_not_be_broken_goes_beyond_the_width(width: int) -> None:
    long = f"src/{'deep/' * 20}module.py::Name"
    items = (item(long, *(["calls `area` and more"] * 9), score=0.1), *SHAPES)
    entities = (LinkedEntity("Name", "class", long, False), *FRAME.entities)
    section = Section("AGENTS.md#x", "word " * 30, "AGENTS.md", (1, 2))
    pack = replace(PACK, items=items, conventions=(section,))
    lines = _page(width, replace(FRAME, entities=entities), pack)
    beyond = [line for line in lines if len(line) > width and "deep" not in line]
    assert width < 60 or beyond == []
    assert " ".join(" ".join(lines).split()).count("calls") >= 9 + 1


def test_long_lists_are_cut() -> None:
    entity = LinkedEntity("x", "", "", True, tuple(("function", f"{n}.py::x") for n in range(25)))
    sections = tuple(Section(f"A.md#{n}", "T", "A.md", (1, 1)) for n in range(50))
    lines = _page(100, RequestFrame("fix", (entity,)), replace(PACK, conventions=sections))
    assert "               and 15 more" in lines
    assert lines[-1] == "             and 10 more"
    table = Section("pyproject.toml#tool.ruff", "tool.ruff", "pyproject.toml", (1, 1))
    assert _page(100, FRAME, replace(PACK, conventions=(table,)))[-1] == "conventions  pyproject.toml#tool.ruff"
    assert len(_page(100, RequestFrame("fix"), replace(PACK, items=(), conventions=()))) == 6


def test_names_of_strangers_can_not_drive_the_terminal() -> None:
    evil = "a\x1b[2J\u202e\udce9\n"
    entities = (LinkedEntity(evil, evil, evil, False), LinkedEntity(evil, "", "", True, ((evil, evil),)))
    pack = replace(PACK, items=(item(f"{evil}::{evil}", evil),), conventions=(Section(evil, evil, evil, (1, 1)),))
    for width in (60, 120):
        shown = "\n".join(_page(width, RequestFrame("fix", entities), pack, evil))
        assert all(c.isprintable() or c == "\n" for c in shown)
