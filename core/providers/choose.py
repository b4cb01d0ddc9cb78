"""Makes the providers that the settings mean: the first one, and those that follow where it fails.

A row of the quirk table says how to talk to a server. It is found by the provider's name, by the model's name, or by
the host of the address; what the user's git configuration says of it counts above the table.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from ..errors import ExitCode, ProviderFailed, UserError
from ..messages import Provider, RunFacts
from ..settings import DEFAULT_MODEL, Settings
from .prices import PriceList, parse_price
from .quirks import OFFLINE, PROVIDERS, Quirks, row_for_host, row_for_model, with_overrides

_ANY = "openai-compatible"
_LIKE = "provider"
"""The field of a user's server that names the row which it resembles."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A provider and the model to ask it for."""

    provider: Provider
    model: str


@dataclass(frozen=True, slots=True)
class Server:
    """A server that settings mean, with the key for it (None: without one) and the model."""

    row: Quirks
    base_url: str
    key: str | None
    model: str


def choose_providers(
    settings: Settings, facts: RunFacts, environment: Mapping[str, str], first: Choice | None = None
) -> tuple[Choice, ...]:
    """Make the chain of providers: the first one, and the fallbacks in order.

    Args:
        first: a ready one in place of the one that the settings mean.

    Raises:
        UserError: an unknown provider, a model that means none, no key, an unreadable fixture, or a ceiling of the
            cost although a price isn't known.
    """
    for name in settings.fallback:
        _require_known(name.partition(":")[0], settings)
    chain = [first or _first(settings, facts, environment)]
    for fallback in settings.fallback:
        name, _, model = fallback.partition(":")
        own = settings.model_copy(
            update={"provider": name, "model": model or None, "base_url": None, "key_variable": None}
        )
        with suppress(ProviderFailed):
            # An offline provider that doesn't know the task is no help, and no reason not to start.
            chain.append(_named(name, own, facts, environment))
    _require_prices(chain, settings)
    return tuple(chain)


def price_list(settings: Settings) -> PriceList:
    """The table with the user's prices."""
    return PriceList({model: parse_price(price) for model, price in settings.prices.items()})


def _require_prices(chain: list[Choice], settings: Settings) -> None:
    prices = price_list(settings)
    for choice in chain:
        if settings.max_cost is not None and prices.of(choice.model, choice.provider.name) is None:
            raise UserError(
                f"the price of `{choice.model}` isn't known, so `--max-cost` can't be kept",
                hint=f'say it: `git config --global orefactor.{choice.model}.price "CACHED PROMPT COMPLETION"` '
                "(USD per million tokens)",
            )


def _first(settings: Settings, facts: RunFacts, environment: Mapping[str, str]) -> Choice:
    by_fixture = settings.fixture is not None and settings.model is None and not settings.fallback
    name = settings.provider or ("fixture" if by_fixture else "")
    return _named(name, settings, facts, environment)


def _named(name: str, settings: Settings, facts: RunFacts, environment: Mapping[str, str]) -> Choice:
    match name:
        case "fixture":
            from .fixture import FixtureProvider, load_fixture

            file = _file(settings, name, "a file of replies")
            return Choice(FixtureProvider(load_fixture(file), facts), settings.model or name)
        case "replay":
            from .replay import ReplayProvider, load_replay

            return Choice(ReplayProvider(load_replay(_file(settings, name, "the trace of a run"))), name)
        case "recipes":
            from .recipes import RecipesProvider

            return Choice(RecipesProvider(facts), settings.model or name)
        case _:
            from .openai import OpenAIProvider

            server = find_server(settings, environment)
            return Choice(OpenAIProvider(server.row, server.base_url, server.key, server.model), server.model)


def _file(settings: Settings, provider: str, what: str) -> Path:
    if settings.fixture is None:
        raise UserError(f"the provider `{provider}` needs {what}", hint="name it: `--fixture FILE`")
    return Path(settings.fixture)


