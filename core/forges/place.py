"""Which forge a remote is at, and where its API is.

A token goes there, so a host is believed to be a forge only where that is known, or where the user says so: on the
command line, in his own configuration (never in a repository's, which may come with a download), or because his CI
runs there. No host is guessed by its name.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import urlsplit

from orefactor.sandbox.remote import Remote
from orefactor.sandbox.repository import ConfigEntry

from ..errors import UserError
from .address import Address, parse_address, shown, web_address

Kind = Literal["github", "gitlab", "gitea"]

_KNOWN: Mapping[str, Kind] = {
    "github.com": "github",
    "gitlab.com": "gitlab",
    "codeberg.org": "gitea",
    "gitea.com": "gitea",
}
_GITHUB_CLOUD = ".ghe.com"
_USER_SCOPES = ("system", "global", "command")
_KINDS: Mapping[str, Kind] = {**{kind: kind for kind in get_args(Kind)}, "forgejo": "gitea"}
_PATHS: Mapping[Kind, str] = {"github": "/api/v3", "gitlab": "/api/v4", "gitea": "/api/v1"}
# Where a run of the forge's own CI says that it is.
_CI: tuple[tuple[str, Kind], ...] = (("GITHUB_SERVER_URL", "github"), ("CI_SERVER_URL", "gitlab"))
_HINT = "say `github`, `gitlab` or `gitea`, and where its pages are if it isn't the remote's host: `gitea=https://HOST`"


@dataclass(frozen=True, slots=True)
class Place:
    """A project at a forge.

    Attributes:
        web: the forge's address in a browser, without a slash at its end.
        api: its API's address, the same way.
        project: where the request is made, such as `group/name`.
        head_project: where the branch is pushed to; another one for a fork.
    """

    kind: Kind
    host: str
    web: str
    api: str
    project: str
    head_project: str


def find_place(
    remote: Remote, named: str | None, config: Sequence[ConfigEntry], environment: Mapping[str, str]
) -> Place | None:
    """The forge that the remote is at; None where it is none that is known.

    Args:
        named: what the command line says, such as `gitlab` or `gitea=https://git.example.com`.
        config: git's configuration, from which the user's own `orefactor.forge.HOST` counts.
        environment: the variables, which say where CI runs.

    Raises:
        UserError: a forge is named and can't be one.
    """
    pushed = parse_address(remote.push_address)
    address = parse_address(remote.address) or pushed
    if address is None:
        if named is not None:
            raise UserError(
                f"the address of the remote `{remote.name}` names no project: {shown(remote.address)}",
                hint="name a remote that is at a forge: `--remote NAME`",
            )
        return None
    said = named if named is not None else _configured(config, address.host)
    kind, web = _parsed(said, address) if said is not None else _known(address, environment)
    if kind is None:
        return None
    project = _project(address, web, kind)
    at_same = pushed is not None and pushed.host == address.host
    head = _project(pushed, web, kind) if at_same and pushed is not None else project
    return Place(kind, urlsplit(web).netloc, web, _api(kind, web), project, head)


def _configured(config: Sequence[ConfigEntry], host: str) -> str | None:
    """What the user's configuration says of a host; git's names can't end in a number, so there are two forms."""
    keys = (f"orefactor.forge.{host}", f"orefactor.{host}.forge")
    found = (entry for entry in reversed(config) if entry.scope in _USER_SCOPES and entry.key.lower() in keys)
    return next((entry.value for entry in found), None)


def _known(address: Address, environment: Mapping[str, str]) -> tuple[Kind | None, str]:
    web = web_address("https", address.host, None)
    if address.host.endswith(_GITHUB_CLOUD):
        return "github", web
    if address.host in _KNOWN:
        return _KNOWN[address.host], web
    for variable, kind in _CI:
        server = environment.get(variable, "").rstrip("/")
        if server and urlsplit(server).hostname == address.host:
            return kind, server
    return None, web


def _parsed(said: str, address: Address) -> tuple[Kind, str]:
    name, _, web = said.strip().partition("=")
    kind = _KINDS.get(name.strip().lower())
    if kind is None:
        raise UserError(f"`{said}` is no forge that is known here", hint=_HINT)
    if web:
        return kind, _checked(web.strip().rstrip("/"))
    # A token doesn't go over an open line unless the user spells the address out, or it stays on this machine.
    is_open = address.scheme == "http" and _is_here(address.host)
    is_web = address.scheme in ("http", "https")
    return kind, web_address("http" if is_open else "https", address.host, address.port if is_web else None)


def _checked(web: str) -> str:
    try:
        parts = urlsplit(web)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
        parts = urlsplit("")
    if not good or parts.username or parts.query or parts.fragment or not (web.isascii() and web.isprintable()):
        raise UserError(f"`{shown(web)}` is no address of a forge", hint=_HINT)
    return web


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _api(kind: Kind, web: str) -> str:
    host = urlsplit(web).hostname or ""
    if kind == "github" and (host == "github.com" or host.endswith(_GITHUB_CLOUD)):
        return f"https://api.{host}"
    return web + _PATHS[kind]


def _project(address: Address, web: str, kind: Kind) -> str:
    root = urlsplit(web).path.strip("/")
    path = address.path.removeprefix(f"{root}/") if root and address.scheme in ("http", "https") else address.path
    parts = path.split("/")
    if len(parts) < 2 or (len(parts) > 2 and kind != "gitlab"):
        raise UserError(
            f"`{path}` names no project at {address.host}",
            hint="see the remote's address: `git remote -v`; `--remote NAME` takes another one",
        )
    return path
