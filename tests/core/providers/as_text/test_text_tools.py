"""The conversation as a model without calls of its own sees it, and that its bytes stay the same as it grows."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.messages import Message, ProviderRequest, ProviderResponse, Reasoning, ResponseSchema, ToolCall
from orefactor.core.providers.as_text.text_tools import as_text, read_text_reply
from orefactor.core.tools import TOOL_SCHEMAS

SYSTEM = Message("system", "You change code.")
TASK = Message("user", "Task: x")


def request(*messages: Message, tools: Any = (), **fields: Any) -> ProviderRequest:
    return ProviderRequest(messages, "m", tuple(tools), **fields)


def contents(*messages: Message, tools: Any = ()) -> list[tuple[str, str | None]]:
    return [(message.role, message.content) for message in as_text(request(*messages, tools=tools)).messages]


def explained(tools: Any = TOOL_SCHEMAS) -> str:
    return as_text(request(SYSTEM, tools=tools)).messages[0].content or ""


def called(*calls: ToolCall, text: str | None = None, **fields: Any) -> Message:
    return Message("assistant", text, calls, **fields)


def asked(call_id: str, name: str, **arguments: Any) -> ToolCall:
    return ToolCall(call_id, name, json.dumps(arguments))


def result(call_id: str, text: str | None, name: str | None = "read_file") -> Message:
    return Message("tool", text, tool_call_id=call_id, name=name)


READ = asked("a", "read_file", path="x.py")
READ_TEXT = '<call tool="read_file">\npath: x.py\n</call>'
EDIT = asked("b", "edit_file", path="x.py", old_string="a\nb", new_string="")
FIRST = "Result of call 1, `read_file`:\n```\nx\n```"
SECOND = "Result of call 2, `edit_file`:\n```\nERROR: y\n```"
EDIT_TEXT = '<call tool="edit_file">\npath: x.py\nold_string:\n```\na\nb\n```\nnew_string:\n```\n```\n</call>'


@pytest.mark.parametrize(
    ("messages", "spoken"),
    [
        pytest.param([TASK], [("user", "Task: x")], id="nothing to change"),
        pytest.param([TASK, TASK], [("user", "Task: x\n\nTask: x")], id="neighbours"),
        pytest.param([called(READ)], [("assistant", READ_TEXT)], id="a call"),
        pytest.param([called(READ, text="I read it.")], [("assistant", f"I read it.\n\n{READ_TEXT}")],
                     id="text and call"),
        pytest.param([called(READ, EDIT)], [("assistant", f"{READ_TEXT}\n{EDIT_TEXT}")], id="two calls"),
        pytest.param([called(ToolCall("a", "grep", "{"))], [("assistant", '<call tool="grep">\n</call>')],
                     id="arguments that are none"),
        pytest.param([called(ToolCall("a", "grep", "1 2"))], [("assistant", '<call tool="grep">\n</call>')],
                     id="arguments that are two values"),
        pytest.param([called(READ), result("a", "1|x\n")],
                     [("assistant", READ_TEXT), ("user", "Result of `read_file`:\n```\n1|x\n```")], id="a result"),
        pytest.param([called(READ), result("a", "x")],
                     [("assistant", READ_TEXT), ("user", "Result of `read_file`:\n```\nx\n```")],
                     id="a result without a line end"),
        pytest.param([called(READ), result("a", None)],
                     [("assistant", READ_TEXT), ("user", "Result of `read_file`:\n```\n```")], id="no result"),
        pytest.param([called(READ, EDIT), result("a", "x"), result("b", "ERROR: y", "edit_file"), TASK],
                     [("assistant", f"{READ_TEXT}\n{EDIT_TEXT}"),
                      ("user", f"{FIRST}\n\n{SECOND}\n\nTask: x")], id="several results"),
        pytest.param([result("z", "x")], [("user", "Result of `read_file`:\n```\nx\n```")],
                     id="a result of another call"),
        pytest.param([result("z", "x", None)], [("user", "Result of `a tool`:\n```\nx\n```")], id="without a name"),
        pytest.param([result("a", "a\n```\n</call>\n`````")],
                     [("user", "Result of `read_file`:\n``````\na\n```\n</call>\n`````\n``````")],
                     id="fences in a result"),
        pytest.param([Message("assistant", None), Message("user", None)], [("assistant", None), ("user", None)],
                     id="messages without text"),
        pytest.param([Message("user", None), TASK], [("user", "\n\nTask: x")], id="a neighbour without text"),
        pytest.param([], [], id="no messages"),
    ],
)  # fmt: skip
def test_messages(messages: list[Message], spoken: list[tuple[str, str | None]]) -> None:
    assert contents(*messages) == spoken


def test_only_what_concerns_calls_changes() -> None:
    thought = Reasoning("hm", {"reasoning": "hm"})
    form = ResponseSchema("answer", {"type": "object"})
    given_request = request(
        SYSTEM, called(READ, reasoning=thought), tools=TOOL_SCHEMAS, tool_choice="auto", response_schema=form,
        max_tokens=9, timeout=1.5,
    )  # fmt: skip
    text = as_text(given_request)
    assert (text.tools, text.tool_choice) == ((), None)
    assert (text.model, text.response_schema, text.max_tokens, text.timeout) == ("m", form, 9, 1.5)
    assert text.messages[1] == Message("assistant", READ_TEXT, reasoning=thought)


@pytest.mark.parametrize(
    ("messages", "start"),
    [
        pytest.param([SYSTEM, TASK], "You change code.\n\n# How to call tools\n", id="at the system message's end"),
        pytest.param([Message("system", None), TASK], "# How to call tools\n", id="in place of an empty one"),
        pytest.param([TASK], "# How to call tools\n", id="as a message of its own"),
        pytest.param([], "# How to call tools\n", id="alone"),
    ],
)
def test_where_the_format_is_explained(messages: list[Message], start: str) -> None:
    (role, text), *rest = contents(*messages, tools=TOOL_SCHEMAS)
    assert role == "system"
    assert (text or "").startswith(start)
    assert rest == [("user", "Task: x")] * (len(messages) > 0)


ODD = {
    "type": "function",
    "function": {
        "name": "odd",
        "description": "Does {odd}\n  things.",
        "parameters": {
            "properties": {
                "kind": {"enum": ["a", "b"], "description": "One\nof two."},
                "count": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                "free": {},
                "is_on": {"type": "boolean"},
                "text": {"type": "string"},
            },
            "required": ["kind", "free", "is_on", "text", "count"],
        },
    },
}


@pytest.mark.parametrize(
    "line",
    [
        "list_dir(path?: string, offset?: integer): List a folder.",
        "delete_file(path: string): Delete a file.",
        "  old_string: With enough lines to be unique.",
        'odd(kind: "a" | "b", count: integer | null, free: any, is_on: boolean, text: string): Does {odd} things.',
        "  kind: One of two.",
        "bare()",
    ],
)
def test_each_tool_is_told(line: str) -> None:
    bare = {"type": "function", "function": {"name": "bare"}}
    assert line in explained([*TOOL_SCHEMAS, ODD, bare]).splitlines()


def read_example(tools: Any) -> ProviderResponse:
    """The example as if a model had replied with it."""
    text = explained(tools)
    start, end = text.index("\n<call"), text.index("\n</call>") + len("\n</call>")
    return read_text_reply(ProviderResponse(Message("assistant", text[start:end])), tools, frozenset())


@pytest.mark.parametrize(
    ("tools", "name"),
    [(TOOL_SCHEMAS, "edit_file"), (TOOL_SCHEMAS[:4], "read_file"), (TOOL_SCHEMAS[2:4], "grep"), ([ODD], "odd")],
    ids=["all", "reading ones", "two", "another"],
)
def test_the_example_is_a_call_of_an_offered_tool(tools: Any, name: str) -> None:
    reply = read_example(tools)
    assert ([call.name for call in reply.tool_calls], reply.fault) == ([name], "")


def test_an_example_is_made_from_the_schema() -> None:
    (call,) = read_example([ODD]).tool_calls
    assert json.loads(call.arguments) == {"kind": "a", "count": 1, "free": "text", "is_on": True, "text": "text"}


def test_the_explanation_is_no_longer_than_the_schemas() -> None:
    assert len(explained()) <= len(json.dumps(TOOL_SCHEMAS))


def test_without_tools_nothing_is_explained() -> None:
    assert contents(SYSTEM, TASK) == [("system", "You change code."), ("user", "Task: x")]


ARGUMENTS = st.dictionaries(st.sampled_from(["path", "content", "x"]), st.text(max_size=9) | st.integers(), max_size=2)
IDS = st.sampled_from(["c0", "c1", "c2"])
CALL = st.builds(
    ToolCall, IDS, st.sampled_from(["read_file", "edit_file", "odd`\n"]), ARGUMENTS.map(json.dumps) | st.just("{")
)
TEXT = st.none() | st.text(max_size=9) | st.sampled_from(["```", "</call>", READ_TEXT])
MESSAGE = st.one_of(
    st.builds(Message, st.just("user"), TEXT),
    st.builds(Message, st.just("assistant"), TEXT, st.lists(CALL, max_size=3).map(tuple)),
    st.builds(result, IDS, TEXT),
)


@given(st.lists(MESSAGE, max_size=8), st.lists(MESSAGE, min_size=1, max_size=3), st.booleans())
def test_the_history_only_grows_at_its_end(before: list[Message], more: list[Message], has_system: bool) -> None:
    first = [SYSTEM] if has_system else []
    early = as_text(request(*first, *before, tools=TOOL_SCHEMAS)).messages
    late = as_text(request(*first, *before, *more, tools=TOOL_SCHEMAS)).messages
    assert late[: len(early) - 1] == early[:-1]
    last = late[len(early) - 1]
    assert last.role == early[-1].role
    assert (last.content or "").startswith(early[-1].content or "")
    if last.role != "user":
        assert last == early[-1]


@given(st.lists(MESSAGE, max_size=8))
def test_the_user_never_speaks_twice_in_a_row(messages: list[Message]) -> None:
    text = as_text(request(*messages, tools=TOOL_SCHEMAS))
    roles = [message.role for message in text.messages]
    assert ("user", "user") not in itertools.pairwise(roles)
    assert {"tool"} & set(roles) == set()
    assert [message for message in text.messages if message.tool_calls] == []
    assert text == as_text(request(*messages, tools=TOOL_SCHEMAS))


def test_a_call_comes_back_as_it_went_out() -> None:
    (_, content), *_ = contents(called(READ, EDIT, text="Now."))
    reply = read_text_reply(ProviderResponse(Message("assistant", content)), TOOL_SCHEMAS, frozenset())
    assert [(call.name, json.loads(call.arguments)) for call in reply.tool_calls] == [
        ("read_file", {"path": "x.py"}),
        ("edit_file", {"path": "x.py", "old_string": "a\nb", "new_string": ""}),
    ]
    assert reply.message.content == "Now."
