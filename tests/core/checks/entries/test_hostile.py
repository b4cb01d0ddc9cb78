"""Whatever a tool prints, a parser gives findings or a ValueError, soon."""

from __future__ import annotations

import base64
import json
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orefactor.core.checks.catalogue import CHECKS
from orefactor.core.checks.own import OwnCommand, own_check

PARSERS = {**{name: check.parse for name, check in CHECKS.items()}, "own": own_check(OwnCommand("x", ("x",))).parse}
MARK = "\norefactor-outcomes "


def packed(value: object) -> str:
    return MARK + base64.b64encode(zlib.compress(json.dumps(value).encode())).decode()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = (
    "filename file path code message location row line severity rule range start results runs generalDiagnostics "
    "locations hint"
)
rows = st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES.split(), json_values))
pieces = st.sampled_from(
    ["x.py:1: ", "error: ", "  [rule]", "FAILED ", "ERROR ", "t.py::test[", "] - ", " - ", "short test summary info\n",
     "1 passed", "orefactor-compile\t", "Would reformat: ", "unformatted: File would be reformatted\n --> x:1:2", "\n",
     "<testsuite>", "<testcase name='a'>", "</testcase>", "</testsuite>", "<failure/>", "\t", "\r", "\0", "\ud800",
     "{", "[", "}", "]", '"file":', MARK, "eJw=", "\u2028", "\x1b[31m"]
)  # fmt: skip
outputs = st.one_of(
    st.text(max_size=60),
    st.lists(pieces, max_size=12).map("".join),
    json_values.map(json.dumps),
    st.lists(rows, max_size=3).map(json.dumps),
    rows.map(json.dumps),
    json_values.map(packed),
)


@pytest.mark.untraced
@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(PARSERS)), outputs)
def test_no_parser_raises_anything_but_a_value_error(name: str, output: str) -> None:
    try:
        reading = PARSERS[name](output, "/repo")
    except ValueError:
        return
    for finding in reading.findings:
        assert finding.line >= 0
        assert str(finding).isprintable()


DEEP = 200_000
FLOODS = {
    "deep-json": "[" * DEEP,
    "deep-objects": '{"a":' * DEEP,
    "deep-xml": "<testsuite>" * DEEP,
    "many-colons": ":" * DEEP,
    "many-brackets": "short test summary info\nFAILED " + "[ - ] " * DEEP,
    "one-long-line": "x.py:1: " + "a" * DEEP,
    "long-path": "a" * DEEP + ":1:1: error: x  [y]",
    "digits": '[{"filename": "x", "message": "m", "location": {"row": ' + "9" * DEEP + "}}]",
    "bomb": MARK + base64.b64encode(zlib.compress(b"[" * (64 << 20), 9)).decode(),
    "not-text": MARK + "\u00e9",
    "mypy-lines": "a: error: b\n" * DEEP,
    "entities": '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite name="&b;"/>',
    "outside-entity": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuites>&a;</testsuites>',
}


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("name", sorted(PARSERS))
def test_floods(name: str, flood: str) -> None:
    try:
        reading = PARSERS[name](FLOODS[flood], "/repo")
    except ValueError:
        return
    assert all(len(str(finding)) < 5000 for finding in reading.findings)
