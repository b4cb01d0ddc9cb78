"""Our own pages: plain in a pipe, styles as escapes on a terminal, nothing of a stranger's among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from orefactor.cli.pages import Line, Span, Style, page_width, rendered, show_page

LINES: list[Line] = [(Span("a ", "head"), Span("b\x1b[2J\u202e\udce9 ", "name"), Span("  ", "faint")), (), (Span("c"),)]


@pytest.mark.parametrize(
    ("coloured", "expected"),
    [
        (False, "a b\\x1b[2J\\u202e\\udce9\n\nc\n"),
        (True, "\x1b[1ma \x1b[m\x1b[36mb\\x1b[2J\\u202e\\udce9 \x1b[m\n\nc\n"),
    ],
)
def test_text_of_strangers_is_spelled_out(coloured: bool, expected: str) -> None:
    assert rendered(LINES, coloured=coloured).decode() == expected


@pytest.mark.parametrize("style", ["", "head", "name", "strong", "faint"])
def test_each_style_ends_where_its_text_does(style: Style) -> None:
    shown = rendered([(Span("x", style), Span("y"))], coloured=True)
    assert shown.endswith(b"x\x1b[my\n" if style else b"xy\n")


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("120", 120), ("7", 40), ("", 100), ("x", 100)])
def test_the_width(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert page_width() == width


def test_a_pipe_gets_no_colours(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    show_page(LINES, tmp_path)
    assert capfdbinary.readouterr().out == rendered(LINES, coloured=False)
