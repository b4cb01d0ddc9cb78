"""What a commit's status says: one short line that does nothing but stand there."""

from __future__ import annotations

import pytest

from orefactor.core.forges.commit_status import LONGEST_DESCRIPTION, description

DESCRIBED: dict[str, tuple[str, str]] = {
    "plain": ("approved: no findings", "approved: no findings"),
    "lines": ("a\r\n\tb\x0b c", "a b c"),
    "terminal": ("a\x1b[2Jb", "a<U+001B>[2Jb"),
    "direction": ("a\u202eb", "a<U+202E>b"),
    "lone surrogate": ("a\udcffb", "a\\udcffb"),
    "mention": ("thanks @everyone", "thanks @\u200beveryone"),
    "closes an issue": ("fixes #12", "fixes #\u200b12"),
    "address": ("see https://evil.example", "see https\u200b://evil.example"),
}


@pytest.mark.parametrize(("text", "expected"), DESCRIBED.values(), ids=DESCRIBED.keys())
def test_a_description_is_inert(text: str, expected: str) -> None:
    told = description(text)
    assert told.replace("\u200b", "") == expected.replace("\u200b", "")
    assert told.isprintable() or "\u200b" in told
    assert ("\u200b" in told) == ("\u200b" in expected)


@pytest.mark.parametrize("text", ["x" * 5000, "#1 " * 3000, "@a" * 3000, "\x1b" * 5000], ids=["x", "#", "@", "escape"])
def test_a_description_fits(text: str) -> None:
    told = description(text)
    assert len(told) == LONGEST_DESCRIPTION and told.endswith("…")
    assert "@a" not in told and "#1" not in told
