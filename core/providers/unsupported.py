"""The words in which servers say that they can't: call tools, answer in a form, or read so much.

There is no code for any of it that all of them share. The words are those of real servers; what is only about a wrong
tool, or about one parameter beside the tools, must not be taken for it.
"""

from __future__ import annotations

import re

from .refusals import Refusal

_TOOLS = r"['`\"]?(?:tools|functions|tool[ _-]?(?:use|usage|calls?|calling)|function[ _-]?(?:calls?|calling))\b['`\"]?"
_NOT = r"(?:not|n't|cannot|no longer)"

_NO_TOOLS = re.compile(
    "|".join(
        (
            # ollama: "registry.ollama.ai/library/gemma3:4b does not support tools"
            rf"{_NOT} (?:currently |yet )?(?:support|allow|accept) (?:the |native |any )?{_TOOLS}(?! (?:choice|ids?))",
            # OpenAI: "tools is not supported in this model"; others: "Function calling is not enabled for this model"
            rf"{_TOOLS} (?:parameter )?(?:is|are) (?:currently )?not (?:supported|enabled|allowed|available)",
            rf"{_TOOLS} (?:is|are) unsupported",
            # OpenRouter: "No endpoints found that support tool use"
            rf"\bno .{{0,60}}\bsupports? (?:the )?{_TOOLS}",
            # vLLM and llama.cpp, started without their options, and an older llama.cpp
            r"enable-auto-tool-choice",
            r"tools param requires --jinja",
            r"cannot use tools with stream",
            rf"unsupported param(?:eter)?s?: ?{_TOOLS}",
            rf"unrecognized request arguments? supplied: {_TOOLS}",
        )
    )
)
# pydantic's form, as FastAPI servers give it.
_FORBIDDEN_TOOLS = re.compile(r"['\"]body['\"], ?['\"](?:tools|functions)['\"] ?[\])]")

_NO_FORM = re.compile(
    r"response_?format|response mime type|json_schema|json_object|json[ _-]mode|structured[ _-]outputs?|grammar|guided"
)

_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|maximum (?:context|prompt) length|prompt (?:is|was) too (?:long|large)"
    r"|input is too (?:long|large)|too many (?:input )?tokens|exceeds? the (?:model|maximum number of tokens)"
    r"|reduce the length of the (?:messages|prompt|input)|request too large"
)
_TOO_LONG_CODES = ("context_length_exceeded", "exceed_context_size_error", "string_above_max_length")


def lacks_tools(refusal: Refusal) -> bool:
    """Whether the server or its model can't call tools."""
    said = refusal.said.lower()
    # Some answer 500 (llama.cpp) to what is no fault of theirs.
    if refusal.status not in (400, 404, 422, 500, 501):
        return False
    return bool(_NO_TOOLS.search(said)) or bool("forbidden" in said and _FORBIDDEN_TOOLS.search(said))


def lacks_structured_answers(refusal: Refusal) -> bool:
    """Whether the server can't ask for a form of the answer, or not beside tools."""
    said = refusal.said.lower()
    if refusal.status in (400, 404, 422):
        return bool(_NO_FORM.search(said) or _NO_FORM.search(refusal.parameter.lower()))
    return refusal.status == 500 and "grammar constraints with tools" in said


def is_too_long(refusal: Refusal) -> bool:
    """Whether the request has more tokens than the model reads."""
    return refusal.code in _TOO_LONG_CODES or bool(_TOO_LONG.search(refusal.said.lower()))
