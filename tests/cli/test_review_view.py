"""A review on standard output: plain in a pipe, without secrets, and no line that a CI system takes for a command."""

from __future__ import annotations

from pathlib import Path

import pytest
from review_traces import CLEAN, finding, review_trace, source

from orefactor.cli.pages import rendered
from orefactor.cli.review_view import review_spans, show_review

Capture = pytest.CaptureFixture[str]


def test_in_a_pipe(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("X_API_KEY", "return a")
    evil = finding(message="::error::owned\n##[group]x", start=8, end=8)
    show_review(review_trace({"findings": [evil], "summary": "::stop-commands::x"}), source, tmp_path)
    out, err = capfd.readouterr()
    assert (err, "\x1b" in out) == ("", False)
    assert "\n: :stop-commands::x\n" in out and "\n  : :error::owned\n  # #[group]x\n" in out
    assert "  > 8 |     [REDACTED:environment] / 2\n" in out


def test_colours() -> None:
    page = rendered(list(review_spans(review_trace(), source, 80)), coloured=True).decode()
    assert page.startswith("\x1b[1;31mreviewed\x1b[m\x1b[1m: changes requested")
    assert "\x1b[31m    - if a == None:\x1b[m\n\x1b[32m    + if a is None:\x1b[m\n" in page
    assert "\x1b[1;33mwarning \x1b[m\x1b[36mb.txt:1\x1b[m" in page
    assert rendered(list(review_spans(CLEAN, source, 80)), coloured=True).startswith(b"\x1b[1;32mreviewed")
