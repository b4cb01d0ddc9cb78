"""JUnit XML of whoever, read as a stream and bounded."""

from __future__ import annotations

import pytest

from orefactor.core.checks.junit import MOST_BYTES, MOST_TESTS, parse_junit


def suite(inside: str) -> str:
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites><testsuite>{inside}</testsuite></testsuites>'


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        pytest.param('<testcase classname="a.B" name="c"/>', {"a.B::c": "passed"}, id="passed"),
        pytest.param('<testcase name="c"><failure/></testcase>', {"c": "failed"}, id="failed"),
        pytest.param('<testcase name="c"><error>x</error></testcase>', {"c": "error"}, id="error"),
        pytest.param('<testcase name="c"><skipped/></testcase>', {"c": "skipped"}, id="skipped"),
        pytest.param(
            '<testcase name="c"><skipped type="pytest.xfail"/></testcase>', {"c": "xfailed"}, id="expected-to-fail"
        ),
        pytest.param('<testcase name="c"/><testcase name="c"><failure/></testcase>', {"c": "failed"}, id="twice"),
        pytest.param('<testcase name="c"><error/><failure/></testcase>', {"c": "error"}, id="both"),
        pytest.param('<testcase name="a"><system-out>failure</system-out></testcase>', {"a": "passed"}, id="output"),
        pytest.param("<failure/><properties/>", {}, id="outside-of-tests"),
        pytest.param('<testcase name="&lt;&#233;&gt;"/>', {"<\u00e9>": "passed"}, id="escaped"),
    ],
)
def test_outcomes(case: str, expected: dict[str, str]) -> None:
    assert parse_junit(suite(case)) == expected
    assert parse_junit(f"<testsuite>{case}</testsuite>") == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no well-formed XML"),
        ("<testsuite>", "no well-formed XML"),
        ("<html></html>", "an element `html` is no report of tests"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', "declares no document type"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><testsuite/>', "declares no document type"),
        ("<testsuite>&unknown;</testsuite>", "no well-formed XML"),
        ('<testsuite><testcase name="\0"/></testsuite>', "no well-formed XML"),
        ("<testsuite>" + "x" * MOST_BYTES, "too large"),
        (
            "<testsuite>" + "".join(f"<testcase name='{n}'/>" for n in range(MOST_TESTS + 1)) + "</testsuite>",
            f"more than {MOST_TESTS} tests",
        ),
    ],
    ids=["empty", "cut", "html", "entities", "external", "unknown-entity", "nul", "large", "many"],
)
def test_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_junit(text)


def test_the_declared_encoding_does_not_count() -> None:
    text = '<?xml version="1.0" encoding="utf-16"?><testsuite><testcase name="\u00e9\ud800"/></testsuite>'
    assert parse_junit(text) == {"\u00e9?": "passed"}
