"""How many tokens some characters make: a cautious guess, corrected by what the server reports of its requests."""

from __future__ import annotations

import math

_DEFAULT = 1 / 3.3
"""Tokens a character of code and JSON, from above rather than below."""
_SMALLEST, _LARGEST = 1 / 8, 2.0
"""Outside of these a report is no measure of anything: a scripted one, or a model with hidden text."""


def estimate_tokens(characters: int) -> int:
    """An estimate for characters of which nothing was measured."""
    return _rounded(characters * _DEFAULT)


def _rounded(tokens: float) -> int:
    return math.floor(tokens + 1e-9) + 1


class Estimator:
    """Estimates the tokens of one conversation's requests.

    The requests of a conversation resemble each other, so the last report is the best measure of the next one.
    """

    def __init__(self) -> None:
        self._ratio = _DEFAULT

    def prompt_tokens(self, characters: int) -> int:
        """An estimate of a request of so many characters."""
        return _rounded(characters * self._ratio)

    def learn(self, characters: int, prompt_tokens: int) -> None:
        """Take what the server reported of a request of so many characters."""
        if characters > 0 and prompt_tokens > 0:
            self._ratio = min(max(prompt_tokens / characters, _SMALLEST), _LARGEST)
