"""A scripted provider: replies from a file, for tests, demonstrations and trying the tool without a network.

The file is described in the manual page. A reply is taken when its conditions hold, once, or each round with
`every_round`; when none is left, the last word is "done".
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..errors import UserError
from ..messages import (
    FinishReason,
    Message,
    OnDelta,
    ProviderRequest,
    ProviderResponse,
    RunFacts,
    ToolCall,
    Usage,
    ignore_delta,
)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FixtureCall(_Strict):
    """One tool call; arguments are an object, or text that is sent as it is."""

    name: str
    arguments: dict[str, Any] | str = Field(default_factory=dict[str, Any])
    id: str | None = None


class FixtureUsage(_Strict):
    """What the reply claims to have used."""

    prompt_tokens: int = Field(default=0, ge=0, le=2**53 - 1)
    cached_tokens: int = Field(default=0, ge=0, le=2**53 - 1)
    completion_tokens: int = Field(default=0, ge=0, le=2**53 - 1)


class FixtureReply(_Strict):
    """One scripted reply and when it is taken."""

    content: str | None = None
    tool_calls: tuple[FixtureCall, ...] = ()
    usage: FixtureUsage | None = None
    finish_reason: Literal["stop", "tool_calls", "length", "content_filter", "other"] | None = None
    prompt_contains: str | None = None
    lines_above: int | None = None
    every_round: bool = False


class Fixture(_Strict):
    """The whole file."""

    replies: tuple[FixtureReply, ...]


def load_fixture(path: Path) -> Fixture:
    """Read a fixture file.

    Raises:
        UserError: it can't be read, is no JSON, or breaks the form.
    """
    hint = 'the form is `{"replies": [{"content": …, "tool_calls": […]}]}`; see `git orefactor --help`'
    try:
        return Fixture.model_validate(json.loads(path.read_bytes()))
    except OSError as error:
        raise UserError(f"can't read the fixture `{path}`: {error.strerror}", hint="check `--fixture FILE`") from error
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise UserError(f"the fixture `{path}` is wrong at `{place}`: {fault['msg']}", hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"the fixture `{path}` is no JSON: {error}", hint=hint) from error


class FixtureProvider:
    """Plays a fixture."""

    name = "fixture"
    follows_script = True
    """What it is shown doesn't count as read: its calls were written before."""

    def __init__(self, fixture: Fixture, facts: RunFacts) -> None:
        self._replies = list(fixture.replies)
        self._calls_tools = any(reply.tool_calls for reply in fixture.replies)
        self._facts = facts
        self._made = 0

    def supports_function_calling(self) -> bool:
        """Whether any reply calls a tool; a script without calls stands for a model that can't."""
        return self._calls_tools

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        """Take the first reply whose conditions hold."""
        chosen = next((reply for reply in self._replies if self._holds(reply, request)), None)
        if chosen is None:
            return ProviderResponse(Message("assistant", "done"), "stop", Usage(requests=1), self.name)
        if not chosen.every_round:
            self._replies.remove(chosen)
        if chosen.content:
            on_delta(chosen.content)
        calls = tuple(self._call(call) for call in chosen.tool_calls)
        finish: FinishReason = chosen.finish_reason or ("tool_calls" if calls else "stop")
        used = chosen.usage or FixtureUsage()
        usage = Usage(used.prompt_tokens, used.cached_tokens, used.completion_tokens, 1)
        return ProviderResponse(Message("assistant", chosen.content, calls), finish, usage, self.name)

    def _holds(self, reply: FixtureReply, request: ProviderRequest) -> bool:
        if reply.prompt_contains is not None and not _contains(request, reply.prompt_contains):
            return False
        return reply.lines_above is None or self._facts.change_lines() > reply.lines_above

    def _call(self, call: FixtureCall) -> ToolCall:
        self._made += 1
        text = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
        return ToolCall(call.id or f"fixture{self._made:04d}", call.name, text)


def _contains(request: ProviderRequest, text: str) -> bool:
    in_messages = any(text in (message.content or "") for message in request.messages)
    return in_messages or any(text in json.dumps(tool, ensure_ascii=False) for tool in request.tools)
