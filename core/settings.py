"""Every setting, where it may come from, and what it is in the end.

Strongest first: the option, the environment (`OREFACTOR_MODEL`), git's configuration (`orefactor.model`),
`[tool.orefactor]` in `pyproject.toml` at the base, the default. Files that come with a repository may choose checks and
tighten limits, nothing else: where the model runs, which key is used and how checks are isolated is the user's to say.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from orefactor.sandbox.repository import ConfigEntry

from .checks.command import CheckName
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
    """The file of the `fixture` provider's replies."""
    python: str | None = None
    """The project's interpreter."""
    base: str | None = Field(default=None, min_length=1)
    """What the change starts from."""
    checks: Annotated[tuple[CheckName, ...], BeforeValidator(_split)] | None = None
    """The required checks."""
    sandbox: Literal["auto", "bwrap", "landlock", "external", "none"] = "auto"
    """How checks are isolated."""
    max_iterations: int = Field(default=25, gt=0)
    """Rounds."""
    max_output_tokens: int = Field(default=8192, gt=0)
    """Ceiling of one reply in tokens."""
    max_tokens: int = Field(default=1_000_000, gt=0)
    """Tokens in and out, summed over the rounds."""
    max_seconds: float = Field(default=1800.0, gt=0, allow_inf_nan=False)
    """Wall time of the run."""
    tool_timeout: float = Field(default=300.0, gt=0, allow_inf_nan=False)
    """Wall time of one tool call."""

    @property
    def limits(self) -> Limits:
        """The limits among the settings."""
        return Limits(self.max_iterations, self.max_tokens, self.max_seconds, self.max_output_tokens, self.tool_timeout)


_LIMITS = ("max_iterations", "max_output_tokens", "max_tokens", "max_seconds", "tool_timeout")
_FROM_REPOSITORY = ("checks", *_LIMITS)
# A `.git/config` can come with a download, so these count only from the user's or the machine's configuration.
_USER_ONLY = ("provider", "base_url", "key_variable", "sandbox", "python", "fixture")
_USER_SCOPES = ("system", "global", "command")
OPTION = "an option"
"""The origin of what the caller names."""
_POLICY = "policy."
_FORMS = {"base_url": "an address that begins with http:// or https://", "key_variable": "the name of a variable"}
_NAMES = {name.replace("_", ""): name for name in Settings.model_fields}
# Read elsewhere, or not a setting at all.
_OTHER_VARIABLES = ("OREFACTOR_API_KEY",)


@dataclass(frozen=True, slots=True)
class Source:
    """Some settings and where they came from, for messages."""

    origin: str
    values: Mapping[str, Any]


def resolve(sources: Sequence[Source], *, repository: Source | None = None, policy: Source | None = None) -> Settings:
    """Put the sources together.

    Args:
        sources: the user's, strongest first.
        repository: what the repository's own file says.
        policy: ceilings of limits.

    Raises:
        UserError: a value is wrong; the message names the setting and its source.
    """
    chosen: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for source in [*sources, *([repository] if repository else [])]:
        for name, value in source.values.items():
            if name not in chosen:
                chosen[name], origins[name] = value, source.origin
    settings = _validated(chosen, origins)
    ceilings = [_tightened(settings, repository, sources), _ceilings(policy)]
    lowered = {name: min(ceiling[name], getattr(settings, name)) for ceiling in ceilings for name in ceiling}
    return settings.model_copy(update=lowered)


def _tightened(settings: Settings, repository: Source | None, sources: Sequence[Source]) -> dict[str, float]:
    """Limits that only the repository names: they may not pass the default."""
    if repository is None:
        return {}
    own = [
        name for name in repository.values if name in _LIMITS and not any(name in source.values for source in sources)
    ]
    return {name: min(getattr(settings, name), Settings.model_fields[name].default) for name in own}


def _ceilings(policy: Source | None) -> dict[str, float]:
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
            raise _unknown(name, name, "{}", str) from None
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


