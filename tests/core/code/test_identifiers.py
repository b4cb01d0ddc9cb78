"""Which words are ids of requirements and specifications."""

from __future__ import annotations

import pytest

from orefactor.core.code.identifiers import find_ids, id_label


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        pytest.param(b"REQ-106-011 SPEC-106, (TST-1) SEC-2. ADR-12: FR-002",
                     [b"REQ-106-011", b"SPEC-106", b"TST-1", b"SEC-2", b"ADR-12", b"FR-002"], id="prefixes"),
        pytest.param(b"UTF-8 SHA-256 ISO-8601 PEP-8 RFC-1 CVE-2024-1", [], id="other-words"),
        pytest.param(b"REQ-AUTH-3b REQ-1.2. REQ-1-draft", [b"REQ-AUTH-3b", b"REQ-1.2", b"REQ-1"], id="parts"),
        pytest.param(b"XREQ-1 x-REQ-1 REQ-1x2 REQ-1_a REQ-1-A req-1 REQ- REQ", [], id="parts-of-words"),
        pytest.param("\u00e4REQ-1 \u2013REQ-2".encode(), [b"REQ-1", b"REQ-2"], id="other-letters-around"),
        pytest.param(b"REQ-" * 50_000 + b"A-" * 50_000, [], id="long"),
        pytest.param(b"x-1 A-1", [], id="no-prefix"),
    ],
)  # fmt: skip
def test_find_ids(text: bytes, ids: list[bytes]) -> None:
    assert [found[0] for found in find_ids(text)] == ids


@pytest.mark.parametrize(
    ("word", "label"),
    [("REQ-1-002", "requirement"), ("spec-106", "specification"), ("Tst-1", "test"), ("ADR-1", "specification"),
     ("UTF-8", None), ("REQ", None), ("\u00e9-1", None), ("REQ-1 ", None), ("", None)],
)  # fmt: skip
def test_id_label(word: str, label: str | None) -> None:
    assert id_label(word) == label
