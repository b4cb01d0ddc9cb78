"""The offline provider: does a few mechanical tasks by fixed rules, without model, key or network.

It has the face of a model and no other way to the files: it calls tools and reads their answers.
What it says comes from `core/recipes/`; here are only the messages.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..errors import ProviderFailed
from ..messages import (
    Message,
    OnDelta,
    ProviderRequest,
    ProviderResponse,
    RunFacts,
    ToolCall,
    Usage,
    ignore_delta,
)
from ..recipes import RECIPES
from ..recipes.conversation import ERROR, Call, Script
from ..recipes.request import choose
from ..recipes.script import perform

_MAX_QUOTED = 80


class RecipesProvider:
    """Answers with the tool calls of one task, then with its summary.

    Raises:
        ProviderFailed: the task isn't one that it knows; said when it is made, before anything else happens.
    """

    name = "recipes"
    reads_context = False

    def __init__(self, facts: RunFacts) -> None:
        chosen = choose(facts.task)
        if chosen is None:
            raise _unknown_task(facts.task)
        self._chosen = chosen
        self._paths = facts.paths
        self._script: Script[str] | None = None
        self._pending: tuple[ToolCall, ...] = ()
        self._final: str | None = None
        self._made = 0

    def supports_function_calling(self) -> bool:
        """Calling tools is all that it can."""
        return True

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """The next calls of the task, or its summary, again and again once it has ended.

        Raises:
            ProviderFailed: ruff took too long.
        """
        usage = Usage(requests=1)
        if self._final is None and (calls := self._next_calls(request)):
            return ProviderResponse(Message("assistant", None, calls), "tool_calls", usage, self.name)
        text = self._final or ""
        on_delta(text)
        return ProviderResponse(Message("assistant", text), "stop", usage, self.name)

    def _next_calls(self, request: ProviderRequest) -> tuple[ToolCall, ...]:
        try:
            if self._script is None:
                offered = [str(tool["function"]["name"]) for tool in request.tools]
                self._script = perform(self._chosen, self._paths, offered)
                calls = next(self._script)
            else:
                calls = self._script.send(self._answers(request))
        except StopIteration as end:
            self._final = end.value
            return ()
        self._pending = self._numbered(calls)
        return self._pending

    def _answers(self, request: ProviderRequest) -> list[str]:
        given = {message.tool_call_id: message.content or "" for message in request.messages}
        return [given.get(call.id, f"{ERROR}no answer") for call in self._pending]

    def _numbered(self, calls: Sequence[Call]) -> tuple[ToolCall, ...]:
        numbered: list[ToolCall] = []
        for call in calls:
            self._made += 1
            arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
            numbered.append(ToolCall(f"recipe{self._made:05d}", call.tool, arguments))
        return tuple(numbered)


def _unknown_task(task: str) -> ProviderFailed:
    plain = " ".join(task.split())
    shown = plain if len(plain) <= _MAX_QUOTED else plain[: _MAX_QUOTED - 1] + "…"
    known = ", ".join(f"`{example}`" for recipe in RECIPES.values() for example in recipe.examples)
    return ProviderFailed(
        "unknown_task",
        f"the offline provider `recipes` doesn't know the task `{shown}`; it knows {known}, joined by `and`",
        hint="use a model: set its key, such as DEEPSEEK_API_KEY, and choose it with `--model NAME`",
    )
