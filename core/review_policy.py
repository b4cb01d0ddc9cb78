"""Who decides about a review where several speak: the central policy, the user, the repository.

Where the policy declares any key of a section, the repository's section counts no more. What the policy declares, the
user can only tighten; what the repository says of `fail_on` can only tighten what the user says. Pure: values that were
read and checked before go in, and what holds comes out, with a warning for each word that doesn't count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .review_settings import DOTTED, REVIEW_LIMITS, SECTIONS, section_of

_STRICTNESS = ("never", "error", "warning")


def left_to_policy(values: Mapping[str, Any], policy: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What counts of a repository's settings, and a warning for each section that doesn't.

    Args:
        values: what the repository says, by field.
        policy: what the policy says, by field.
    """
    ruled = {section_of(name) for name in policy} & set(SECTIONS)
    told = {section_of(name) for name in values}
    warnings = tuple(
        f"the repository's [tool.orefactor.{section}] is ignored: orefactor.policy.{section} decides"
        for section in SECTIONS
        if section in ruled & told
    )
    return {name: value for name, value in values.items() if section_of(name) not in ruled}, warnings


def stricter(name: str, ruling: Any, said: Any) -> Any:  # noqa: ANN401 - values of any setting
    """What holds of a review's setting where `ruling` can only be tightened by what is `said`.

    Of an exit code none is stricter than another, so the ruling stands.
    """
    if name in REVIEW_LIMITS:
        return min(ruling, said)
    match name:
        case "review_enabled":
            return ruling and said
        case "review_fail_on":
            return max(ruling, said, key=_STRICTNESS.index)
        case _:
            return ruling


def overruled(name: str, kept: Any, said: Any, ruler: str, origin: str) -> str:  # noqa: ANN401
    """The warning that what somebody says doesn't count.

    Args:
        ruler: who says what is kept.
        origin: where the other value comes from.
    """
    return f"`{DOTTED[name]}` is {_shown(kept)}, as {ruler} says, not {_shown(said)} (from {origin})"


def _shown(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.15g}" if isinstance(value, float) else str(value)
