"""`show`: one run as a page, by parts, as JSON, as a report; whole, killed, rejected, from a file, hostile."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, call, calls, write_files
from e2e.processes import Done, run_here
from e2e.scenes import DOCUMENT, FILES, REPLIES, TASK, edit, read, run_folders
from report_scenes import PATCH, RUN_ID, hostile_run, trace_values

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]


def _show(capture: Capture, repository: Path, *words: str) -> str:
    done = run_here(capture, repository, "show", *words)
    assert (done.returncode, done.stderr) == (0, b"")
    return re.sub(r"\d+\.\d s", "N s", done.stdout.decode())


@pytest.fixture
def kept(tmp_path: Path, make_repository: MakeRepository, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that keeps the small run of the report's tests."""
    monkeypatch.setenv("COLUMNS", "100")
    repository = make_repository({"a": ""})
    _keep(repository, trace_values(), PATCH)
    return repository


def _keep(repository: Path, values: dict[str, Any], patch: bytes) -> Path:
    folder = repository / ".git" / "orefactor" / "runs" / RUN_ID
    write_files(folder, {"trace.json": json.dumps(values), "result.patch": patch})
    return folder


def test_a_run_that_delivered(make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture) -> None:
    repository = make_repository(FILES)
    failing = {**edit("none", "such"), "usage": {"prompt_tokens": 1500, "cached_tokens": 600, "completion_tokens": 20}}
    script = fixture_file({**read(), "content": "I look first."}, failing, *REPLIES[1:])
    patch = run_here(capfdbinary, repository, TASK, "src", "--fixture", str(script)).stdout.decode()
    (run,) = run_folders(repository)
    page, _, shown_patch = _show(capfdbinary, repository).partition("\n\nOrefactor-Run")
    assert "Orefactor-Run" + shown_patch == re.sub(r"\d+\.\d s", "N s", patch)
    lines = page.splitlines()
    assert lines[:6] == [
        f"run       {run.name}",
        "task      document area",
        "outcome   completed (delivered), exit 0: the change passed the gate",
        "verified  yes",
        "summary   Document area",
        "          It says what the function does.",
    ]
    assert "used      4 round(s), 1.5k tokens in (600 cached), 20 out, N s" in lines
    assert lines[lines.index("Files: 1, 1 hunk(s), +1 -0") + 1] == "  src/shapes.py     +1     -0 +"
    assert [line.split("  before")[0] for line in lines if line.startswith("  ✓ ")][:2] == [
        *("  ✓ py_compile", "  ✓ ruff      ")
    ]
    assert "guards    scope, bytes, syntax, placeholders, secrets, tests, size: ok" in lines
    rounds = lines[lines.index("Rounds") + 1 :]
    assert rounds[:2] == ["round 1  N s, 0 tokens  I look first.", "  ✓ read src/shapes.py"]
    assert rounds[3].startswith("  ✗ edit src/shapes.py: ")
    assert rounds[5] == "  ✓ edit src/shapes.py"


@pytest.mark.parametrize("name", ["{id}", "{start}", "{end}", ".git/orefactor/runs/{id}/trace.json", "copy"])
def test_a_run_is_named_by_its_beginning_or_end_or_file(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, name: str
) -> None:
    repository = make_repository(FILES)
    words = ["--no-check", "--branch", "one", "--trace", "copy", "--fixture", str(fixture_file(*REPLIES))]
    run_here(capfdbinary, repository, TASK, *words)
    (run,) = run_folders(repository)
    asked = name.format(id=run.name, start=run.name[:10], end=run.name[-6:])
    page = _show(capfdbinary, repository, asked)
    assert "branch    one " in page
    assert "verified  no check could run" in page
    assert ("Files: 1, 1 hunk(s)" in page) == (name != "copy")
    assert name != "copy" or "files     src/shapes.py" in page


