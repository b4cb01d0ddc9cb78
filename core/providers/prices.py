"""Finds what a model costs: the user's own price first, then the table; None where nobody has said.

The table and the arithmetic are in `price_table`; what a run may spend is decided in `limits`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..redact import printable
from .price_table import PRICES, VENDORS
from .price_table import PRICES_DATE as PRICES_DATE
from .price_table import Price as Price

FREE = Price(0.0, 0.0, 0.0)
_WITHOUT_MODEL = ("recipes", "replay")
"""Providers that ask nobody."""

_NUMBER = re.compile(r"[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20}", re.ASCII)
_FORM = "three numbers, as in `0.022 0.66 1.98`: USD per million tokens of cached prompt, other prompt and completion"
_SNAPSHOT = re.compile(r"-20[0-9]{2}(?:-[0-9]{2}-[0-9]{2}|[0-9]{4})\Z", re.ASCII)
_LONGEST = 60
_LONGEST_NAME = 200
"""A longer one is no model's name; servers name the model that has answered, so it may be anything."""


def parse_price(text: str) -> Price:
    """Read a price as people write it in git's configuration.

    Args:
        text: `CACHED PROMPT COMPLETION`, or `PROMPT COMPLETION` where cached tokens cost as much as others; USD per
            million tokens.

    Raises:
        ValueError: it isn't that; the text says what it should be.
    """
    match [float(word) if _NUMBER.fullmatch(word) else None for word in text.split(maxsplit=3)]:
        case [float(cached), float(prompt), float(completion)]:
            return Price(cached, prompt, completion)
        case [float(prompt), float(completion)]:
            return Price(prompt, prompt, completion)
        case _:
            raise ValueError(f"it should be {_FORM}, or two without the first; not `{_shown(text)}`")


def _shown(text: str) -> str:
    plain = " ".join(printable(text[: 2 * _LONGEST]).split())
    visible = "".join(character if character.isprintable() else "?" for character in plain)
    return visible if len(visible) <= _LONGEST else visible[: _LONGEST - 1] + "…"


class PriceList:
    """The user's prices and the table.

    Names are compared without regard to case. A vendor's prefix (`deepseek/deepseek-v4-pro`) and the date of a
    snapshot (`gpt-5-2025-08-07`) may stand around the name of a known model, where the prefix is that vendor's.
    """

    def __init__(self, overrides: Mapping[str, Price] | None = None) -> None:
        self._own = {name.lower(): price for name, price in (overrides or {}).items()}

    def of(self, model: str, provider: str = "") -> Price | None:
        """What a model costs; None where that is unknown, which isn't nothing.

        Args:
            model: the name that is asked for, or that a server says has answered.
            provider: the provider's name, where it is known; those that ask nobody cost nothing.
        """
        if provider in _WITHOUT_MODEL:
            return FREE
        if len(model) > _LONGEST_NAME:
            return None
        found = (self._named(name) for name in _spellings(model.strip().lower()))
        unknown = FREE if model in _WITHOUT_MODEL else None
        return next((price for price in found if price is not None), unknown)

    def _named(self, name: str) -> Price | None:
        return self._own.get(name) or _ALL.get(name)


def _spellings(name: str) -> Iterator[str]:
    """The name, then with less and less around it."""
    yield name
    undated = _SNAPSHOT.sub("", name)
    if undated != name:
        yield undated
    prefix, slash, bare = name.partition("/")
    if slash and _is_of(prefix, bare):
        yield from _spellings(bare)


def _is_of(prefix: str, bare: str) -> bool:
    """Whether a prefix is the one of the vendor that makes the model; an unknown model has any."""
    makers = {vendor for vendor, rows in PRICES.items() for name in (bare, _SNAPSHOT.sub("", bare)) if name in rows}
    return not makers or any(prefix in VENDORS[vendor] for vendor in makers)


_ALL = {name: price for rows in PRICES.values() for name, price in rows.items()}
