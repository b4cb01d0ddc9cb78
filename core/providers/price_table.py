"""What vendors charge for a token: the form of a price, and one dated table of them.

`prices` looks a model up and reads a user's own price. Prices change often, so each row can be overridden with
`git config orefactor.<model>.price`; a model that isn't here costs "unknown", never nothing. Left out on purpose:
models with a further fee for writing the cache (gpt-5.6, gpt-6, kimi-k3), whose usage doesn't report it, and prices
that a vendor announces as passing.

Each row was seen on `PRICES_DATE` at the vendor's own page (DeepSeek) or in the price list of litellm 1.110.2, which
names the vendor's page that it was read from; the comment above a group is that page. Where a vendor names no price
for cached tokens, they cost as much as others: an estimate must not be too low.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from ..messages import Usage

PRICES_DATE = "2026-11-30"
"""The day on which all prices were seen."""

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Peak:
    """Hours of UTC, Monday to Friday, at which everything costs a multiple.

    Attributes:
        hours: pairs of the first hour and the hour that no longer belongs to it.
    """

    hours: tuple[tuple[int, int], ...]
    factor: float = 2.0

    def has(self, moment: datetime) -> bool:
        """Whether a moment, aware of its zone, is a peak one; public holidays count, which never makes it cheaper."""
        utc = moment.astimezone(UTC)
        return utc.weekday() < 5 and any(start <= utc.hour < end for start, end in self.hours)


@dataclass(frozen=True, slots=True)
class LongPrompt:
    """A request whose prompt is longer than `beyond` tokens costs a multiple as a whole."""

    beyond: int
    prompt_factor: float
    completion_factor: float


@dataclass(frozen=True, slots=True)
class Price:
    """What tokens of one model cost, in USD a million.

    Attributes:
        cached: prompt tokens that the server had cached.
        prompt: the other prompt tokens.
        completion: tokens of the reply, its reasoning included.
    """

    cached: float
    prompt: float
    completion: float
    peak: Peak | None = None
    long_prompt: LongPrompt | None = None

    def at(self, moment: datetime, prompt_tokens: int = 0) -> Price:
        """The tariff of a request: three plain prices, without peak hours and long prompts.

        Args:
            moment: when it is made; aware of its zone.
            prompt_tokens: how long its prompt is.
        """
        factor = self.peak.factor if self.peak is not None and self.peak.has(moment) else 1.0
        prompt = completion = factor
        if self.long_prompt is not None and prompt_tokens > self.long_prompt.beyond:
            prompt *= self.long_prompt.prompt_factor
            completion *= self.long_prompt.completion_factor
        return Price(self.cached * prompt, self.prompt * prompt, self.completion * completion)

    def cost(self, usage: Usage, moment: datetime) -> float:
        """USD for the tokens of one request that is made at a moment, aware of its zone."""
        now = self.at(moment, usage.prompt_tokens)
        # Some servers count the cached tokens beside the prompt's instead of among them.
        other = max(usage.prompt_tokens - usage.cached_tokens, 0)
        amount = usage.cached_tokens * now.cached + other * now.prompt + usage.completion_tokens * now.completion
        return amount / _MILLION


# Half price outside of 01:00-04:00 and 06:00-10:00 UTC on working days.
_DEEPSEEK_PEAK = Peak(((1, 4), (6, 10)))
_DEEPSEEK_FLASH = Price(0.003, 0.15, 0.60, _DEEPSEEK_PEAK)
_OPENAI_LONG = LongPrompt(272_000, 2, 1.5)
_XAI_LONG = LongPrompt(200_000, 2, 2)

VENDORS: dict[str, tuple[str, ...]] = {
    "deepseek": ("deepseek", "deepseek-ai"),
    "openai": ("openai",),
    "qwen": ("qwen", "dashscope", "alibaba"),
    "mistral": ("mistral", "mistralai"),
    "moonshot": ("moonshot", "moonshotai"),
    "zhipu": ("zhipu", "zai", "z-ai"),
    "gemini": ("gemini", "google"),
    "xai": ("xai", "x-ai"),
    "groq": ("groq",),
}
"""The prefixes, as in `z-ai/glm-4.6`, with which other services name a vendor's model."""

