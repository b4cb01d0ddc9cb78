"""Function calling over plain text: the conversation for a model or server that has no calls of its own.

The tools and one example go to the end of the system message, calls become text in our own format, and results become
messages of the user. Everything derives from the request alone and only grows at its end, so that the bytes of earlier
rounds stay the same and a server's prefix cache hits. What comes back is read in `written_calls`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from ... import prompts
from ...messages import Message, ProviderRequest, ProviderResponse, ToolCall, ToolSchema
from ..values import as_object
from .findings import WrittenCall, quoted
from .signatures import Parameter, Signature, read_signatures
from .strict_json import NotJson, decode_all
from .text_render import fenced, render_calls
from .written_calls import read_written

_EXAMPLES: dict[str, dict[str, Any]] = {
    "edit_file": {
        "path": "src/shop/cart.py",
        "old_string": "def total(items):\n    return sum(items)",
        "new_string": "def total(prices):\n    return sum(prices)",
    },
    "read_file": {"path": "src/shop/cart.py", "start_line": 120, "end_line": 180},
}
"""Worked examples; the first one whose tool is offered is shown."""
_SAMPLES: dict[str, Any] = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}


def as_text(request: ProviderRequest) -> ProviderRequest:
    """The same conversation without calls of its own: roles system, user and assistant only.

    Neighbouring messages of the user become one, as many servers want the roles to alternate. Where the history grows
    at its end, only the last of the earlier messages may differ, and only by what is added at its end.
    """
    messages = _explained(request.messages, read_signatures(request.tools))
    return replace(request, messages=tuple(_merged(_spoken(messages))), tools=(), tool_choice=None)


def read_text_reply(response: ProviderResponse, tools: Sequence[ToolSchema], taken: frozenset[str]) -> ProviderResponse:
    """The reply with the calls that its text holds, or with what is wrong with them.

    Args:
        tools: those that were offered.
        taken: ids of calls that the conversation holds already.
    """
    return read_written(response, tools, taken)


def explanation(signatures: Mapping[str, Signature]) -> str:
    """What the model is told of the format and of each tool."""
    text = (files(prompts) / "text_tools.md").read_text(encoding="utf-8")
    tools = "\n".join(_described(signature) for signature in signatures.values())
    return text.format_map({"example": _example(signatures), "tools": tools}).strip()


def _explained(messages: Sequence[Message], signatures: Mapping[str, Signature]) -> list[Message]:
    """The messages with the format's explanation at the end of the first one, which is made where there is none."""
    if not signatures:
        return list(messages)
    told = explanation(signatures)
    if messages and messages[0].role == "system":
        first = messages[0]
        return [replace(first, content=f"{first.content}\n\n{told}" if first.content else told), *messages[1:]]
    return [Message("system", told), *messages]


def _example(signatures: Mapping[str, Signature]) -> str:
    known = next((name for name in _EXAMPLES if name in signatures), None)
    if known:
        return render_calls([WrittenCall(known, _EXAMPLES[known])])
    first = next(iter(signatures.values()))
    needed = [parameter for parameter in first.parameters.values() if parameter.is_required]
    return render_calls([WrittenCall(first.name, {parameter.name: _sample(parameter) for parameter in needed})])


def _sample(parameter: Parameter) -> Any:  # noqa: ANN401 - JSON
    if parameter.choices:
        return parameter.choices[0]
    return _SAMPLES.get(parameter.types[0] if parameter.types else "string", "text")


def _described(signature: Signature) -> str:
    """A tool as one line, and one more for each parameter that has something to say."""
    named = ", ".join(map(_typed, signature.parameters.values()))
    said = [f"  {each.name}: {_line(each.description)}" for each in signature.parameters.values() if each.description]
    return "\n".join([f"{signature.name}({named}): {_line(signature.description)}".rstrip(": "), *said])


def _typed(parameter: Parameter) -> str:
    choices = " | ".join(json.dumps(choice) for choice in parameter.choices)
    types = choices or " | ".join(parameter.types) or "any"
    return f"{parameter.name}{'' if parameter.is_required else '?'}: {types}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _spoken(messages: Iterable[Message]) -> Iterator[Message]:
    """The messages without calls: those of the assistant as text, results as messages of the user."""
    names: dict[str, str] = {}
    for message in messages:
        if message.tool_calls:
            names = _labels(message.tool_calls)
            calls = render_calls(WrittenCall(call.name, _arguments(call)) for call in message.tool_calls)
            content = f"{message.content}\n\n{calls}" if message.content else calls
            yield replace(message, content=content, tool_calls=())
        elif message.role == "tool":
            label = names.get(message.tool_call_id or "", quoted(message.name or "a tool"))
            yield Message("user", _result(label, message.content or ""))
        else:
            yield message


def _labels(calls: Sequence[ToolCall]) -> dict[str, str]:
    """What each call is named by; the model's text has no ids, so its place among several says which it is."""
    if len(calls) == 1:
        return {calls[0].id: quoted(calls[0].name)}
    return {call.id: f"call {number}, {quoted(call.name)}" for number, call in enumerate(calls, 1)}


def _result(label: str, text: str) -> str:
    lines = text if not text or text.endswith("\n") else f"{text}\n"
    return f"Result of {label}:\n{fenced(lines)}"


def _arguments(call: ToolCall) -> dict[str, Any]:
    """The arguments; none where the model wrote no object."""
    try:
        values = decode_all(call.arguments)
    except NotJson:
        return {}
    return as_object(values[0]) if len(values) == 1 else {}


def _merged(messages: Iterable[Message]) -> Iterator[Message]:
    """The messages, neighbours of the user as one."""
    last: Message | None = None
    for message in messages:
        if last and last.role == message.role == "user":
            last = replace(last, content=f"{last.content or ''}\n\n{message.content or ''}")
            continue
        if last:
            yield last
        last = message
    if last:
        yield last
