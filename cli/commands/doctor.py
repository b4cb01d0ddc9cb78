"""`doctor`: looks at everything that a run needs, and says of each `ok` or how to mend it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from ..wording import plain

if TYPE_CHECKING:
    from orefactor.core.settings import Settings

Model = Annotated[str | None, Option("--model", metavar="NAME", help="The model that is meant.")]
ProviderName = Annotated[str | None, Option("--provider", metavar="NAME", help="The provider that is meant.")]
BaseUrl = Annotated[str | None, Option("--base-url", metavar="URL", help="The server that is meant.")]
Online = Annotated[
    bool, Option("--online", help="Ask the provider: key, model, tools, streaming, usage, price (some hundred tokens).")
]


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at. `needed`: whether nothing works without it."""

    name: str
    ok: bool
    text: str
    hint: str = ""
    needed: bool = True


def doctor_command(
    model: Model = None, provider: ProviderName = None, base_url: BaseUrl = None, online: Online = False
) -> None:
    """Look at git, isolation, provider, key and project environment."""
    named = {"model": model, "provider": provider, "base_url": base_url}
    meant = {name: value for name, value in named.items() if value is not None}
    broken = False
    for line in _lines(meant, online=online):
        print(f"{'ok  ' if line.ok else 'hint'}  {line.name:<12} {plain(line.text)}", flush=True)
        if line.hint and not line.ok:
            print(f"      {'':<12} {plain(line.hint)}")
        broken = broken or (line.needed and not line.ok)
    if broken:
        raise typer.Exit(6)


def _lines(meant: Mapping[str, str], *, online: bool) -> Iterator[Line]:
    from orefactor.core.errors import UserError

    def told(name: str, look: Callable[[], Iterator[Line]], *, needed: bool = True) -> Iterator[Line]:
        try:
            yield from look()
        except UserError as error:
            yield Line(name, False, error.message, error.hint, needed)

    yield from told("git", _git)
    yield from told("repository", _repository)
    yield from told("cache", _cache)
    yield from told("environment", _environment)
    yield from told("provider", lambda: _provider(meant), needed=online)
    if online:
        yield from told("server", lambda: _online(meant))


def _git() -> Iterator[Line]:
    import re

    from orefactor.sandbox.repository import ask_git

    said = ask_git(Path.cwd(), "version").stdout.decode(errors="replace").strip()
    found = re.search(r"(\d+)\.(\d+)", said)
    is_new = found is not None and (int(found[1]), int(found[2])) >= (2, 31)
    yield Line("git", is_new, said, "install git 2.31 or newer")


def _repository() -> Iterator[Line]:
    from orefactor.sandbox.repository import find_repository

    repository = find_repository(Path.cwd())
    head = repository.git.result("rev-parse", "--verify", "--quiet", "HEAD", ok=(0, 1, 128))
    place = str(repository.place)
    yield Line("repository", head.returncode == 0, place, "it has no commit yet: make the first one")


def _cache() -> Iterator[Line]:
    from orefactor.sandbox.cache import cache_folder

    yield Line("cache", True, str(cache_folder()))


def _environment() -> Iterator[Line]:
    from orefactor.core.checks.catalogue import CHECKS
    from orefactor.core.checks.host import CheckHost
    from orefactor.sandbox.files import Root
    from orefactor.sandbox.repository import find_repository

    place = Path(os.path.realpath(find_repository(Path.cwd()).place))
    host = CheckHost.standalone(place, Root(place), _settings().sandbox)
    environment = host.environment
    version = ".".join(map(str, environment.version))
    yield Line("environment", True, f"Python {version} at {environment.python}")
    for check in CHECKS.values():
        installed = check.is_installed(environment)
        yield Line(
            check.name,
            installed,
            "installed" if installed else "not installed in the environment",
            "",
            needed=False,
        )
    isolation = host.isolation
    without = "mypy and pytest, which run the project's code, are refused; py_compile and ruff work"
    yield Line("isolation", isolation.isolated, isolation.tier, without)
    for failure in isolation.failures:
        yield Line("  tried", False, failure.line, failure.fix, needed=False)
    for line in isolation.probe:
        yield Line(f"  {line.name}", line.ok, line.detail, needed=False)


def _settings(**named: str) -> Settings:
    """The user's settings as they are here."""
    from orefactor.core.keys import whole_environment
    from orefactor.core.setting_sources import from_environment, from_git
    from orefactor.core.settings import OPTION, Source, resolve
    from orefactor.sandbox.repository import read_config

    sources = [Source(OPTION, named), *from_environment(whole_environment()), *from_git(read_config(Path.cwd()))]
    return resolve(sources)


def _provider(meant: Mapping[str, str]) -> Iterator[Line]:
    from orefactor.core.keys import whole_environment
    from orefactor.core.messages import RunFacts
    from orefactor.core.providers.choose import choose_providers

    for choice in choose_providers(_settings(**meant), RunFacts("add docstrings"), whole_environment()):
        yield Line("provider", True, f"{choice.provider.name}, model {choice.model}")


def _online(meant: Mapping[str, str]) -> Iterator[Line]:
    from orefactor.core.keys import whole_environment
    from orefactor.core.providers.choose import find_server, price_list
    from orefactor.core.providers.online import look
    from orefactor.core.providers.quirks import OFFLINE

    settings = _settings(**meant)
    if settings.provider in OFFLINE:
        yield Line("server", True, f"`{settings.provider}` asks nobody")
        return
    for finding in look(find_server(settings, whole_environment()), price_list(settings)):
        # Without the others a run works in another way, or without a ceiling of its cost.
        needed = finding.name in ("server", "model", "reply")
        yield Line(finding.name, finding.ok, finding.text, finding.hint, needed=needed)
