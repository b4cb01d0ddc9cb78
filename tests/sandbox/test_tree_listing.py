"""The regular files of a tree."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import MakeRepository, git

from orefactor.sandbox.git import GitFailed
from orefactor.sandbox.objects import blob_sizes
from orefactor.sandbox.repository import find_repository
from orefactor.sandbox.tree_listing import list_tree


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_only_regular_files_in_the_order_of_their_bytes(make_repository: MakeRepository, object_format: str) -> None:
    names = ["a", "a-b", "a.d/x", "a/b", "a\tb", "a\nb", os.fsdecode(b"\xff"), "é", "\uffff", "\U0001f600"]
    names.remove("a")  # it is a folder
    top = make_repository(
        {name: name.encode("utf-8", "surrogateescape") for name in names}, "repo", f"--object-format={object_format}"
    )
    (top / "run").write_text("run")
    (top / "run").chmod(0o755)
    (top / "link").symlink_to("run")
    git(top, "add", "-A")
    git(top, "update-index", "--add", "--cacheinfo", f"160000,{git(top, 'rev-parse', 'HEAD')},sub")
    git(top, "commit", "-qm", "second")
    repository = find_repository(Path(top))
    listing = list_tree(repository.git, git(top, "rev-parse", "HEAD"))
    assert list(listing.blobs) == sorted([*names, "run"], key=os.fsencode)
    assert listing.blobs["run"] == git(top, "rev-parse", "HEAD:run")
    assert list_tree(repository.git, git(top, "rev-parse", "HEAD^{tree}")) == listing
    assert list_tree(repository.git, git(top, "rev-parse", "HEAD~")).digest != listing.digest
    assert blob_sizes(repository.git, [listing.blobs["run"], git(top, "rev-parse", "HEAD"), "1" * 40]) == [
        3,
        None,
        None,
    ]
    assert blob_sizes(repository.git, []) == []


def test_an_empty_tree_and_none(make_repository: MakeRepository) -> None:
    top = make_repository({"x": "x"})
    repository = find_repository(Path(top))
    assert list_tree(repository.git, git(top, "hash-object", "-t", "tree", "-w", "--stdin")).blobs == {}
    for tree in ("--help", "none", "1" * 40):
        with pytest.raises(GitFailed):
            list_tree(repository.git, tree)
