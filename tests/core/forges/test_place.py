"""Which forge a remote is at, and that no host is believed to be one because its own repository says so."""

from __future__ import annotations

import pytest

from orefactor.core.errors import UserError
from orefactor.core.forges.place import Place, find_place
from orefactor.sandbox.remote import Remote
from orefactor.sandbox.repository import ConfigEntry, Scope


def _find(
    address: str,
    named: str | None = None,
    *config: tuple[Scope, str, str],
    pushed: str | None = None,
    **environment: str,
) -> Place | None:
    remote = Remote("origin", address, pushed or address)
    return find_place(remote, named, [ConfigEntry(*entry) for entry in config], environment)


@pytest.mark.parametrize(
    ("address", "kind", "api", "project"),
    [
        ("https://github.com/a/b.git", "github", "https://api.github.com", "a/b"),
        ("git@github.com:a/b.git", "github", "https://api.github.com", "a/b"),
        ("http://github.com/a/b", "github", "https://api.github.com", "a/b"),
        ("https://corp.ghe.com/a/b", "github", "https://api.corp.ghe.com", "a/b"),
        ("ssh://git@gitlab.com/a/b/c.git", "gitlab", "https://gitlab.com/api/v4", "a/b/c"),
        ("https://codeberg.org/a/b", "gitea", "https://codeberg.org/api/v1", "a/b"),
    ],
)
def test_hosts_that_everybody_knows(address: str, kind: str, api: str, project: str) -> None:
    place = _find(address)
    assert place is not None
    assert (place.kind, place.api, place.project, place.head_project) == (kind, api, project, project)


@pytest.mark.parametrize(
    "address",
    [
        "https://gitlab.example.com/a/b",
        "https://github.com.example.com/a/b",
        "https://notghe.com/a/b",
        "/srv/github.com",
    ],
)
def test_no_host_is_guessed(address: str) -> None:
    assert _find(address) is None


@pytest.mark.parametrize(
    ("address", "named", "kind", "api"),
    [
        ("https://git.corp/a/b", "github", "github", "https://git.corp/api/v3"),
        ("https://git.corp:8443/a/b", "GitLab", "gitlab", "https://git.corp:8443/api/v4"),
        ("ssh://git@git.corp:2222/a/b", "forgejo", "gitea", "https://git.corp/api/v1"),
        ("http://git.corp/a/b", "gitea", "gitea", "https://git.corp/api/v1"),
        ("http://localhost:3000/a/b", "gitea", "gitea", "http://localhost:3000/api/v1"),
        ("git@git.corp:a/b", "gitea=http://git.corp:3000/", "gitea", "http://git.corp:3000/api/v1"),
        ("https://git.corp/root/a/b", "gitlab=https://git.corp/root", "gitlab", "https://git.corp/root/api/v4"),
    ],
)
def test_what_the_command_line_or_the_users_configuration_says(address: str, named: str, kind: str, api: str) -> None:
    configured: list[tuple[Scope, str, str]] = [
        ("global", "orefactor.git.corp.forge", named),
        ("global", "orefactor.forge.localhost", named),
    ]
    for place in (_find(address, named), _find(address, None, *configured)):
        assert place is not None
        assert (place.kind, place.api, place.project) == (kind, api, "a/b")


def test_a_repositorys_own_configuration_does_not_count() -> None:
    key = "orefactor.forge.evil.example"
    assert _find("https://evil.example/a/b", None, ("local", key, "github"), ("worktree", key, "github")) is None
    assert _find("https://evil.example/a/b", None, ("command", key, "github")) is not None


@pytest.mark.parametrize(
    ("variable", "server", "kind"),
    [("GITHUB_SERVER_URL", "https://git.corp", "github"), ("CI_SERVER_URL", "https://git.corp:8443", "gitlab")],
)
def test_ci_says_where_it_runs(variable: str, server: str, kind: str) -> None:
    place = _find("https://git.corp/a/b", None, **{variable: server})
    assert place is not None
    assert (place.kind, place.web) == (kind, server)
    assert _find("https://other.corp/a/b", None, **{variable: server}) is None


@pytest.mark.parametrize(
    ("pushed", "head"),
    [
        ("git@github.com:me/b", "me/b"),
        ("git@github.com:a/b", "a/b"),
        ("git@elsewhere.example:me/b", "a/b"),
        ("/srv/mirror.git", "a/b"),
    ],
)
def test_a_fork_is_what_is_pushed_to(pushed: str, head: str) -> None:
    place = _find("https://github.com/a/b", pushed=pushed)
    assert place is not None
    assert (place.project, place.head_project) == ("a/b", head)


def test_a_remote_that_only_is_pushed_to() -> None:
    place = _find("/srv/mirror.git", pushed="git@github.com:me/b")
    assert place is not None
    assert (place.project, place.head_project) == ("me/b", "me/b")


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("https://git.corp/a/b", "svn"),
        ("https://git.corp/a/b", "gitlab=ftp://git.corp"),
        ("https://git.corp/a/b", "gitlab=https://ann@git.corp"),
        ("https://git.corp/a/b", "gitlab=https://git.corp:port"),
        ("https://git.corp/a/b", "gitlab=https://git.corp?x"),
        ("https://git.corp/a", "gitlab"),
        ("https://github.com/a/b/c", None),
        ("/srv/git", "github"),
    ],
)
def test_what_is_no_forge(address: str, named: str | None) -> None:
    with pytest.raises(UserError):
        _find(address, named)
