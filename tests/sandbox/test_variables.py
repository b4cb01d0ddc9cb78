"""What a check finds in its environment."""

from __future__ import annotations

from pathlib import Path

from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.variables import check_variables


def test_without_an_environment() -> None:
    variables = check_variables(None, folder="/x")
    assert variables["PATH"] == "/usr/local/bin:/usr/bin:/bin"
    assert (variables["HOME"], variables["TMPDIR"]) == ("/x/home", "/x")
    assert "VIRTUAL_ENV" not in variables


def test_with_a_virtual_environment() -> None:
    environment = PythonEnvironment(Path("/v/bin/python"), Path("/v"), (3, 11), ())
    variables = check_variables(environment, folder="/x")
    assert variables["PATH"].startswith("/v/bin:/usr/local/bin")
    assert variables["VIRTUAL_ENV"] == "/v"


def test_nothing_of_ours_is_in_it() -> None:
    for name in check_variables(None, folder="/x"):
        assert not name.startswith("OREFACTOR")
        assert "KEY" not in name
