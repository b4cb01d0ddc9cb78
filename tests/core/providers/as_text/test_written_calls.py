"""Calls that a model wrote as text: every form, what is wrong with one, and what must stay text."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.messages import FinishReason, Message, ProviderResponse, Reasoning, ToolCall, Usage
from orefactor.core.providers.as_text.text_tools import read_text_reply
from orefactor.core.providers.as_text.written_calls import recognise
from orefactor.core.tools import TOOL_SCHEMAS

NONE: frozenset[str] = frozenset()


def response(text: str | None, finish: FinishReason = "stop") -> ProviderResponse:
    return ProviderResponse(Message("assistant", text), finish, Usage(1, 0, 1, 1), "m")


def read(text: str) -> ProviderResponse:
    """The same in both protocols, as none of these texts uses our own format."""
    native = recognise(response(text), TOOL_SCHEMAS, NONE)
    written = read_text_reply(response(text), TOOL_SCHEMAS, NONE)
    assert (written.message, written.finish_reason) == (native.message, native.finish_reason)
    assert written.fault.splitlines()[:-1] == native.fault.splitlines()[:-1]
    return native


def named(calls: Sequence[ToolCall]) -> list[tuple[str, Any]]:
    return [(call.name, json.loads(call.arguments)) for call in calls]


READ = '{"name": "read_file", "arguments": {"path": "a.py"}}'
GREP = '{"name": "grep", "arguments": {"pattern": "x"}}'
BOTH = [("read_file", {"path": "a.py"}), ("grep", {"pattern": "x"})]
ONE = BOTH[:1]
NO_ARGUMENTS: dict[str, Any] = {}
LIST, NOPE = ("list_dir", NO_ARGUMENTS), ("nope", NO_ARGUMENTS)


def line(**fields: Any) -> str:
    return json.dumps(fields)


def tag(body: str, name: str = "read_file") -> str:
    return f"<function={name}>{body}</function>"


def dsml(body: str) -> str:
    start = '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n'
    return start + body + "</｜DSML｜invoke>\n</｜DSML｜function_calls>"


DEEPSEEK = ("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n"
            '```json\n{"path": "a.py"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>')  # fmt: skip
KIMI = ("<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>"
        '{"path": "a.py"}<|tool_call_end|><|tool_call_begin|>functions.grep:1<|tool_call_argument_begin|>'
        '{"pattern": "x"}<|tool_call_end|><|tool_calls_section_end|>')  # fmt: skip


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        pytest.param(READ, ONE, id="JSON alone"),
        pytest.param(f"\n  {READ}\n", ONE, id="JSON and white space"),
        pytest.param(f"[{READ}, {GREP}]", BOTH, id="a list"),
        pytest.param(f"[\n  {READ},\n  {GREP}\n]", BOTH, id="a list of several lines"),
        pytest.param(f"{READ}\n{GREP}", BOTH, id="one a line"),
        pytest.param(f'{{"tool_calls": [{READ}, {GREP}]}}', BOTH, id="an object with a list"),
        pytest.param(line(tool="read_file", args={"path": "a.py"}), ONE, id="tool and args"),
        pytest.param(line(tool_name="read_file", input={"path": "a.py"}), ONE, id="tool_name and input"),
        pytest.param(line(function="read_file", parameters={"path": "a.py"}), ONE, id="function and parameters"),
        pytest.param(f'{{"function": {READ}}}', ONE, id="nested"),
        pytest.param(f'{{"id": "x", "type": "function", "function": {READ}}}', ONE, id="as in the API"),
        pytest.param(line(type="function", name="read_file", parameters={"path": "a.py"}), ONE, id="as Llama writes"),
        pytest.param(line(name="read_file", arguments='{"path": "a.py"}'), ONE, id="arguments as a string"),
        pytest.param(line(name="list_dir", arguments=None), [LIST], id="arguments of null"),
        pytest.param(line(name="list_dir", arguments=""), [LIST], id="empty arguments"),
        pytest.param('{"name": "grep", "arguments": {"pattern": "a\nb"}}', [("grep", {"pattern": "a\nb"})],
                     id="a line end in a string"),
        pytest.param(f"[{READ}, " + line(name="nope", args={}) + "]", [*ONE, NOPE], id="beside an unknown one"),
        pytest.param(f"```json\n{READ}\n```", ONE, id="a fence"),
        pytest.param(f"```\n{READ}\n```", ONE, id="a fence without a word"),
        pytest.param(f"~~~json\r\n{READ}\r\n~~~\r\n", ONE, id="tildes and CRLF"),
        pytest.param(f"```json\n{READ}\n{GREP}\n```", BOTH, id="a fence with two"),
        pytest.param(f"```json\n{READ}\n```\n\n```json\n{GREP}\n```", BOTH, id="two fences"),
        pytest.param(f"```json\n{READ}", ONE, id="a fence without an end"),
        pytest.param(f"<tool_call>\n{READ}\n</tool_call>", ONE, id="Hermes"),
        pytest.param(f"<tool_call>{READ}</tool_call><tool_call>{GREP}</tool_call>", BOTH, id="Hermes twice"),
        pytest.param(f"<tool_call>\n```json\n{READ}\n```\n</tool_call>", ONE, id="Hermes with a fence"),
        pytest.param('<tool_call>{"name": "list_dir"}</tool_call>', [LIST], id="Hermes without arguments"),
        pytest.param(f"```xml\n<tool_call>\n{READ}\n</tool_call>\n```", ONE, id="Hermes in a fence"),
        pytest.param(tag('{"path": "a.py"}'), ONE, id="function and JSON"),
        pytest.param(tag("\n<parameter=path>\na.py\n</parameter>\n"), ONE, id="Qwen3-Coder"),
        pytest.param("<tool_call>\n" + tag("\n<parameter=path>\na.py\n</parameter>\n") + "\n</tool_call>", ONE,
                     id="Qwen3-Coder within a call"),
        pytest.param(tag("<parameter=path>a.py</parameter>") + "\n</tool_call>", ONE, id="Qwen3-Coder without a start"),
        pytest.param(tag("", "list_dir"), [LIST], id="Qwen3-Coder without parameters"),
        pytest.param('functions.read_file:0{"path": "a.py"}', ONE, id="Kimi without marks"),
        pytest.param('functions.read_file:0 {"path": "a.py"}\nfunctions.grep:1{"pattern": "x"}', BOTH,
                     id="two of them"),
        pytest.param(KIMI, BOTH, id="Kimi"),
        pytest.param('<|tool_call_begin|>functions.read_file:0{"path": "a.py"}', ONE, id="Kimi with half of its marks"),
        pytest.param(DEEPSEEK, ONE, id="DeepSeek"),
        pytest.param(DEEPSEEK.replace("｜", "|").replace("▁", "_"), ONE, id="DeepSeek in plain letters"),
        pytest.param('<｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a.py"}<｜tool▁call▁end｜>', ONE,
                     id="DeepSeek since 3.1"),
        pytest.param(dsml('<｜DSML｜parameter name="path" string="true">a.py</｜DSML｜parameter>\n'), ONE, id="DSML"),
        pytest.param('<invoke name="read_file"><parameter name="path">a.py</parameter></invoke>', ONE, id="invoke"),
        pytest.param('<a:function_calls>\n<a:invoke name="read_file">\n<a:parameter name="path">a.py</a:parameter>\n'
                     "</a:invoke>\n</a:function_calls>", ONE, id="invoke with a prefix"),
        pytest.param(f"[TOOL_CALLS] [{READ}, {GREP}]", BOTH, id="Mistral"),
        pytest.param('[TOOL_CALLS]read_file{"path": "a.py"}[TOOL_CALLS]grep{"pattern": "x"}', BOTH,
                     id="Mistral since 3"),
        pytest.param('[TOOL_CALLS]read_file[CALL_ID]a1[ARGS]{"path": "a.py"}', ONE, id="Mistral with an id"),
        pytest.param(f"```\n[TOOL_CALLS] [{READ}]\n```", ONE, id="Mistral in a fence"),
        pytest.param('<call tool="read_file">\npath: a.py\n</call>', ONE, id="our own"),
    ],
)  # fmt: skip
def test_forms(text: str, calls: list[tuple[str, Any]]) -> None:
    reply = read(text)
    assert named(reply.tool_calls) == calls
    assert (reply.message.content, reply.finish_reason, reply.written, reply.fault) == (None, "tool_calls", True, "")
    assert [call.id for call in reply.tool_calls] == ["call00001", "call00002"][: len(calls)]


@pytest.mark.parametrize(
    ("value", "read_as"),
    [
        pytest.param("x\n", "x", id="the form's own line ends"),
        pytest.param("\n\nx\n\n", "\nx\n", id="only one of each"),
        pytest.param("  x = '<a>'\t", "  x = '<a>'\t", id="white space and brackets"),
        pytest.param("a</parameter>b", "a</parameter>b", id="an end that no tag follows"),
        pytest.param("｜▁", "｜▁", id="letters of marks"),
        pytest.param("```\nx\n```", "```\nx\n```", id="a fence"),
    ],
)
def test_values_of_tags_are_exact(value: str, read_as: str) -> None:
    body = f"<parameter=path>a</parameter><parameter=content>{value}</parameter>"
    assert named(read(tag(body, "write_file")).tool_calls) == [("write_file", {"path": "a", "content": read_as})]


def test_other_tags_have_no_line_ends_of_their_own() -> None:
    reply = read(dsml('<｜DSML｜parameter name="path">\na\n</｜DSML｜parameter>'))
    assert named(reply.tool_calls) == [("read_file", {"path": "\na\n"})]


def test_values_of_tags_have_the_types_of_the_schema() -> None:
    reply = read(
        tag("<parameter=path>12</parameter>\n<parameter=start_line>\n12\n</parameter>\n<parameter=odd>1</parameter>")
    )
    assert named(reply.tool_calls) == [("read_file", {"path": "12", "start_line": 12, "odd": "1"})]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        pytest.param(f"I read it.\n\n<tool_call>{READ}</tool_call>\nDone.\n", "I read it.\n\nDone.", id="Hermes"),
        pytest.param(f"I read it. {DEEPSEEK}", "I read it.", id="DeepSeek"),
        pytest.param(f"I read it.\n```json\n{READ}\n```", "I read it.", id="a fence at the end"),
        pytest.param(f"I read it.\n\n{READ}\n", "I read it.", id="JSON at the end"),
        pytest.param(f"<think>{READ}</think>\nNow.\n<tool_call>{READ}</tool_call>", f"<think>{READ}</think>\n\nNow.",
                     id="thoughts"),
        pytest.param(f"See\n```\nx\n```\n<tool_call>{READ}</tool_call>", "See\n```\nx\n```", id="a quotation"),
        pytest.param(f"```\n{GREP}\n```\nis wrong.\n<tool_call>{READ}</tool_call>", f"```\n{GREP}\n```\nis wrong.",
                     id="a quoted call"),
        pytest.param(f"`<tool_call>` it is: <tool_call>{READ}</tool_call>", "`<tool_call>` it is:", id="a mention"),
        pytest.param(f'<tool_call>{{"name": "nope"}}</tool_call>\n<tool_call>{READ}</tool_call>',
                     '<tool_call>{"name": "nope"}</tool_call>', id="another tool"),
    ],
)  # fmt: skip
def test_text_around_calls_stays(text: str, content: str) -> None:
    reply = read(text)
    assert (named(reply.tool_calls), reply.message.content) == (ONE, content)


SCHEMA = json.dumps(TOOL_SCHEMAS[0]["function"])
OWN = '<call tool="read_file">\npath: a.py\n</call>'


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I used read_file and `grep` to find it.", id="prose that names tools"),
        pytest.param("Call `read_file` with {\"path\": \"a.py\"}.", id="arguments in a sentence"),
        pytest.param("The tags <tool_call> and </tool_call> stand around calls of read_file.", id="tags in a sentence"),
        pytest.param(f"Qwen writes `<tool_call>{READ}</tool_call>`.", id="a call between backticks"),
        pytest.param(f'It sends "<tool_call>{READ}</tool_call>".', id="a call between quotation marks"),
        pytest.param("I called `functions.read_file:0{}`.", id="a short form between backticks"),
        pytest.param("my.functions.read_file:0{}", id="a longer name"),
        pytest.param("functions.read_file:0 was the first call.", id="a short form without arguments"),
        pytest.param("functions.nope:0{}", id="a short form of another tool"),
        pytest.param('{"title": "Rename area", "summary": "read_file is used", "follow_ups": []}', id="a final answer"),
        pytest.param(line(name="read_file"), id="a name alone"),
        pytest.param(line(name="read_files", arguments={"path": "a.py"}), id="another tool"),
        pytest.param(line(name=7, arguments={}), id="a name that is none"),
        pytest.param(line(arguments={"name": "read_file"}), id="a name inside"),
        pytest.param(f'{{"data": {READ}}}', id="a call inside data"),
        pytest.param(f'[{READ}, "text"]', id="a list of other things"),
        pytest.param("[]", id="an empty list"),
        pytest.param("{}", id="an empty object"),
        pytest.param("12", id="a number"),
        pytest.param(SCHEMA, id="a tool's schema"),
        pytest.param(f"```json\n{SCHEMA}\n```", id="a tool's schema in a fence"),
        pytest.param('{"name": "read_file"', id="broken JSON without arguments"),
        pytest.param('{"title": "x", "follow_ups": [', id="a broken final answer"),
        pytest.param('```json\n{"name": "read_file"\n```', id="broken JSON in a fence"),
        pytest.param("```json\n{\"a\": 1}\n```", id="a fence of data"),
        pytest.param("```python\nread_file('a.py')\n```", id="a fence of code"),
        pytest.param("```python\nx = [1]\n```", id="a fence with a list"),
        pytest.param("```\n```", id="an empty fence"),
        pytest.param(f"Such a call:\n```json\n{READ}\n```\nreads a file.", id="a quoted fence"),
        pytest.param(f"Such a call:\n\n{READ}\n\nreads a file.", id="a quoted line"),
        pytest.param('Such a call:\n```json\n{"name": "read_file", "arguments": {\n```\nis broken.',
                     id="broken quotation"),
        pytest.param(f"````\n```json\n{READ}\n```\n````\n", id="a fence in a fence"),
        pytest.param(f"```xml\n<tool_call>{READ}</tool_call>\n```\nis how Qwen calls.", id="a quoted tag"),
        pytest.param(f"```\nx <tool_call>{READ}</tool_call>\n```", id="a tag and more in a fence"),
        pytest.param("<function=nope>{}</function>", id="a tag of another tool"),
        pytest.param('<tool_call>{"name": "nope", "arguments": {', id="a broken call of another tool"),
        pytest.param("<tool_call>text</tool_call>", id="a tag without a call"),
        pytest.param('<tool_call>["read_file"]</tool_call>', id="a tag with other JSON"),
        pytest.param("<tool_call><function=nope></function></tool_call>", id="another tool in two tags"),
        pytest.param('<invoke name="nope"></invoke>', id="another tool's invoke"),
        pytest.param("<|tool_call_begin|>nope<|tool_sep|>{}", id="another tool behind marks"),
        pytest.param("<|tool_call_begin|>", id="a mark alone"),
        pytest.param("[TOOL_CALLS] comes first.", id="Mistral's mark alone"),
        pytest.param("[TOOL_CALLS]nope{}", id="Mistral's mark and another tool"),
        pytest.param(f"<think>{READ}</think>", id="only thoughts"),
        pytest.param(f"<thinking>\n<tool_call>{READ}</tool_call>", id="thoughts without an end"),
        pytest.param(f"\n{OWN}\n</think>\nI am done.", id="thoughts without a beginning"),
        pytest.param(f"So:\n```\n{OWN}\n```\nThat is it.", id="our own format, quoted"),
        pytest.param("", id="nothing"),
    ],
)  # fmt: skip
def test_must_stay_text(text: str) -> None:
    assert read(text) == response(text)


def test_a_reply_without_text_stays() -> None:
    assert recognise(response(None), TOOL_SCHEMAS, NONE) == response(None)


def test_native_calls_stay() -> None:
    given_reply = ProviderResponse(Message("assistant", OWN, (ToolCall("a", "grep", "{}"),)), "tool_calls")
    assert recognise(given_reply, TOOL_SCHEMAS, NONE) is given_reply
    assert read_text_reply(given_reply, TOOL_SCHEMAS, NONE) is given_reply


DEEP = "[" * 2000
BAD = '{"name": "read_file", "arguments": {"path": "a.py"'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param(BAD, "line 1: the call of `read_file` can't be read: Expecting", id="JSON alone"),
        pytest.param("{'name': 'read_file', 'arguments': {}}", "line 1: the call of `read_file` can't be read",
                     id="Python's quotes"),
        pytest.param(f"Now:\n```json\n{BAD}\n```", "line 2: the call of `read_file` can't be read", id="a fence"),
        pytest.param(line(name="grep", arguments="{"), "line 1: the call of `grep` can't be read: the arguments "
                     "of `grep` are no valid JSON: Expecting", id="arguments in a broken string"),
        pytest.param(line(name="grep", arguments="1 2"), "line 1: the call of `grep` can't be read: the arguments of "
                     "`grep` must be a JSON object", id="arguments in a string with more"),
        pytest.param(line(name="grep", arguments=[1]), "line 1: the call of `grep` can't be read: the arguments "
                     "of `grep` must be a JSON object", id="a list of arguments"),
        pytest.param(f"a\nb\n<tool_call>\n{BAD}\n</tool_call>", "line 3: the call of `read_file` can't be read",
                     id="Hermes"),
        pytest.param(f"<tool_call>{BAD}", "line 1: the call of `read_file` can't be read", id="Hermes, cut in JSON"),
        pytest.param(f"<tool_call>{GREP}</tool_call>\n<tool_call>{READ}",
                     "line 2: the call of `read_file` has no `</tool_call>`", id="Hermes, cut behind JSON"),
        pytest.param(f"```\n<tool_call>{BAD}</tool_call>\n```", "line 1: the call of `read_file` can't be read",
                     id="Hermes in a fence"),
        pytest.param(tag("{"), "line 1: the arguments of `read_file` are no valid JSON: Expecting",
                     id="function, bad JSON"),
        pytest.param("<function=read_file>{", "line 1: the arguments of `read_file` are no valid JSON",
                     id="function, cut in JSON"),
        pytest.param("<function=read_file>{}", "line 1: the call of `read_file` doesn't end with `</function>`",
                     id="function, cut behind JSON"),
        pytest.param("<function=read_file>\n<parameter=path>\na.py", "line 1: the value of `path` in the call of "
                     "`read_file` is never closed", id="Qwen3-Coder, cut in a value"),
        pytest.param("<function=read_file>\ntext</function>", "line 1: the call of `read_file` doesn't end with",
                     id="Qwen3-Coder, other text"),
        pytest.param(tag("<parameter=start_line>ten</parameter>" + "<parameter=path>a</parameter>" * 2),
                     "line 1: in the call of `read_file`: `start_line` must be an integer, not `ten`; `path` is given "
                     "twice", id="Qwen3-Coder, wrong values"),
        pytest.param('<invoke name="grep">', "line 1: the call of `grep` doesn't end with `</invoke>`",
                     id="invoke, cut"),
        pytest.param('functions.grep:0{"pattern"}\nx', "line 1: the call of `grep` can't be read: Expecting",
                     id="Kimi"),
        pytest.param("<|tool_call_begin|>grep<|tool_sep|>[]", "line 1: the arguments of `grep` must be a JSON object",
                     id="DeepSeek with a list"),
        pytest.param("<｜tool▁call▁begin｜>grep<｜tool▁sep｜>{<｜tool▁call▁end｜>", "line 1: the call of `grep`",
                     id="DeepSeek"),
        pytest.param(f"[TOOL_CALLS] [{BAD}", "line 1: the call of `read_file` can't be read", id="Mistral"),
        pytest.param('[TOOL_CALLS]grep{"pattern": NaN}', "line 1: the call of `grep` can't be read: it is nested too",
                     id="no number"),
        pytest.param('[TOOL_CALLS]grep{"pattern": ' + "9" * 9999 + "}", "line 1: the call of `grep` can't be read",
                     id="a number too long"),
        pytest.param('[TOOL_CALLS]grep{"pattern": 1e999}', "line 1: the call of `grep` can't be read", id="infinity"),
        pytest.param('[TOOL_CALLS]grep{"pattern": ' + DEEP, "line 1: the call of `grep` can't be read: it is nested "
                     "too deeply", id="deep"),
        pytest.param('[TOOL_CALLS]grep{"pattern": ' + "[" * 70 + "]" * 70 + "}", "line 1: the call of `grep` can't be",
                     id="deeper than others read"),
        pytest.param('<call tool="read_file">\nstart_line: x\n</call>', "line 2: `start_line` must be an integer",
                     id="our own"),
    ],
)  # fmt: skip
def test_faults(text: str, fault: str) -> None:
    reply = read(text)
    assert reply.fault.startswith(fault)
    assert reply == ProviderResponse(response(text).message, "stop", Usage(1, 0, 1, 1), "m", fault=reply.fault)


def test_every_fault_is_named_in_the_order_of_lines_and_said_how_to_mend() -> None:
    text = '<call tool="read_file">\nstart_line: x\npath: a\n<call tool="grep">\npattern: a\npattern: b\n</call> x'
    fault = read_text_reply(response(text), TOOL_SCHEMAS, NONE).fault
    assert [said.partition(":")[0] for said in fault.splitlines()[:-1]] == ["line 2", "line 4", "line 6", "line 7"]
    assert '<call tool="NAME">' in fault.splitlines()[-1]
    assert "function calling" in recognise(response(text), TOOL_SCHEMAS, NONE).fault.splitlines()[-1]


def test_many_faults_are_cut() -> None:
    text = "<call>\n" + "x: 1\n" * 999
    fault = read_text_reply(response(text), TOOL_SCHEMAS, NONE).fault
    assert len(fault) < 1600
    assert fault.splitlines()[-2].startswith("… and ")


@pytest.mark.parametrize(
    ("finish", "after"),
    [("stop", "tool_calls"), ("other", "tool_calls"), ("length", "length"), ("content_filter", "content_filter")],
)
def test_the_reason_of_the_end(finish: FinishReason, after: FinishReason) -> None:
    assert recognise(response(READ, finish), TOOL_SCHEMAS, NONE).finish_reason == after
    assert read_text_reply(response(OWN[:-2], finish), TOOL_SCHEMAS, NONE).finish_reason == finish


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('<call tool="write_file">\npath: a\ncontent:\n```\nx\n</think>\n```\n</call>', id="our own"),
        pytest.param(
            tag("<parameter=path>a</parameter>\n<parameter=content>\nx\n</think>\n\n</parameter>", "write_file"),
            id="Qwen3-Coder",
        ),
    ],
)
def test_the_end_of_thoughts_may_stand_in_a_file(text: str) -> None:
    reply = recognise(response(text), TOOL_SCHEMAS, NONE)
    assert named(reply.tool_calls) == [("write_file", {"path": "a", "content": "x\n</think>\n"})]


def test_ids_are_new_and_the_rest_of_the_reply_stays() -> None:
    thought = Reasoning("hm", {"reasoning": "hm"})
    given_reply = ProviderResponse(Message("assistant", f"{OWN}\n{OWN}", reasoning=thought), "stop", Usage(9), "m")
    reply = recognise(given_reply, TOOL_SCHEMAS, frozenset({"call00001", "call00003"}))
    assert [call.id for call in reply.tool_calls] == ["call00002", "call00004"]
    assert (reply.message.reasoning, reply.usage, reply.model) == (thought, Usage(9), "m")


def test_in_the_text_protocol_an_unknown_tool_is_called() -> None:
    text = '<call tool="nope">\na: b\n</call>'
    assert recognise(response(text), TOOL_SCHEMAS, NONE) == response(text)
    assert named(read_text_reply(response(text), TOOL_SCHEMAS, NONE).tool_calls) == [("nope", {"a": "b"})]


def test_halves_of_pairs_are_escaped() -> None:
    (call,) = read('{"name": "grep", "arguments": {"pattern": "\\ud800é"}}').tool_calls
    assert call.arguments == '{"pattern": "\\ud800é"}'


FRAGMENTS = [READ, GREP, BAD, OWN, "<tool_call>", "</tool_call>", "<function=grep>", "</function>", "<parameter=a>",
             "</parameter>", '<invoke name="grep">', '<parameter name="pattern">', "</invoke>", "<|tool_call_begin|>",
             "<｜tool▁sep｜>", "grep", "functions.grep:0", "{", "}", "[", '"', "[TOOL_CALLS]", "[ARGS]", "```",
             "```json", "~~~~", "\n", " ", "<think>", "</think>", "\n</think>\n", "text", "\ud800", "\x00"]  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))
def test_no_text_raises(text: str) -> None:
    for reply in (recognise(response(text), TOOL_SCHEMAS, NONE), read_text_reply(response(text), TOOL_SCHEMAS, NONE)):
        assert not (reply.fault and reply.tool_calls)
        assert reply.written == bool(reply.tool_calls)
        assert [call for call in reply.tool_calls if not isinstance(json.loads(call.arguments), dict)] == []


MEGABYTE = 1 << 20


@pytest.mark.untraced
@pytest.mark.parametrize(
    "unit",
    ["<tool_call>", "<tool_call>[", '<tool_call>["",', f"<tool_call>{READ}", f"<tool_call>{BAD}", "<function=grep>",
     "<function=grep><parameter=pattern>", "</parameter> ", '<invoke name="grep"><parameter name="pattern">',
     "<|tool_call_begin|>grep", "<|tool_call_begin|>grep{", "[TOOL_CALLS]", "[TOOL_CALLS] grep {", "functions.grep:0{",
     "functions.", '{"', '{"name":\n', '[{"name": NaN},\n', "{", "[", "```json\n{\n", "```\n", "`", "~",
     "```\n{}\n```\n", " ", "\n", "<", "<a", "</", READ + "\n", "```\n<tool_call>\n```\n",
     "~~~\n```\n~~~~\n````\n", "</think>\n"],
)  # fmt: skip
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = unit * (MEGABYTE // len(unit))
    began = time.process_time()
    recognise(response(text), TOOL_SCHEMAS, NONE)
    # Quadratic time would be minutes; the machine may be a slow one.
    assert time.process_time() - began < 2


@pytest.mark.untraced
def test_one_hostile_value_takes_linear_time() -> None:
    text = "<function=grep><parameter=pattern>" + "</parameter>  " * 70_000 + "</function>"
    began = time.process_time()
    assert len(recognise(response(text), TOOL_SCHEMAS, NONE).tool_calls) == 1
    assert time.process_time() - began < 2
