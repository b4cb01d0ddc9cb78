"""Words for calls, tokens and durations."""

from __future__ import annotations

from typing import Any

import pytest

from orefactor.cli.wording import call_words, inert, money, placed, plain, seconds, shortened, tokens
from orefactor.core.tools import TOOLS


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("read_file", {"path": "x.py"}, "read x.py"),
        ("read_file", {"path": "x.py", "start_line": 3, "end_line": 9}, "read x.py:3-9"),
        ("read_file", {"path": "x.py", "start_line": 3}, "read x.py:3-"),
        ("read_file", {"path": "x.py", "end_line": 9}, "read x.py:1-9"),
        ("list_dir", {}, "list ."),
        ("grep", {"pattern": "a b", "path": "src"}, "grep 'a b' in src"),
        ("grep", {"pattern": "x" * 50}, f"grep '{'x' * 39}…' in ."),
        ("run_check", {"command": "ruff check src"}, "check ruff check src"),
        ("check_ruff", {}, "check ruff"),
        ("check_ruff", {"path": "x"}, "check_ruff x"),
        ("move_file", {"path": "a", "new_path": "b"}, "move a to b"),
        ("edit_file", {"path": "a\x1b[2J\nb"}, r"edit a\x1b[2J b"),
        ("write_file", "no object", "write ."),
        (
            "read_file",
            {"path": "a/" * 40 + "x.py", "start_line": 3},
            "read …/" + "a/" * 27 + "x.py:3-",
        ),
        ("read_file", {"path": ["x"]}, "read ."),
        ("made_up\x07", None, r"made_up\x07 ."),
    ],
)
def test_a_call_in_a_few_words(name: str, arguments: Any, words: str) -> None:
    assert call_words(name, arguments) == words


def test_each_tool_has_a_verb_of_its_own() -> None:
    assert [name for name in TOOLS if call_words(name, {}).split()[0] == name] == ["grep"]


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0"), (999, "999"), (1000, "1.0k"), (12_345, "12.3k"), (1_000_000, "1000.0k")]
)
def test_tokens(count: int, text: str) -> None:
    assert tokens(count) == text


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(0, "0.0 s"), (1234, "1.2 s"), (59_999, "60.0 s"), (60_000, "1 min 0 s"), (125_000, "2 min 5 s")],
)
def test_seconds(milliseconds: int, text: str) -> None:
    assert seconds(milliseconds) == text


@pytest.mark.parametrize(
    ("text", "line"), [("a  b\nc", "a b c"), ("x" * 61, "x" * 59 + "…"), ("", ""), ("\u202e", r"\u202e")]
)
def test_shortened(text: str, line: str) -> None:
    assert shortened(text) == line


def test_plain_keeps_one_line() -> None:
    assert plain("a\r\nb\tä") == r"a……b\tä"


@pytest.mark.parametrize(
    ("usd", "text"), [(0, "nothing"), (1.5, "$1.50"), (0.0123, "$0.0123"), (1e-6, "less than $0.0001")]
)
def test_money(usd: float, text: str) -> None:
    assert money(usd) == text


def test_of_a_long_path_the_end_stays() -> None:
    assert placed("a/b.py", 6) == "a/b.py"
    assert placed("aa/\nb.py", 6) == "……b.py"


@pytest.mark.parametrize(
    ("line", "harmless"),
    [
        ("::error::x", ": :error::x"),
        ("  ::error::x", "  : :error::x"),
        ("\u00ad\ufe0f ::error::x", "\u00ad\ufe0f : :error::x"),
        (":::error::x", ": ::error::x"),
        ("read x::y", "read x::y"),
        (": x", ": x"),
        ("a ##[error]x ##[b]", "a # #[error]x # #[b]"),
        ("##vso[task.x]", "# #vso[task.x]"),
        ("#\ufe0f#[error]", "#\ufe0f #[error]"),
        ("## Title [x]", "## Title [x]"),
    ],
)
def test_inert(line: str, harmless: str) -> None:
    assert inert(line) == harmless
