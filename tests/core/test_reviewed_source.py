"""The reader of a reviewed tree: its files, nothing else, and not without end."""

from __future__ import annotations

from pathlib import Path

import pytest
from ci_traces import make_trace, reported
from conftest import MakeRepository, git
from review_traces import review_trace

from orefactor.core.outputs.source_files import LARGEST, no_source
from orefactor.core.reviewed_source import source_of_tree, with_source
from orefactor.sandbox.repository import find_repository


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository({"src/x.py": "x = 1\n", "é \n.txt": b"\xff", "large": b"x" * (LARGEST + 1)})


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("src/x.py", b"x = 1\n"),
        ("é \n.txt", b"\xff"),
        ("large", None),
        ("src", None),
        ("", None),
        ("gone", None),
        ("../x", None),
        ("a\0b", None),
        ("\ud800", None),
        ("\udcff", None),
    ],
)
def test_files(repository: Path, path: str, data: bytes | None) -> None:
    tree = git(repository, "rev-parse", "HEAD^{tree}")
    assert source_of_tree(find_repository(repository).git, tree)(path) == data


@pytest.mark.parametrize("tree", ["f" * 40, "HEAD", "", "--help", "HEAD:src"])
def test_of_what_is_no_tree_here_nothing_is_read(repository: Path, tree: str) -> None:
    assert source_of_tree(find_repository(repository).git, tree)("src/x.py") is None


def test_only_a_review_gets_a_reader(repository: Path) -> None:
    here = find_repository(repository)
    run = reported(make_trace())
    assert with_source(run, here) is run and run.source is no_source
    tree = git(repository, "rev-parse", "HEAD^{tree}")
    assert with_source(reported(review_trace({"tree": tree})), here).source("src/x.py") == b"x = 1\n"
