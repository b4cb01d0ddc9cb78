"""The text of a pull request: what it tells of a run, and that it fits and can be renewed."""

from __future__ import annotations

from typing import Any

import pytest

from orefactor.core.outputs.pull_request import (
    BEGIN,
    END,
    LONGEST_BODY,
    merged_body,
    request_body,
    request_title,
)
from orefactor.core.trace_model import Trace
from orefactor.sandbox.line_counts import LineCount

_OTHER = "| `pytest` | clean | ✓ passed (but says nothing about this change) |"
MODELS = ("m1", "m1", "m2")
COMMIT, TREE, BASE = "c" * 40, "e" * 40, "b" * 40
USAGE = {"prompt_tokens": 1200, "cached_tokens": 400, "completion_tokens": 90, "requests": 2}


def _trace(**changed: Any) -> Trace:
    made: dict[str, Any] = {
        "version": "1",
        "run_id": "20261130T101500-4f2a9c",
        "task": "document area",
        "paths": (),
        "settings": {"model": "deepseek-v4-pro"},
        "status": "completed",
        "reason": "delivered",
        "exit_code": 0,
        "message": "",
        "verified": True,
        "files_changed": ("src/shapes.py",),
        "iterations": 3,
        "summary": {"title": "Document area", "body": "It says what `area` does."},
        "base": {"source": "HEAD", "commit": BASE, "tree": "d" * 40},
        "tree": TREE,
        "usage": USAGE,
        "cost_usd": 0.0123,
        "provider": "deepseek",
        "duration_ms": 4200,
    }
    return Trace.model_validate({**made, **changed})


def _check(name: str, outcome: str, **changed: Any) -> dict[str, Any]:
    made = {"required": True, "when": "final", "findings_new": 0, "findings_old": 0, "baseline": "kept"}
    return {"name": name, "outcome": outcome, **made, **changed}


def _body(counts: tuple[LineCount, ...] = (), **changed: Any) -> str:
    return request_body(_trace(**changed), counts, COMMIT, "orefactor/x")


def test_what_it_tells() -> None:
    counts = (
        LineCount("src/shapes.py", None, 3, 1),
        LineCount("b.py", "a.py", 0, 0),
        LineCount("data.bin", None, None, None),
    )
    body = _body(counts)
    assert body.startswith(f"{BEGIN}\n\nIt says what `area` does.\n\n### Files\n\n| 3 files | +3 | −1 |")
    assert "| `src/shapes.py` | +3 | −1 |\n| `a.py` → `b.py` | +0 | −0 |\n| `data.bin` | binary | binary |" in body
    rows = [line for line in body.splitlines() if line.startswith("| ") and line.count("|") == 3]
    assert [row for row in rows if " task " in row or " model " in row] == [
        "| task | document area |",
        "| model | `deepseek-v4-pro` (deepseek) |",
    ]
    assert "| tokens | 1200 in (400 cached), 90 out |\n| cost | $0.0123 |" in body
    assert f"| base | `{BASE}` (HEAD) |\n| tree | `{TREE}` |" in body
    assert f"git orefactor verify --checks {COMMIT}\n" in body
    assert body.endswith(f"</details>\n\n{END}")


@pytest.mark.parametrize(
    ("check", "row"),
    [
        (_check("ruff", "passed"), "| `ruff` | clean | ✓ passed |"),
        (_check("ruff", "passed", findings_old=3), "| `ruff` | 3 findings | ✓ passed, 3 findings as before |"),
        (_check("ruff", "passed", findings_old=1), "| `ruff` | 1 finding | ✓ passed, 1 finding as before |"),
        (_check("x", "passed", baseline="none", required=False), "| `x` (not required) | not measured | ✓ passed |"),
        (_check("x", "failed", findings_new=2), "| `x` | clean | ✗ failed, 2 new |"),
        (
            _check("pytest", "not_run", detail="no | isolation\n@ann"),
            "| `pytest` | not measured | not run: no \\| isolation @\u200bann |",
        ),
        (_check("mypy", "not_installed"), "| `mypy` | not measured | not installed |"),
        (
            _check("pytest", "passed", counts=False),
            _OTHER,
        ),
    ],
)
def test_checks_before_and_after(check: dict[str, Any], row: str) -> None:
    earlier = {**check, "outcome": "failed", "findings_new": 9}
    on_demand = {**check, "name": "other", "when": "on_demand"}
    body = _body(checks=[earlier, on_demand, check])
    assert f"| Check | Before | After |\n| :-- | :-- | :-- |\n{row}\n" in body
    assert "9 new" not in body


