"""The provider-neutral values: everything that tools need has a neutral default."""

from __future__ import annotations

import dataclasses

import pytest

from orefactor.core.messages import Message, ProviderRequest, ProviderResponse, RunFacts, ToolCall, Usage, ignore_delta


@pytest.mark.traces("REQ-103-001", "REQ-103-002", "REQ-103-003", "REQ-103-004")
def test_a_conversation_without_tools_needs_no_field_of_theirs() -> None:
    message = Message("user", "hi")
    assert (message.tool_calls, message.tool_call_id, message.name, message.reasoning) == ((), None, None, None)
    request = ProviderRequest((message,))
    assert (request.tools, request.tool_choice, request.max_tokens, request.timeout) == ((), None, None, None)
    response = ProviderResponse(Message("assistant", "hello"))
    assert (response.tool_calls, response.finish_reason, response.usage, response.model) == ((), "stop", None, "")


@pytest.mark.traces("REQ-103-003")
def test_the_calls_of_a_response_are_those_of_its_message() -> None:
    calls = (ToolCall("a", "grep", "{}"), ToolCall("b", "list_dir", "{}"))
    assert ProviderResponse(Message("assistant", None, calls)).tool_calls == calls


def test_usage_adds_up() -> None:
    total = Usage(10, 4, 2, 1) + Usage(20, 0, 3, 1)
    assert (total, total.total) == (Usage(30, 4, 5, 2), 35)


def test_values_can_not_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(Message("user", "hi"), "content", "other")  # noqa: B010 - a plain assignment is refused by the types


def test_what_nobody_watches() -> None:
    ignore_delta("text")
    assert RunFacts("task").change_lines() == 0
