"""Says in one line why a provider gave no reply, what to do about it, and whether asking again or elsewhere helps.

A provider asks once; who asks again, and when, is decided above. `refusals` reads what servers say, `unsupported` knows
the words in which they say that they can't.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ..errors import ProviderFailed
from .refusals import Refusal, find_refusal
from .unsupported import is_too_long, lacks_structured_answers, lacks_tools
from .values import Json, one_line

if TYPE_CHECKING:
    from openai import OpenAIError

_HIDDEN = "[key]"
_SHORTEST_KEY = 8
"""Characters; servers on one's own machine are given any word as a key, which may stand in any sentence."""


@dataclass(frozen=True, slots=True)
class Party:
    """Who is asked.

    Attributes:
        name: the provider's.
        base_url: where it is.
        key: what no message may show.
    """

    name: str
    base_url: str
    key: str | None = None

    @property
    def address(self) -> str:
        """The address as people may see it, without a password in it."""
        try:
            parts = urlsplit(self.base_url)
            port = f":{parts.port}" if parts.port else ""
        except ValueError:
            return one_line(self.base_url.rpartition("@")[2])
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
        return one_line(f"{parts.scheme}://{host}{port}{parts.path}" if host else self.base_url.rpartition("@")[2])

    def shown(self, said: str) -> str:
        """What the server says, on one line that people want to read; some quote the key in it."""
        if self.key is not None and len(self.key) >= _SHORTEST_KEY:
            said = said.replace(self.key, _HIDDEN)
        return one_line(said)


# HTTP status -> (kind, what happened, hint)
_STATUSES: dict[int, tuple[str, str, str]] = {
    400: ("bad_request", "refused the request", "check the model's name and its limits"),
    401: (
        "unauthorized",
        "refused the key",
        "check the key in the environment variable that `git orefactor doctor` names",
    ),
    402: ("no_credit", "says that the account has no credit left", "top it up, or choose another provider"),
    403: ("forbidden", "does not allow this key to do that", "check the key's rights and the model's name"),
    404: ("not_found", "knows no such model or address", "check `--model` and `--base-url`"),
    413: (
        "too_large",
        "says that the request is too large",
        "name fewer paths, or a model with a larger context",
    ),
    422: ("bad_request", "refused the request", "check the model's name and its limits"),
    429: (
        "rate_limited",
        "says that there were too many requests",
        "wait a while, or choose another provider",
    ),
}
_NEVER_RETRIED = (400, 401, 402, 404, 413, 422)
_RETRIED = (408, 409, 425, 429)
_ELSEWHERE = (401, 402, 403, 408, 429)


def refused(refusal: Refusal, party: Party, *, with_form: bool = False) -> ProviderFailed:
    """A server's refusal in our words.

    Args:
        refusal: what it said.
        party: who.
        with_form: whether the request asked for a form of the answer.
    """
    said, status = party.shown(refusal.said), refusal.status
    if refusal.code == "tool_use_failed":
        hint = "try again, or try another model"
        return _failed("tool_use_failed", f"`{party.name}` refused the model's call", said, hint, refusal)
    if with_form and lacks_structured_answers(refusal):
        hint = "set `responseFormat` to `text` for this provider"
        what = f"`{party.name}` can't be asked for the form of an answer here"
        return _failed("no_structured_answer", what, said, hint, refusal)
    if lacks_tools(refusal):
        hint = "choose a model with function calling, or `--tool-protocol text`"
        return _failed("no_function_calling", f"`{party.name}` can't call tools", said, hint, refusal, elsewhere=True)
    kind, what, hint = _meaning(refusal)
    where = f" at {party.address}" if status == 404 else ""
    return _failed(
        kind,
        f"`{party.name}` {what} (HTTP {status}){where}",
        said,
        hint,
        refusal,
        retry=_helps_to_retry(refusal) and kind != "no_credit",
        elsewhere=status in _ELSEWHERE or status >= 500,
    )


def _meaning(refusal: Refusal) -> tuple[str, str, str]:
    status = refusal.status
    if status in (400, 422, 500) and is_too_long(refusal):
        return _STATUSES[413]
    # OpenAI's 429 without any money left; waiting doesn't bring it.
    if status == 429 and "insufficient_quota" in refusal.code:
        return _STATUSES[402]
    if status >= 500:
        return "server_error", "failed", "try again later"
    return _STATUSES.get(status, ("refused", "refused the request", "see the message"))


def _helps_to_retry(refusal: Refusal) -> bool:
    status = refusal.status
    if status in _NEVER_RETRIED or refusal.should_retry is False or is_too_long(refusal):
        return False
    return refusal.should_retry is True or status in _RETRIED or (status >= 500 and status != 501)


