"""Contents out of git's store."""

from __future__ import annotations

from pathlib import Path

from conftest import MakeRepository, git

from orefactor.sandbox.objects import read_blobs
from orefactor.sandbox.repository import find_repository


def test_blobs_come_in_order_whatever_they_hold(make_repository: MakeRepository) -> None:
    contents = [b"", b"text\n", b"\0binary\n\nmissing\n", b"no end"]
    top = make_repository({f"{number}": content for number, content in enumerate(contents)})
    ids = [git(top, "rev-parse", f"HEAD:{number}") for number in range(len(contents))]
    found = read_blobs(find_repository(Path(top)).git, [*ids, ids[1]])
    assert found == [*contents, contents[1]]


def test_what_is_no_blob_here(make_repository: MakeRepository) -> None:
    top = make_repository({"x": "x\n"})
    ids = ["1" * 40, git(top, "rev-parse", "HEAD:x"), git(top, "rev-parse", "HEAD^{tree}"), "0" * 40]
    assert read_blobs(find_repository(Path(top)).git, ids) == [None, b"x\n", None, None]
    assert read_blobs(find_repository(Path(top)).git, []) == []
