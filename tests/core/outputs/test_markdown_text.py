"""Strangers' text in Markdown stays text: rendered, it is what it was, and nothing in it refers to anything."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from orefactor.core.outputs.markdown_text import code, prose, title, words

BREAK = "\u200b"
# As GitHub, GitLab and Gitea look for them: mentions, references, addresses, keys of issues, GitLab's quick actions.
REFERENCES = re.compile(r"@[\w-]|[#!&$%~^]\d|[#~%]\w|://|\bwww\.|\b[A-Z]{2,}-\d|\bGH-\d|^/\w", re.MULTILINE | re.ASCII)
IN_CODE = re.compile(r"[#!]\d|://|<!--|\b[A-Z]{2,}-\d")
_RENDER = MarkdownIt("commonmark").enable("table")
NASTY = st.text(alphabet="ab1 \n\t`|\\<>@#!&$%~^*_-+=[]().:/'\"{}A\u202e\x1b\ud800é", max_size=60)


def _shown(markdown: str) -> str:
    """The text that a reader sees, without what has no width."""
    rendered = re.sub(r"</?(?:p|code|ul|li|table|thead|tbody|tr|th|td|ol)>\n?", "", _RENDER.render(markdown))
    return html.unescape(rendered).replace(BREAK, "").replace("\n", "")


@pytest.mark.parametrize(
    "text",
    [
        "thanks @ann, fixes #12, closes group/project#3 and !4, GH-5, ABC-6, &7, $8, %9, ~bug, ^alert#1",
        "fixes https://github.com/group/project/issues/1 and www.example.com, mail ann@example.com",
        "/close\n/assign @ann\n  /merge",
        "# Heading\n===\n---\n> quote\n1. one\n2) two\n+ more\n\tcode",
        "<img src=x onerror=alert(1)> <!-- orefactor:end --> &amp; &#64;ann",
        "[link](https://x.example) ![image](https://x.example/a.png) <https://x.example> [issue:12]",
        "| a | b |\n|---|---|\n| c | d |",
        "```\nfence @ann\n```",
        "**bold** _it_ ~~gone~~ $math$ \\@ann \\\\",
        "`code @ann` `fixes #1` `a|b` `<!-- orefactor:end -->` ``x``",
        "bell\x07 esc\x1b[2J turn\u202e none\u200b tag\U000e0041 half\ud800",
    ],
)
def test_nothing_refers_to_anything(text: str) -> None:
    for make in (prose, words, title):
        made = make(text, 500)
        outside = made.lstrip("/") if make is title else re.sub(r"`[^`\n]*`|<code>.*?</code>", "", made)
        # What escapes stand before is what a reader sees; references are looked for in that.
        assert REFERENCES.findall(re.sub(r"\\(?=[^\w\s/])", "", outside)) == []
        assert IN_CODE.findall(made) == []
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e\ud800\U000e0041]", made)
    rendered = _RENDER.render(prose(text, 500))
    assert set(re.findall(r"<(\w+)", rendered)) <= {"p", "ul", "li", "code"}


@given(NASTY)
def test_it_stays_what_it_was(text: str) -> None:
    for made in (words(text, 500), code(text, 500)):
        assert "\n" not in made
        row = f"| a | b |\n| - | - |\n| {made} | end |"
        rendered = _RENDER.render(row)
        assert rendered.count("<td>") == 2
        assert set(re.findall(r"<(\w+)", rendered)) <= {"table", "thead", "tbody", "tr", "th", "td", "code"}
        assert IN_CODE.findall(made) == []
        made.encode()
    set_of_tags = set(re.findall(r"<(\w+)", _RENDER.render(prose(text, 500))))
    assert set_of_tags <= {"p", "ul", "li", "code"}
    letters = re.sub(r"[^a-zA1é]", "", text)
    assert re.sub(r"[^a-zA1é]", "", re.sub(r"<U\+\w+>|\\ud800|\\n", "", _shown(code(text, 500)))) == letters


def test_lists_and_code_keep_their_form() -> None:
    text = "Two things:\n- a `name`\n    * below\n+ `other`, too\n\nEnd."
    assert prose(text, 500) == "Two things:\n- a `name`\n  - below\n- `other`, too\n\nEnd."


@pytest.mark.parametrize("make", [prose, words, code, title])
def test_what_is_too_long_is_cut(make: type) -> None:
    made = make("x" * 50, 10)
    assert made.strip("`") == "x" * 9 + "…"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/x.py", "`src/x.py`"),
        ("a|b", "<code>a&#x7c;b</code>"),
        ("a`b", "<code>a&#x60;b</code>"),
        (" a", "<code>&#x20;a</code>"),
        ("a\nb", "<code>a&#x5c;nb</code>"),
        ("", "<code></code>"),
        ("@a/b", "`@a/b`"),
    ],
)
def test_code(text: str, expected: str) -> None:
    assert code(text, 100) == expected
