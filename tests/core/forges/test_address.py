"""Addresses of remotes in all forms that git takes."""

from __future__ import annotations

import pytest

from orefactor.core.forges.address import Address, parse_address, shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://github.com/group/project.git", Address("https", "github.com", None, "group/project")),
        ("https://ann:secret@GitHub.com/group/project/", Address("https", "github.com", None, "group/project")),
        ("http://git.example.com:3000/a/b", Address("http", "git.example.com", 3000, "a/b")),
        ("https://[::1]:8443/a/b", Address("https", "::1", 8443, "a/b")),
        ("https://h.example/a/b%20c", None),
        ("https://h.example/a/b%2Fc", Address("https", "h.example", None, "a/b/c")),
        ("ssh://git@gitlab.com:2222/group/sub/project.git", Address("ssh", "gitlab.com", 2222, "group/sub/project")),
        ("git+ssh://git@h.example/a/b", Address("ssh", "h.example", None, "a/b")),
        ("ssh://git@ssh.github.com:443/a/b.git", Address("ssh", "github.com", None, "a/b")),
        ("git@github.com:group/project.git", Address("ssh", "github.com", None, "group/project")),
        ("github.com:/group/project", Address("ssh", "github.com", None, "group/project")),
        ("git@[h.example:2222]:a/b", Address("ssh", "h.example", 2222, "a/b")),
        ("git@[::1]:a/b", Address("ssh", "::1", None, "a/b")),
        ("altssh.gitlab.com:a/b/c", Address("ssh", "gitlab.com", None, "a/b/c")),
        ("git://h.example/a/b", Address("git", "h.example", None, "a/b")),
        ("/srv/git/project.git", None),
        ("../project.git", None),
        ("./a:b", None),
        ("file:///srv/git/project.git", None),
        ("ext::sh -c true", None),
        ("codecommit::eu-west-1://project", None),
        ("https://h.example:port/a/b", None),
        ("https://h.example:99999/a/b", None),
        ("https:///a/b", None),
        ("https://h.example/", None),
        ("https://h.example/a/../b", None),
        ("https://h .example/a/b", None),
        ("https://h.example/a/b\x1b[2J", None),
        ("https://h_.ex@mple\u202e/a", None),
        ("a" * 3000, None),
        ("https://[bad/a/b", None),
    ],
)
def test_its_parts(text: str, expected: Address | None) -> None:
    assert parse_address(text) == expected


@pytest.mark.parametrize(
    ("text", "web"),
    [
        ("https://h.example:8443/a/b", "https://h.example:8443"),
        ("http://[::1]:3000/a/b", "http://[::1]:3000"),
        ("ssh://git@h.example:2222/a/b", "https://h.example"),
    ],
)
def test_where_people_find_it(text: str, web: str) -> None:
    address = parse_address(text)
    assert address is not None
    assert address.web == web


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://ann:secret@h.example/a?token=1", "https://h.example/a"),
        ("https://h.example", "https://h.example"),
        ("/srv/git", "/srv/git"),
        ("git@h.example:a/b", "git@h.example:a/b"),
    ],
)
def test_no_password_is_shown(text: str, expected: str) -> None:
    assert shown(text) == expected
