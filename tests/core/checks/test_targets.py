"""Which paths are files now, and whether a project configures ruff for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Files, write_files

from orefactor.core.checks.command import CheckRequest
from orefactor.core.checks.targets import has_ruff_config, there, validated_targets
from orefactor.sandbox.files import Root


@pytest.mark.parametrize(
    ("files", "paths", "has"),
    [
        pytest.param({"a/x.py": ""}, ["a/x.py"], False, id="none"),
        pytest.param({"a/x.py": "", "ruff.toml": ""}, ["a/x.py"], True, id="top"),
        pytest.param({"a/x.py": "", ".ruff.toml": ""}, ["a/x.py"], True, id="dotted"),
        pytest.param({"a/x.py": "", "a/ruff.toml": ""}, ["a/x.py"], True, id="same-folder"),
        pytest.param({"a/x.py": "", "b/ruff.toml": ""}, ["a/x.py"], False, id="other-folder"),
        pytest.param({"a/x.py": "", "pyproject.toml": "[tool.ruff.lint]\n"}, ["a/x.py"], True, id="pyproject"),
        pytest.param({"a/x.py": "", "pyproject.toml": "[tool.black]\n"}, ["a/x.py"], False, id="other-tool"),
        pytest.param({"a/x.py": "", "a/ruff.toml": ""}, ["a"], True, id="folder"),
        pytest.param({"ruff.toml": ""}, ["."], True, id="the-top-itself"),
        pytest.param({"ruff.toml": ""}, [], False, id="no-paths"),
    ],
)
def test_configured(tmp_path: Path, files: Files, paths: list[str], has: bool) -> None:
    write_files(tmp_path, files)
    assert has_ruff_config(Root(tmp_path), paths) is has


def test_only_files_are_checked(tmp_path: Path) -> None:
    write_files(tmp_path, {"x.py": "", "a/y.py": ""})
    (tmp_path / "link.py").symlink_to("x.py")
    paths = ["x.py", "./a/y.py", "a", "lost.py", "link.py", "link.py/z.py", "../x.py"]
    assert validated_targets(Root(tmp_path), paths) == ["x.py", "a/y.py"]


@pytest.mark.parametrize(
    ("request_", "left"),
    [
        (CheckRequest("pytest"), CheckRequest("pytest")),
        (CheckRequest("ruff", ("x.py", "lost.py", "a")), CheckRequest("ruff", ("x.py", "a"))),
        (CheckRequest("ruff", ("lost.py", "../x.py", "link.py")), None),
        (
            CheckRequest("pytest", nodes=(("x.py", "t"), ("lost.py", "t"))),
            CheckRequest("pytest", nodes=(("x.py", "t"),)),
        ),
    ],
)
def test_what_another_tree_has_of_it(tmp_path: Path, request_: CheckRequest, left: CheckRequest | None) -> None:
    write_files(tmp_path, {"x.py": "", "a/y.py": ""})
    (tmp_path / "link.py").symlink_to("x.py")
    assert there(Root(tmp_path), request_) == left
