"""Parses the text of `run_check` into data by a small strict grammar; everything else is refused.

The harness builds its own command line from the data, so no option of the model's ever reaches a program:
`mypy @file` would run an interpreter that a file names, `ruff check @file` would apply fixes, and
`pytest -- -pevil` loads a plugin even behind `--`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..errors import ToolError

CheckName = Literal["py_compile", "ruff", "ruff-format", "mypy", "pyright", "pytest"]
"""The names of the catalogue; a check of the project's own has any other."""

ACCEPTED = (
    "ruff check PATH…",
    "ruff format --check PATH…",
    "py_compile PATH…",
    "mypy PATH…",
    "pyright PATH…",
    "pytest [PATH or NODEID]… [-k EXPR] [-x] [-q]",
)

_STARTS: tuple[tuple[tuple[str, ...], CheckName], ...] = (
    (("ruff", "check"), "ruff"),
    (("ruff", "format", "--check"), "ruff-format"),
    (("python", "-m", "py_compile"), "py_compile"),
    (("py_compile",), "py_compile"),
    (("mypy",), "mypy"),
    (("pyright",), "pyright"),
    (("python", "-m", "pytest"), "pytest"),
    (("pytest",), "pytest"),
)
# Whatever parameters make of it; it is one word of a command line, and no shell reads it.
_NODE = re.compile(r"[^\x00-\x1f`$]{1,1000}")
_KEYWORD = re.compile(r"[\w\[\]().,:;=+\- /'\"]{1,200}")


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """One check as data.

    Attributes:
        check: the check's name.
        paths: relative to the root, not yet validated against it; empty for all of the project.
        nodes: for pytest: `path::test`, path and node apart.
        keyword: for pytest: the `-k` expression.
        first_only: for pytest: stop at the first failure.
    """

    check: str
    paths: tuple[str, ...] = ()
    nodes: tuple[tuple[str, str], ...] = ()
    keyword: str | None = None
    first_only: bool = False


def parse_command(command: str) -> CheckRequest:
    """Parse one command.

    Raises:
        ToolError: it is none of the accepted forms, which the text names.
    """
    words = _words(command)
    for start, check in _STARTS:
        if tuple(words[: len(start)]) == start:
            rest = words[len(start) :]
            return _parse_pytest(rest) if check == "pytest" else _parse_static(check, rest)
    raise _refusal(f"`{command[:120]}` is not a check that can run here")


def _refusal(what: str) -> ToolError:
    return ToolError(f"{what}. Accepted are: " + "; ".join(f"`{form}`" for form in ACCEPTED))


def _words(command: str) -> list[str]:
    if any(ord(character) < 32 for character in command):
        raise _refusal("a check is one line without control characters")
    try:
        return shlex.split(command)
    except ValueError as error:
        raise _refusal(f"the command can't be read ({error})") from None


def _parse_static(check: CheckName, words: Sequence[str]) -> CheckRequest:
    _refuse_options(words)
    if not words:
        raise _refusal("name at least one path")
    return CheckRequest(check, tuple(words))


def _refuse_options(words: Sequence[str]) -> None:
    for word in words:
        if word.startswith(("-", "@")):
            raise _refusal(f"the option `{word[:60]}` is not accepted")


def request_for_tests(
    paths: Sequence[str], nodes: Sequence[str] = (), keyword: str | None = None, *, first_only: bool = False
) -> CheckRequest:
    """A request for tests.

    Args:
        paths: files and folders, or node ids.
        nodes: node ids, as pytest writes them.
        keyword: an expression of names.

    Raises:
        ToolError: a word is an option, or what can't be a node id or an expression.
    """
    _refuse_options([*paths, *nodes])
    if keyword is not None and not _KEYWORD.fullmatch(keyword):
        raise _refusal("the expression after `-k` is empty, too long, or has other characters than names and operators")
    split = [word.partition("::") for word in (*paths, *nodes)]
    for path, separator, node in split:
        if separator and not (_NODE.fullmatch(node) and node.isprintable()):
            raise _refusal(f"`{path[:60]}::{node[:60]}` is no test id")
    named = tuple((path, node) for path, separator, node in split if separator)
    return CheckRequest("pytest", tuple(word[0] for word in split if not word[1]), named, keyword, first_only)


def _parse_pytest(words: Sequence[str]) -> CheckRequest:
    places: list[str] = []
    keyword: str | None = None
    first_only = False
    rest = iter(words)
    for word in rest:
        if word == "-k":
            keyword = next(rest, "")
        elif word == "-x":
            first_only = True
        elif word != "-q":
            places.append(word)
    return request_for_tests(places, keyword=keyword, first_only=first_only)
