"""What goes out: a request as the server of a row reads it.

Pure, and the same for the same history: a message is spelled the same way in every request, so that what two requests
share has the same bytes and the server's prefix cache hits. `openai` sends it, `strict_schemas` spells tools strictly.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..messages import Message, ProviderRequest, ResponseSchema
from ..redact import printable
from .quirk_row import Quirks
from .strict_schemas import strict_tool
from .values import as_objects

_NINE = re.compile(r"[A-Za-z0-9]{9}")
_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def is_strict(row: Quirks, base_url: str) -> bool:
    """Whether tools are sent strictly to this address."""
    is_beta = base_url.lower().rstrip("/").endswith("/beta")
    return row.strict_schemas == "always" or (row.strict_schemas == "beta" and is_beta)


def payload(request: ProviderRequest, row: Quirks, *, strict: bool = False) -> dict[str, Any]:
    """The arguments of the client's call; what is empty is left out."""
    sent: dict[str, Any] = {"model": request.model, "messages": wire_messages(request.messages, row), "stream": True}
    if row.stream_usage:
        sent["stream_options"] = {"include_usage": True}
    if request.tools:
        sent["tools"] = [strict_tool(tool) if strict else dict(tool) for tool in request.tools]
        choice = request.tool_choice or row.tool_choice
        if choice is not None and row.tool_choice != "never":
            sent["tool_choice"] = choice
    if request.response_schema is not None and row.response_format != "text":
        sent["response_format"] = _response_format(request.response_schema, row)
    if request.max_tokens is not None:
        sent[row.max_tokens_field] = request.max_tokens
    return sent


def _response_format(form: ResponseSchema, row: Quirks) -> dict[str, Any]:
    if row.response_format == "json_object":
        return {"type": "json_object"}
    # Not `strict`: that takes a part of JSON Schema only, and what comes back is checked in any case.
    return {"type": "json_schema", "json_schema": {"name": form.name, "schema": dict(form.schema)}}


def wire_messages(messages: Sequence[Message], row: Quirks) -> list[dict[str, Any]]:
    """The messages as the server reads them; ids of calls and of their answers agree."""
    ids = nine_ids(messages) if row.id_form == "nine" else {}
    return [_wire_message(message, row, ids) for message in messages]


def _wire_message(message: Message, row: Quirks, ids: Mapping[str, str]) -> dict[str, Any]:
    content = None if message.content is None else printable(message.content)
    if content is None and not (message.tool_calls and row.null_content):
        content = ""
    wire: dict[str, Any] = {"role": message.role, "content": content}
    if message.tool_calls:
        wire["tool_calls"] = [
            {
                "id": ids.get(call.id, call.id),
                "type": "function",
                "function": {"name": call.name, "arguments": _arguments(call.arguments)},
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        wire["tool_call_id"] = ids.get(message.tool_call_id, message.tool_call_id)
    if message.name is not None and row.named_results:
        wire["name"] = message.name
    if message.role == "assistant":
        _add_reasoning(wire, message, row)
    return wire


def _add_reasoning(wire: dict[str, Any], message: Message, row: Quirks) -> None:
    fields: Mapping[str, Any] = message.reasoning.fields if message.reasoning else {}
    for name in row.reasoning_back:
        if name in fields and name != "extra_content":
            wire[name] = fields[name]
    needed = row.reasoning_needed
    if needed in row.reasoning_back and message.tool_calls:
        # A message of another provider's, or one that was answered without a thought.
        wire.setdefault(needed, message.reasoning.text if message.reasoning else "")
    if "extra_content" in row.reasoning_back and message.tool_calls:
        signed = {item.get("id"): item.get("extra_content") for item in as_objects(fields.get("extra_content"))}
        for call, own in zip(wire["tool_calls"], message.tool_calls, strict=True):
            if signed.get(own.id) is not None:
                call["extra_content"] = signed[own.id]


def _arguments(arguments: str) -> str:
    """The arguments as they are, where they are an object; servers answer 500 to a history with anything else."""
    try:
        is_object = isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        is_object = False
    return printable(arguments) if is_object else "{}"


def nine_ids(messages: Sequence[Message]) -> dict[str, str]:
    """An id of nine letters and digits for each id of a call; one that is such an id stays as it is.

    Ids are given in the order of the history, so that one that only grows changes none.
    """
    given: dict[str, str] = {}
    used: set[str] = set()
    for message in messages:
        for call_id in (*(call.id for call in message.tool_calls), message.tool_call_id):
            if call_id is not None and call_id not in given:
                given[call_id] = _nine(call_id, used)
                used.add(given[call_id])
    return given


def _nine(call_id: str, used: set[str]) -> str:
    made, salt = call_id, 0
    while made in used or not _NINE.fullmatch(made):
        number = int.from_bytes(hashlib.sha256(f"{salt}:{call_id}".encode("utf-8", "replace")).digest()[:8])
        made = "".join(_LETTERS[number // 62**place % 62] for place in range(9))
        salt += 1
    return made
