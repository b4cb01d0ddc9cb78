"""`show`: one run as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, call, calls
from e2e.processes import run_here
from e2e.scenes import DOCUMENT, FILES, REPLIES, TASK, edit, read, run_folders

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]


def _show(capture: Capture, repository: Path, *words: str) -> str:
    done = run_here(capture, repository, "show", *words)
    assert (done.returncode, done.stderr) == (0, b"")
    return re.sub(r"\d+\.\d s", "N s", done.stdout.decode())


def test_a_run_that_delivered(make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture) -> None:
    repository = make_repository(FILES)
    failing = {**edit("none", "such"), "usage": {"prompt_tokens": 1500, "cached_tokens": 600, "completion_tokens": 20}}
    script = fixture_file({**read(), "content": "I look first."}, failing, *REPLIES[1:])
    patch = run_here(capfdbinary, repository, TASK, "src", "--fixture", str(script)).stdout.decode()
    (run,) = run_folders(repository)
    page, _, shown_patch = _show(capfdbinary, repository).partition("\n\nOrefactor-Run")
    assert "Orefactor-Run" + shown_patch == re.sub(r"\d+\.\d s", "N s", patch)
    lines = page.splitlines()
    assert lines[:5] == [
        f"run       {run.name}",
        "task      document area",
        "outcome   completed (delivered), exit 0: the change passed the gate",
        "verified  yes",
        "summary   Document area",
    ]
    assert "used      4 round(s), 1.5k tokens in (600 cached), 20 out, N s" in lines
    assert "files     src/shapes.py" in lines
    assert [line for line in lines if line.startswith(("check", "guard"))] == [
        *(
            "check     py_compile: passed",
            "check     ruff: passed",
            "guards    scope, bytes, syntax, placeholders, secrets, tests, size: ok",
        )
    ]
    rounds = lines[lines.index("") + 1 :]
    assert rounds[0] == "round 1  N s, 0 tokens  I look first."
    assert rounds[1] == "  ✓ read src/shapes.py"
    assert rounds[3].startswith("  ✗ edit src/shapes.py: ")
    assert rounds[5] == "  ✓ edit src/shapes.py"


@pytest.mark.parametrize("name", ["{id}", "{start}", "{end}"])
def test_a_run_is_named_by_its_beginning_or_end(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, name: str
) -> None:
    repository = make_repository(FILES)
    run_here(capfdbinary, repository, TASK, "--no-check", "--branch", "one", "--fixture", str(fixture_file(*REPLIES)))
    (run,) = run_folders(repository)
    asked = name.format(id=run.name, start=run.name[:10], end=run.name[-6:])
    page = _show(capfdbinary, repository, asked)
    assert "branch    one " in page
    assert "verified  no check could run" in page


def test_several_or_none_of_a_name(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(FILES)
    for _ in range(2):
        run_here(capfdbinary, repository, TASK, "--no-check", "--fixture", str(fixture_file(*REPLIES)))
    for asked, said in (("2", "several runs are called `2`"), ("x", "no run is called `x`")):
        done = run_here(capfdbinary, repository, "show", asked)
        assert (done.returncode, done.stdout) == (2, b"")
        assert said in done.stderr.decode()


REJECTED: list[tuple[list[dict[str, Any]], list[str]]] = [
    (
        [read(), edit("def area", "import os\n\n\ndef area"), {"content": "x", "every_round": True}],
        ["outcome   gate (check:ruff), exit 3", "verified  no", "check     ruff: failed, 1 new", "F401", "+import os"],
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
        ("", []),
        ('{"event": "RunStarted", "task": "t\\u001b[2J"}\n{"event": "Cut', [r"task      t\x1b[2J"]),
        (
            '[1]\n{"event": "CallFinished", "name": "read_file", "arguments": 5, "status": "executed"}\n',
            ["  executed read ."],
        ),
    ],
)
def test_a_run_that_was_killed_tells_how_far_it_came(
    make_repository: MakeRepository, capfdbinary: Capture, events: str, expected: list[str]
) -> None:
    repository = make_repository(FILES)
    run = repository / ".git" / "orefactor" / "runs" / "20260101T000000-abcdef"
    run.mkdir(parents=True)
    (run / "events.jsonl").write_text(events)
    (run / "trace.json").write_text("{}")
    lines = _show(capfdbinary, repository).splitlines()
    assert "outcome   interrupted: it was killed, and its events end here" in lines
    assert [line for line in expected if line not in lines] == []


def test_a_run_without_isolation_says_so(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(FILES)
    run_here(capfdbinary, repository, TASK, "--sandbox", "none", "--fixture", str(fixture_file(*REPLIES)))
    assert "isolation none" in _show(capfdbinary, repository)
