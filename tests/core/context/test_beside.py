"""The process that builds the pack beside a run: whatever becomes of it, the run learns why there is no pack."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable

import pytest

from orefactor.core.context.beside import Built, ContextBeside
from orefactor.core.context.build import build_context, to_json
from orefactor.core.index.symbol_index import MemoryIndex
from orefactor.sandbox.program import program_beside

CONTEXT = build_context("document f", targets=["x.py"], index=MemoryIndex({"x.py": b"def f(): ...\n"}), budget=500)
TOLD = json.dumps(to_json(CONTEXT))


def built(program: str, seconds: float = 60, cancelled: Callable[[], bool] = lambda: False) -> Built:
    command = [sys.executable, "-c", program]
    with program_beside(command, environment=os.environ, stdin=b"") as running:
        return ContextBeside(running, seconds).result(cancelled)


def test_a_context() -> None:
    found = built(f"print({TOLD!r})")
    assert (found.context, found.failure) == (CONTEXT, "")


@pytest.mark.parametrize(
    ("program", "failure"),
    [
        pytest.param("raise SystemExit('no blob')", "no blob", id="said"),
        pytest.param("import os; os.write(2, b'\\xff\\n'); os._exit(3)", "\ufffd", id="no text"),
        pytest.param("import os; os._exit(3)", "it ended with 3", id="silent"),
        pytest.param("import os; os.kill(os.getpid(), 11)", "it ended with -11", id="crashed by a grammar"),
        pytest.param("print('{')", "its answer can't be read", id="no JSON"),
        pytest.param("print('{}')", "its answer can't be read", id="no context"),
        pytest.param(f"print({TOLD!r}.replace('budget', 'bugdet'))", "its answer can't be read", id="another form"),
    ],
)
def test_failures(program: str, failure: str) -> None:
    found = built(program)
    assert found.context is None
    assert failure in found.failure


@pytest.mark.parametrize(("seconds", "stopped"), [(0.1, False), (60.0, True)], ids=["too slow", "cancelled"])
def test_nobody_waits_for_ever(seconds: float, stopped: bool) -> None:
    found = built("import time; time.sleep(60)", seconds, lambda: stopped)
    assert (found.context, found.failure) == (None, "it was not done after 0 seconds")
