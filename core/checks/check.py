"""What every check has: how it is started, how its output is read, what it may use and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from orefactor.sandbox.environment import PythonEnvironment
from orefactor.sandbox.files import Root

from .command import CheckRequest
from .findings import Reading

CheckKind = Literal["static", "executing"]
"""`executing` runs the project's own code (tests, plugins), or what its configuration names, and so needs isolation."""
Level = Literal["low", "medium", "high"]


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
class Cost:
    """What a check usually costs.

    Attributes:
        level: whether it is worth asking for often.
        seconds: typical wall time.
        result_kib: KiB that its report takes at most.
    """

    level: Level
    seconds: int
    result_kib: int

    def __str__(self) -> str:
        return f"about {self.seconds} s, up to {self.result_kib} KB"


CommandLine = Callable[[PythonEnvironment, CheckRequest, Circumstances], list[str]]


def _by_files(_root: Root) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Check:
    """One check.

    Attributes:
        command: builds the command line.
        parse: reads standard output; is also given the folder that absolute paths begin with. It raises ValueError
            where the output can't be read, and nothing else.
        is_installed: whether the environment has it.
        seconds: its own time limit.
        passes: exit codes that mean passed.
        fails: exit codes that mean that it found something, any other that it didn't work; None for all others.
        writes: whether it gets a writable copy of the tree that is thrown away.
        distribution: what its version is found by; empty where the environment's Python is all of it.
        covers_project: whether it is run on the whole project at this tree, and not on files.
        all_passed: what its report says where it found nothing, in place of the output.
    """

    name: str
    kind: CheckKind
    command: CommandLine
    parse: Callable[[str, str], Reading]
    is_installed: Callable[[PythonEnvironment], bool]
    cost: Cost
    seconds: float
    passes: tuple[int, ...] = (0,)
    fails: tuple[int, ...] | None = (1,)
    writes: bool = False
    distribution: str = ""
    covers_project: Callable[[Root], bool] = _by_files
    all_passed: str | None = None


def targets(request: CheckRequest) -> list[str]:
    """The request's paths and tests as words of a command line."""
    # `./` in front: a name that begins with `-` or `@` stays a path.
    nodes = [f"./{path}::{node}" for path, node in request.nodes]
    return [f"./{path}" for path in request.paths] + nodes