def test_guards_contract_and_what_is_left() -> None:
    body = _body(
        contract={"kinds": ["docstrings", "comments"], "ok": True},
        guards=[
            {"name": "scope", "ok": True, "detail": ""},
            {"name": "tests", "ok": True, "detail": "allowed: tests/x.py"},
            {"name": "size", "ok": False, "detail": ""},
        ],
        spare=[{"path": "x.py", "line": 3, "symbol": "f", "why": "nothing needs it"}],
        summary={"title": "t", "body": "", "follow_ups": ["fixes #1", "two"]},
        verified=None,
        cost_usd=None,
        base=None,
        tree=None,
        rounds=[{"round": 1, "messages": 1, "prompt_tokens_estimated": 1, "model": name} for name in MODELS],
    )
    assert "- contract `docstrings, comments`: kept\n- passed: scope\n- tests: allowed: tests/x.py\n" in body
    assert "- size: objects\n- not asked for, as it seems: `x.py:3` (nothing needs it)" in body
    assert "### To do later\n\n- fixes #\u200b1\n- two\n" in body
    assert f"{BEGIN}\n\nt\n\n" in body
    for row in ("model | `m1, m2` (deepseek)", "verified | no check could run", "cost | unknown", "base | none"):
        assert f"| {row} |" in body
    assert "### Checks" not in body
    assert "### Files" not in body


def test_it_fits_whatever_there_is() -> None:
    nasty = "`|\\" * 3000
    body = request_body(
        _trace(
            task=nasty,
            provider=nasty,
            settings={"model": nasty},
            summary={"title": nasty, "body": "`|||`\n" * 20_000, "follow_ups": [nasty] * 100},
            base={"source": nasty, "commit": nasty, "tree": ""},
            tree=nasty,
            checks=[_check(nasty + str(n), "not_run", detail=nasty) for n in range(200)],
            guards=[{"name": nasty, "ok": False, "detail": nasty}] * 200,
            contract={"kinds": [nasty], "ok": False, "detail": nasty},
        ),
        [LineCount(nasty, nasty, 1, 1)] * 1000,
        COMMIT,
        nasty[:200],
    )
    assert len(body) <= LONGEST_BODY
    assert body.count("… and ") == 5
    assert body.endswith(END)
    assert (body.count(BEGIN), body.count(END)) == (1, 1)


OURS = f"{BEGIN}\n\nnew\n\n{END}"


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        ("", OURS),
        ("  \n", OURS),
        (f"{BEGIN}\nold\n{END}", OURS),
        (f"Mine.\r\n\r\n{BEGIN}\r\nold\r\n{END}\r\nMine.", f"Mine.\r\n\r\n{OURS}\r\nMine."),
        ("Theirs.", f"Theirs.\n\n{OURS}"),
        (f"Theirs. {BEGIN}", f"Theirs. {BEGIN}\n\n{OURS}"),
        (f"{END} {BEGIN}", f"{END} {BEGIN}\n\n{OURS}"),
        ("x" * LONGEST_BODY, None),
    ],
)
def test_what_others_wrote_stays(present: str, expected: str | None) -> None:
    assert merged_body(present, OURS) == expected


@pytest.mark.parametrize(
    ("summary", "expected"),
    [("Fix @ann's #1\x1b", "Fix @\u200bann's #\u200b1<U+001B>"), ("", "document area"), ("x" * 500, "x" * 249 + "…")],
)
def test_titles(summary: str, expected: str) -> None:
    assert request_title(_trace(summary={"title": summary, "body": ""})) == expected
