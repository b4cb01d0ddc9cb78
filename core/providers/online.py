"""Looks at a provider for real: is the server there, is the key taken, does the model call tools, stream, and count.

One tiny reply proves most of it, asked for as a run asks. What only helps to explain it (lists, capabilities) comes
from `server_facts`. Findings are values; who prints them, and what a failed one means, is decided elsewhere.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..errors import ProviderFailed
from ..messages import Message, ProviderRequest, ProviderResponse, ToolSchema
from ..redact import Redactor
from .choose import Server
from .failures import Party
from .openai import OpenAIProvider
from .prices import PriceList
from .server_facts import ServerFacts, within
from .values import one_line

SECONDS = 20.0
"""The longest that one question may take."""
_MAX_TOKENS = 256
"""A model that thinks first needs some for it."""
_PING: ToolSchema = {
    "type": "function",
    "function": {
        "name": "ping",
        "description": "Answers pong.",
        "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
    },
}
_TEXT_PROTOCOL = "`--tool-protocol text` works with every model"

_AT_THE_DOOR = frozenset({"unusable", "unreachable", "timeout", "unauthorized", "forbidden"})
"""Kinds of failures that tell of the server or the key, not of the model."""
_ADDRESS_OR_MODEL = frozenset({"not_found", "not_json", "empty_reply", "no_choices"})
"""Kinds that a wrong address gives as well as a wrong model."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: `server`, `model`, `tools`, `reply`, `streaming`, `usage` or `price`.

    Attributes:
        text: what was seen, one line; parts of it may be the server's words.
        hint: what to do about it, where it isn't ok.
    """

    name: str
    ok: bool
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A reply, and the most pieces that its text or its reasoning came in."""

    reply: ProviderResponse
    pieces: int


def look(subject: Server, prices: PriceList, *, seconds: float = SECONDS) -> Iterator[Finding]:
    """Ask the server a few small things, which costs a few hundred tokens.

    Args:
        subject: the server, key and model.
        prices: what models cost.
        seconds: the longest that one question may take; there are five at most.

    Yields:
        The findings in a fixed order, as they are known. After one about the server, the model or the reply that isn't
        ok, only the price follows. No text holds the key.
    """
    redactor = Redactor({"API_KEY": subject.key or ""})
    for finding in _Look(subject, seconds).findings():
        yield replace(finding, text=redactor.text(finding.text), hint=redactor.text(finding.hint))
    yield _price(subject, prices)


