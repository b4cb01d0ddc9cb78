"""The Markdown for a job's page: tables, the folded change, a bound, and no stranger's markup."""

from __future__ import annotations

import re
from typing import Any

import pytest
from ci_traces import DIFF, HOSTILE, LIMITED, REFUSED, make_check, make_finding, make_trace, reported
from markdown_it import MarkdownIt
from review_traces import CLEAN, INCONCLUSIVE, OF_RUFF, SECRET_WORDS, finding, review_trace
from review_traces import LIMITED as LIMITED_REVIEW

from orefactor.core.outputs.step_summary import LONGEST, step_summary
from orefactor.core.reporting import ReportedRun


def blocks(text: str, kind: str) -> list[str]:
    """The contents of the blocks of a kind, as a reader of Markdown sees them."""
    return [token.content for token in MarkdownIt("commonmark").enable("table").parse(text) if token.type == kind]


def test_a_change_that_was_delivered() -> None:
    trace = make_trace(
        checks=(make_check("ruff", "passed", make_finding(is_new=False)).model_dump(),),
        branch="topic", reused="20301129T000000-abcdef", contract={"kinds": ("docstrings",), "ok": True},
    )  # fmt: skip
    text = step_summary(reported(trace, DIFF))
    assert text.startswith("## ✓ git orefactor: Document area\n\nthe change passed the gate\n\nIt says what it does.\n")
    for row in (
        "### The run\n\n| task | document area |\n| :-- | :-- |",
        "| change | 1 file, +1 −0 |",
        "| verified | yes |",
        "| contract | `docstrings`, kept |",
        "| model | `m` (fixture) |",
        "| tokens | 1,000 in (5 cached), 20 out |",
        "| cost | $0.0123 |",
        "| reused | the result of run `20301129T000000-abcdef`, proven again |",
        "| branch | `topic` |",
        "| `ruff` | 1 finding | ✓ passed, 1 finding as before | 0.2 s |",
        "| `src/shapes.py` | 1 | 0 |",
    ):
        assert f"\n{row}\n" in text, row
    assert "stands against" not in text and "not delivered" not in text
    (fence,) = blocks(text, "fence")
    assert fence == DIFF[DIFF.index(b"diff") :].decode()
    assert blocks(text, "html_block") == ["<details><summary>The change</summary>\n", "</details>\n"]


def test_a_change_that_was_refused() -> None:
    text = step_summary(reported(REFUSED, DIFF))
    assert text.startswith("## ✗ git orefactor: `contract:docstrings`\n")
    assert "| change | 1 file, +1 −0, **not delivered** |" in text
    assert "| `src/shapes.py:2` | `contract/docstrings` | in area: `import os` was added |" in text
    assert "|  | `guard/size` | 900 lines changed |" in text
    assert "| `mypy` | not measured | ✗ not installed: mypy is not installed | 0.2 s |" in text
    assert "| `pytest` (not required) |" in text
    assert "<summary>The rejected change</summary>" in text
    assert "is unused" in text and "`re` is unused" not in text


def test_a_run_without_a_change() -> None:
    text = step_summary(reported(LIMITED))
    assert "| change | none |" in text and "| cost | unknown |" in text and "| base |" not in text
    assert "diff" not in text and text.count("### ") == 1


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("old mode 100644\nnew mode 100755\n", "| `x.py` (mode) | 0 | 0 |"),
        ("similarity index 100%\nrename from a.py\nrename to x.py\n", "| `a.py` → `x.py` | 0 | 0 |"),
        ("index 11..22 100644\nGIT binary patch\nliteral 0\n", "| `x.py` | binary | binary |"),
    ],
)
def test_files_of_all_kinds(head: str, row: str) -> None:
    assert row in step_summary(reported(make_trace(), f"diff --git a/x.py b/x.py\n{head}".encode()))


def _large(file: str, line: bytes, count: int) -> bytes:
    head = f"diff --git a/{file} b/{file}\nnew file mode 100644\n--- /dev/null\n+++ b/{file}\n@@ -0,0 +1,{count} @@\n"
    return head.encode() + line * count


LARGE: dict[str, ReportedRun] = {
    "lines": reported(make_trace(), _large("x.py", b"+x = 1\n", 120_000)),
    "one line": reported(make_trace(), _large("x.py", b"+" + b"x" * 3_000_000 + b"\n", 1)),
    "bytes": reported(make_trace(), _large("x.py", b"+\xff\x00\x1b\n", 80_000)),
    "files": reported(make_trace(), b"".join(_large(f"{'é' * 90}{n}.py", b"+x\n", 1) for n in range(1500))),
    "findings": reported(
        make_trace(checks=(make_check("ruff", "failed", *[make_finding(text="|`*" * 130)] * 900).model_dump(),) * 60)
    ),
}


