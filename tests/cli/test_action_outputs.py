"""What the action's steps tell GitHub's runner, from whatever the command left."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from orefactor.cli.action_outputs import main

HOSTILE = "a\nstatus=mine\nstatus<<x\nmine\nx\n::error::mine"


@pytest.fixture(autouse=True)
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
        monkeypatch.setenv(name, str(tmp_path / name))


def outputs() -> dict[str, str]:
    said = Path(os.environ["GITHUB_OUTPUT"]).read_text()
    parts = re.findall(r"^([\w-]+)<<(end-[0-9a-f]{32})\n(.*?)\n\2\n", said, re.MULTILINE | re.DOTALL)
    assert "".join(f"{name}<<{mark}\n{value}\n{mark}\n" for name, mark, value in parts) == said
    return {name: value for name, _, value in parts}


def run(folder: Path, result: Any, code: int = 0) -> dict[str, str]:
    folder.mkdir()
    (folder / "result.json").write_text(result if isinstance(result, str) else json.dumps(result))
    assert main(["run", str(folder), str(code)]) == 0
    return outputs()


def test_a_run_that_delivered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, folder = tmp_path / "kept", tmp_path / "folder"
    kept.mkdir()
    (kept / "result.patch").write_bytes(b"patch")
    (kept / "rejected.patch").symlink_to(kept / "result.patch")
    folder.mkdir()
    (folder / "summary.md").write_text("summary\n")
    (folder / "annotations.txt").write_text("::notice ::x\n")
    facts = {
        "status": "completed",
        "reason": "delivered",
        "message": HOSTILE,
        "verified": True,
        "files_changed": ["a"],
        "run_id": "r",
        "branch": HOSTILE,
        "commit": "c",
        "cost_usd": 0.5,
        "trace_path": str(kept / "trace.json"),
    }
    (folder / "result.json").write_text(json.dumps(facts))
    assert main(["run", str(folder), "0"]) == 0
    told = outputs()
    assert (told["changed"], told["verified"], told["cost"], told["files"]) == ("true", "true", "0.5", '["a"]')
    assert told["branch"] == told["message"] == " ".join(HOSTILE.split())
    assert (told["patch"], told["rejected"], told["report"]) == (str(folder / "result.patch"), "", "")
    assert Path(told["patch"]).read_bytes() == b"patch"
    assert Path(os.environ["GITHUB_STEP_SUMMARY"]).read_text() == "summary\n"
    assert capsys.readouterr().out == "::notice ::x\n"


@pytest.mark.parametrize(
    ("result", "reason"),
    [("", "interrupted"), ("[1]", "interrupted"), ("[" * 100_000, "interrupted"),
     ({"status": "error", "reason": "usage", "message": HOSTILE, "trace_path": None}, "usage")],
    ids=["nothing", "no object", "deep", "refused"],
)  # fmt: skip
def test_a_run_that_never_began(tmp_path: Path, capsys: pytest.CaptureFixture[str], result: Any, reason: str) -> None:
    told = run(tmp_path / "folder", result, 2)
    assert (told["status"], told["reason"], told["exit-code"], told["changed"]) == ("error", reason, "2", "false")
    assert (told["verified"], told["cost"], told["patch"]) == ("unknown", "", "")
    assert capsys.readouterr().out.startswith(f"::error title=git orefactor%3A {reason}::")
    assert Path(os.environ["GITHUB_STEP_SUMMARY"]).read_text().startswith(f"## ✗ git orefactor: `{reason}`\n")


@pytest.mark.parametrize(("answer", "url"), [({"url": "https://x"}, "https://x"), ({"url": None}, ""), ("", "")])
def test_the_requests_address(tmp_path: Path, answer: Any, url: str) -> None:
    (tmp_path / "request.json").write_text(answer if isinstance(answer, str) else json.dumps(answer))
    assert main(["request", str(tmp_path)]) == 0
    assert outputs() == {"request": url}
