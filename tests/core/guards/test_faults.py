"""How guards word what they found: one bounded line, whatever strangers wrote."""

from __future__ import annotations

import pytest

from orefactor.core.guards.faults import Fault, quoted, verdict


@pytest.mark.parametrize(
    ("faults", "ok", "detail"),
    [
        pytest.param([], True, "all", id="none"),
        pytest.param([Fault("x.py", 3, "bad")], False, "`x.py:3`: bad", id="one"),
        pytest.param([Fault("x.py", 0, "bad")], False, "`x.py`: bad", id="without-a-line"),
        pytest.param([Fault("x.py", 1, "bad")] * 3, False, "`x.py:1`: bad (and 2 more)", id="more"),
        pytest.param([Fault("a\nb\x1b\udcff.py", 1, "bad")], False, "`a b\\x1b\\udcff.py:1`: bad", id="hostile-path"),
    ],
)
def test_verdict(faults: list[Fault], ok: bool, detail: str) -> None:
    found = verdict("size", faults, "all")
    assert (found.name, found.ok, found.detail) == ("size", ok, detail)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a  b\n\tc", "`a b c`", id="white-space"),
        pytest.param("x" * 81, "`" + "x" * 79 + "…`", id="cut"),
        pytest.param("x" * 80, "`" + "x" * 80 + "`", id="as-long-as-may-be"),
        pytest.param(" " * 1_000_000 + "x", "`…`", id="hostile-length"),
        pytest.param("\u202e\x00", "`\\u202e\\x00`", id="controls"),
    ],
)
def test_quoted(text: str, shown: str) -> None:
    assert quoted(text) == shown
