"""Says in one line why a provider gave no reply, and what to do about it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from ..errors import ProviderFailed
from .values import error_text, one_line

if TYPE_CHECKING:
    from openai import OpenAIError

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


def too_slow() -> ProviderFailed:
    """The reply was still coming when the run's time was over."""
    return ProviderFailed("timeout", "the reply took longer than the run may", hint="raise `--max-seconds`")


def failed(error: OpenAIError, name: str, base_url: str) -> ProviderFailed:
    """The client's error in our words."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return ProviderFailed(
            "timeout",
            f"`{name}` did not answer in time ({base_url})",
            hint="try again, or raise `--max-seconds`",
        )
    if isinstance(error, openai.APIStatusError):
        return _status_failure(error.status_code, _said(error), name)
    if isinstance(error, openai.APIConnectionError):
        cause = _innermost(error)
        return ProviderFailed(
            "unreachable",
            f"can't reach `{name}` at {base_url}: {cause}",
            hint="check the network and `--base-url`",
        )
    return ProviderFailed(
        "bad_reply", f"`{name}` gave a reply that can't be read: {one_line(str(error))}", hint="try again"
    )


def _status_failure(status: int, said: str, name: str) -> ProviderFailed:
    if (
        status in (400, 404, 422)
        and "tool" in said.lower()
        and ("support" in said.lower() or "not allowed" in said.lower())
    ):
        return ProviderFailed(
            "no_function_calling",
            f"`{name}` can't call tools: {said}",
            hint="choose a model with function calling",
        )
    fallback = (
        ("server_error", "failed", "try again later")
        if status >= 500
        else ("refused", "refused the request", "see the message")
    )
    kind, what, hint = _STATUSES.get(status, fallback)
    return ProviderFailed(kind, f"`{name}` {what} (HTTP {status}){': ' + said if said else ''}", hint=hint)


def _said(error: Any) -> str:  # noqa: ANN401 - an APIStatusError, imported when needed
    body = error.body
    if isinstance(body, dict):
        return error_text(cast("dict[str, Any]", body)) or one_line(json.dumps(body))
    content_type = error.response.headers.get("content-type", "")
    return "" if "html" in content_type else one_line(str(body or ""))


def _innermost(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return one_line(str(error) or type(error).__name__)
