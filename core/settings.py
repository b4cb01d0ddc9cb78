"""Puts the sources of settings together: which wins, what only tightens, and what is said of a wrong one.

Strongest first: the option, the environment (`OREFACTOR_MODEL`), git's configuration (`orefactor.model`),
`[tool.orefactor]` in `pyproject.toml` at the base, the default. Files that come with a repository may choose checks and
tighten limits, nothing else: where the model runs, which key is used and how checks are isolated is the user's to say.
`setting_sources` reads the sources, `setting_fields` tells what there is, `review_policy` rules on reviews.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from .errors import UserError
from .review_policy import left_to_policy, overruled, stricter
from .review_settings import DOTTED, REVIEW_LIMITS, section_of
from .setting_fields import DEFAULT_MODEL as DEFAULT_MODEL
from .setting_fields import LIMITS as LIMITS
from .setting_fields import Settings as Settings
from .setting_names import NAMED as NAMED
from .setting_names import flag_name, unknown_setting
from .setting_names import known_name as known_name
from .setting_names import option_name as option_name

OPTION = "an option"
"""The origin of what the caller names."""
_FORMS = {"base_url": "an address that begins with http:// or https://", "key_variable": "the name of a variable"}
_FAIL_ON = "review_fail_on"


@dataclass(frozen=True, slots=True)
class Source:
    """Some settings and where they came from, for messages."""

    origin: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The effective settings.

    Attributes:
        sources: the source of each that isn't the default.
        warnings: what somebody said of reviews and doesn't count, a line each.
    """

    settings: Settings
    sources: Mapping[str, Source]
    warnings: tuple[str, ...] = ()


def resolve(sources: Sequence[Source], *, repository: Source | None = None, policy: Source | None = None) -> Settings:
    """Put the sources together; see `resolve_with_sources`."""
    return resolve_with_sources(sources, repository=repository, policy=policy).settings


def resolve_with_sources(
    sources: Sequence[Source], *, repository: Source | None = None, policy: Source | None = None
) -> Resolved:
    """Put the sources together, and say where each setting comes from.

    Args:
        sources: the user's, strongest first.
        repository: what the repository's own file says.
        policy: ceilings of limits, and what it says of reviews.

    Raises:
        UserError: a value is wrong; the message names the setting and its source.
    """
    told, warnings = left_to_policy(repository.values if repository else {}, policy.values if policy else {})
    choice = _Choice(sources, repository, told)
    choice.lower(None, choice.unnamed_limits(told))
    if repository is not None and _FAIL_ON in told:
        unsaid = {_FAIL_ON: Settings.model_fields[_FAIL_ON].default}
        ruling = _checked(repository, {_FAIL_ON: told[_FAIL_ON]})
        choice.rule(repository, "the repository's [tool.orefactor.{}]", ruling, unsaid)
    if policy is not None:
        values = _checked(policy, policy.values)
        choice.lower(policy, {name: value for name, value in values.items() if name not in DOTTED})
        reviews = {name: value for name, value in values.items() if name in DOTTED}
        choice.rule(policy, "orefactor.policy.{}", reviews, reviews)
    return Resolved(choice.settings, choice.origins, (*warnings, *choice.warnings))


class _Choice:
    """What the strongest sources say, and then what others let hold of it."""

    def __init__(self, sources: Sequence[Source], repository: Source | None, told: Mapping[str, Any]) -> None:
        self.origins: dict[str, Source] = {}
        self.warnings: list[str] = []
        values: dict[str, Any] = {}
        weakest = [(repository, told)] if repository else []
        for source, said in [*((source, source.values) for source in sources), *weakest]:
            for name, value in said.items():
                if name not in values:
                    values[name], self.origins[name] = value, source
        self.settings = _validated(values, {name: source.origin for name, source in self.origins.items()})
        self._by_user = {name for source in sources for name in source.values}

    def unnamed_limits(self, told: Mapping[str, Any]) -> dict[str, float | None]:
        """Limits that only the repository names: they may not pass the default."""
        names = [name for name in told if name in (*LIMITS, *REVIEW_LIMITS) and name not in self._by_user]
        return {name: Settings.model_fields[name].default for name in names}

    def lower(self, ruler: Source | None, ceilings: Mapping[str, float | None]) -> None:
        """Keep limits below ceilings. `ruler`: whose they are; None for the defaults."""
        for name, most in ceilings.items():
            limit = getattr(self.settings, name)
            lowest = min((number for number in (most, limit) if number is not None), default=None)
            if lowest != limit:
                self._set(name, lowest, ruler)

    def rule(self, ruler: Source, words: str, rulings: Mapping[str, Any], unsaid: Mapping[str, Any]) -> None:
        """Let what somebody says of reviews hold, where nothing that is said is stricter.

        Args:
            words: who that is, for warnings, with a place for the section's name.
            unsaid: what counts as said where the user says nothing.
        """
        for name, ruling in rulings.items():
            is_said = name in self._by_user
            said = getattr(self.settings, name) if is_said else unsaid[name]
            kept = stricter(name, ruling, said)
            if is_said and kept != said:
                who = words.format(section_of(name))
                self.warnings.append(overruled(name, kept, said, who, self.origins[name].origin))
            if not is_said or kept != said:
                self._set(name, kept, ruler if kept == ruling else None)

    def _set(self, name: str, value: Any, ruler: Source | None) -> None:  # noqa: ANN401 - any setting's
        self.settings = self.settings.model_copy(update={name: value})
        self.origins.pop(name, None)
        if ruler is not None:
            self.origins[name] = ruler


def _checked(source: Source, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as the settings' types have them."""
    settings = _validated(values, dict.fromkeys(values, source.origin))
    return {name: getattr(settings, name) for name in values}


def check_settings(source: Source) -> None:
    """Make sure that a source's values are right, although others may win over them.

    Raises:
        UserError: one is wrong; the message names the setting and the source.
    """
    _checked(source, source.values)


def _validated(values: Mapping[str, Any], origins: Mapping[str, str]) -> Settings:
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        name = str(fault["loc"][0])
        origin = origins.get(name, "")
        if fault["type"] == "extra_forbidden":
            raise unknown_setting(name, name, "{}", str) from None
        said = _FORMS.get(name) if fault["type"] == "string_pattern_mismatch" else None
        said = said or str(fault["msg"]).removeprefix("Input should be ").removeprefix("Value error, ")
        shown = flag_name(name) if origin == OPTION else option_name(name)
        raise UserError(
            f"`{shown}` is wrong: it should be {said} (from {origin or 'a setting'})",
            hint="see `git orefactor -h` for what it takes",
        ) from None
