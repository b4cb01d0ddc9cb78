"""Which files a task is split into."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, git
from scripted import ScriptedProvider

from orefactor.core.request import RunRequest, prepare
from orefactor.core.sharding.plan import Plan, plan_shards

FILES = {
    "a.py": "a = 1\n",
    "pkg/__init__.py": "",
    "pkg/big.py": "b = 1\n" * 50,
    "pkg/code.js": "f();\n",
    "pkg/notes.md": "# Notes\n",
    "pkg/data.bin": b"\0\1",
    "pkg/stub.pyi": "x: int\n",
    "z é.py": "z = 1\n",
}


def _plan(repository: Path, task: str, *paths: str, **options: Any) -> Plan | None:
    request = RunRequest(task, repository, paths, {"jobs": 3, "base": "HEAD", **options}, provider=ScriptedProvider(()))
    return plan_shards(prepare(request))


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository(FILES)


@pytest.mark.parametrize(
    ("task", "paths", "expected", "others"),
    [
        pytest.param("add docstrings", (), ["a.py", "pkg/big.py", "pkg/stub.pyi", "z é.py"], 4, id="python-only"),
        pytest.param("tidy up", ("pkg",), ["pkg/big.py", "pkg/code.js", "pkg/notes.md", "pkg/stub.pyi"], 2, id="any"),
        pytest.param("tidy up", ("a.py", "pkg/data.bin", "pkg/__init__.py"),
                     ["a.py", "pkg/__init__.py", "pkg/data.bin"], 0, id="named"),
        pytest.param("tidy up", ("z é.py", "pkg/code.js", "."),
                     ["a.py", "pkg/big.py", "pkg/code.js", "pkg/notes.md", "pkg/stub.pyi", "z é.py"], 2, id="top"),
    ],
)  # fmt: skip
def test_each_file_is_a_shard(
    repository: Path, task: str, paths: tuple[str, ...], expected: list[str], others: int
) -> None:
    plan = _plan(repository, task, *paths)
    assert plan is not None
    assert [shard.path for shard in plan.shards] == expected
    assert [shard.number for shard in plan.shards] == list(range(1, len(expected) + 1))
    assert (plan.jobs, plan.others) == (3, others)
    sizes = [shard.size for shard in plan.by_size]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize(
    ("task", "paths", "options"),
    [
        pytest.param("tidy up", ("a.py",), {}, id="one-file"),
        pytest.param("tidy up", (), {"jobs": 1}, id="one-job"),
        pytest.param("rename f to g", (), {}, id="rename"),
        pytest.param("tidy up", (), {"contract": ("move",)}, id="move"),
    ],
)
def test_what_is_one_session(repository: Path, task: str, paths: tuple[str, ...], options: dict[str, Any]) -> None:
    assert _plan(repository, task, *paths, **options) is None


def test_links_and_other_repositories_are_no_files(repository: Path) -> None:
    (repository / "link.py").symlink_to("a.py")
    (repository / "link2.py").symlink_to("pkg/big.py")
    commit = git(repository, "rev-parse", "HEAD")
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{commit},other.py")
    git(repository, "add", "link.py", "link2.py")
    git(repository, "commit", "-qm", "links")
    assert _plan(repository, "tidy up", "link.py", "link2.py", "other.py") is None
    plan = _plan(repository, "tidy up", "link.py", "a.py", "pkg/big.py")
    assert plan is not None
    assert [shard.path for shard in plan.shards] == ["a.py", "pkg/big.py"]
    assert plan.jobs == 2