def test_several_or_none_of_a_name(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(FILES)
    for _ in range(2):
        run_here(capfdbinary, repository, TASK, "--no-check", "--fixture", str(fixture_file(*REPLIES)))
    for asked, said in (("2", "several runs are called `2`"), ("x", "no run is called `x`"), ("x.json", "can't read")):
        done = run_here(capfdbinary, repository, "show", asked)
        assert (done.returncode, done.stdout) == (2, b"")
        assert said in done.stderr.decode()


REJECTED: list[tuple[list[dict[str, Any]], list[str]]] = [
    (
        [read(), edit("def area", "import os\n\n\ndef area"), {"content": "x", "every_round": True}],
        [
            "outcome   gate (check:ruff), exit 3",
            "verified  no",
            "after: failed, 1 new",
            "F401",
            "+import os",
            "not delivered",
        ],
    ),
    (
        [calls(call("write_file", path="outside.py", content="")), read(), DOCUMENT, {**read(), "every_round": True}],
        ["outcome   max_iterations (limit:max_iterations), exit 4", "✗ write outside.py: ", '+    """Multiply."""'],
    ),
]


@pytest.mark.parametrize(("replies", "texts"), REJECTED)
def test_a_run_that_delivered_nothing_shows_the_rejected_change(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    replies: list[dict[str, Any]],
    texts: list[str],
) -> None:
    repository = make_repository(FILES)
    words = ["src", "--check", "ruff", "--max-iterations", "8", "--fixture", str(fixture_file(*replies))]
    run_here(capfdbinary, repository, TASK, *words)
    page = _show(capfdbinary, repository)
    assert [text for text in texts if text not in page] == []


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("", ["files     none changed", "  none ran"]),
        ('{"event": "RunStarted", "task": "t\\u001b[2J"}\n{"event": "Cut', [r"task      t\x1b[2J"]),
        (
            '[1]\n{"event": "CallFinished", "name": "read_file", "arguments": 5, "status": "executed"}\n',
            ["Rounds", "  ✓ read ."],
        ),
    ],
)
def test_a_run_that_was_killed_tells_how_far_it_came(
    make_repository: MakeRepository, capfdbinary: Capture, events: str, expected: list[str]
) -> None:
    repository = make_repository(FILES)
    run = repository / ".git" / "orefactor" / "runs" / "20260101T000000-abcdef"
    write_files(run, {"events.jsonl": events, "trace.json": "{}"})
    lines = _show(capfdbinary, repository).splitlines()
    assert "outcome   interrupted: it was killed, and its events end here" in lines
    assert [line for line in expected if line not in lines] == []


def test_all_that_a_trace_may_tell(kept: Path, capfdbinary: Capture) -> None:
    more: dict[str, Any] = {
        "summary": {"title": "T", "body": "", "follow_ups": ["more"]},
        "isolation": {"tier": "none", "failure": "no bwrap"},
        "contract": {"kinds": ["docstrings"]},
        "spare": [{"path": "a.py", "line": 3, "symbol": "f", "why": "nobody asked"}],
        "minimized": {"dropped": [["a.py", 3]], "trials": 2},
        "user_state": {"before": {"index": "1"}, "after": {"index": "2"}, "same": False},
        "protocol_changes": [{"round": 1, "protocol": "answer_alone", "reason": "asked alone"}],
        "provider_changes": [{"round": 0, "before": "a", "provider": "b", "model": "m", "reason": "gone"}],
        "checks": [
            {**trace_values()["checks"][1], "lost": ["test_a"], "detail": "line\n" * 30, "command": ["mypy", "x\x1b"]},
            {**trace_values()["checks"][0], "outcome": "not_run", "detail": "no file", "when": "on_demand"},
        ],
        "rounds": [
            {**entry, "rejected": "cut", "reasoning_chars": 7, "attempts": 2} for entry in trace_values()["rounds"]
        ],
    }
    _keep(kept, trace_values(**more), PATCH)
    page = _show(capfdbinary, kept)
    for text in (
        "later     more",
        "isolation none (no bwrap)",
        "contract  docstrings: kept",
        "spare     a.py:3 f: nobody asked",
        "dropped   a.py:3 (2 trial(s))",
        "yours     changed meanwhile, by somebody else: index",
        "context   1.2k tokens: src/shapes.py",
        "  ↻ asked again after N s: slow down",
        "  → answer alone: asked alone",
        "  → went on with b: gone",
        "round 4  N s, 1.1k tokens  T",
        "lost: test_a",
        "… 20 more line(s): --checks",
        "guard     size: large",
        "new.txt           +2     -0 ++ new",
    ):
        assert text in page
    checks = _show(capfdbinary, kept, "--checks", "--calls")
    assert r"$ mypy x\x1b" in checks
    assert checks.count("      line\n") == 30
    assert "guard     scope: all in" in checks
    assert "ruff on demand" in checks
    assert re.search(r" 2 +N s   ✓ edit src/shapes.py  → hunk 1\n", checks)
    one = _show(capfdbinary, kept, "--round", "2")
    for text in (
        "not acted on: cut",
        "7 characters of reasoning",
        "asked 2 times",
        "Now the <docstring>.",
        "made hunk 1",
    ):
        assert text in one
    assert '        """Multiply."""\n' in one.replace("            ", "        ")


