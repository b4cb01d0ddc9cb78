"""The catalogue of checks: how each is run, what its exit code means, how its output is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from orefactor.sandbox.environment import PythonEnvironment, find_tool, has_module, own_ruff

from .command import CheckName, CheckRequest
from .findings import Finding, parse_mypy, parse_py_compile, parse_pytest, parse_ruff, parse_ruff_format

CheckKind = Literal["static", "executing"]
"""`executing` runs the project's own code (tests, plugins) and so needs isolation."""

# Never `-m py_compile`: a file of that name in the project would be imported. Reports all files, not only the first.
_COMPILE = """import sys
failed = 0
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as file:
            compile(file.read(), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        failed = 1
        line, text = getattr(error, "lineno", 0) or 0, getattr(error, "msg", None) or str(error)
        print("orefactor-compile", line, path, " ".join(text.split()), sep="\\t")
sys.exit(failed)
"""


# What ruff selects by itself grows with its versions; a project that chose nothing is held to real errors only.
_PLAIN_RULES = "--select=E4,E7,E9,F"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a command line depends on besides the request.

    Attributes:
        isolated: whether it runs in isolation.
        has_ruff_config: whether the project configures ruff.
    """

    isolated: bool
    has_ruff_config: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """One check.

    Attributes:
        command: builds the command line.
        parse: reads findings from standard output and the folder that absolute paths begin with.
        passes: exit codes that mean passed.
        fails: exit codes that mean that it found something; any other means that it didn't work.
        is_installed: whether the environment has it.
    """

    name: CheckName
    kind: CheckKind
    command: Callable[[PythonEnvironment, CheckRequest, Circumstances], list[str]]
    parse: Callable[[str, str], list[Finding]]
    is_installed: Callable[[PythonEnvironment], bool]
    passes: tuple[int, ...] = (0,)
    fails: tuple[int, ...] = (1,)

    @property
    def writes(self) -> bool:
        """Whether it gets a writable copy of the tree that is thrown away."""
        return self.name == "pytest"


def _targets(request: CheckRequest) -> list[str]:
    # `./` in front: a name that begins with `-` or `@` stays a path.
    nodes = [f"./{path}::{node}" for path, node in request.nodes]
    return [f"./{path}" for path in request.paths] + nodes


def _ruff(environment: PythonEnvironment, circumstances: Circumstances) -> str:
    # Without isolation a program that came with the repository must not run, and its `.venv` may have.
    found = find_tool(environment, "ruff") if circumstances.isolated else own_ruff()
    return str(found or "ruff")


def _ruff_check(environment: PythonEnvironment, request: CheckRequest, circumstances: Circumstances) -> list[str]:
    options = ["--no-cache", "--no-fix", "--quiet", "--output-format=json", "--force-exclude"]
    # Without isolation the project's configuration could name files outside the tree (`extend`).
    options += [] if circumstances.isolated else ["--isolated"]
    options += [] if circumstances.isolated and circumstances.has_ruff_config else [_PLAIN_RULES]
    return [_ruff(environment, circumstances), "check", *options, *_targets(request)]


def _ruff_format(environment: PythonEnvironment, request: CheckRequest, circumstances: Circumstances) -> list[str]:
    pinned = [] if circumstances.isolated else ["--isolated"]
    return [_ruff(environment, circumstances), "format", "--no-cache", "--check", *pinned, *_targets(request)]


def _py_compile(environment: PythonEnvironment, request: CheckRequest, _circumstances: Circumstances) -> list[str]:
    return [str(environment.python), "-I", "-S", "-B", "-c", _COMPILE, *_targets(request)]


def _mypy(environment: PythonEnvironment, request: CheckRequest, _circumstances: Circumstances) -> list[str]:
    python = str(environment.python)
    options = (
        "--no-error-summary",
        "--show-column-numbers",
        "--no-color-output",
        "--no-pretty",
        "--hide-error-context",
        f"--python-executable={python}",
    )
    return [python, "-I", "-B", "-m", "mypy", *options, *_targets(request)]


def _pytest(environment: PythonEnvironment, request: CheckRequest, _circumstances: Circumstances) -> list[str]:
    options = ["-q", "-p", "no:cacheprovider", "--color=no", "--tb=short", "-rfE"]
    if request.keyword is not None:
        options += ["-k", request.keyword]
    if request.first_only:
        options.append("-x")
    return [str(environment.python), "-B", "-m", "pytest", *options, *_targets(request)]


def _always(_environment: PythonEnvironment) -> bool:
    return True


def _has_ruff(environment: PythonEnvironment) -> bool:
    return find_tool(environment, "ruff") is not None


CHECKS: dict[CheckName, Check] = {
    "py_compile": Check("py_compile", "static", _py_compile, parse_py_compile, _always),
    "ruff": Check("ruff", "static", _ruff_check, parse_ruff, _has_ruff),
    "ruff-format": Check("ruff-format", "static", _ruff_format, parse_ruff_format, _has_ruff),
    "mypy": Check("mypy", "executing", _mypy, parse_mypy, lambda found: has_module(found, "mypy")),
    # Exit code 5: no test was collected; 2: collection failed, which the summary names.
    "pytest": Check(
        "pytest", "executing", _pytest, parse_pytest, lambda found: has_module(found, "pytest"), (0,), (1, 2)
    ),
}

DEFAULT_CHECKS: tuple[CheckName, ...] = ("py_compile", "ruff")
"""Required where the user names none."""

PYTHON_SUFFIXES = (".py", ".pyi")


def is_python(path: str) -> bool:
    """Whether the checks of source files apply to it."""
    return Path(path).suffix in PYTHON_SUFFIXES
