"""Runs that a stranger left in a git directory: they are shown without harm, or count as broken off."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository
from e2e.processes import Done, Terminal, run_here, without_escapes
from e2e.scenes import FILES, SHAPES, run_folders

from orefactor.core.trace import RunFolder
from orefactor.core.trace_model import Trace

ID = "20300101T000000-abcdef"
ESCAPE = "a\x1b]0;pwned\x07\x9b31m\u202e\r\nerror: forged"
PATCH = b"diff --git a/src/shapes.py b/src/shapes.py\n--- a/src/shapes.py\n+++ b/src/shapes.py\n"
HUNK = b"@@ -1,2 +1,2 @@\n-def area(a, b):\n+def area(a, c):\n     return a * b\n"
COMMANDS = [
    ["show"], ["show", ID], ["runs"], ["runs", "--json"], ["apply"], ["apply", "--3way"], ["doctor"],
    ["runs", "--prune", "--keep", "0"],
]  # fmt: skip
Scene = Callable[[Path, Path], None]
TRACE: dict[str, Any] = {
    "version": "1", "run_id": ID, "task": "t", "paths": [], "settings": {}, "status": "completed",
    "reason": "delivered", "exit_code": 0, "message": "m", "verified": True, "files_changed": ["src/shapes.py"],
    "iterations": 1, "summary": {"title": "T", "body": ""}, "base": {"source": "HEAD", "commit": "c", "tree": "t"},
    "tree": "t", "branch": "b", "usage": {}, "rounds": [{"round": 1, "messages": 1, "prompt_tokens_estimated": 1}],
    "checks": [{"name": "ruff", "required": True, "when": "final", "outcome": "failed", "findings_new": 1,
                "findings_old": 0, "detail": "d"},
               {"name": "ruff", "required": True, "when": "final", "outcome": "not_run", "findings_new": 0,
                "findings_old": 0, "detail": "d"}],
    "guards": [{"name": "scope", "ok": False, "detail": "d"}],
    "tool_calls": [{"round": 1, "id": "1", "name": name, "arguments": {"path": "p", "pattern": "p", "command": "c"},
                    "status": "refused", "duration_ms": 1, "summary": "s", "digest": "d"}
                   for name in ("read_file", "grep", "run_check", "move_file", "unheard_of")],
    "isolation": {"tier": "bwrap", "failure": "f", "probe": [{"name": "n", "ok": False, "detail": "d"}]},
}  # fmt: skip
KINDS = ("outcome", "when", "status")


def hostile(value: Any, key: str = "") -> Any:
    """The value with all text that isn't one of a few words replaced by what drives a terminal."""
    if isinstance(value, str):
        return value if key in KINDS and value != "completed" else ESCAPE
    if isinstance(value, list):
        return [hostile(item, key) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {str(name): hostile(item, str(name)) for name, item in value.items()}  # pyright: ignore
    return value


def write(folder: Path, **files: Any) -> None:
    for name, content in files.items():
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        (folder / {"trace": "trace.json", "events": "events.jsonl", "patch": "result.patch"}[name]).write_bytes(data)


def _each(make: Callable[[Path], object]) -> Scene:
    def scene(folder: Path, _outside: Path) -> None:
        for name in ("trace.json", "events.jsonl", "result.patch", "rejected.patch"):
            make(folder / name)

    return scene


def _links(folder: Path, outside: Path) -> None:
    write(outside, trace=TRACE | {"task": "OUTSIDE"}, events={"event": "RunStarted", "task": "OUTSIDE"})
    (outside / "result.patch").write_text("OUTSIDE")
    for path in outside.iterdir():
        (folder / path.name).symlink_to(path)


def _linked_folder(folder: Path, outside: Path) -> None:
    write(outside, trace=TRACE | {"task": "OUTSIDE"}, patch=b"OUTSIDE")
    folder.rmdir()
    folder.symlink_to(outside)


def _linked_runs(folder: Path, outside: Path) -> None:
    folder.rmdir()
    folder.parent.rmdir()
    folder.parent.symlink_to(outside)
    (outside / ID).mkdir()
    write(outside / ID, trace=TRACE | {"task": "OUTSIDE"}, patch=b"OUTSIDE")


def _names(folder: Path, _outside: Path) -> None:
    for name in ("20300101T000000-abcdef\n", "\x1b[31m", "٢٠٣٠0101T000000-abcdef", "-rf", "20300101T000000-abcdeg"):
        (folder.parent / name).mkdir()
    (folder.parent / "20300101T000000-aaaaaa").write_text("a file")


def _sparse(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(600 << 20)


def _content(**files: Any) -> Scene:
    return lambda folder, _outside: write(folder, **files)


DEEP = b"[" * 100_000
SCENES: dict[str, Scene] = {
    "links": _links,
    "a linked folder": _linked_folder,
    "linked runs": _linked_runs,
    "names": _names,
    "pipes": _each(os.mkfifo),
    "devices": _each(lambda path: path.symlink_to("/dev/zero")),
    "folders": _each(Path.mkdir),
    "huge files": _each(_sparse),
    "deep": _content(trace=b'{"settings":' + DEEP, events=DEEP + b'\n{"event":"CallFinished","arguments":' + DEEP),
    "just deep enough": _content(
        events=b'{"event":"CallFinished","name":' + DEEP[:900] + b"]" * 900 + b',"arguments":{"path":'
        + DEEP[:900] + b"]" * 900 + b"}}"
    ),
    "large numbers": _content(trace=TRACE | {"duration_ms": 10**400, "usage": {"prompt_tokens": 10**30}}),
    "negative numbers": _content(trace=TRACE | {"duration_ms": -(10**400)}),
    "numbers that are too long": _content(events=b'{"event": "RunStarted", "task": ' + b"9" * 9999 + b"}"),
    "no text": _content(trace=b"\xff\xfe\0", events=b'\xff\n{"event": "\xed\xa0\x80"}\n', patch=b"\xff\0"),
    "other types": _content(
        trace=[TRACE],
        events=b'{"event": ["x"]}\n{"event": "RunStarted", "task": {"a": 1}}\n{"event": "CallFinished"}\n'
        b'{"event": "CallFinished", "name": 1, "status": [2], "arguments": [3]}\n7\n"x"\n',
    ),
    "escapes": _content(trace=hostile(TRACE), patch=PATCH.replace(b"shapes", ESCAPE.encode()) + HUNK),
    "escapes in a stopped run": _content(
        events=json.dumps({"event": "RunStarted", "task": ESCAPE}).encode() + b"\n"
        + json.dumps(hostile({"event": "CallFinished", "name": "n", "arguments": {"path": "p"}})).replace(
            '"event": "' + json.dumps(ESCAPE)[1:-1], '"event": "CallFinished'
        ).encode()
    ),
}  # fmt: skip


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    folder = make_repository(FILES)
    (folder / ".git" / "orefactor" / "runs" / ID).mkdir(parents=True)
    return folder


def shown(done: Done, patch: bytes = b"") -> str:
    """What was said besides the patch, which is exact in a pipe; it has no control character."""
    said = done.stdout.removesuffix(patch) + done.stderr
    assert done.returncode in (0, 2, 3, 6, 7), said
    assert b"Traceback" not in said
    text = said.decode()
    assert re.findall(r"[^\n\x20-\x7e\xa0-\u200a\u2010-\u2027\u2030-\u205e\u2070-\uffff]", text) == []
    return text


@pytest.mark.parametrize("name", SCENES)
def test_no_command_is_harmed(
    repository: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], name: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = repository / ".git" / "orefactor" / "runs" / ID
    SCENES[name](folder, outside)
    patch = RunFolder(folder).read("result.patch") or b""
    before = sorted(outside.rglob("*"))
    started = time.monotonic()
    for words in COMMANDS:
        done = run_here(capfdbinary, repository, *words)
        said = shown(done, patch)
        assert "OUTSIDE" not in said
        assert "\nerror: forged" not in said
    assert (repository / "src" / "shapes.py").read_text() == SHAPES
    assert sorted(outside.rglob("*")) == before
    assert time.monotonic() - started < 30


def test_the_trace_of_these_scenes_is_a_valid_one() -> None:
    assert Trace.model_validate(TRACE).run_id == ID
    assert Trace.model_validate(hostile(TRACE)).task == ESCAPE


@pytest.mark.parametrize(
    "run", ["../../../../etc/passwd", "/etc/passwd", "..", "\x1b[31m", "", ".", "*", f"{ID}/../{ID}", "\0"]
)
@pytest.mark.parametrize("command", ["show", "apply"])
def test_a_runs_name_is_no_path(
    repository: Path, capfdbinary: pytest.CaptureFixture[bytes], command: str, run: str
) -> None:
    done = run_here(capfdbinary, repository, command, run)
    if run == "":  # the beginning of every name, and there is one
        assert done.returncode in (0, 3)
    else:
        assert (done.returncode, done.stdout) == (2, b"")
        assert "no run is called" in shown(done)


def test_a_terminal_is_not_driven(repository: Path) -> None:
    """A patch in a terminal is for people, whatever the pager."""
    write(
        run_folders(repository)[0],
        trace=hostile(TRACE),
        patch=PATCH + HUNK + b"+\x1b[2J\xc2\x9b1m\xe2\x80\xae\r\x08\x7f\n",
    )
    code, seen = Terminal(
        repository, "git", "orefactor", "show", environment={"GIT_PAGER": "cat", "PAGER": "cat"}
    ).finish()
    assert code == 0
    text = without_escapes(seen)
    assert "^[[2J<U+009B>1m<U+202E>^M^H^?" in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text), text
