"""Which remote is meant, and where it is."""

from __future__ import annotations

import pytest
from conftest import MakeRepository, git

from orefactor.sandbox.errors import UserError
from orefactor.sandbox.remote import Remote, find_remote
from orefactor.sandbox.repository import find_repository


@pytest.mark.parametrize(
    ("settings", "name", "expected"),
    [
        ({"remote.fork.url": "f"}, None, Remote("fork", "f", "f")),
        ({"remote.a.url": "a", "remote.origin.url": "o"}, None, Remote("origin", "o", "o")),
        ({"remote.a.url": "a", "remote.b.url": "b", "branch.main.remote": "b"}, None, Remote("b", "b", "b")),
        ({"remote.a.url": "a", "remote.origin.url": "o", "remote.pushDefault": "a"}, None, Remote("a", "a", "a")),
        (
            {"remote.a.url": "a", "remote.o.url": "o", "branch.main.pushRemote": "a", "remote.pushDefault": "o"},
            None,
            Remote("a", "a", "a"),
        ),
        ({"remote.a.url": "a", "remote.b.url": "b"}, "b", Remote("b", "b", "b")),
        ({"remote.a.url": "a", "branch.main.remote": "."}, None, Remote("a", "a", "a")),
        ({"remote.a.url": "x:p", "remote.a.pushurl": "q"}, None, Remote("a", "x:p", "q")),
        ({"remote.a.url": "gh:p", "url.https://h.example/.insteadOf": "gh:"}, None,
         Remote("a", "https://h.example/p", "https://h.example/p")),
        ({"remote.a.url": "https://h/p", "url.git@h:.pushInsteadOf": "https://h/"}, None,
         Remote("a", "https://h/p", "git@h:p")),
        ({}, None, "has no remote"),
        ({"remote.a.url": "a", "remote.b.url": "b"}, None, "not clear which remote"),
        ({"remote.a.url": "a"}, "c", "no remote is called `c`"),
        ({"remote.-a.url": "a"}, None, "has no remote"),
        ({"remote.a.pushurl": "a"}, None, "has no remote"),
        ({"remote.a.url": "\n"}, None, "git can't tell where"),
    ],
)  # fmt: skip
def test_which_and_where(
    make_repository: MakeRepository, settings: dict[str, str], name: str | None, expected: Remote | str
) -> None:
    folder = make_repository({"a": "a"})
    for key, value in settings.items():
        git(folder, "config", key, value)
    repository = find_repository(folder)
    if isinstance(expected, Remote):
        assert find_remote(repository, name) == expected
        return
    with pytest.raises(UserError, match=expected):
        find_remote(repository, name)


def test_several_places_to_push_to(make_repository: MakeRepository) -> None:
    folder = make_repository({"a": "a"})
    git(folder, "remote", "add", "origin", "a")
    git(folder, "remote", "set-url", "--add", "origin", "b")
    with pytest.raises(UserError, match="several addresses"):
        find_remote(find_repository(folder), None)