PRICES: dict[str, dict[str, Price]] = {
    # https://api-docs.deepseek.com/quick_start/pricing; the older names of flash are served and priced as flash.
    "deepseek": {
        "deepseek-v4-pro": Price(0.022, 0.66, 1.98, _DEEPSEEK_PEAK),
        "deepseek-flash": _DEEPSEEK_FLASH,
        "deepseek-v4-flash": _DEEPSEEK_FLASH,
    },
    # https://developers.openai.com/api/docs/pricing
    "openai": {
        "gpt-5.5": Price(0.50, 5.00, 30.00, long_prompt=_OPENAI_LONG),
        "gpt-5.4": Price(0.25, 2.50, 15.00, long_prompt=_OPENAI_LONG),
        "gpt-5.4-mini": Price(0.075, 0.75, 4.50),
        "gpt-5.4-nano": Price(0.02, 0.20, 1.25),
        "gpt-5.2": Price(0.175, 1.75, 14.00),
        "gpt-5.1": Price(0.125, 1.25, 10.00),
        "gpt-5": Price(0.125, 1.25, 10.00),
        "gpt-5-mini": Price(0.025, 0.25, 2.00),
        "gpt-5-nano": Price(0.005, 0.05, 0.40),
        "gpt-4.1": Price(0.50, 2.00, 8.00),
        "gpt-4.1-mini": Price(0.10, 0.40, 1.60),
        "gpt-4.1-nano": Price(0.025, 0.10, 0.40),
        "gpt-4o": Price(1.25, 2.50, 10.00),
        # The first snapshot of gpt-4o kept its price.
        "gpt-4o-2024-05-13": Price(5.00, 5.00, 15.00),
        "gpt-4o-mini": Price(0.075, 0.15, 0.60),
        "o1": Price(7.50, 15.00, 60.00),
        "o3": Price(0.50, 2.00, 8.00),
        "o3-mini": Price(0.55, 1.10, 4.40),
        "o4-mini": Price(0.275, 1.10, 4.40),
    },
    # https://www.alibabacloud.com/help/en/model-studio/models, international; without thinking, as it is by default.
    "qwen": {
        "qwen-plus": Price(0.40, 0.40, 1.20, long_prompt=LongPrompt(256_000, 3, 3)),
        "qwen-plus-latest": Price(0.40, 0.40, 1.20, long_prompt=LongPrompt(256_000, 3, 3)),
        "qwen3.7-plus": Price(0.08, 0.40, 1.60, long_prompt=LongPrompt(256_000, 3, 3)),
        "qwen3.8-max": Price(0.25, 2.00, 6.00),
    },
    # https://docs.mistral.ai/models, and https://mistral.ai/news/devstral-2-vibe-cli for devstral
    "mistral": {
        "devstral-latest": Price(0.04, 0.40, 2.00),
        "devstral-medium-latest": Price(0.04, 0.40, 2.00),
        "devstral-small-latest": Price(0.01, 0.10, 0.30),
        "codestral-latest": Price(0.03, 0.30, 0.90),
        "mistral-large-latest": Price(0.05, 0.50, 1.50),
        "mistral-medium-latest": Price(0.15, 1.50, 7.50),
        "mistral-small-latest": Price(0.015, 0.15, 0.60),
    },
    # https://platform.kimi.ai/docs/pricing; kimi-k2 itself is no longer served there.
    "moonshot": {
        "kimi-k2.6": Price(0.16, 0.95, 4.00),
        "kimi-k2.7-code": Price(0.19, 0.95, 4.00),
    },
    # https://docs.z.ai/guides/overview/pricing
    "zhipu": {
        "glm-4.6": Price(0.11, 0.60, 2.20),
        "glm-4.7": Price(0.11, 0.60, 2.20),
        "glm-5": Price(0.20, 1.00, 3.20),
        "glm-5.3": Price(0.26, 1.40, 4.40),
    },
    # https://ai.google.dev/gemini-api/docs/pricing
    "gemini": {
        "gemini-2.5-pro": Price(0.125, 1.25, 10.00, long_prompt=LongPrompt(200_000, 2, 1.5)),
        "gemini-2.5-flash": Price(0.03, 0.30, 2.50),
        "gemini-2.5-flash-lite": Price(0.01, 0.10, 0.40),
    },
    # https://docs.x.ai/developers/models, as its API's list of models says
    "xai": {
        "grok-4.3": Price(0.20, 1.25, 2.50, long_prompt=_XAI_LONG),
        "grok-4.5": Price(0.30, 2.00, 6.00, long_prompt=_XAI_LONG),
        "grok-4.7": Price(0.50, 2.00, 6.00, long_prompt=_XAI_LONG),
    },
    # https://console.groq.com/docs/models for prompt and completion; cached tokens as litellm has them
    "groq": {
        "openai/gpt-oss-120b": Price(0.075, 0.15, 0.60),
        "openai/gpt-oss-20b": Price(0.0375, 0.075, 0.30),
    },
}
"""Prices by vendor and by the vendor's own name of the model, in lower case."""