def test_the_change_alone(kept: Path, capfdbinary: Capture) -> None:
    assert run_here(capfdbinary, kept, "show", "--diff").stdout == PATCH
    _keep(kept, trace_values(context_pack=None, context_failure="no index"), b"")
    done = run_here(capfdbinary, kept, "show", "--diff")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"no change to show" in done.stderr
    assert "context   none: no index" in _show(capfdbinary, kept)


def test_as_json(kept: Path, capfdbinary: Capture) -> None:
    told = json.loads(_show(capfdbinary, kept, "--json"))
    assert (told["run_id"], told["fate"], told["patch"]) == (RUN_ID, "delivered", PATCH.decode())
    assert told["hunks"] == [
        {"number": 1, "path": "src/shapes.py", "calls": [1]},
        {"number": 2, "path": "src/shapes.py", "calls": [2]},
        {"number": 3, "path": "new.txt", "calls": [4]},
    ]


WRONG: list[tuple[list[str], str]] = [
    (["--json", "--html", "x.html"], "`--json` and `--html` exclude each other"),
    (["--json", "--diff"], "`--json` and `--diff` exclude each other"),
    (["--html", "x.html", "--round", "1"], "`--html` and `--round` exclude each other"),
    (["--round", "9"], "has no round 9"),
    (["--round", "0"], "it has rounds 1 to 4"),
    (["--html", "none/x.html"], "can't write the report to `none/x.html`"),
    (["--html", "."], "can't write the report to `.`"),
]


@pytest.mark.parametrize(("words", "said"), WRONG)
def test_wrong_wishes(kept: Path, capfdbinary: Capture, words: list[str], said: str) -> None:
    done = run_here(capfdbinary, kept, "show", *words)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert not list(kept.glob("*.html"))


def test_little_to_tell(kept: Path, capfdbinary: Capture) -> None:
    silent: dict[str, Any] = {**trace_values()["tool_calls"][0], "arguments": {}, "summary": ""}
    rounds = [{**trace_values()["rounds"][2], "model": "", "finish_reason": "", "cost_usd": None}]
    many = b"".join(b"diff --git a/%d b/%d\nGIT binary patch\n" % (n, n) for n in range(300))
    values = trace_values(rounds=rounds, tool_calls=[{**silent, "round": 3}], contract={}, provider="", branch="b")
    _keep(kept, values, many)
    one = _show(capfdbinary, kept, "--round", "3")
    assert "  no reply\n" in one
    assert one.endswith("  ✓ read .  N s\n")
    page = _show(capfdbinary, kept)
    assert "  and 100 more\n" in page
    assert "binary" in page


def test_a_round_of_a_run_without_any(kept: Path, capfdbinary: Capture) -> None:
    _keep(kept, trace_values(rounds=[], tool_calls=[]), PATCH)
    assert b"it has no round" in run_here(capfdbinary, kept, "show", "--round", "1").stderr


def test_the_report_page(kept: Path, capfdbinary: Capture) -> None:
    done = run_here(capfdbinary, kept, "show", "--html", "r.html")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"wrote the report" in done.stderr
    assert (kept / "r.html").read_text().startswith("<!DOCTYPE html>")
    (kept / "link").symlink_to("r.html")
    assert run_here(capfdbinary, kept, "show", "--html", "link").returncode == 0
    assert (kept / "link").is_symlink()


def _hostile(capture: Capture, kept: Path, *words: str) -> Done:
    run = hostile_run()
    values = run.trace.model_dump(mode="json", by_alias=True)
    deep: Any = "x"
    for _ in range(100):
        deep = [deep]
    values["tool_calls"][3]["arguments"] = {"deep": deep, "long": "y" * 50_000, "tab": "\ta\n\tb"}
    values["context_pack"] = {"items": [5, {"path": 5}, {"path": "x\x1b"}], "tokens": "many"}
    _keep(kept, values, run.patch)
    return run_here(capture, kept, "show", *words)


@pytest.mark.parametrize("words", [[], ["--round", "1"], ["--calls"], ["--checks"], ["--json"]])
def test_hostile_traces_stay_text(kept: Path, capfdbinary: Capture, words: list[str]) -> None:
    done = _hostile(capfdbinary, kept, *words)
    assert (done.returncode, done.stderr) == (0, b"")
    # The patch is given as it is, in a pipe; see `test_in_a_terminal.py` for what a terminal is shown.
    page = done.stdout.partition(b"\nOrefactor-Run")[0].decode()
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", page) == []
    assert len(page) < 400_000
