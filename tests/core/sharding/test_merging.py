"""The trees of shards put together."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeRepository, git

from orefactor.core.errors import RunStopped
from orefactor.core.sharding.merging import merge
from orefactor.sandbox.repository import Repository, find_repository
from orefactor.sandbox.tree_entries import GONE, TreeEntry, tree_with, write_blob

FILES = {"a.py": "a = 1\n", "b.py": "b = 1\n" * 9, "c/d.py": "d = 1\n"}


@pytest.fixture
def folder(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


def _tree(repository: Repository, **changes: str | None) -> str:
    git = repository.git
    entries = [
        TreeEntry(path, GONE, "0" * 40) if text is None else TreeEntry(path, "100644", write_blob(git, text.encode()))
        for path, text in changes.items()
    ]
    return tree_with(git, "HEAD", entries)


def test_each_shard_gives_its_own_file(folder: Path) -> None:
    repository = find_repository(folder)
    results = [
        ("a.py", _tree(repository, **{"a.py": "a = 2\n"})),
        ("b.py", _tree(repository, **{"b.py": None})),
        ("c/d.py", _tree(repository, **{"c/d.py": "d = 2\n"})),
    ]
    tree = merge(repository.git, "HEAD", results)
    assert git(folder, "ls-tree", "-r", "--name-only", tree).split() == ["a.py", "c/d.py"]
    assert git(folder, "show", f"{tree}:a.py") == "a = 2"
    assert merge(repository.git, "HEAD", results[::-1]) == tree
    unchanged = git(folder, "rev-parse", "HEAD^{tree}")
    assert merge(repository.git, "HEAD", []) == merge(repository.git, "HEAD", [("a.py", unchanged)]) == unchanged


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"a.py": "a = 2\n", "b.py": "b = 2\n"}, id="anothers"),
        pytest.param({"b.py": None, "a.py": FILES["b.py"]}, id="moved"),
        pytest.param({"new.py": "n = 1\n"}, id="new"),
    ],
)
def test_a_tree_that_reaches_further_is_refused(folder: Path, changes: dict[str, str | None]) -> None:
    repository = find_repository(folder)
    with pytest.raises(RunStopped) as raised:
        merge(repository.git, "HEAD", [("a.py", _tree(repository, **changes))])
    assert raised.value.reason == "guard:scope"
