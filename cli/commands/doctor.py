"""`doctor`: looks at everything that a run needs, and says of each `ok` or how to mend it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
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


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at. `needed`: whether nothing works without it."""

    name: str
    ok: bool
    text: str
    hint: str = ""
    needed: bool = True


def doctor_command(model: Model = None, provider: ProviderName = None) -> None:
    """Look at git, isolation, provider, key and project environment."""
    broken = False
    for line in _lines(model, provider):
        print(f"{'ok  ' if line.ok else 'hint'}  {line.name:<12} {plain(line.text)}")
        if line.hint and not line.ok:
            print(f"      {'':<12} {plain(line.hint)}")
        broken = broken or (line.needed and not line.ok)
    if broken:
        raise typer.Exit(6)


def _lines(model: str | None, provider: str | None) -> Iterator[Line]:
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
    yield from told("provider", lambda: _provider(model, provider), needed=False)


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
    from orefactor.core.settings import OPTION, Source, from_environment, from_git, resolve
    from orefactor.sandbox.repository import read_config

    sources = [Source(OPTION, named), *from_environment(whole_environment()), *from_git(read_config(Path.cwd()))]
    return resolve(sources)


def _provider(model: str | None, provider: str | None) -> Iterator[Line]:
    from orefactor.core.keys import whole_environment
    from orefactor.core.messages import RunFacts
    from orefactor.core.providers.choose import choose_provider

    named = {name: value for name, value in (("model", model), ("provider", provider)) if value is not None}
    choice = choose_provider(_settings(**named), RunFacts("add docstrings"), whole_environment())
    yield Line("provider", True, f"{choice.provider.name}, model {choice.model}")