def find_row(settings: Settings) -> Quirks:
    """The row that provider, model and address mean, with what the user says of it.

    Raises:
        UserError: an unknown provider, or a model whose name means none.
    """
    row = _row_by_name(settings) if settings.provider is not None else _row_by_model(settings)
    if row.name == _ANY and settings.base_url is not None:
        known = row_for_host(settings.base_url) or row
        # The key is the one for such servers, where there is one; see `_key`.
        row = replace(known, name=row.name, base_url=row.base_url)
    host = urlsplit(settings.base_url or row.base_url or "").hostname or ""
    return _overridden(_overridden(row, settings, row.name), settings, host)


def _row_by_name(settings: Settings) -> Quirks:
    name = (settings.provider or "").lower()
    row = PROVIDERS.get(name)
    if row is not None:
        return row
    own = _said_of(settings, name)
    if own is not None:
        like = own.get(_LIKE, _ANY).lower()
        if like not in PROVIDERS:
            raise _unknown(like, list(PROVIDERS))
        return replace(PROVIDERS[like], name=name, base_url=None, default_model=None)
    raise _unknown(settings.provider or "", [*PROVIDERS, *settings.servers, *OFFLINE])


def _row_by_model(settings: Settings) -> Quirks:
    row = row_for_model(settings.model or DEFAULT_MODEL)
    if row is not None:
        return row
    if settings.base_url is not None:
        return PROVIDERS[_ANY]
    raise UserError(
        f"the model `{settings.model}` tells no provider",
        hint="name one: `--provider NAME`, or a server: `--base-url URL`",
    )


def _require_known(name: str, settings: Settings) -> None:
    """Make sure that a name means a provider, before anything is said of another one's key."""
    if name not in OFFLINE:
        find_row(settings.model_copy(update={"provider": name, "base_url": None}))


def _unknown(name: str, known: list[str]) -> UserError:
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.7)
    return UserError(
        f"there is no provider `{name}`",
        hint=f"did you mean `{near[0]}`?" if near else f"known are: {', '.join(known)}",
    )


def _said_of(settings: Settings, name: str) -> dict[str, str] | None:
    return next((said for server, said in settings.servers.items() if server.lower() == name.lower()), None)


def _overridden(row: Quirks, settings: Settings, name: str) -> Quirks:
    said = _said_of(settings, name) or {}
    return with_overrides(row, {field: value for field, value in said.items() if field != _LIKE})


def find_server(settings: Settings, environment: Mapping[str, str]) -> Server:
    """The server that provider, model and address mean.

    Raises:
        UserError: as `find_row`; no address, no model, or no key for it.
    """
    row = find_row(settings)
    model = settings.model or row.default_model
    base_url = settings.base_url or row.base_url
    if base_url is None:
        raise UserError(
            f"the provider `{row.name}` has no address of its own",
            hint=f"name the server: `--base-url URL`, or `git config --global orefactor.{row.name}.baseUrl URL`",
        )
    if not base_url.startswith(("http://", "https://")):
        raise UserError(f"`{base_url}` is no address of a server", hint="it begins with `http://` or `https://`")
    if model is None:
        raise UserError(f"the provider `{row.name}` has no model of its own", hint="name one: `--model NAME`")
    return Server(row, base_url, _key(settings, row, environment), model)


def _key(settings: Settings, row: Quirks, environment: Mapping[str, str]) -> str | None:
    if settings.key_variable is not None:
        variables = [settings.key_variable]
    elif row.name == _ANY:
        variables = [PROVIDERS[_ANY].key_variable, row.key_variable]
    else:
        variables = [row.key_variable]
    key = next((key for variable in variables if (key := environment.get(variable, "").strip())), None)
    if key is None and row.key_needed:
        raise UserError(
            f"no key for `{row.name}`: the variable {variables[0]} is not set",
            hint=f"`export {variables[0]}=…`, or work offline: `--provider recipes`",
            exit_code=ExitCode.PROVIDER,
        )
    return key