class _Look:
    """One look at one subject."""

    def __init__(self, subject: Server, seconds: float) -> None:
        self._subject = subject
        self._seconds = seconds
        self._address = Party(subject.row.name, subject.base_url).address
        self._facts = ServerFacts(subject.base_url, subject.key, seconds)
        self._provider = OpenAIProvider(subject.row, subject.base_url, subject.key, subject.model)
        self._models: tuple[str, ...] | None = None

    def findings(self) -> Iterator[Finding]:
        """All but the price."""
        subject = self._subject
        self._models = self._facts.models()
        told = self._facts.capabilities(subject.model) if subject.row.name == "ollama" else None
        refused = None if told is None or "tools" in told else _told_no_tools(subject.model)
        try:
            try:
                seen = self._ask(offer=refused is None)
            except ProviderFailed as failure:
                if failure.kind != "no_function_calling":
                    raise
                refused = Finding("tools", False, failure.message, _TEXT_PROTOCOL)
                seen = self._ask(offer=False)
        except ProviderFailed as failure:
            yield from self._failed(failure)
            return
        yield Finding("server", True, f"{self._address} answers{' and takes the key' if subject.key else ''}")
        yield self._model(seen.reply)
        yield refused or _tools(seen.reply)
        yield self._streaming(seen)
        yield _usage(seen.reply)

    def _ask(self, *, offer: bool) -> _Seen:
        """Ask for one small reply.

        Raises:
            ProviderFailed: no usable one.
        """
        what = "Call the tool `ping` once, without any text." if offer else "Say ok."
        request = ProviderRequest(
            (Message("user", what),),
            self._subject.model,
            (_PING,) if offer else (),
            max_tokens=_MAX_TOKENS,
            timeout=self._seconds,
        )
        counted = {False: 0, True: 0}

        def count(_text: str, /, *, reasoning: bool = False) -> None:
            counted[reasoning] += 1

        try:
            reply = within(self._seconds, lambda: self._provider.complete(request, count))
        except TimeoutError as error:
            raise self._late() from error
        except ProviderFailed as failure:
            raise (self._late() if failure.kind == "timeout" else failure) from failure
        return _Seen(reply, max(counted.values()))

    def _late(self) -> ProviderFailed:
        return ProviderFailed(
            "timeout",
            f"{self._address} gave no whole reply within {self._seconds:g} seconds",
            hint="check the network and `--base-url`; a model that is still being loaded needs longer",
        )

    def _failed(self, failure: ProviderFailed) -> Iterator[Finding]:
        """What a failure tells of the server, the model and the reply."""
        wrong_address = failure.kind in _ADDRESS_OR_MODEL and self._models is None
        if failure.kind in _AT_THE_DOOR or wrong_address:
            yield Finding("server", False, failure.message, failure.hint)
            return
        yield Finding("server", True, f"{self._address} answers")
        listed = self._is_listed()
        if not listed and failure.kind in ("not_found", "bad_request"):
            yield Finding("model", False, failure.message, self._near() or failure.hint)
            return
        if listed:
            yield Finding("model", True, f"`{self._subject.model}` is in the server's list")
        yield Finding("reply", False, failure.message, failure.hint)

    def _is_listed(self) -> bool:
        # Ollama lists `name:latest`, Gemini `models/name`.
        wanted = self._subject.model.lower()
        names = [name.lower() for name in self._models or ()]
        return any(name in (wanted, f"{wanted}:latest") or name.endswith(f"/{wanted}") for name in names)

    def _near(self) -> str:
        near = difflib.get_close_matches(self._subject.model, self._models or (), n=1)
        return f"did you mean `{one_line(near[0])}`?" if near else ""

    def _model(self, reply: ProviderResponse) -> Finding:
        model, served = self._subject.model, one_line(reply.model)
        listed = " and is in the server's list" if self._is_listed() else ""
        alias = f" as `{served}`" if served not in ("", model) else ""
        return Finding("model", True, f"`{model}` answers{alias}{listed}")

    def _streaming(self, seen: _Seen) -> Finding:
        if seen.pieces > 1 or self._facts.streams(self._subject.row, self._subject.model):
            return Finding("streaming", True, "seen")
        return Finding(
            "streaming", False, "the reply came in one piece", "nothing is shown of a reply until it has ended"
        )


def _told_no_tools(model: str) -> Finding:
    return Finding("tools", False, f"the server says that `{model}` can't call tools", _TEXT_PROTOCOL)


def _tools(reply: ProviderResponse) -> Finding:
    if reply.tool_calls:
        return Finding("tools", True, f"called (`{one_line(reply.tool_calls[0].name)}`)")
    if reply.finish_reason == "length":
        text = f"taken, but the reply was cut at {_MAX_TOKENS} tokens before a call"
        return Finding("tools", False, text, "it may work all the same; look again")
    return Finding("tools", False, "taken, but the model answered in text", f"look again, or {_TEXT_PROTOCOL}")


def _usage(reply: ProviderResponse) -> Finding:
    used = reply.usage
    if used is None:
        return Finding(
            "usage", False, "not reported, so tokens are estimated", "limits and costs are as good as the estimate"
        )
    cached = f", {used.cached_tokens:,} of them cached" if used.cached_tokens else ""
    return Finding("usage", True, f"reported: {used.prompt_tokens:,} in{cached}, {used.completion_tokens:,} out")


def _price(subject: Server, prices: PriceList) -> Finding:
    price = prices.of(subject.model, subject.row.name)
    if price is None:
        setting = f'`git config --global orefactor.{subject.model}.price "CACHED PROMPT COMPLETION"`'
        return Finding("price", False, "not known, so `--max-cost` is refused", f"USD per million tokens: {setting}")
    each = " / ".join(f"{part:g}" for part in (price.cached, price.prompt, price.completion))
    return Finding("price", True, f"{each} USD per million tokens (cached / prompt / reply)")