def from_environment(environment: Mapping[str, str]) -> list[Source]:
    """The settings among the environment's variables.

    Raises:
        UserError: a variable `OREFACTOR_…` that names no setting.
    """
    sources: list[Source] = []
    for variable, value in environment.items():
        if variable.startswith("OREFACTOR_") and variable not in _OTHER_VARIABLES:
            name = _known(variable.removeprefix("OREFACTOR_"), variable, "OREFACTOR_{}", str.upper)
            sources.append(Source(f"the variable {variable}", {name: value}))
    return sources


def from_git(config: Sequence[ConfigEntry]) -> list[Source]:
    """The settings in git's configuration, strongest first.

    Raises:
        UserError: a key `orefactor.…` that names no setting, or one that this file may not set.
    """
    sources: list[Source] = []
    for entry in reversed(config):
        rest = entry.key.partition(".")[2]
        if not entry.key.startswith("orefactor.") or rest.startswith(_POLICY):
            continue
        name = _known(rest, entry.key, "orefactor.{}", _camel)
        if name in _USER_ONLY and entry.scope not in _USER_SCOPES:
            raise UserError(
                f"`{entry.key}` may not be set in a repository's own configuration",
                hint=f"set it for yourself: `git config --global {entry.key} VALUE`",
            )
        sources.append(Source(f"git's configuration ({entry.scope} {entry.key})", {name: entry.value}))
    return sources


def policy_from_git(config: Sequence[ConfigEntry]) -> Source | None:
    """The ceilings that the user's or the machine's configuration declares under `orefactor.policy`.

    Raises:
        UserError: a key that names no limit.
    """
    values: dict[str, Any] = {}
    for entry in config:
        if entry.key.startswith("orefactor." + _POLICY) and entry.scope in _USER_SCOPES:
            name = _known(
                entry.key.removeprefix("orefactor." + _POLICY),
                entry.key,
                "orefactor.policy.{}",
                _camel,
                _LIMITS,
            )
            values[name] = entry.value
    return Source("git's configuration (orefactor.policy)", values) if values else None


def from_pyproject(text: bytes) -> Source | None:
    """What `[tool.orefactor]` in a repository's `pyproject.toml` says.

    Raises:
        UserError: it is no TOML, or it sets something that a repository may not.
    """
    if b"orefactor" not in text:
        return None
    try:
        table = _table(_table(tomllib.loads(text.decode()), "tool"), "orefactor")
    except (ValueError, RecursionError) as error:
        raise UserError(f"`pyproject.toml` can't be read: {error}", hint="mend the file") from None
    origin = "[tool.orefactor] in pyproject.toml"
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = _known(key, f"{key}` in `[tool.orefactor]", "{}", option_name)
        if name not in _FROM_REPOSITORY:
            raise UserError(
                f"`{key}` may not be set by a file of the repository",
                hint=f"a repository may set: {', '.join(map(option_name, _FROM_REPOSITORY))}",
            )
        values[name] = value
    return Source(origin, values) if values else None


def _table(within: Mapping[str, Any], name: str) -> dict[str, Any]:
    found: Any = within.get(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"`{name}` is no table")
    return cast("dict[str, Any]", found)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _known(
    written: str,
    shown: str,
    form: str,
    spell: Callable[[str], str],
    allowed: Sequence[str] = tuple(Settings.model_fields),
) -> str:
    name = _NAMES.get(written.lower().replace("-", "").replace("_", ""))
    if name is not None and name in allowed:
        return name
    raise _unknown(written, shown, form, spell, allowed)


def _unknown(
    written: str,
    shown: str,
    form: str,
    spell: Callable[[str], str],
    allowed: Sequence[str] = tuple(Settings.model_fields),
) -> UserError:
    names = {spell(known): form.format(spell(known)) for known in allowed}
    near = difflib.get_close_matches(spell(written.lower()), names, n=1, cutoff=0.5)
    hint = f"did you mean `{names[near[0]]}`?" if near else f"known are: {', '.join(names.values())}"
    return UserError(f"`{shown}` is no setting", hint=hint)
