"""The project's own commands: what a person may write, and what their output says."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from orefactor.core.checks.check import Circumstances
from orefactor.core.checks.command import CheckRequest
from orefactor.core.checks.own import OwnCommand, own_check, parse_own
from orefactor.core.checks.own_output import parse_own_output
from orefactor.core.errors import UserError
from orefactor.sandbox.environment import PythonEnvironment


@pytest.mark.parametrize(
    ("text", "name", "argv"),
    [
        ("docs=make docs", "docs", ("make", "docs")),
        ("a-b_2 = tox -e 'py 311'", "a-b_2", ("tox", "-e", "py 311")),
        ("x=./run --a=b", "x", ("./run", "--a=b")),
        ("x=sh -c 'a; b | c $HOME'", "x", ("sh", "-c", "a; b | c $HOME")),
        ("x=a > b; c $(d)", "x", ("a", ">", "b;", "c", "$(d)")),
    ],
)
def test_written_as_on_the_command_line(text: str, name: str, argv: tuple[str, ...]) -> None:
    assert parse_own(text) == OwnCommand(name, argv)
    assert parse_own(text, "git config").source == "git config"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("make docs", "a name is lower-case letters"),
        ("=make", "a name is lower-case letters"),
        ("Docs=make", "a name is lower-case letters"),
        ("a b=make", "a name is lower-case letters"),
        ("x" * 50 + "=make", "a name is lower-case letters"),
        ("docs=", "name a program"),
        ("docs=''", "name a program"),
        ("docs='make", "can't be read"),
        ("docs=make\ndocs", "one line without control characters"),
        ("docs=make \0", "one line without control characters"),
    ],
)
def test_refused(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words) as raised:
        parse_own(text)
    assert "NAME=COMMAND" in raised.value.hint
    assert len(raised.value.message) < 250


def test_as_a_check() -> None:
    environment = PythonEnvironment(Path(sys.executable), None, (3, 11), ())
    check = own_check(OwnCommand("docs", ("make", "docs"), seconds=7.0))
    request = CheckRequest("docs", ("never", "seen"))
    assert check.command(environment, request, Circumstances(isolated=True)) == ["make", "docs"]
    assert (check.kind, check.seconds, check.writes, check.fails) == ("executing", 7.0, True, None)


@pytest.mark.parametrize(
    ("program", "is_there"),
    [("sh", True), ("/bin/sh", True), ("./of-the-tree", True), ("no-such-program", False), ("/no/such", False)],
)
def test_a_program_that_is_missing_is_not_installed(program: str, is_there: bool) -> None:
    environment = PythonEnvironment(Path(sys.executable), None, (3, 11), ())
    assert own_check(OwnCommand("x", (program,))).is_installed(environment) is is_there


def sarif(*results: Any) -> dict[str, Any]:
    return {"version": "2.1.0", "runs": [{"results": list(results)}]}


PLACED = {"physicalLocation": {"artifactLocation": {"uri": "file:///repo/x.py"}, "region": {"startLine": 3}}}


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        pytest.param("x.py:3: bad\n", ["x.py:3:  bad"], id="gnu"),
        pytest.param("x.py:3:7: bad: worse\ny.c:1: error: no\n", ["x.py:3:  bad: worse", "y.c:1:  no"], id="columns"),
        pytest.param("/repo/a b.py:3: bad\n", ["a b.py:3:  bad"], id="absolute"),
        pytest.param("start\nx.py:3: bad\nend\n", ["x.py:3:  bad"], id="between"),
        pytest.param("one\n\ntwo\n", [".:  one; two"], id="words"),
        pytest.param("\n".join("abcdefgh"), [".:  d; e; f; g; h"], id="last-words"),
        pytest.param("", [".:  it failed and said nothing"], id="nothing"),
        pytest.param([{"file": "x.py", "line": 3, "message": "bad", "code": 7}], ["x.py:3: 7 bad"], id="json"),
        pytest.param({"errors": [{"path": "x.py", "text": "bad"}], "n": 1}, ["x.py:  bad"], id="json-object"),
        pytest.param(
            [{"filename": "x.py", "location": {"row": 4, "column": 1}, "message": "m"}], ["x.py:4:  m"], id="location"
        ),
        pytest.param(
            [{"range": {"start": {"line": 4}}, "uri": "/repo/x.py", "message": "m"}], ["x.py:4:  m"], id="range"
        ),
        pytest.param([{"message": "no place"}], ['.:  [{"message": "no place"}]'], id="json-without-a-place"),
        pytest.param([1, None, "x"], ['.:  [1, null, "x"]'], id="other-json"),
        pytest.param("[broken", [".:  [broken"], id="no-json"),
        pytest.param(
            [{"file": "x.py", "line": True, "message": "m"}, {"file": "y.py", "line": -3, "message": "m"}],
            ["x.py:  m", "y.py:  m"],
            id="odd-lines",
        ),
        pytest.param(
            sarif({"ruleId": "R1", "message": {"text": "bad"}, "locations": [PLACED]}, {"message": {}}),
            ["x.py:3: R1 bad", ".:"],
            id="sarif",
        ),
        pytest.param(sarif("x", None), [".:", ".:"], id="sarif-of-nothing"),
        pytest.param('<testsuite><testcase name="a"><failure/></testcase></testsuite>', ["a: a failed"], id="junit"),
        pytest.param(
            '<testsuite><testcase name="a"/></testsuite>', [".:  it failed, and no test of its report did"],
            id="junit-all-passed",
        ),
    ],
)  # fmt: skip
def test_output(output: Any, expected: list[str]) -> None:
    text = output if isinstance(output, str) else json.dumps(output)
    assert [str(finding) for finding in parse_own_output(text, "/repo").findings] == expected


def test_a_report_that_is_broken_is_said() -> None:
    with pytest.raises(ValueError, match="no well-formed XML"):
        parse_own_output("<testsuite>", "/repo")
    assert parse_own_output("<html>no report</html>", "/repo").tests is None
