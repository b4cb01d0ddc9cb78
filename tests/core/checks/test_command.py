"""The small grammar of `run_check`: text to data, everything else refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.checks.command import ACCEPTED, CheckRequest, parse_command, request_for_tests
from orefactor.core.errors import ToolError


@pytest.mark.traces("REQ-103-016", "SEC-103-002")
@pytest.mark.parametrize(
    ("command", "request_"),
    [
        ("ruff check x.py", CheckRequest("ruff", ("x.py",))),
        ("ruff check .", CheckRequest("ruff", (".",))),
        ("ruff check 'a b.py' c.py", CheckRequest("ruff", ("a b.py", "c.py"))),
        ("ruff format --check x.py", CheckRequest("ruff-format", ("x.py",))),
        ("py_compile x.py y.py", CheckRequest("py_compile", ("x.py", "y.py"))),
        ("python -m py_compile x.py", CheckRequest("py_compile", ("x.py",))),
        ("mypy pkg", CheckRequest("mypy", ("pkg",))),
        ("pyright pkg x.py", CheckRequest("pyright", ("pkg", "x.py"))),
        ("pytest", CheckRequest("pytest")),
        ("python -m pytest -q", CheckRequest("pytest")),
        ("pytest -x tests", CheckRequest("pytest", ("tests",), first_only=True)),
        ("pytest tests/t.py::test_a", CheckRequest("pytest", (), (("tests/t.py", "test_a"),))),
        ("pytest 't.py::T::test_a[x - 1]' a", CheckRequest("pytest", ("a",), (("t.py", "T::test_a[x - 1]"),))),
        ("pytest -k 'a and not b' t.py", CheckRequest("pytest", ("t.py",), keyword="a and not b")),
    ],
)
def test_accepted(command: str, request_: CheckRequest) -> None:
    assert parse_command(command) == request_


@pytest.mark.traces("SEC-103-002", "TST-103-005")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("", "is not a check"),
        ("rm -rf .", "`rm -rf .` is not a check"),
        ("ruff", "is not a check"),
        ("ruff format x.py", "is not a check"),
        ("ruff clean", "is not a check"),
        ("/usr/bin/ruff check x.py", "is not a check"),
        ("PYTHONPATH=. ruff check x.py", "is not a check"),
        ("python -c 'x'", "is not a check"),
        ("python -m http.server", "is not a check"),
        ("git push", "is not a check"),
        ("ruff check", "name at least one path"),
        ("py_compile", "name at least one path"),
        ("mypy", "name at least one path"),
        ("ruff check --fix x.py", "the option `--fix` is not accepted"),
        ("ruff check @args", "the option `@args` is not accepted"),
        ("mypy --python-executable=./x y.py", "is not accepted"),
        ("mypy @flags", "the option `@flags` is not accepted"),
        ("py_compile -- x.py", "the option `--` is not accepted"),
        ("pytest -p evil", "the option `-p` is not accepted"),
        ("pytest -- -pevil", "the option `--` is not accepted"),
        ("pytest --rootdir=/ t.py", "is not accepted"),
        ("pytest @args", "is not accepted"),
        ("pytest -k", "the expression after `-k`"),
        ("pytest -k '$(x)'", "the expression after `-k`"),
        ("pytest 't.py::a`b`'", "is no test id"),
        ("pytest t.py::", "is no test id"),
        ("pytest 't.py::a[\u202e]'", "is no test id"),
        ("pyright --pythonpath=x y.py", "is not accepted"),
        ("ruff check 'x.py", "can't be read"),
        ("ruff check x.py\nrm y", "one line without control characters"),
        ("ruff check x\0.py", "one line without control characters"),
        ("ruff check\tx.py", "one line without control characters"),
    ],
)
def test_refused(command: str, words: str) -> None:
    with pytest.raises(ToolError) as raised:
        parse_command(command)
    assert words in str(raised.value)
    assert all(form in str(raised.value) for form in ACCEPTED)


@given(st.text(max_size=60), st.sampled_from(["", "ruff check ", "pytest ", "mypy ", "py_compile "]))
def test_whatever_is_said_no_option_gets_through(text: str, start: str) -> None:
    try:
        request = parse_command(start + text)
    except ToolError:
        return
    names = [*request.paths, *(path for path, _ in request.nodes)]
    assert not any(name.startswith(("-", "@")) for name in names)


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        (["t.py::test_a[\u00e9 - #!%&*<>?@^{|}~]"], (("t.py", "test_a[\u00e9 - #!%&*<>?@^{|}~]"),)),
        (["t.py::A::b"], (("t.py", "A::b"),)),
    ],
)
def test_node_ids_as_pytest_writes_them(nodes: list[str], expected: tuple[tuple[str, str], ...]) -> None:
    assert request_for_tests([], nodes).nodes == expected


@pytest.mark.parametrize(
    ("paths", "nodes", "keyword"),
    [(["-x"], [], None), ([], ["-x::a"], None), (["@x"], [], None), ([], ["t.py::"], None), ([], [], ""),
     ([], [], "$(x)"), ([], ["t.py::a\n"], None), ([], ["t.py::" + "a" * 2000], None)],
)  # fmt: skip
def test_requests_for_tests_that_are_refused(paths: list[str], nodes: list[str], keyword: str | None) -> None:
    with pytest.raises(ToolError):
        request_for_tests(paths, nodes, keyword)
