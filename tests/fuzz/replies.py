"""Replies as servers send them, whole, streamed, refused and written as text; what is changed for the fuzz tests."""

from __future__ import annotations

import json
from typing import Any

from chat_server import completion, tool_call

from orefactor.core.providers.as_text.findings import WrittenCall
from orefactor.core.providers.as_text.text_render import render_calls

READ = tool_call("c1", "read_file", path="x.py")
EDIT = tool_call("c2", "edit_file", path="x.py", old_string="a\n", new_string="b\n")
USAGE = {
    "prompt_tokens": 70,
    "completion_tokens": 3,
    "total_tokens": 90,
    "prompt_tokens_details": {"cached_tokens": 5},
}
MESSAGES: list[dict[str, Any]] = [
    {"role": "assistant", "content": "done", "refusal": None},
    {"content": None, "tool_calls": [READ, EDIT], "reasoning_content": "I look"},
    {"content": [{"type": "text", "text": "a"}, {"type": "thinking", "thinking": [{"type": "text", "text": "b"}]}]},
    {
        "content": "",
        "reasoning": "hm",
        "reasoning_details": [{"type": "reasoning.text", "text": "hm", "signature": "s", "index": 0}],
        "tool_calls": [{**READ, "extra_content": {"google": {"thought_signature": "s"}}}],
    },
]
COMPLETIONS: list[dict[str, Any]] = [
    json.loads(completion(message, finish, usage=USAGE).body)
    for message in MESSAGES
    for finish in ("stop", "tool_calls")
]
PIECES: list[dict[str, Any]] = [
    {"index": 0, "id": "c1", "type": "function", "function": {"name": "read_file", "arguments": ""}},
    {"index": 0, "function": {"arguments": '{"path": '}},
    {"index": 0, "function": {"arguments": '"x.py"}'}},
    {"index": 1, "id": "c2", "function": {"name": "list_dir", "arguments": "{}"}},
    {"id": "c3", "function": {"name": "grep", "arguments": {"pattern": "a"}}},
    {"function": {"name": "", "arguments": None}, "extra_content": {"google": {"thought_signature": "s"}}},
]
CHUNKS: list[dict[str, Any]] = [
    *({"model": "m", "choices": [{"index": 0, "delta": message, "finish_reason": None}]} for message in MESSAGES),
    *({"choices": [{"delta": {"tool_calls": [piece]}}]} for piece in PIECES),
    {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
    {"choices": [], "usage": USAGE},
    {"choices": [], "x_groq": {"usage": USAGE}},
]
ERRORS: list[Any] = [
    {"error": {"message": "Incorrect API key", "type": "invalid_request_error", "param": None, "code": "bad_key"}},
    {"error": {"code": 429, "message": "slow", "metadata": {"raw": "upstream", "retry_after": 3}}},
    {"error": {"message": "`tools` is not supported", "param": "tools", "code": 400}},
    {"error": {"code": "tool_use_failed", "message": "no", "failed_generation": "<function=read_file>{}</function>"}},
    {"error": "plain", "status": 503},
    {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]},
    [{"error": {"code": 400, "message": "INVALID_ARGUMENT", "status": "INVALID_ARGUMENT"}}],
    {"object": "error", "message": "maximum context length is 8192 tokens", "code": "400"},
]
_CALLS = [
    WrittenCall("edit_file", {"path": "x.py", "old_string": "a\n", "new_string": "```\nb"}),
    WrittenCall("write_file", {"path": "y.py", "content": "no end"}),
    WrittenCall("read_file", {"path": "x.py", "start_line": 3}),
]
_OBJECT = '{"name": "read_file", "arguments": {"path": "x.py"}}'
TEXTS = [
    f"I look.\n\n{render_calls(_CALLS)}\n",
    f"<think>\nhm\n</think>\n{render_calls(_CALLS[2:])}",
    f"<tool_call>\n{_OBJECT}\n</tool_call>\n<tool_call>{_OBJECT}",
    f"```json\n{_OBJECT}\n```\nand then",
    f"[TOOL_CALLS][{_OBJECT}]",
    "<function=edit_file>\n<parameter=path>x.py</parameter>\n<parameter=old_string>\na\n</parameter>\n</function>",
    '<invoke name="read_file"><parameter name="path">x.py</parameter></invoke>',
    '<|channel|>commentary to=functions.read_file <|message|>{"path": "x.py"}<|call|>',
    '<|tool▁calls▁begin|><|tool▁call▁begin|>read_file<|tool▁sep|>{"path": "x.py"}<|tool▁call▁end|>',
    '<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "x.py"}<|tool_call_end|>',
    _OBJECT,
]
TOKENS = ["<call", '<call tool="read_file">', "</call>", "```", "````", "</think>", "<think>", "path: ", "{", '"', "`"]
