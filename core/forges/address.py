"""Reads the address of a remote: a URL, or the short form of ssh. It may be a stranger's, and may hold a password."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

_SCHEMES = ("http", "https", "ssh", "git", "git+ssh", "ssh+git")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|[0-9A-Fa-f:.]{2,45}")
# `[user@]host:path`; git takes it for a local path where a slash stands before the colon.
_SHORT = re.compile(r"(?:[^/@:\s]+@)?(?:\[(?P<bracketed>[^\]/\s]{1,255})\]|(?P<host>[^/:\[\]@\s]{1,253})):(?P<path>.+)")
_SEGMENT = re.compile(r"[^\s/\\?#%*\x00-\x1f\x7f]{1,255}")
_LONGEST = 2048
# Hosts that exist only so that ssh gets through a firewall.
_SAME = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com", "altssh.bitbucket.org": "bitbucket.org"}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a remote is.

    Attributes:
        scheme: `http`, `https`, `ssh` or `git`.
        host: in lower case.
        port: None for the scheme's own.
        path: without slashes at its ends and without `.git`.
    """

    scheme: str
    host: str
    port: int | None
    path: str

    @property
    def web(self) -> str:
        """Where people find it in a browser; only a web address tells the port."""
        is_web = self.scheme in ("http", "https")
        return web_address(self.scheme if is_web else "https", self.host, self.port if is_web else None)


def parse_address(text: str) -> Address | None:
    """The address's parts; None for a local path, or for what no forge is reached by."""
    if len(text) > _LONGEST or not text.isprintable():
        return None
    if "://" in text:
        return _from_url(text)
    short = _SHORT.fullmatch(text)
    if short is None or "::" in text.partition("/")[0].partition("]")[2]:
        return None
    if short["bracketed"] is None:
        return _made("ssh", short["host"], None, short["path"])
    host, _, port = short["bracketed"].rpartition("@")[2].partition(":")
    is_port = port.isascii() and port.isdigit() and int(port) < 65536
    return _made("ssh", host if is_port else short["bracketed"], int(port) if is_port else None, short["path"])


def _from_url(text: str) -> Address | None:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _SCHEMES or not parts.hostname:
        return None
    scheme = "ssh" if "ssh" in parts.scheme else parts.scheme
    return _made(scheme, parts.hostname, port, unquote(parts.path))


def _made(scheme: str, host: str, port: int | None, path: str) -> Address | None:
    trimmed = path.strip("/").removesuffix(".git").rstrip("/")
    segments = trimmed.split("/")
    good = all(_SEGMENT.fullmatch(part) and part not in (".", "..") for part in segments)
    if not good or not _HOST.fullmatch(host):
        return None
    lower = host.lower()
    return Address(scheme, _SAME.get(lower, lower), None if lower in _SAME else port, trimmed)


def web_address(scheme: str, host: str, port: int | None) -> str:
    """A web address of these parts."""
    written = f"[{host}]" if ":" in host else host
    return f"{scheme}://{written}" + (f":{port}" if port is not None else "")


def shown(text: str) -> str:
    """An address as people may see it: without user, password and what stands behind a question mark."""
    start, separator, rest = text.partition("://")
    if not separator:
        return text
    authority, slash, path = rest.partition("/")
    kept = authority.rpartition("@")[2]
    return f"{start}://{kept}{slash}{path.partition('?')[0]}"