@pytest.mark.parametrize("run", LARGE.values(), ids=LARGE.keys())
def test_it_is_bounded_and_ends_well(run: ReportedRun) -> None:
    text = step_summary(run)
    assert len(text.encode()) < LONGEST
    assert text.count("<details>") == text.count("</details>")
    assert len(blocks(text, "fence")) == (1 if run.patch else 0)
    assert ("The rest is left out here." in text) == (len(run.patch) > 384 << 10)
    assert ("more" in text) == (len(run.files) > 200 or not run.patch)


def test_strangers_text_stays_text() -> None:
    fields: dict[str, Any] = {"task": HOSTILE, "message": HOSTILE, "reason": HOSTILE, "branch": HOSTILE}
    finding = make_finding().model_copy(update={"path": HOSTILE, "rule": HOSTILE, "text": HOSTILE})
    check = make_check("ruff", "failed").model_copy(update={"findings": (finding,), "name": HOSTILE})
    summary = REFUSED.summary.model_copy(update={"title": HOSTILE, "body": HOSTILE})
    patch = DIFF + b"+````\n+</details>\n+<script>\n".replace(b"+", b" ")
    for trace in (REFUSED, make_trace()):
        hostile = trace.model_copy(update={**fields, "checks": (check,), "summary": summary})
        text = step_summary(reported(hostile, patch))
        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        markup = [token.content for token in tokens if token.type == "html_block"]
        markup += [child.content for token in tokens for child in token.children or () if child.type == "html_inline"]
        ours = re.compile(r"</?(details|summary|code)>(<summary>The .*change</summary>)?\n?")
        assert all(map(ours.fullmatch, markup))
        assert not re.search("[\x00-\x08\x1b\u202e\ud800]", text)
        outside = text.partition("<details>")[0]
        assert not re.search(r"@all|#1\b", outside)


def test_a_review() -> None:
    text = step_summary(reported(review_trace({"reused": "20301129T000000-abcdef"})))
    assert text.startswith(
        "## ✗ git orefactor review: changes requested\n\nthe working tree, 2 files, 12 changed lines: 2 errors, "
        "1 warning, 1 note, 1 dropped. Decided: 2 blocking findings with fail-on error: 1 of the model, 1 of `ruff` "
        "(`blocking:model`).\n\nThe guard against None is wrong.\n\n"
        "### Findings\n\n| Where | Weight | Rule | By | What |\n"
    )
    for row in (
        "| `src/shapes.py:8` | **error**, blocking | `E101` | ruff | Indentation mixes spaces and tabs |",
        "| `b.txt:1` | warning | `naming` | model | What is é? |",
        "|  | note | `scope` | model | The change has no test. |",
        "| `py_compile` | not measured | ✓ passed | 0.2 s |",
        "| reused | the verdict of the review `20301129T000000-abcdef` |",
        "| rounds | 3, 0 tool calls, 1.5 s |",
    ):
        assert f"\n{row}\n" in text, row
    assert "verified" not in text and "| change |" not in text


@pytest.mark.parametrize(
    ("trace", "heading", "said"),
    [
        (CLEAN, "## ✓ git orefactor review: approved", "nothing blocks with fail-on error (`reviewed`)."),
        (
            INCONCLUSIVE,
            "## ✗ git orefactor review: inconclusive",
            "### Limitations\n\n- the check `mypy` could not run",
        ),
        (LIMITED_REVIEW, "## ✗ git orefactor review: not reviewed", "(`deliberation_limit:max_rounds`)."),
    ],
)
def test_how_a_review_ended(trace: Any, heading: str, said: str) -> None:
    text = step_summary(reported(trace))
    assert text.startswith(f"{heading}\n") and said in text
    assert SECRET_WORDS not in text


def test_strangers_text_in_a_review_stays_text_and_short() -> None:
    evil = finding(HOSTILE, message=HOSTILE, rule=HOSTILE, origin=HOSTILE)
    review = {"findings": [evil, *[OF_RUFF] * 3000], "summary": HOSTILE, "limitations": [HOSTILE] * 30}
    text = step_summary(reported(review_trace(review, message=HOSTILE)))
    assert len(text.encode()) < LONGEST and "… and 2901 more" in text and "… and 10 more" in text
    assert not blocks(text, "html_block") and not re.search("[\x00-\x08\x1b\u202e\ud800]|@all|#1\\b", text)
