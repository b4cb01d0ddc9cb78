"""Reads JUnit XML, as many test runners write it: the outcome of each test by class and name.

A stranger's text: read as a stream without building a tree, no document type and so no entity of its own, bounded in
size and in tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.parsers import expat

MOST_BYTES = 16 << 20
MOST_TESTS = 100_000
_OUTCOMES = {"failure": "failed", "error": "error", "skipped": "skipped"}
_RANKS = ("passed", "skipped", "xfailed", "failed", "error")


class _Reader:
    """Takes the parser's events."""

    def __init__(self) -> None:
        self.tests: dict[str, str] = {}
        self._node: str | None = None
        self._suites = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._suites:
            self._suites = name in ("testsuites", "testsuite")
            if not self._suites:
                raise ValueError(f"an element `{name[:40]}` is no report of tests")
        elif name == "testcase":
            names = (attributes.get("classname", ""), attributes.get("name", ""))
            self._node = "::".join(filter(None, names))
            self._note("passed")
        elif name in _OUTCOMES:
            self._note("xfailed" if attributes.get("type") == "pytest.xfail" else _OUTCOMES[name])

    def end(self, name: str) -> None:
        if name == "testcase":
            self._node = None

    def _note(self, outcome: str) -> None:
        if self._node is not None:
            if len(self.tests) >= MOST_TESTS:
                raise ValueError(f"more than {MOST_TESTS} tests")
            self.tests[self._node] = max(self.tests.get(self._node, outcome), outcome, key=_RANKS.index)


def parse_junit(text: str) -> Mapping[str, str]:
    """The outcomes (`passed`, `skipped`, `xfailed`, `failed`, `error`) by `classname::name`, the worst of each.

    Raises:
        ValueError: it is no JUnit XML, too large, or declares a document type.
    """
    data = text.encode("utf-8", "replace")
    if len(data) > MOST_BYTES:
        raise ValueError("the report is too large")
    reader = _Reader()
    # Told the encoding, it ignores what the text declares.
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ValueError(f"no well-formed XML: {error}") from None
    return reader.tests


def _refuse_doctype(*_declaration: object) -> None:
    raise ValueError("a report of tests declares no document type")
