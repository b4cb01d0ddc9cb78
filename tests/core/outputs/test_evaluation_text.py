"""The words and the page of an evaluation: whatever tasks and arms are called, and however wide the terminal is."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from attempts import failed_attempt, made_attempt

from orefactor.core.evaluation.summary import compare, summarize
from orefactor.core.outputs.evaluation_page import evaluation_page
from orefactor.core.outputs.evaluation_text import difference_lines, number, summary_lines

EVIL = "</title><script>alert(1)</script>\x1b[2J"


def test_a_table_or_one_arm_below_the_other() -> None:
    arms = summarize([made_attempt(), failed_attempt("a", "two"), made_attempt("b", EVIL)])
    wide = list(summary_lines(arms, 200))
    assert wide[0].split()[:2] == ["one", "two"]
    assert any(line.startswith("landed") and line.count("[") == 3 for line in wide)
    assert "refused edits, two: not found 1, several places 1" in wide
    narrow = list(summary_lines(arms, 60))
    assert narrow[0] == "one" and max(map(len, narrow)) < 100
    assert "\x1b" not in "".join(wide + narrow)


def test_differences() -> None:
    tasks = [f"t{number}" for number in range(10)]
    told = compare([failed_attempt(task, "one") for task in tasks], [made_attempt(task, "two") for task in tasks])
    lines = list(difference_lines("one", "two", told))
    assert "* landed" in lines[1] and "0% -> 100%" in lines[1] and "10 task(s) gained, 0 lost" in lines[1]
    assert lines[-1].startswith("* more than noise (p < 0.05): landed, passed")
    assert list(difference_lines("one", "two", ())) == ["from one to two", "no task was tried by both"]


def test_numbers() -> None:
    told = [number(value) for value in (0, 0.00123, 0.5, 12.34, 12345.6, float("nan"))]
    assert told == ["0", "0.0012", "0.50", "12.3", "12,346", "-"]


def test_the_page() -> None:
    attempts = [made_attempt(), failed_attempt("a", "two"), made_attempt(EVIL, EVIL, cost=None, detail=EVIL)]
    page = evaluation_page(EVIL, attempts, {attempts[0].run_id: "runs/a/report.html"})
    assert "<script>alert" not in page and "\x1b" not in page
    tree = ET.fromstring(page.partition("\n")[2])
    assert [link.get("href") for link in tree.iter("a")] == ["runs/a/report.html"] * 3
    assert {text.text for text in tree.iter("text")} >= {"one", "two", "1/1 (100%)"}
    assert "Against one" in "".join(tree.itertext())
    empty = evaluation_page("none", [])
    assert ET.fromstring(empty.partition("\n")[2]) is not None
