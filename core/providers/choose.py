"""Makes the provider that the settings mean."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import ExitCode, UserError
from ..messages import Provider, RunFacts
from ..settings import DEFAULT_MODEL, Settings
from .presets import OFFLINE, PRESETS, Preset, preset_for_model


@dataclass(frozen=True, slots=True)
class Choice:
    """A provider and the model to ask it for."""

    provider: Provider
    model: str


def choose_provider(settings: Settings, facts: RunFacts, environment: Mapping[str, str]) -> Choice:
    """Make the provider.

    Raises:
        UserError: an unknown provider, a model that means none, no key, or an unreadable fixture.
    """
    name = settings.provider or ("fixture" if settings.fixture and settings.model is None else None)
    if name == "fixture":
        from .fixture import FixtureProvider, load_fixture

        if settings.fixture is None:
            raise UserError("the provider `fixture` needs a file of replies", hint="name it: `--fixture FILE`")
        return Choice(FixtureProvider(load_fixture(Path(settings.fixture)), facts), settings.model or "fixture")
    if name == "recipes":
        from .recipes import RecipesProvider

        return Choice(RecipesProvider(facts), settings.model or "recipes")
    return _online(settings, find_preset(settings), environment)


def find_preset(settings: Settings) -> Preset:
    """The preset that provider and model mean.

    Raises:
        UserError: an unknown provider, or a model whose name means none.
    """
    if settings.provider is not None:
        preset = PRESETS.get(settings.provider)
        if preset is None:
            known = [*PRESETS, *OFFLINE]
            near = difflib.get_close_matches(settings.provider, known, n=1)
            raise UserError(
                f"there is no provider `{settings.provider}`",
                hint=f"did you mean `{near[0]}`?" if near else f"known are: {', '.join(known)}",
            )
        return preset
    preset = preset_for_model(settings.model or DEFAULT_MODEL)
    if preset is None:
        if settings.base_url is not None:
            return PRESETS["openai-compatible"]
        raise UserError(
            f"the model `{settings.model}` tells no provider",
            hint="name one: `--provider NAME`, or a server: `--base-url URL`",
        )
    return preset


def _online(settings: Settings, preset: Preset, environment: Mapping[str, str]) -> Choice:
    from .openai import OpenAIProvider

    model = settings.model or preset.default_model
    base_url = settings.base_url or preset.base_url
    if base_url is None:
        raise UserError(
            f"the provider `{preset.name}` has no address of its own",
            hint="name the server: `--base-url URL`",
        )
    if model is None:
        raise UserError(f"the provider `{preset.name}` has no model of its own", hint="name one: `--model NAME`")
    variable = settings.key_variable or preset.key_variable
    key = environment.get(variable, "").strip()
    if not key and preset.key_needed:
        raise UserError(
            f"no key for `{preset.name}`: the variable {variable} is not set",
            hint=f"`export {variable}=…`, or work offline: `--provider recipes`",
            exit_code=ExitCode.PROVIDER,
        )
    return Choice(OpenAIProvider(preset, base_url, key or None), model)
