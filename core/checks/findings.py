"""What a check found: where, which rule, what it says. How two runs' findings are compared is in `fingerprints`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_MAX_TEXT = 400
_MAX_NAME = 1000
"""Characters that are shown of a message, and of a path or a rule."""

FAILING = ("failed", "error")
"""Outcomes of a test that speak against the code."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    Attributes:
        path: relative to the root.
        line: counted from 1; 0 where the check names none.
        rule: the check's own name for the kind, such as `F401` or a test's id.
        text: what the check says.
        symbol: the dotted name of the class or function that the line lies in, as far as it was looked up.
        source: the line itself with white space collapsed, as far as it was looked up.
    """

    path: str
    line: int
    rule: str
    text: str
    symbol: str = ""
    source: str = ""

    def __str__(self) -> str:
        place = f"{_plain(self.path, _MAX_NAME)}:{self.line}" if self.line else _plain(self.path, _MAX_NAME)
        return f"{place}: {_plain(self.rule, _MAX_NAME)} {_plain(self.text, _MAX_TEXT)}".rstrip()


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from a check's output.

    Attributes:
        tests: outcomes by node id, where the check ran tests and said all of them.
        shown: what people and the model are shown in place of the output; None for the output itself.
    """

    findings: tuple[Finding, ...]
    tests: Mapping[str, str] | None = None
    shown: str | None = None


def listed(findings: tuple[Finding, ...]) -> Reading:
    """The reading of a machine format: its findings, a line each, are easier to read than the output."""
    return Reading(findings, shown="\n".join(map(str, findings)) if findings else None)


def failing_tests(tests: Mapping[str, str]) -> tuple[Finding, ...]:
    """The tests that failed or could not run, as findings; what a failure says may change, so it isn't kept."""
    return tuple(
        Finding(node.partition("::")[0], 0, node, outcome) for node, outcome in tests.items() if outcome in FAILING
    )


def relative(path: str, top: str) -> str:
    """A path as the root's other paths are written.

    Args:
        top: the folder that absolute paths begin with.
    """
    return path.removeprefix(top.rstrip("/") + "/").removeprefix("./")


def _plain(text: str, limit: int) -> str:
    """One line, at most `limit` characters, with what can't be printed spelled out."""
    words = " ".join(text[: 2 * limit].split())
    plain = "".join(c if c.isprintable() else c.encode("unicode-escape").decode() for c in words)
    return plain if len(plain) <= limit and len(text) <= 2 * limit else f"{plain[: limit - 1]}\u2026"
