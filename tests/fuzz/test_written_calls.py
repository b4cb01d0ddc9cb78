"""Calls that a model writes as text: any text gives calls that are whole, or faults, and what we write is read back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fuzz.mutations import is_unicode, mutated_text, odd_text, repeated_text
from fuzz.profiles import fuzzed, in_time
from fuzz.replies import TEXTS, TOKENS
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.messages import Message, ProviderRequest, ProviderResponse, ToolCall
from orefactor.core.providers.as_text.findings import WrittenCall
from orefactor.core.providers.as_text.text_render import render_calls
from orefactor.core.providers.as_text.text_tools import as_text, read_text_reply
from orefactor.core.providers.as_text.written_calls import recognise
from orefactor.core.redact import printable
from orefactor.core.tools import TOOL_SCHEMAS, TOOLS

TAKEN = frozenset(["call00001"])


def read(text: str, *, is_strict: bool) -> ProviderResponse:
    response = ProviderResponse(Message("assistant", text))
    return (read_text_reply if is_strict else recognise)(response, TOOL_SCHEMAS, TAKEN)


@fuzzed()
@given(mutated_text(TEXTS, TOKENS).map(printable), st.booleans())
def test_any_text(text: str, is_strict: bool) -> None:
    got = read(text, is_strict=is_strict)
    assert len(got.fault) < 3000 and is_unicode(got.fault)
    assert not (got.fault and got.tool_calls)
    assert got.written == bool(got.tool_calls)
    for call in got.tool_calls:
        assert call.id not in TAKEN and is_unicode(call.name + call.arguments)
        assert isinstance(json.loads(call.arguments, parse_constant=pytest.fail), dict)
        assert is_strict or call.name in TOOLS
    if not got.written:
        assert got.message.content == text


@pytest.mark.untraced
@fuzzed(cost=3)
@given(repeated_text([*TEXTS, *TOKENS]), st.booleans())
def test_long_texts_take_linear_time(text: str, is_strict: bool) -> None:
    with in_time(len(text)):
        read(text, is_strict=is_strict)


values = odd_text.map(printable) | st.text(st.sampled_from("`~ \n\r:<>/acl"), max_size=12)
edits = st.fixed_dictionaries({"path": values, "old_string": values, "new_string": values})
writes = st.fixed_dictionaries({"path": values, "content": values})


@fuzzed()
@given(st.lists(edits | writes, min_size=1, max_size=3))
def test_what_is_written_is_read_back(made: list[dict[str, Any]]) -> None:
    calls = [WrittenCall("write_file" if "content" in arguments else "edit_file", arguments) for arguments in made]
    got = read(f"Words.\n\n{render_calls(calls)}\n", is_strict=True)
    assert not got.fault
    assert [(call.name, json.loads(call.arguments)) for call in got.tool_calls] == [
        (call.name, call.arguments) for call in calls
    ]


@fuzzed()
@given(st.lists(st.tuples(odd_text, mutated_text(['{"path": "x.py"}']), odd_text), min_size=1, max_size=3))
def test_any_history_can_be_told_as_text(made: list[tuple[str, str, str]]) -> None:
    calls = tuple(ToolCall(f"c{number}", name, arguments) for number, (name, arguments, _) in enumerate(made))
    answers = (Message("tool", text, tool_call_id=f"c{number}") for number, (*_, text) in enumerate(made))
    told = as_text(ProviderRequest((Message("user", "do"), Message("assistant", None, calls), *answers)))
    assert not told.tools and all(not message.tool_calls and message.role != "tool" for message in told.messages)
    assert [message.role for message in told.messages] == ["user", "assistant", "user"]
