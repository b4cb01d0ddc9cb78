"""The secrets among the environment's variables, and how the command keeps them out of what it starts.

A child process inherits the environment, and every process of the same user can read that of another. So the command
takes its secrets out as soon as it starts, before it has a thread or a child; who needs them asks here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Mapping, MutableMapping
from contextlib import contextmanager

_KEY_LIKE = re.compile(
    r"(?:API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)(?:_|$|\d)"
    r"|(?:^|_)(?:KEY|PASS|PWD|CREDENTIALS?|AUTH|PAT|COOKIE|DSN)(?:_|$|\d)",
    re.IGNORECASE,
)
# `GIT_CONFIG_KEY_0` holds the name of a setting.
_NOT_SECRET = re.compile(
    r"^GIT_CONFIG_KEY_\d+$|^(?:OLD)?PWD$|(?:FILE|PATH|DIR|SOCK|SOCKET|AGENT|URL_?BASE|NAME|VARIABLE|ID|TTY)$",
    re.IGNORECASE,
)
KEY_VARIABLE = "OREFACTOR_KEY_VARIABLE"
"""The variable that names the one with the key; git's configuration may name it as well."""
_MIN_VALUE = 8
"""Shorter values, such as `1` or `true`, stand in harmless text too."""

# Process-wide, as the environment is.
_named: set[str] = set()
_taken: dict[str, str] = {}
_emptied: list[MutableMapping[str, str]] = []


def secrets_of(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that hold secrets, by their names and lengths or because `name_secret` says so."""
    return {name: value for name, value in environment.items() if _is_secret(name, value.strip())}


def _is_secret(name: str, value: str) -> bool:
    is_meant = name in _named or (_KEY_LIKE.search(name) and not _NOT_SECRET.search(name))
    return bool(is_meant) and len(value) >= _MIN_VALUE


def whole_environment() -> Mapping[str, str]:
    """The environment as the user gave it, with the secrets that were taken out."""
    return {**os.environ, **_taken}


def name_secret(name: str) -> None:
    """Count a variable as a secret although its name doesn't tell; inside `secrets_taken_out` it goes too."""
    _named.add(name)
    for environment in _emptied:
        _take(environment)


@contextmanager
def secrets_taken_out(environment: MutableMapping[str, str]) -> Generator[None]:
    """While the block lasts, the secrets are no longer in the environment, only in `whole_environment`."""
    _emptied.append(environment)
    _take(environment)
    try:
        yield
    finally:
        _emptied.remove(environment)
        environment.update(_taken)
        _taken.clear()


def _take(environment: MutableMapping[str, str]) -> None:
    found = secrets_of(environment)
    _taken.update(found)
    for name in found:
        del environment[name]
