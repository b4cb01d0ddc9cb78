"""The commit message from a stranger's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.outputs.message import SUBJECT_LIMIT, Summary, branch_slug, commit_message, summarize

LONG = "Add docstrings to every public function of the package and to all of its methods too"


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        pytest.param("Add a docstring", "Add a docstring", "", id="plain"),
        pytest.param("add a docstring.", "Add a docstring", "", id="capital-and-stop"),
        pytest.param("Add it\n\nBecause\nof that.\n", "Add it", "Because\nof that.", id="body"),
        pytest.param("Add it\r\n\r\nBody\r\n", "Add it", "Body", id="crlf"),
        pytest.param("# Add it", "Add it", "", id="heading"),
        pytest.param("**Add it**", "Add it", "", id="bold"),
        pytest.param("`Add it`", "Add it", "", id="code"),
        pytest.param("Commit message: add it", "Add it", "", id="label"),
        pytest.param("Subject: add it", "Add it", "", id="subject-label"),
        pytest.param("```\nAdd it\n\nBody\n```", "Add it", "Body", id="fence"),
        pytest.param("~~~text\nAdd it\n~~~", "Add it", "", id="tilde-fence"),
        pytest.param("Add it\n\nSigned-off-by: Me <m@x>\nOrefactor-Run: 1", "Add it", "", id="trailers"),
        pytest.param("Add it\n\nOrefactor-Tree : x\nwhy", "Add it", "why", id="our-own-trailers"),
        pytest.param("Add \x1b[31mit\x07\u202e", "Add [31mit", "", id="control-characters"),
        pytest.param("", "Add docstrings", "", id="nothing"),
        pytest.param("done", "Add docstrings", "", id="done"),
        pytest.param("Done!\n\nI added them.", "Add docstrings", "I added them.", id="done-and-more"),
        pytest.param("```\n```", "Add docstrings", "", id="only-fences"),
        pytest.param(LONG, "Add docstrings to every public function of the package and to all of…", "", id="long"),
        pytest.param("x" * 100, "X" + "x" * 70 + "…", "", id="one-long-word"),
    ],
)
def test_summaries(text: str, title: str, body: str) -> None:
    assert summarize(text, "add  docstrings") == Summary(title, body)


def test_a_task_that_gives_no_title() -> None:
    assert summarize("", "...").title == "Refactor"


def test_a_very_long_body_is_cut() -> None:
    assert len(summarize("Add it\n\n" + "why " * 5000, "t").body) == 4000


@pytest.mark.traces("REQ-103-023")
def test_the_message_of_a_commit() -> None:
    summary = Summary("Add it", "Because.")
    assert commit_message(summary, "20300101T000000-abcdef", "m 1\n") == (
        "Add it\n\nBecause.\n\nOrefactor-Run: 20300101T000000-abcdef\nOrefactor-Model: m 1\n"
    )
    assert commit_message(Summary("Add it"), "r", "m") == "Add it\n\nOrefactor-Run: r\nOrefactor-Model: m\n"


@pytest.mark.parametrize(
    ("title", "slug"),
    [("Add docstrings!", "add-docstrings"), ("漢字", "change"), ("a" * 60, "a" * 40), ("x" * 39 + " y", "x" * 39)],
)
def test_slugs(title: str, slug: str) -> None:
    assert branch_slug(title) == slug


@given(st.text(), st.text())
def test_a_title_is_one_short_line_whatever_was_said(text: str, task: str) -> None:
    summary = summarize(text, task)
    assert 0 < len(summary.title) <= SUBJECT_LIMIT
    assert "\n" not in summary.title and "```" not in summary.title + summary.body
    assert summary.title == summary.title.strip()
