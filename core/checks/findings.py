"""Turns a check's output into findings: where, which rule, what it says."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    Attributes:
        path: relative to the root.
        line: counted from 1; 0 where the check names none.
        rule: the check's own name for the kind, such as `F401` or a test's id.
        text: what the check says.
    """

    path: str
    line: int
    rule: str
    text: str

    @property
    def fingerprint(self) -> tuple[str, str, str]:
        """What stays the same when lines move: file, rule and text."""
        return (self.path, self.rule, self.text)

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.rule} {self.text}".rstrip()


def new_findings(after: Iterable[Finding], before: Iterable[Finding]) -> list[Finding]:
    """Those of `after` that `before` doesn't account for; each old one accounts for one new one."""
    known = Counter(finding.fingerprint for finding in before)
    fresh: list[Finding] = []
    for finding in after:
        if known[finding.fingerprint] > 0:
            known[finding.fingerprint] -= 1
        else:
            fresh.append(finding)
    return fresh


def parse_ruff(output: str, top: str) -> list[Finding]:
    """Findings of `ruff check --output-format=json`.

    Args:
        top: the folder that the reported absolute paths begin with.

    Raises:
        ValueError: the output is not ruff's JSON.
    """
    rows: list[dict[str, Any]] = json.loads(output)
    return [
        Finding(
            _relative(str(row["filename"]), top),
            _line(row.get("location")),
            str(row.get("code") or "syntax-error"),
            str(row["message"]),
        )
        for row in rows
    ]


def _line(location: dict[str, Any] | None) -> int:
    return int(location["row"]) if location else 0


def _relative(path: str, top: str) -> str:
    return path.removeprefix(top.rstrip("/") + "/").removeprefix("./")


_FORMAT = re.compile(r"^(?:Would reformat|unformatted): (?P<path>.+)$", re.MULTILINE)


def parse_ruff_format(output: str, top: str) -> list[Finding]:
    """Findings of `ruff format --check`."""
    return [
        Finding(_relative(match["path"], top), 0, "format", "would be reformatted")
        for match in _FORMAT.finditer(output)
    ]


_COMPILE = re.compile(r"^orefactor-compile\t(?P<line>\d+)\t(?P<path>[^\t]*)\t(?P<text>.*)$", re.MULTILINE)


def parse_py_compile(output: str, top: str) -> list[Finding]:
    """Findings of the compile program in `catalogue`."""
    return [
        Finding(_relative(match["path"], top), int(match["line"]), "syntax", match["text"])
        for match in _COMPILE.finditer(output)
    ]


_MYPY = re.compile(
    r"^(?P<path>[^:\n]+):(?P<line>\d+):(?:\d+:)? error: (?P<text>.*?)(?:  \[(?P<rule>[\w-]+)\])?$",
    re.MULTILINE,
)


def parse_mypy(output: str, top: str) -> list[Finding]:
    """Errors that mypy prints; its notes belong to errors."""
    return [
        Finding(_relative(match["path"], top), int(match["line"]), match["rule"] or "mypy", match["text"])
        for match in _MYPY.finditer(output)
    ]


_PYTEST = re.compile(r"^(?P<kind>FAILED|ERROR) (?P<node>[^\[\n]+?(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)


def parse_pytest(output: str, _top: str) -> list[Finding]:
    """Tests that failed or could not run, by node id; what a failure says may change, so it doesn't count."""
    summary = output.rpartition("short test summary info")[2]
    return [
        Finding(match["node"].partition("::")[0], 0, match["node"], match["kind"].lower())
        for match in _PYTEST.finditer(summary)
    ]
