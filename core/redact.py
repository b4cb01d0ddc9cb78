"""Takes secrets out of everything that is written or sent: by value and by shape.

By value: what key-like variables of the environment hold. By shape: tokens of well-known services, private keys.
The replacement is a mark that names the kind, so that a reader sees what stood there and an edit that would write
the mark into a file can be refused.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from .keys import secrets_of

# Shapes as their issuers publish them for secret scanning.
_SHAPES: tuple[tuple[str, str], ...] = (
    (
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----|\Z)",
    ),
    ("github-token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b"),
    ("gitlab-token", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas)-[A-Za-z0-9_-]{20,}"),
    ("openai-key", r"\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}"),
    ("aws-key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    ("slack-token", r"\bxox[abposr]-[A-Za-z0-9-]{10,}"),
    ("slack-hook", r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}"),
    ("google-key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("google-token", r"\bya29\.[A-Za-z0-9_-]{20,}"),
    ("stripe-key", r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("npm-token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi-token", r"\bpypi-[A-Za-z0-9_-]{50,}"),
    ("huggingface-token", r"\bhf_[A-Za-z0-9]{30,}\b"),
    ("groq-key", r"\bgsk_[A-Za-z0-9]{40,}\b"),
    ("sendgrid-key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("telegram-token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    # Only at the beginning of a word with dashes: a search that fails there would start again at each dash.
    ("jwt", r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    ("bearer", r"(?<=[Bb]earer )[A-Za-z0-9._~+/-]{20,}=*"),
    ("url-password", r"(?<=://)[^\s/:@]{1,64}:[^\s/:@]{3,128}(?=@)"),
)

MARK = re.compile(r"\[REDACTED:[a-z0-9-]+\]")
"""What stands in place of a secret."""


@functools.cache
def _shapes() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{kind.replace('-', '_')}>{shape})" for kind, shape in _SHAPES))


def printable(text: str) -> str:
    """The text with halves of surrogate pairs spelled out; names in other encodings and model replies hold some."""
    return text.encode("utf-8", "backslashreplace").decode()


class Redactor:
    """Redacts text against one environment's secrets and the well-known shapes."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        values = {value.strip() for value in secrets_of(environment).values()}
        # The longest first: a secret may be part of another one.
        ordered = sorted(values, key=len, reverse=True)
        self._values = re.compile("|".join(map(re.escape, ordered))) if ordered else None

    def text(self, text: str) -> str:
        """The text with each secret replaced by a mark that names its kind; it can be encoded in UTF-8 then."""
        text = printable(text)
        if self._values is not None:
            text = self._values.sub("[REDACTED:environment]", text)
        return _shapes().sub(lambda match: f"[REDACTED:{(match.lastgroup or 'secret').replace('_', '-')}]", text)

    def value(self, value: Any) -> Any:  # noqa: ANN401 - JSON in, JSON out
        """The same for a JSON value, keys included."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.value(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
            case dict():
                return {self.text(str(key)): self.value(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
            case _:
                return value


def has_mark(text: str) -> bool:
    """Whether the text holds a redaction mark; writing it into a file would destroy what it stands for."""
    return MARK.search(text) is not None