def _failed(
    kind: str, what: str, said: str, hint: str, refusal: Refusal, *, retry: bool = False, elsewhere: bool = False
) -> ProviderFailed:
    return ProviderFailed(
        kind,
        f"{what}: {said}" if said else what,
        hint=hint,
        retry=retry,
        elsewhere=elsewhere,
        retry_after=refusal.retry_after,
        said=refusal.generation,
    )


def broke_off(chunk: Json, party: Party) -> ProviderFailed:
    """An error in the middle of a reply; without a code of ours to blame, it is the server's fault and may pass."""
    refusal = find_refusal(chunk)
    if refusal.code == "tool_use_failed":
        return refused(refusal, party)
    is_ours = 400 <= refusal.status < 500 and refusal.status not in _RETRIED
    return _failed(
        "stream_error",
        f"`{party.name}` failed in the middle of its reply",
        party.shown(refusal.said),
        "try again",
        refusal,
        retry=not is_ours,
        elsewhere=not is_ours,
    )


def no_completion(body: Json, party: Party) -> ProviderFailed:
    """A good status without a reply; some put an error with a status of its own there."""
    refusal = find_refusal(body)
    if refusal.status:
        return refused(refusal, party)
    said = refusal.said if body.get("error") or body.get("message") or body.get("detail") else ""
    return ProviderFailed(
        "no_choices",
        f"`{party.name}` gave no completion: {party.shown(said) or 'it held no choices'}",
        hint="check the model's name and the address",
    )


def garbled(party: Party) -> ProviderFailed:
    """An event of a stream is no JSON: it was broken on its way."""
    said = f"a piece of the reply of `{party.name}` can't be read"
    return ProviderFailed("cut_stream", said, hint="try again", retry=True, elsewhere=True)


def not_json(content_type: str, party: Party) -> ProviderFailed:
    """What came is no JSON: a page of a proxy, or another kind of server."""
    kind = one_line(content_type.partition(";")[0], 60) or "no type"
    return ProviderFailed(
        "not_json",
        f"`{party.name}` at {party.address} answered with {kind} that holds no completion",
        hint="check the address: `--base-url URL`",
    )


def empty_reply(party: Party) -> ProviderFailed:
    """A good status and nothing else."""
    return ProviderFailed(
        "empty_reply",
        f"the reply of `{party.name}` was empty",
        hint="try again, or check `--base-url`",
        retry=True,
        elsewhere=True,
    )


def cut_off(party: Party, why: str = "") -> ProviderFailed:
    """The connection broke, the stream lacks its end, or the server gave up: what came until then is no reply."""
    what = (
        f"`{party.name}` broke its reply off ({why})"
        if why
        else (f"the connection to `{party.name}` ended in the middle of the reply")
    )
    return ProviderFailed("interrupted" if why else "cut_stream", what, hint="try again", retry=True, elsewhere=True)


def too_long(party: Party) -> ProviderFailed:
    """No model writes so much; somebody wants to fill our memory."""
    return ProviderFailed(
        "endless_reply",
        f"the reply of `{party.name}` doesn't end",
        hint="check the address: `--base-url URL`",
        elsewhere=True,
    )


def too_slow(party: Party) -> ProviderFailed:
    """The reply was still coming when the run's time was over."""
    return ProviderFailed(
        "timeout", f"`{party.name}` did not answer in time ({party.address})", hint="raise `--max-seconds`"
    )


def unusable(party: Party, why: str, hint: str) -> ProviderFailed:
    """Nothing was sent, as the address or the key can't be used."""
    return ProviderFailed("unusable", f"`{party.name}` can't be asked: {why}", hint=hint, elsewhere=True)


def failed(error: OpenAIError, party: Party, *, is_over: bool = True) -> ProviderFailed:
    """The client's error in our words.

    Args:
        error: no refusal, but what kept one from coming.
        party: who was asked.
        is_over: whether the time that the server had was all the time there is.
    """
    import openai

    cause = _innermost(error)
    if isinstance(error, openai.APITimeoutError) and "Connect" not in type(error.__cause__).__name__:
        if is_over:
            return too_slow(party)
        return ProviderFailed(
            "silent",
            f"`{party.name}` said nothing for minutes ({party.address})",
            hint="try again, or choose another provider",
            retry=True,
            elsewhere=True,
        )
    if isinstance(error, openai.APIConnectionError):
        return ProviderFailed(
            "unreachable",
            f"can't reach `{party.name}` at {party.address}: {party.shown(str(cause) or type(cause).__name__)}",
            hint="check the network and `--base-url`",
            retry=not isinstance(cause, ssl.SSLCertVerificationError),
            elsewhere=True,
        )
    return ProviderFailed(
        "bad_reply", f"`{party.name}` gave a reply that can't be read: {party.shown(str(error))}", hint="try again"
    )


def _innermost(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error
