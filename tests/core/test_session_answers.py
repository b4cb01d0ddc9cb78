"""The form that a session asks the last reply for, and answers without any call."""

from __future__ import annotations

import pytest
from scripted import reply
from sessions import READ, Start, Step

from orefactor.core.errors import ProviderFailed, RunStopped
from orefactor.core.limits import Limits
from orefactor.core.messages import (
    ResponseSchema,
)

FORM = ResponseSchema("answer", {"type": "object"})
REFUSES_FORM = ProviderFailed("no_structured_answer", "not with tools", hint="x")


def test_the_form_is_asked_for_with_every_request(start: Start) -> None:
    talk = start(reply(READ), reply(text='{"title": "Seen"}'), answer=FORM)
    assert talk.session.run() == '{"title": "Seen"}'
    assert [request.response_schema for request in talk.provider.requests] == [FORM, FORM]


@pytest.mark.parametrize(
    ("last", "more", "answer"),
    [
        pytest.param('{"title": "Seen"}', [], '{"title": "Seen"}', id="in-the-form-anyway"),
        pytest.param("Seen", [reply(text='{"title": "S"}')], '{"title": "S"}', id="one-more-round"),
        pytest.param("Seen", [reply(text="")], "Seen", id="nothing-comes"),
        pytest.param("Seen", [REFUSES_FORM], "Seen", id="refused-again"),
    ],
)
def test_a_form_that_does_not_go_with_tools(start: Start, last: str, more: list[Step], answer: str) -> None:
    talk = start(REFUSES_FORM, reply(READ), reply(text=last), *more, answer=FORM)
    assert talk.session.run() == answer
    sent = [(bool(request.tools), request.response_schema) for request in talk.provider.requests]
    assert sent == [(True, FORM), (True, None), (True, None), *[(False, FORM)] * len(more)]


def test_no_round_is_left_for_the_form(start: Start) -> None:
    talk = start(REFUSES_FORM, reply(READ), reply(text="Seen"), answer=FORM, limits=Limits(max_rounds=2))
    assert talk.session.run() == "Seen"


def test_an_answer_without_any_call(start: Start) -> None:
    """Where a caller takes it; the other sessions insist on a call."""
    talk = start(reply(text="Nothing wrong"), must_call=False)
    assert talk.session.run() == "Nothing wrong"
    talk = start(reply(text=" "), reply(text=""), must_call=False)
    with pytest.raises(RunStopped) as raised:
        talk.session.run()
    assert raised.value.reason == "model:empty_reply"


def test_no_tools_are_offered(start: Start) -> None:
    """A provider that can't call any is no hindrance then, and nothing is written as text."""
    talk = start(reply(text="Nothing wrong"), tools={}, must_call=False, has_tools=False, can_call=False)
    assert talk.session.run() == "Nothing wrong"
    [request] = talk.provider.requests
    assert (request.tools, len(request.messages)) == ((), 2)
