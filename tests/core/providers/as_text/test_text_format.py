"""Our own text format: what it refuses and why, and that what is written is read back exactly."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.providers.as_text.findings import Findings, WrittenCall
from orefactor.core.providers.as_text.signatures import Parameter, Signature, read_signatures
from orefactor.core.providers.as_text.text_format import parse_calls
from orefactor.core.providers.as_text.text_render import fenced, render_calls
from orefactor.core.tools import TOOL_SCHEMAS

OTHER = {
    "type": "function",
    "function": {
        "name": "other",
        "parameters": {
            "properties": {
                "note": {"type": ["string", "null"]},
                "count": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                "is_on": {"type": "boolean"},
                "ratio": {"type": "number"},
                "items": {"type": "array"},
                "map": {"oneOf": [{"type": "object"}]},
                "content": {"type": "string"},
                "free": {},
            }
        },
    },
}
TOOLS = read_signatures([*TOOL_SCHEMAS, OTHER])


def parse(text: str, **options: Any) -> Findings:
    return parse_calls(text, TOOLS, **options)


def calls(text: str) -> list[tuple[str, dict[str, Any]]]:
    found = parse(text)
    assert found.faults == ()
    return [(call.name, dict(call.arguments)) for call in found.calls]


def body(*lines: str, tool: str = "other") -> str:
    return "\n".join([f'<call tool="{tool}">', *lines, "</call>"])


@pytest.mark.parametrize(
    ("lines", "arguments"),
    [
        pytest.param((), {}, id="no parameters"),
        pytest.param(("note: a: b",), {"note": "a: b"}, id="a colon in a value"),
        pytest.param(("note:   x  ",), {"note": "x"}, id="white space around a value"),
        pytest.param(('note: "x"',), {"note": '"x"'}, id="quotes stay"),
        pytest.param(("note: 12",), {"note": "12"}, id="a string of digits"),
        pytest.param(("note: null",), {"note": None}, id="null"),
        pytest.param(("note:", "```", "null", "```"), {"note": "null"}, id="a string that reads null"),
        pytest.param(("count: 12",), {"count": 12}, id="an integer"),
        pytest.param(("count: null",), {"count": None}, id="no integer"),
        pytest.param(("count:", "```", "12", "```"), {"count": 12}, id="an integer in a fence"),
        pytest.param(("is_on: true",), {"is_on": True}, id="true"),
        pytest.param(("is_on: False",), {"is_on": False}, id="false as Python spells it"),
        pytest.param(("ratio: 1.5",), {"ratio": 1.5}, id="a number"),
        pytest.param(("ratio: 2",), {"ratio": 2}, id="a whole number"),
        pytest.param(('items: ["a", 1]',), {"items": ["a", 1]}, id="a list"),
        pytest.param(('map: {"a": null}',), {"map": {"a": None}}, id="an object"),
        pytest.param(("free: null", "odd: 1"), {"free": "null", "odd": "1"}, id="types that nobody said"),
        pytest.param(("", "note: x", "", "count: 1", ""), {"note": "x", "count": 1}, id="blank lines between"),
        pytest.param(("note: x\r", "count: 1\r"), {"note": "x", "count": 1}, id="CRLF around"),
        pytest.param(("note:", "```", "```"), {"note": ""}, id="an empty fence"),
        pytest.param(("note:", "```", "", "```"), {"note": ""}, id="one empty line"),
        pytest.param(("note:", "```python", "x", "```"), {"note": "x"}, id="an info word"),
        pytest.param(("note:", "~~~", "```", "~~~"), {"note": "```"}, id="tildes"),
        pytest.param(("note:", "````", "```", "x", "```", "````"), {"note": "```\nx\n```"}, id="a longer fence"),
        pytest.param(("note:", "```", "````", "```  "), {"note": "````"}, id="only the same fence ends it"),
        pytest.param(("note:", "```", "</call>", '<call tool="x">', "```"), {"note": '</call>\n<call tool="x">'},
                     id="a call in a value"),
        pytest.param(("content:", "```", "x", "```"), {"content": "x\n"}, id="content keeps its line end"),
        pytest.param(("content:", "```", "```"), {"content": ""}, id="empty content"),
        pytest.param(("content:", "```", "", "```"), {"content": "\n"}, id="content of one empty line"),
        pytest.param(("content:", "```", "x", "```", "\\ No newline at end of file"), {"content": "x"},
                     id="content without a line end"),
        pytest.param(("note:", "```", "x", "```", "\\ No newline at end of file"), {"note": "x"},
                     id="the same of another value"),
    ],
)  # fmt: skip
def test_values(lines: tuple[str, ...], arguments: dict[str, Any]) -> None:
    assert calls(body(*lines)) == [("other", arguments)]


LONE = "```\nx\n```"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        pytest.param("<call>\n</call>", ["1: `<call>` must be `<call tool=\"NAME\">`, alone on its line"],
                     id="no tool"),
        pytest.param("<call tool=grep>\n</call>", ['1: `<call tool=grep>` must be `<call tool="NAME">`'],
                     id="no quotes"),
        pytest.param("<call tool='grep'>\n</call>", ["1: `<call tool='grep'>` must be"], id="other quotes"),
        pytest.param('<call tool="">\n</call>', ['1: `<call tool="">` must be'], id="an empty name"),
        pytest.param('<call tool="grep">pattern: x</call>\nafter', ["1: "], id="all on one line"),
        pytest.param("<call", ["1: `<call` must be", '1: this call is never closed'], id="nothing but the beginning"),
        pytest.param('x\n\n<call tool="grep">\npattern: x', ["3: this call is never closed: end it with a line"],
                     id="unclosed"),
        pytest.param('<call tool="grep">\n' + body("path: x", tool="grep"),
                     ["2: a call begins inside the call of line 1: end that one with `</call>`"], id="call in call"),
        pytest.param(body("content:", "````", "```"), ["3: this fence is never closed: end it with"],
                     id="unclosed fence"),
        pytest.param(body("note: a", "note: b"), ["3: `note` is given twice"], id="twice"),
        pytest.param(body("def f(x):", "    return x", "note: x"), ["2: `def f(x):` is no `name: value`; a value of"],
                     id="a line that is no parameter"),
        pytest.param(body("note: a", "one", "two", "", "three"), ["3: `one` is no", "6: `three` is no"],
                     id="runs of lines that are no parameters"),
        pytest.param(body("note:", "count: 1"), ["2: `note` has no value"], id="no value"),
        pytest.param('<call tool="other">\nnote:', ["2: `note` has no value", "1: this call is never closed"],
                     id="no value at the end"),
        pytest.param(body("note: ```python", "x: 1", "```"), ["2: the fence of `note` must begin on the next line"],
                     id="a fence behind the name"),
        pytest.param(body("note:", *LONE.split("\n"), "```"), ["6: `'''` is no `name: value`"], id="a fence too early"),
        pytest.param(body("count: ten"), ["2: `count` must be an integer, not `ten`"], id="no integer"),
        pytest.param(body("count: 1.5"), ["2: `count` must be an integer, not `1.5`"], id="a fraction"),
        pytest.param(body("count: " + "9" * 500), ["2: `count` must be an integer, not `999"], id="a number too long"),
        pytest.param(body("is_on: yes"), ["2: `is_on` must be a boolean, not `yes`"], id="no boolean"),
        pytest.param(body("ratio: true"), ["2: `ratio` must be a number, not `true`"], id="no number"),
        pytest.param(body("ratio: NaN"), ["2: `ratio` must be a number, not `NaN`"], id="not even a number"),
        pytest.param(body("ratio: 1e999"), ["2: `ratio` must be a number, not `1e999`"], id="infinity"),
        pytest.param(body("items: 1 2"), ["2: `items` must be an array, not `1 2`"], id="no list"),
        pytest.param(body("map: [1"), ["2: `map` must be an object, not `[1`"], id="no object"),
        pytest.param(body("items: " + "[" * 90 + "]" * 90), ["2: `items` must be an array, not `[["], id="too deep"),
        pytest.param(body("count: a\x1b[2J\u202e`b"), ["2: `count` must be an integer, not `a [2J 'b`"],
                     id="what drives a terminal"),
        pytest.param(body("note: x") + " done", ["3: nothing may follow `</call>` on its line"], id="text behind"),
        pytest.param(body("count: a", "is_on: b", "ratio: c"), ["2: ", "3: ", "4: "], id="all at once"),
        pytest.param("```\n" + body("note: x") + "\nprose", ["1: this code fence is never closed, so that"],
                     id="in a fence without an end, with prose"),
    ],
)  # fmt: skip
def test_refused(text: str, faults: list[str]) -> None:
    found = parse(text)
    said = [f"{fault.line}: {fault.text}" for fault in found.faults]
    assert len(said) == len(faults)
    assert [line for line, fault in zip(said, faults, strict=True) if not line.startswith(fault)] == []
    assert all("\n" not in line and line.isprintable() for line in said)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("Use `<call tool=\"grep\">` to search.", id="in a sentence"),
        pytest.param('  <call tool="grep">\n  pattern: x\n  </call>', id="indented"),
        pytest.param('<caller tool="grep">\n</caller>', id="another tag"),
        pytest.param("</call>", id="only an end"),
        pytest.param("So it goes:\n```\n" + body("note: x") + "\n```\nThat was it.", id="quoted"),
        pytest.param("~~~xml\n" + body("note: x") + "\n~~~\n\nThat was it.", id="quoted between tildes"),
        pytest.param("````\n```\n" + body("note: x") + "\n```\n````", id="quoted twice"),
        pytest.param("```\nx\n" + body("note: x") + "\n```", id="quoted among other lines"),
        pytest.param("```\n" + body("note: x") + "\ny\n```", id="quoted before other lines"),
        pytest.param("```\n" + '<call tool="grep">\npattern: x\n```\nmore', id="quoted by half"),
        pytest.param("```\nx", id="a fence without an end"),
    ],
)  # fmt: skip
def test_must_stay_text(text: str) -> None:
    found = parse(text)
    assert (found.calls, found.faults, "".join(found.prose)) == ((), (), text)


WRAPPED = "```xml\n" + body("note:", *LONE.split("\n")) + "\n```"


@pytest.mark.parametrize(
    ("text", "count", "prose"),
    [
        pytest.param(body("note: x"), 1, "", id="alone"),
        pytest.param("one\n" + body() + "\ntwo\n" + body() + "\nthree", 2, "one|two|three", id="between prose"),
        pytest.param("```\nx\n```\n" + body(), 1, "```\nx\n```", id="after a fence"),
        pytest.param("a ``` b\n" + body(), 1, "a ``` b", id="after backticks in a line"),
        pytest.param("```a`b\n" + body(), 1, "```a`b", id="after what is no fence"),
        pytest.param(WRAPPED, 1, "", id="wrapped in a fence"),
        pytest.param("I read:\n" + WRAPPED + "\n\n", 1, "I read:", id="wrapped, after prose"),
        pytest.param("First:\n" + WRAPPED + "\nthen:\n" + WRAPPED, 2, "First:|then:", id="wrapped twice"),
        pytest.param("```\n" + body() + "\n\n" + body() + "\n```", 2, "", id="two in one fence"),
        pytest.param("```\n" + body(), 1, "", id="wrapped without an end"),
        pytest.param(WRAPPED + "\ntext\n" + body(), 1, WRAPPED + "\ntext", id="quoted, then called"),
    ],
)  # fmt: skip
def test_where_calls_count(text: str, count: int, prose: str) -> None:
    found = parse(text)
    assert (len(found.calls), found.faults) == (count, ())
    assert "|".join(piece.strip() for piece in found.prose if piece.strip()) == prose


def test_a_wrapped_call_can_be_wrong() -> None:
    assert [fault.line for fault in parse("```\n" + body("count: x") + "\n```").faults] == [3]


def test_lines_are_counted_from_where_the_text_begins() -> None:
    assert [fault.line for fault in parse("\n<call>", first_line=10).faults] == [11, 11]


@pytest.mark.parametrize(
    ("text", "count"),
    [(body(tool="nope"), 0), ("<call>\n</call>", 0), (body("note: x"), 1), (body(body("x: y", tool="nope")), 0)],
    ids=["another tool", "no tool", "an offered tool", "another tool inside"],
)
def test_outside_the_text_protocol_only_offered_tools_count(text: str, count: int) -> None:
    assert len(parse(text, is_strict=False).calls) == count


def test_any_tool_is_called_within_it() -> None:
    assert calls(body("x: y", tool="nope")) == [("nope", {"x": "y"})]


ANY_TEXT = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(["```", "````", "~~~", "</call>", '<call tool="grep">', "a: b", "", "\r", "null", " ", "\\"])
    ).map("\n".join),
    st.sampled_from(["\n", "\r\n", "a\n", "a\r\n", "null", "\\ No newline at end of file", "\u2028", "\x1c", "\x85"]),
)
JSON = st.recursive(st.none() | st.booleans() | st.integers() | ANY_TEXT, lambda inner: st.lists(inner) |
                    st.dictionaries(ANY_TEXT, inner), max_leaves=6)  # fmt: skip
ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "note": st.none() | ANY_TEXT,
        "count": st.none() | st.integers(),
        "is_on": st.booleans(),
        "ratio": st.floats(allow_nan=False, allow_infinity=False),
        "items": st.lists(JSON, max_size=3),
        "map": st.dictionaries(ANY_TEXT, JSON, max_size=3),
        "content": ANY_TEXT,
        "free": ANY_TEXT,
        "odd-name.2": ANY_TEXT,
    },
)


@pytest.mark.untraced
@given(st.lists(ARGUMENTS, max_size=3))
def test_round_trip(arguments: list[dict[str, Any]]) -> None:
    written = [WrittenCall("other", each) for each in arguments]
    found = parse("Some text.\n" + render_calls(written) + "\nMore.")
    assert (list(found.calls), found.faults) == (written, ())


@given(ANY_TEXT)
def test_nothing_ends_a_fence(text: str) -> None:
    fence, *lines, end = fenced(text + "\n").split("\n")
    assert fence == end
    assert fence not in lines
    assert "\n".join(lines) == text


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (WrittenCall('a"b\n', {}), '<call tool="a_b_">\n</call>'),
        (WrittenCall("", {"": 1, "x: y\n</call>": "z"}), '<call tool="_">\n_: 1\nx__y___call_: z\n</call>'),
        (WrittenCall("a", {"b": "\ud800"}), '<call tool="a">\nb: \\ud800\n</call>'),
    ],
    ids=["a name that is none", "parameters that are none", "half of a pair"],
)
def test_slips_of_a_model_do_not_break_the_frame(call: WrittenCall, text: str) -> None:
    assert render_calls([call]) == text


FRAGMENTS = ["<call", '<call tool="other">', "</call>", "note: x", "count: y", "content:", "note: ```", "```", "````",
             "~~~", "", "text", "<call>", "\r", "\ud800", "\x00", "\\ No newline at end of file"]  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30), st.booleans())
def test_no_text_raises(lines: list[str], is_strict: bool) -> None:
    found = parse("\n".join(lines), is_strict=is_strict)
    assert all(1 <= fault.line <= max(len(lines), 1) and len(fault.text) < 300 for fault in found.faults)


@given(st.text(), st.booleans())
def test_not_even_any_other(text: str, is_strict: bool) -> None:
    parse(text, is_strict=is_strict)


MEGABYTE = 1 << 20


@pytest.mark.untraced
@pytest.mark.parametrize(
    "unit",
    ["<call", "<call\n", '<call tool="other">\n', "```\n", "```x\n<call\n", "~~~\n<call tool=\"other\">\nnote:\n```\n",
     "`", "{", "x: y\n", '<call tool="other">\nitems: [[[[\n', "\n", " ", "```\n<call>\n</call>\n```\nx\n"],
)  # fmt: skip
@pytest.mark.parametrize("start", ["", '<call tool="other">\nmap: '], ids=["outside", "inside"])
def test_hostile_text_takes_linear_time(unit: str, start: str) -> None:
    text = start + unit * (MEGABYTE // len(unit))
    began = time.process_time()
    parse(text)
    # Quadratic time would be minutes; the machine may be a slow one.
    assert time.process_time() - began < 2


def test_signatures_survive_odd_schemas() -> None:
    bare = {"name": "x", "parameters": {"properties": {"a": None}}}
    odd: list[dict[str, Any]] = [{}, {"function": None}, {"function": bare}]
    assert read_signatures(odd) == {"x": Signature("x", "", {"a": Parameter("a")})}
