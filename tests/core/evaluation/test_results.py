"""What is kept of an evaluation: whole lines only, the last of several, in the evaluation's order."""

from __future__ import annotations

from pathlib import Path

import pytest
from attempts import failed_attempt, made_attempt

from orefactor.core.errors import UserError
from orefactor.core.evaluation.results import HEAD, RESULTS, Results
from orefactor.core.evaluation.task import Arm, Source, Suite, Task

SUITE = Suite("s", tuple(Task(name, "add docstrings", Source()) for name in ("b", "a")))
ARMS = (Arm("two", {"model": "m"}), Arm("one", system="terse"))


@pytest.fixture
def results(tmp_path: Path) -> Results:
    found = Results(tmp_path / "out")
    found.begin(SUITE, ARMS, "1")
    return found


def test_attempts_are_kept_in_the_order_of_the_evaluation(results: Results) -> None:
    for attempt in (made_attempt("a", "one"), made_attempt("a", "two"), made_attempt("b", "one", repeat=2)):
        results.add(attempt)
    results.add(made_attempt("b", "one"))
    results.add(failed_attempt("a", "two"))  # the last one counts
    told = [(each.task, each.arm, each.repeat, each.landed) for each in results.read()]
    assert told == [("b", "one", 1, True), ("b", "one", 2, True), ("a", "two", 1, False), ("a", "one", 1, True)]


def test_a_cut_line_costs_only_itself(results: Results) -> None:
    results.add(made_attempt("a"))
    with open(results.folder / RESULTS, "ab") as file:
        file.write(b'{"task": "b", "arm"')
    results.add(made_attempt("b"))
    assert [each.task for each in results.read()] == ["b", "a"]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"{}", id="empty"),
        pytest.param(b"[1]", id="list"),
        pytest.param(b"\xff\x00", id="bytes"),
        pytest.param(b'{"a":' * 5000, id="deep"),
        pytest.param(b"x" * (2 << 20), id="long"),
    ],
)
def test_lines_of_another_form_are_left_out(results: Results, line: bytes) -> None:
    (results.folder / RESULTS).write_bytes(line + b"\n")
    results.add(made_attempt("a"))
    assert [each.task for each in results.read()] == ["a"]


def test_another_evaluation_is_not_mixed_in(results: Results) -> None:
    results.begin(SUITE, ARMS, "2")  # the same one goes on
    with pytest.raises(UserError, match="holds another evaluation"):
        results.begin(SUITE, ARMS[:1], "2")
    with pytest.raises(UserError, match="holds another evaluation"):
        results.begin(Suite("t", SUITE.tasks), ARMS, "2")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"arms": 1, "tasks": [1]}'])
def test_a_head_that_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / HEAD).write_text(text)
    (tmp_path / RESULTS).write_bytes(b"")
    results = Results(tmp_path)
    results.add(made_attempt("a"))
    assert [each.task for each in results.read()] == ["a"]


def test_nothing_is_there_yet(tmp_path: Path) -> None:
    assert (Results(tmp_path / "none").read(), Results(tmp_path / "none").head()) == ((), None)
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="can't write to"):
        Results(tmp_path / "file" / "out").begin(SUITE, ARMS, "1")
