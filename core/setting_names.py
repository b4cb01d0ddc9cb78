"""The names of settings as people write them in any source, and what is said of a name that means none.

Spelling is free: `max-tokens`, `max_tokens`, `maxTokens`. The settings of reviews have sections: their dotted names are
those of `review_settings`, and where a source knows no sections (`OREFACTOR_REVIEW_MAX_ROUNDS`) they have the last part
alone after `review`, or all parts.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence

from .errors import UserError
from .review_settings import DELIBERATION, DOTTED, section_of
from .setting_fields import Settings

_UNNAMED = ("prices", "servers", "commands", "repository_commands")
"""What is told by model, provider, host or check."""
NAMED = (*(name for name in Settings.model_fields if name not in (*_UNNAMED, *DOTTED)), *DOTTED)
"""The settings with a name of their own."""
_LONGEST, _LONGEST_SHOWN = 60, 120
_FLAGS = {
    "checks": "--check",
    "review_result": "--review",
    "review_max_rounds": "--max-rounds",
    "review_max_cost_tokens": "--max-cost-tokens",
    "review_per_tool_timeout_seconds": "--tool-timeout",
    "review_fail_on": "--fail-on",
    "review_checks": "--check",
    "review_model": "--review-model",
}


def _folded(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


_NAMES: Mapping[str, str] = {
    **{_folded(name): name for name in NAMED},
    **{_folded(dotted): name for name, dotted in DOTTED.items()},
    **{_folded(dotted).replace(".", ""): name for name, dotted in DOTTED.items()},
}


def option_name(name: str) -> str:
    """A setting's name as people write it."""
    return DOTTED.get(name) or name.replace("_", "-")


def git_name(name: str) -> str:
    """The same in git's configuration, below `orefactor`."""
    section, dot, last = DOTTED.get(name, name).rpartition(".")
    first, *rest = last.split("_")
    return section + dot + first + "".join(part.capitalize() for part in rest)


def flag_name(name: str) -> str:
    """The option that names it; the dotted name where there may be none."""
    return _FLAGS.get(name) or (DOTTED[name] if name in DOTTED else f"--{option_name(name)}")


def meaning(written: str) -> str | None:
    """The setting that a written name means, in any spelling; None where it means none."""
    return _NAMES.get(_folded(written))


def known_name(
    written: str,
    shown: str,
    form: str,
    spell: Callable[[str], str],
    allowed: Sequence[str] = NAMED,
) -> str:
    """The setting that a written name means, in any spelling.

    Args:
        shown: the name as messages quote it.
        form, spell: how names are written there, for the hint.

    Raises:
        UserError: it means none of the allowed ones.
    """
    name = meaning(written)
    if name is not None and name in allowed:
        return name
    raise unknown_setting(written, shown, form, spell, allowed)


def known_in_section(
    written: str,
    section: str,
    shown: str,
    form: str,
    spell: Callable[[str], str],
    allowed: Sequence[str],
) -> str:
    """The setting that a key means in a section of reviews. The section itself has one spelling, as git's have.

    Args:
        written: the key alone.
        section: as it is written there.
        shown, form, spell: as for `known_name`.

    Raises:
        UserError: it means none of the allowed ones; the hint has the one whose own key is the nearest.
    """
    name = meaning(f"{section}.{written}")
    if name is not None and name in allowed and section_of(name) == section:
        return name
    hints = {_folded(DOTTED[known].rpartition(".")[2]): form.format(spell(known)) for known in allowed}
    hints |= {"deliberation": form.format(DELIBERATION)} if section != DELIBERATION else {}
    raise _unknown(shown, _folded(written), hints)


def unknown_setting(
    written: str,
    shown: str,
    form: str,
    spell: Callable[[str], str],
    allowed: Sequence[str] = NAMED,
) -> UserError:
    """What is said of a name that means no setting, with the nearest one."""
    names = {spell(known): form.format(spell(known)) for known in allowed}
    return _unknown(shown, spell(written.lower()), names)


def _unknown(shown: str, written: str, hints: Mapping[str, str]) -> UserError:
    near = difflib.get_close_matches(written[:_LONGEST], hints, n=1, cutoff=0.5)
    hint = f"did you mean `{hints[near[0]]}`?" if near else f"known are: {', '.join(hints.values())}"
    return UserError(f"`{shown[:_LONGEST_SHOWN]}` is no setting", hint=hint)
