"""Reads what a project's own command printed, in whichever of the usual forms it is.

    JUnit XML     the outcome of each test
    SARIF         its results
    JSON          a list of objects with a place and a message, or an object that holds one
    GNU           `path:line: text` or `path:line:column: text`, a line each
    anything      one finding with the last lines

Where it passed, its findings don't count, only its tests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from .findings import Finding, Reading, failing_tests, relative
from .junit import parse_junit

_GNU = re.compile(r"(?P<path>[^\s:][^:\n]{0,500}):(?P<line>\d{1,9}):(?:\d{1,9}:)? *(?P<text>\S.{0,1000})")
_LAST_LINES = 5
_MOST = 5000
"""Findings."""
_PATHS = ("path", "file", "filename", "filePath", "uri")
_LINES = ("line", "row", "startLine", "lineNumber", "start_line")
_TEXTS = ("message", "text", "description", "msg")
_RULES = ("rule", "ruleId", "code", "rule_id", "check", "id", "symbol")
_PLACES = ("location", "start", "position", "range", "region")


def parse_own_output(output: str, top: str) -> Reading:
    """The findings of a command that failed, and the tests of any.

    Raises:
        ValueError: it begins as a report of tests, and can't be read as one.
    """
    text = output.strip()
    if text.startswith("<") and "<testsuite" in text[:2000]:
        tests = parse_junit(text)
        silent = Finding(".", 0, "", "it failed, and no test of its report did")
        return Reading(failing_tests(tests) or (silent,), tests)
    found = tuple(_from_json(text, top)) if text[:1] in ("[", "{") else ()
    return Reading((found or tuple(_from_lines(text, top)) or _last_lines(text))[:_MOST])


def _from_lines(text: str, top: str) -> Iterator[Finding]:
    for line in text.split("\n"):
        if match := _GNU.match(line.strip("\r")):
            words = match["text"].removeprefix("error: ")
            yield Finding(relative(match["path"], top), int(match["line"]), "", words)


def _last_lines(text: str) -> tuple[Finding, ...]:
    lines = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
    return (Finding(".", 0, "", "; ".join(lines[-_LAST_LINES:]) or "it failed and said nothing"),)


def _from_json(text: str, top: str) -> Iterator[Finding]:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    runs = _object(value).get("runs")
    if isinstance(runs, list):
        for run in _list(runs):  # pyright: ignore[reportUnknownArgumentType]
            yield from (_sarif_result(_object(row), top) for row in _list(_object(run).get("results")))
        return
    lists = [value, *_object(value).values()]
    rows = next((found for item in lists if (found := [_object(row) for row in _list(item)])), list[dict[str, Any]]())
    yield from (finding for row in rows if (finding := _row(row, top)) is not None)


def _sarif_result(row: dict[str, Any], top: str) -> Finding:
    places = _list(row.get("locations"))
    place = _object(_object(places[0] if places else None).get("physicalLocation"))
    uri = _text(_object(place.get("artifactLocation")), ("uri",)).removeprefix("file://")
    line = _number(_object(place.get("region")), ("startLine",))
    text = _text(_object(row.get("message")), ("text", "markdown"))
    return Finding(relative(uri, top) or ".", line, _text(row, ("ruleId",)), text)


def _row(row: dict[str, Any], top: str) -> Finding | None:
    inner = next((_object(row[name]) for name in _PLACES if isinstance(row.get(name), dict)), dict[str, Any]())
    inner = _object(inner.get("start")) or inner
    path, text = _text(row, _PATHS) or _text(inner, _PATHS), _text(row, _TEXTS)
    if not (path and text):
        return None
    return Finding(relative(path, top), _number(row, _LINES) or _number(inner, _LINES), _text(row, _RULES), text)


def _object(value: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:  # noqa: ANN401 - JSON
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def _text(row: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((str(row[name]) for name in names if isinstance(row.get(name), str | int) and row[name] != ""), "")


def _number(row: dict[str, Any], names: tuple[str, ...]) -> int:
    found = next((row[name] for name in names if type(row.get(name)) is int), 0)
    return found if 0 < found < 1 << 31 else 0
