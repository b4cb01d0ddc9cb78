"""Every setting, where it may come from, and what it is in the end.

Strongest first: the option, the environment (`OREFACTOR_MODEL`), git's configuration (`orefactor.model`),
`[tool.orefactor]` in `pyproject.toml` at the base, the default. Files that come with a repository may choose checks and
tighten limits, nothing else: where the model runs, which key is used and how checks are isolated is the user's to say.
`setting_sources` reads the sources; here they are put together.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from .errors import UserError
from .limits import Limits

DEFAULT_MODEL = "deepseek-v4-pro"


def _split(value: Any) -> Any:  # noqa: ANN401 - a setting as it was written
    return tuple(part for part in value.replace(",", " ").split() if part) if isinstance(value, str) else value


class Settings(BaseModel):
    """The effective settings of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str | None = Field(default=None, min_length=1)
    """The model."""
    provider: str | None = Field(default=None, min_length=1)
    """The provider; by default the one that the model's name means."""
    base_url: str | None = Field(default=None, pattern=r"^https?://\S+$")
    """Any OpenAI-compatible server."""
    key_variable: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """The environment variable that holds the key."""
    fixture: str | None = None
    """The file of the `fixture` provider's replies, or the trace that `replay` plays."""
    fallback: Annotated[tuple[str, ...], BeforeValidator(_split)] = ()
    """The next providers, as `NAME` or `NAME:MODEL`."""
    tool_protocol: Literal["auto", "native", "text"] = "auto"
    """How tool calls go over the wire."""
    prices: dict[str, str] = Field(default_factory=dict)
    """Prices by model, in place of the table's."""
    servers: dict[str, dict[str, str]] = Field(default_factory=dict)
    """What the user says of providers and hosts, in place of the table's or beside it."""
    python: str | None = None
    """The project's interpreter."""
    base: str | None = Field(default=None, min_length=1)
    """What the change starts from."""
    checks: Annotated[tuple[str, ...], BeforeValidator(_split)] | None = None
    """The required checks, as `NAME`, or `NAME=COMMAND` for one of the project's own commands."""
    commands: dict[str, str] = Field(default_factory=dict)
    """The project's own commands by name, as the user says them."""
    repository_commands: dict[str, str] = Field(default_factory=dict)
    """The same as the repository says them; they count only where the user trusts it."""
    contract: Annotated[tuple[str, ...], BeforeValidator(_split)] = ("auto",)
    """What kind of change is promised."""
    allow: Annotated[tuple[str, ...], BeforeValidator(_split)] = ()
    """Kinds of guards that may object and yet pass, because the task asks for it."""
    minimize: bool = False
    """Whether hunks are dropped that nothing needs."""
    reuse: bool = True
    """Whether an earlier run's result is given again where everything that its model saw is as it was."""
    sandbox: Literal["auto", "bwrap", "landlock", "external", "none"] = "auto"
    """How checks are isolated."""
    max_iterations: int = Field(default=25, gt=0)
    """Rounds."""
    max_output_tokens: int = Field(default=8192, gt=0)
    """Ceiling of one reply in tokens."""
    max_tokens: int = Field(default=1_000_000, gt=0)
    """Tokens in and out, summed over the rounds."""
    max_cost: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """USD of the run's model calls."""
    max_seconds: float = Field(default=1800.0, gt=0, allow_inf_nan=False)
    """Wall time of the run."""
    tool_timeout: float = Field(default=300.0, gt=0, allow_inf_nan=False)
    """Wall time of one tool call."""

    context_tokens: int = Field(default=6000, ge=0)
    """Ceiling of the context pack in tokens; 0 for none."""

    @property
    def limits(self) -> Limits:
        """The limits among the settings."""
        return Limits(
            self.max_iterations,
            self.max_tokens,
            self.max_seconds,
            self.max_output_tokens,
            self.tool_timeout,
            self.max_cost,
        )


LIMITS = (
    "max_iterations",
    "max_output_tokens",
    "max_tokens",
    "max_cost",
    "max_seconds",
    "tool_timeout",
    "context_tokens",
)
OPTION = "an option"
"""The origin of what the caller names."""
_FORMS = {"base_url": "an address that begins with http:// or https://", "key_variable": "the name of a variable"}
NAMED = tuple(
    name for name in Settings.model_fields if name not in ("prices", "servers", "commands", "repository_commands")
)
"""The settings with a name of their own; the others are told by model, provider or host."""
_NAMES = {name.replace("_", ""): name for name in NAMED}


@dataclass(frozen=True, slots=True)
class Source:
    """Some settings and where they came from, for messages."""

    origin: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The effective settings, and the source of each that isn't the default."""

    settings: Settings
    sources: Mapping[str, Source]


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
        policy: ceilings of limits.

    Raises:
        UserError: a value is wrong; the message names the setting and its source.
    """
    chosen: dict[str, Any] = {}
    origins: dict[str, Source | None] = {}
    for source in [*sources, *([repository] if repository else [])]:
        for name, value in source.values.items():
            if name not in chosen:
                chosen[name], origins[name] = value, source
    settings = _validated(chosen, {name: source.origin for name, source in origins.items() if source})
    ceilings = [(None, _tightened(settings, repository, sources)), (policy, _ceilings(policy))]
    for lowering, ceiling in ceilings:
        lowered = {name: _lower(most, getattr(settings, name)) for name, most in ceiling.items()}
        origins.update({name: lowering for name, value in lowered.items() if value != getattr(settings, name)})
        settings = settings.model_copy(update=lowered)
    return Resolved(settings, {name: source for name, source in origins.items() if source is not None})


def _lower(most: float | None, value: float | None) -> float | None:
    """The lower of two limits; None is none."""
    return min((limit for limit in (most, value) if limit is not None), default=None)


def _tightened(settings: Settings, repository: Source | None, sources: Sequence[Source]) -> dict[str, float | None]:
    """Limits that only the repository names: they may not pass the default."""
    if repository is None:
        return {}
    own = [
        name for name in repository.values if name in LIMITS and not any(name in source.values for source in sources)
    ]
    return {name: Settings.model_fields[name].default for name in own}


def _ceilings(policy: Source | None) -> dict[str, float | None]:
    if policy is None:
        return {}
    settings = _validated(dict(policy.values), dict.fromkeys(policy.values, policy.origin))
    return {name: getattr(settings, name) for name in policy.values}


def _validated(values: dict[str, Any], origins: Mapping[str, str]) -> Settings:
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
        raise UserError(
            f"`{_shown(name, origin)}` is wrong: it should be {said} (from {origin or 'a setting'})",
            hint="see `git orefactor -h` for what it takes",
        ) from None


def _shown(name: str, origin: str) -> str:
    return f"--{option_name(name).replace('checks', 'check')}" if origin == OPTION else option_name(name)


def option_name(name: str) -> str:
    """A setting's name as people write it."""
    return name.replace("_", "-")


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
    name = _NAMES.get(written.lower().replace("-", "").replace("_", ""))
    if name is not None and name in allowed:
        return name
    raise unknown_setting(written, shown, form, spell, allowed)


def unknown_setting(
    written: str,
    shown: str,
    form: str,
    spell: Callable[[str], str],
    allowed: Sequence[str] = NAMED,
) -> UserError:
    """What is said of a name that means no setting, with the nearest one."""
    names = {spell(known): form.format(spell(known)) for known in allowed}
    near = difflib.get_close_matches(spell(written.lower()), names, n=1, cutoff=0.5)
    hint = f"did you mean `{names[near[0]]}`?" if near else f"known are: {', '.join(names.values())}"
    return UserError(f"`{shown}` is no setting", hint=hint)
