"""The whole way from a task to what the model is shown, and over the pipe."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from shapes_project import FILES, index

from orefactor.core.context.build import Context, build_context, context_from_json, to_json

SHAPES = "src/geo/shapes.py"
TASK = "simplify Square and area"


def _context(budget: int = 6000, **more: bytes) -> Context:
    return build_context(TASK, targets=[SHAPES], index=index(**more), budget=budget)


def test_frame_and_pack() -> None:
    context = build_context(
        {"text": TASK}, targets=[SHAPES], index=index(), budget=900, requester="human", task_type="fix"
    )
    assert (context.frame.task_type, context.frame.requester, context.frame.budget) == ("fix", "human", 900)
    assert 0 < context.pack.tokens <= context.pack.budget == 900
    assert context.pack.full == (SHAPES,)


def test_json_has_the_shape_of_the_command() -> None:
    told = to_json(_context())
    assert set(told) >= {"frame", "pack_id", "tokens", "items", "text"}
    assert set(told["frame"]) == {"task_type", "entities", "budget", "requester"}
    assert set(told["frame"]["entities"][0]) == {"token", "label", "node_id", "ambiguous", "candidates"}
    assert set(told["items"][0]) >= {"path", "symbol", "lines", "why", "score", "tokens"}
    assert told["items"][0]["score"] == 1
    assert json.loads(json.dumps(told))


@pytest.mark.parametrize("budget", [0, -5])
def test_no_budget_no_pack(budget: int) -> None:
    pack = _context(budget).pack
    assert (pack.text, pack.items, pack.tokens, pack.full, pack.budget) == ("", (), 0, (), budget)


def test_the_pipe_gives_the_same_context() -> None:
    for context in (_context(), _context(0), _context(20)):
        assert context_from_json(json.dumps(to_json(context))) == context
    odd = to_json(_context())
    odd["frame"]["entities"][0]["node_id"] = "\udcff.py"
    assert context_from_json(json.dumps(odd)).frame.entities[0].node_id == "\\udcff.py"


def _changed(**more: Any) -> str:
    return json.dumps({**to_json(_context()), **more})


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("", id="nothing"),
        pytest.param("[]", id="list"),
        pytest.param("{}", id="object"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param(b"\xff", id="no-text"),
        pytest.param(_changed(tokens="7"), id="text-for-number"),
        pytest.param(_changed(frame=None), id="no-frame"),
        pytest.param(_changed(more=1), id="more"),
        pytest.param(_changed(items=[{"path": "a"}]), id="part-of-an-item"),
        pytest.param(_changed(links=[{"source": "a", "target": "b", "kind": "hates"}]), id="unknown-kind"),
    ],
)
def test_anything_else_is_refused(data: str | bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        context_from_json(data)


PROGRAM = """
import json, sys
from orefactor.core.context.build import build_context, to_json
from orefactor.core.index.symbol_index import MemoryIndex
task, files = json.load(sys.stdin)
index = MemoryIndex({path: text.encode() for path, text in files.items()})
print(json.dumps(to_json(build_context(task, targets=["src/geo"], index=index, budget=700))))
"""


def test_other_processes_give_the_same_bytes() -> None:
    given = json.dumps([TASK, {path: data.decode() for path, data in reversed(FILES.items())}])
    told = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=given,
            env={"PYTHONHASHSEED": seed},
            text=True,
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "4242")
    ]
    here = build_context(TASK, targets=["src/geo"], index=index(), budget=700)
    assert told[0] == told[1] == json.dumps(to_json(here)) + "\n"
