"""Mistakes of a whole reply: cut off, calls written as text, rounds without use, a success that is only claimed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..messages import Message, ProviderResponse, ToolCall
from ..providers.as_text.findings import WrittenCall
from ..providers.as_text.text_render import render_calls
from .fault_moment import Moment
from .oracle import ANSWER


def truncated(moment: Moment) -> ProviderResponse:
    """The reply ends in the middle of its last call or of its text, or so it says."""
    calls, text = moment.reply.tool_calls, moment.reply.message.content or ""
    shape = moment.pick(("cut", "whole", "text")) if calls else "answer"
    match shape:
        case "cut":
            last = calls[-1]
            half = replace(last, arguments=last.arguments[: len(last.arguments) * 2 // 3])
            message = Message("assistant", None, (*calls[:-1], half))
        case "whole":
            message = moment.reply.message
        case "text":
            message = Message("assistant", render_forms(calls, 0)[:-40])
        case _:
            message = Message("assistant", text[: len(text) // 2])
    return replace(moment.reply, message=message, finish_reason="length")


def text_calls(moment: Moment) -> ProviderResponse | None:
    """The calls stand in the reply's text, in one of the forms that models were trained on."""
    calls = moment.reply.tool_calls
    if not calls:
        return None
    text = render_forms(calls, int(moment.draw() * len(_WRITTEN)))
    return replace(moment.reply, message=Message("assistant", text), finish_reason="stop")


def render_forms(calls: Sequence[ToolCall], form: int) -> str:
    """The calls as text, in the form of this number."""
    return _WRITTEN[form % len(_WRITTEN)](calls)


def _each(write: Callable[[ToolCall], str]) -> Callable[[Sequence[ToolCall]], str]:
    return lambda calls: "I make the change.\n\n" + "\n".join(map(write, calls))


def _object(call: ToolCall) -> str:
    return json.dumps({"name": call.name, "arguments": json.loads(call.arguments)}, ensure_ascii=False)


def _tagged(opening: str, parameter: str, closing: str) -> Callable[[Sequence[ToolCall]], str]:
    """One tag around the call and one around each value."""

    def write(call: ToolCall) -> str:
        values = json.loads(call.arguments).items()
        inner = "\n".join(parameter.format(name=name, value=value) for name, value in values)
        return f"{opening.format(name=call.name)}\n{inner}\n{closing}"

    return _each(write)


def _our_own(calls: Sequence[ToolCall]) -> str:
    return render_calls([WrittenCall(call.name, json.loads(call.arguments)) for call in calls])


_WRITTEN: Sequence[Callable[[Sequence[ToolCall]], str]] = (
    _each(lambda call: f"<tool_call>\n{_object(call)}\n</tool_call>"),
    _each(lambda call: f"```json\n{_object(call)}\n```"),
    lambda calls: f"[TOOL_CALLS] [{', '.join(map(_object, calls))}]",
    _each(
        lambda call: (
            f"<|tool_call_begin|>functions.{call.name}:0<|tool_call_argument_begin|>{call.arguments}<|tool_call_end|>"
        )
    ),
    _tagged("<function={name}>", "<parameter={name}>\n{value}\n</parameter>", "</function>"),
    _tagged('<invoke name="{name}">', '<parameter name="{name}" string="true">{value}</parameter>', "</invoke>"),
    _each(_object),
    _our_own,
)


def wasted(moment: Moment) -> ProviderResponse | None:
    """Calls that bring nothing new."""
    for edit in moment.edits():
        useless = moment.pick(
            (
                ("read_file", {"path": edit.path}),
                ("list_dir", {"path": "."}),
                ("grep", {"pattern": "def ", "path": edit.path}),
                ("ast_outline", {"path": edit.path}),
                ("read_file", {"path": "no_such_file.py"}),
            )
        )
        place = edit.place
        calls = moment.with_call(place, useless[0], useless[1]).tool_calls[place : place + 1]
        return replace(moment.reply, message=replace(moment.reply.message, tool_calls=calls))
    return None


def claimed(moment: Moment) -> ProviderResponse | None:
    """The last words of one that is done, before anything was changed."""
    if not moment.reply.tool_calls or moment.oracle.has_changed:
        return None
    return replace(moment.reply, message=Message("assistant", ANSWER), finish_reason="stop")
