"""`--sarif`, `--junit`, `--summary`, `--annotations`: written whatever came of the run, refused before it began."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import MakeRepository
from e2e.processes import run_here
from e2e.scenes import FILES, REPLIES, TASK, edit, read, run_folders

NAMES = ("sarif", "junit", "summary", "annotations")
BREAK = edit("def area(a, b):\n", "def area(a, b):\n    import os\n")
CASES = {"delivered": (REPLIES, 0, "✓"), "refused": ((read(), BREAK, {"content": "x", "every_round": True}), 3, "✗")}


@pytest.mark.parametrize(("replies", "code", "mark"), CASES.values(), ids=CASES.keys())
def test_each_is_written(
    make_repository: MakeRepository,
    fixture_file: Callable[..., Path],
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    replies: tuple[dict[str, object], ...],
    code: int,
    mark: str,
) -> None:
    repository = make_repository(FILES)
    files = [f"--{name}={tmp_path / name}" for name in NAMES]
    fixture = f"--fixture={fixture_file(*replies)}"
    done = run_here(capfdbinary, repository, TASK, "--provider=fixture", fixture, *files, "--quiet")
    assert done.returncode == code, done.stderr
    (run,) = json.loads((tmp_path / "sarif").read_bytes())["runs"]
    assert run["invocations"][0]["exitCode"] == code
    found = [(result["ruleId"], result["baselineState"]) for result in run["results"]]
    assert found == ([("ruff/F401", "new")] if code else [])
    assert ElementTree.parse(tmp_path / "junit").getroot().get("failures") == ("2" if code else "0")
    assert (tmp_path / "summary").read_text().startswith(f"## {mark} git orefactor: ")
    assert (tmp_path / "annotations").read_text().startswith("::error file=src/shapes.py" if code else "::notice ")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", ["missing/file", "."])
def test_a_path_that_can_t_be_written(
    make_repository: MakeRepository, capfdbinary: pytest.CaptureFixture[bytes], name: str, place: str
) -> None:
    repository = make_repository(FILES)
    done = run_here(capfdbinary, repository, "add docstrings", "--provider=recipes", f"--{name}={place}")
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"name a file in an existing folder: `--{name} FILE`" in done.stderr.decode()
    assert run_folders(repository) == []
