"""The tools of checks that a model may ask for: what they say of themselves, and what they answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import Files, write_files

from orefactor.core.checks.baseline import Baseline
from orefactor.core.checks.host import CheckHost, HostSettings, SandboxMode
from orefactor.core.checks.own import OwnCommand
from orefactor.core.messages import ToolCall
from orefactor.core.redact import Redactor
from orefactor.core.tools.base import Workspace
from orefactor.core.tools.on_demand import not_requested, on_demand_tools
from orefactor.core.tools.schema import function_schema
from orefactor.core.tools.toolbox import Toolbox
from orefactor.sandbox.files import Root

ALL = ("ruff-format", "mypy", "pyright", "pytest", "docs")
OWN = (OwnCommand("docs", ("sh", "-c", "echo x.py:1: bad; exit 3")),)

Ask = Callable[..., str]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Ask one tool at a tree and its base."""

    def call(
        name: str,
        arguments: Mapping[str, Any],
        before: Files,
        after: Files | None = None,
        *,
        mode: SandboxMode = "bwrap",
        **settings: Any,
    ) -> str:
        def host(place: str, files: Files) -> CheckHost:
            scratch = tmp_path / f"{place}-scratch"
            scratch.mkdir()
            write_files(tmp_path / place, files)
            given = HostSettings(tmp_path / place, mode, Path(sys.executable), own=OWN, **settings)
            return CheckHost(Root(tmp_path / place), lambda: scratch, given)

        tree, base = host("tree", before if after is None else after), host("base", before)
        baseline = Baseline(tree, lambda: base, ALL)
        toolbox = Toolbox(on_demand_tools(ALL, tree, baseline), Workspace(tree.root), Redactor({}))
        try:
            return toolbox.call(name, dict(arguments)).text
        finally:
            baseline.close()

    return call


def test_what_a_model_is_told(tmp_path: Path) -> None:
    tree = CheckHost(Root(tmp_path), lambda: tmp_path, HostSettings(tmp_path, own=OWN))
    tools = on_demand_tools(ALL, tree, Baseline(tree, lambda: tree))
    assert list(tools) == ["check_ruff_format", "check_mypy", "check_pyright", "check_pytest", "check_docs"]
    assert {tool.effect for tool in tools.values()} == {"verify"}
    told = {name: function_schema(tool)["function"] for name, tool in tools.items()}
    assert told["check_mypy"]["description"].startswith("Check the types with mypy. Costs about 20 s, up to 8 KB.")
    assert told["check_docs"]["description"].startswith("Run the project's own check `docs`. Costs")
    properties = {name: set(schema["parameters"]["properties"]) for name, schema in told.items()}
    assert properties["check_pytest"] == {"paths", "nodes", "keyword"}
    assert (properties["check_mypy"], properties["check_docs"]) == ({"paths"}, set())
    assert told["check_pytest"]["parameters"]["properties"]["paths"]["items"] == {"type": "string"}
    assert all("required" not in schema["parameters"] for schema in told.values())


UGLY, FINE = {"x.py": "x=1\n"}, {"x.py": "x = 1\n"}


@pytest.mark.parametrize(
    ("arguments", "before", "after", "lines"),
    [
        pytest.param({}, FINE, FINE, ["passed: check_ruff_format"], id="passed"),
        pytest.param({"paths": ["x.py"]}, FINE, UGLY, ["failed: check_ruff_format: 1 finding(s)"], id="new"),
        pytest.param({}, UGLY, UGLY, ["failed: check_ruff_format: 1 finding(s), 1 of them old"], id="old"),
        pytest.param(
            {}, UGLY, {**UGLY, "y.py": "y=1\n"},
            ["failed: check_ruff_format: 2 finding(s), 1 of them old", "new:", "y.py: format would be reformatted"],
            id="one-of-two",
        ),
        pytest.param({"paths": ["y.py"]}, FINE, {"y.py": "y=1\n"}, ["failed: check_ruff_format: 1"], id="file"),
        pytest.param({"paths": ["lost.py"]}, FINE, FINE, ["ERROR: `lost.py` does not exist; name a file"], id="lost"),
        pytest.param({"paths": ["../x.py"]}, FINE, FINE, ["ERROR: "], id="outside"),
        pytest.param({"nodes": ["x"]}, FINE, FINE, ["ERROR: invalid arguments: `nodes` is not an"], id="nodes"),
    ],
)  # fmt: skip
def test_static_checks(ask: Ask, arguments: dict[str, Any], before: Files, after: Files, lines: list[str]) -> None:
    said = ask("check_ruff_format", arguments, before, after, mode="none").splitlines()
    for line, expected in zip(said, lines, strict=False):
        assert line.startswith(expected)
    assert len(said) >= len(lines)


def test_what_can_not_run_is_said(ask: Ask) -> None:
    assert "there is no isolation here" in ask("check_pytest", {}, FINE, mode="none")


def test_time_that_runs_out(ask: Ask) -> None:
    said = ask("check_ruff_format", {}, FINE, mode="none", seconds=lambda: 0.0)
    assert said == "ERROR: check_ruff_format ran out of time after 0 s; check a smaller part"


TESTS = {"test_x.py": "def test_a(): pass\n\n\ndef test_b(): assert 0\n", "pytest.ini": "[pytest]\n"}


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        ({}, "failed: check_pytest: 1 finding(s), 1 of them old"),
        ({"nodes": ["test_x.py::test_a"]}, "passed: check_pytest"),
        ({"nodes": ["test_x.py::test_b"]}, "failed: check_pytest: 1 finding(s), 1 of them old"),
        ({"paths": ["test_x.py"], "keyword": "not b"}, "passed: check_pytest"),
        ({"keyword": "nothing_like_it"}, "failed: check_pytest (the check itself did not work)"),
        ({"nodes": ["test_x.py::"]}, "ERROR: `test_x.py::` is no test id"),
        ({"paths": ["-x"]}, "ERROR: the option `-x` is not accepted"),
    ],
)
def test_tests(ask: Ask, arguments: dict[str, Any], first: str) -> None:
    assert ask("check_pytest", arguments, TESTS).startswith(first)


@pytest.mark.sandbox
def test_types_of_the_whole_project(ask: Ask) -> None:
    wrong = {"a.py": "x: int = 'a'\n", "b.py": "y: int = 'b'\n", "mypy.ini": "[mypy]\nfiles = a.py\n"}
    assert ask("check_mypy", {}, wrong).startswith("failed: check_mypy: 1 finding(s), 1 of them old\na.py:1: ")


@pytest.mark.sandbox
def test_own_commands(ask: Ask) -> None:
    assert ask("check_docs", {}, FINE).startswith("failed: check_docs: 1 finding(s), 1 of them old\nx.py:1: bad")


def call(name: str, arguments: str = "{}") -> ToolCall:
    return ToolCall("1", name, arguments)


@pytest.mark.parametrize(
    ("calls", "left"),
    [
        ([], ALL),
        ([call("check_mypy"), call("check_ruff_format")], ("pyright", "pytest", "docs")),
        ([call("run_check", '{"command": "mypy x.py"}')], ("ruff-format", "pyright", "pytest", "docs")),
        ([call("run_check", '{"command": "rm x"}'), call("run_check", "no json"), call("run_check", "{}")], ALL),
        ([call("read_file", '{"path": "mypy"}')], ALL),
    ],
)
def test_what_nobody_asked_for(calls: list[ToolCall], left: tuple[str, ...]) -> None:
    assert not_requested(ALL, calls) == left
