"""The last screen: ten rows at most, whatever came of a run, and the same facts as plain lines."""

from __future__ import annotations

import io
import pty
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from recordings import part, recorded
from rich.console import Console

from orefactor.cli.last_screen import MOST_ROWS, screen
from orefactor.cli.outcome import closing, facts_of, headline, say_outcome
from orefactor.cli.progress import make_progress
from orefactor.cli.progress.live import LiveProgress
from orefactor.cli.progress.plain import PlainProgress
from orefactor.core.errors import ExitCode, Status
from orefactor.core.result import RefactorResult

RUN = "20300101T000000-abcdef"
PATCH = b"""\
diff --git a/src/x.py b/src/x.py
--- a/src/x.py
+++ b/src/x.py
@@ -1,1 +1,2 @@
-a
+b
+c
"""
CHECK = {"name": "ruff", "required": True, "when": "final", "outcome": "passed", "findings_new": 0, "findings_old": 0}
GUARDS = ({"name": "scope", "ok": True, "detail": ""}, {"name": "size", "ok": True, "detail": ""})
DONE: dict[str, Any] = {
    "run_id": RUN,
    "files_changed": ("src/x.py",),
    "summary": {"title": "Document area", "body": ""},
    "checks": (CHECK,),
    "guards": GUARDS,
    "iterations": 3,
    "duration_ms": 4200,
    "cost_usd": 0.0,
    "delivered": ({"kind": "patch", "what": "stdout"},),
}


def _result(
    folder: Path,
    patch: bytes | None = PATCH,
    *,
    status: Status = "completed",
    reason: str = "delivered",
    code: ExitCode = ExitCode.OK,
    verified: bool | None = True,
    message: str = "it failed",
    rejected: bytes = b"",
    **fields: Any,
) -> RefactorResult:
    trace = recorded(**{**DONE, "status": status, "reason": reason, **fields})
    if rejected:
        (folder / "rejected.patch").write_bytes(rejected)
    return RefactorResult(status, reason, code, verified, message, "do it", patch, trace, folder / "trace.json")


def _failed(folder: Path, **fields: Any) -> RefactorResult:
    facts: dict[str, Any] = {
        "status": "gate", "reason": "check:ruff", "code": ExitCode.GATE, "verified": False, "delivered": (),
        "rejected": PATCH, "checks": ({**CHECK, "outcome": "failed", "findings_new": 2, "findings_old": 1},),
    }  # fmt: skip
    return _result(folder, None, **{**facts, **fields})


def _plain(result: RefactorResult, capsys: pytest.CaptureFixture[str], *, quiet: bool = False) -> list[str]:
    say_outcome(result, quiet=quiet)
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err.splitlines()


def _screen(result: RefactorResult, width: int = 60) -> list[str]:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, highlight=False)
    rows = screen(headline(result), list(facts_of(result)), list(closing(result)), console)
    assert sum(max(-(-row.cell_len // width), 1) for row in rows) <= MOST_ROWS
    return [row.plain.rstrip() for row in rows]


def test_a_delivered_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = _result(tmp_path)
    assert _plain(done, capsys) == [
        "done: Document area",
        "files: src/x.py +2 -1",
        "checks: ruff passed",
        "contract: any change; 2 guards passed",
        "used: 3 round(s), 4.2 s",
        f"run: {RUN}, trace: trace.json",
        "next: `git orefactor show`",
    ]
    assert _screen(done) == [
        "done: Document area",
        "  files     src/x.py +2 -1",
        "  checks    ruff passed",
        "  contract  any change; 2 guards passed",
        "  used      3 round(s), 4.2 s",
        f"  run       {RUN}, trace: trace.json",
        "  next      git orefactor show",
    ]
    assert _plain(done, capsys, quiet=True) == []


def test_a_failed_gate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failed = _failed(tmp_path, message="the check `ruff` failed: " + "x.py:1: F401 " * 20)
    said = _plain(failed, capsys)
    assert said[:2] == ["files: src/x.py +2 -1, not delivered", "checks: ruff failed (2 new, 1 old)"]
    assert said[-4].startswith(f"run: {RUN}, exit 3, check:ruff, trace: ")
    assert [line.partition(":")[0] for line in said[-3:]] == ["error", "hint", "note"]
    assert said[-1] == f"note: the rejected change is kept: `git orefactor show {RUN}`"
    rows = _screen(failed)
    assert rows[-1] == f"  kept      git orefactor show {RUN}"
    assert [row.partition(":")[0] for row in rows if row.startswith(("error", "hint"))] == ["error", "hint"]
    assert rows[-3].endswith("…")
    assert any(row.startswith(f"  run       {RUN}, exit 3, check:ruff") for row in rows)
    assert [line.partition(":")[0] for line in _plain(failed, capsys, quiet=True)] == ["error", "hint"]


FACTS: dict[str, tuple[dict[str, Any], str]] = {
    "cost": (
        {"usage": {"prompt_tokens": 9000, "cached_tokens": 4000, "completion_tokens": 1000}, "cost_usd": 0.0123},
        "used: 3 round(s), 10.0k tokens, $0.0123, 4.2 s, 4.0k tokens cached",
    ),
    "an unknown cost": (
        {"usage": {"prompt_tokens": 9, "completion_tokens": 1}, "cost_usd": None},
        "used: 3 round(s), 10 tokens, cost unknown, 4.2 s",
    ),
    "no cost": (
        {"usage": {"prompt_tokens": 9, "completion_tokens": 1}, "cost_usd": 0.0},
        "used: 3 round(s), 10 tokens, 4.2 s",
    ),
    "reused": ({"reused": "20290101T000000-abcdef"}, "used: no model: reused run 20290101T000000-abcdef, 4.2 s"),
    "a contract": (
        {"contract": {"kinds": ("docstrings", "imports"), "ok": True}},
        "contract: docstrings,imports kept; 2 guards passed",
    ),
    "what nobody asked for": (
        {"spare": ({"path": "x.py", "line": 1, "symbol": "f", "why": "w"},)},
        "contract: any change; 2 guards passed, 1 hunk(s) that nobody asked for",
    ),
    "isolation": (
        {"isolation": {"tier": "landlock", "failure": "no\nbwrap"}},
        "isolation: checks ran in landlock: no bwrap",
    ),
    "isolation for a reason unknown": ({"isolation": {"tier": "none"}}, "isolation: checks were not isolated"),
    "somebody else": (
        {"user_state": {"before": {"refs": "a", "head": "c"}, "after": {"refs": "b", "head": "c"}, "same": False}},
        "yours: changed meanwhile, by somebody else: refs",
    ),
    "later": (
        {"summary": {"title": "t", "body": "", "follow_ups": ("a\nb", "c", "d", "e")}},
        "later: a b; c; d",
    ),
    "no check could run": ({"checks": (), "verified": None}, "checks: none ran; not verified, as no check could run"),
    "old findings": ({"checks": ({**CHECK, "findings_old": 2},)}, "checks: ruff passed (2 old)"),
    "not installed": ({"checks": ({**CHECK, "outcome": "not_installed"},)}, "checks: ruff not installed"),
    "a branch": (
        {"delivered": ({"kind": "branch", "what": "a;b", "hooks_not_run": ("commit-msg",)},), "branch": "a;b"},
        "next: `git switch 'a;b'`; `git orefactor show`",
    ),
    "hooks": (
        {"delivered": ({"kind": "branch", "what": "b", "hooks_not_run": ("commit-msg",)},), "branch": "b"},
        "note: hooks were not run (commit-msg); to run them: `git switch b && git commit --amend --no-edit`",
    ),
    "applied": ({"delivered": ({"kind": "applied", "what": "."},)}, "next: `git diff`; `git orefactor show`"),
    "a file": (
        {"delivered": ({"kind": "patch", "what": "a b.patch"},)},
        "next: `git apply 'a b.patch'`; `git orefactor show`",
    ),
    "no change": (
        {"files_changed": (), "patch": b"", "delivered": (), "checks": ()},
        "note: the task needed no change",
    ),
    "many files": (
        {"files_changed": tuple(f"{name}.py" for name in "abcdefg"), "patch": b""},
        "files: a.py, b.py, c.py, d.py, e.py and 2 more",
    ),
    "many files, counted": (
        {"patch": PATCH * 7},
        "files: " + ", ".join(["src/x.py +2 -1"] * 5) + " and 2 more, +14 -7 in all",
    ),
    "a patch too large to count": ({"patch": PATCH + b"#" * (4 << 20)}, "files: src/x.py"),
    "a new file": (
        {"patch": PATCH.replace(b"--- a/src/x.py", b"new file mode 100644\n--- /dev/null")},
        "files: src/x.py +2 -1 new",
    ),
    "a renamed file": (
        {"patch": b"diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n"},
        "files: x => y +0 -0 renamed",
    ),
    "a binary file": ({"patch": b"diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\n"}, "files: x binary"),
}


@pytest.mark.parametrize(("fields", "line"), FACTS.values(), ids=FACTS)
def test_facts(tmp_path: Path, capsys: pytest.CaptureFixture[str], fields: dict[str, Any], line: str) -> None:
    result = _result(tmp_path, **fields)
    assert line in _plain(result, capsys)
    assert len(_screen(result)) >= 4


_GO_ON = f"a model can go on where it was stopped: `git orefactor replay {RUN} --from auto`"
FAILURES: dict[str, tuple[dict[str, Any], str]] = {
    "a limit": (
        {"status": "limit", "reason": "limit:max_cost", "rejected": PATCH, "rounds": (part(1),)},
        f"note: the rejected change is kept: `git orefactor show {RUN}`; {_GO_ON}",
    ),
    "no reply at all": ({"status": "error", "reason": "provider:refused", "rejected": b""}, "hint: do it"),
    "a reply and then none": (
        {"status": "error", "reason": "provider:unreachable", "rejected": b"", "rounds": (part(1), part(2, ""))},
        f"note: {_GO_ON}",
    ),
    "a contract": (
        {"contract": {"kinds": ("move",), "ok": False}, "guards": ({**GUARDS[0], "ok": False},)},
        "contract: move broken; refused by scope",
    ),
    "before any check": ({"files_changed": (), "checks": (), "guards": ()}, "used: 3 round(s), 4.2 s"),
}


@pytest.mark.parametrize(("fields", "line"), FAILURES.values(), ids=FAILURES)
def test_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str], fields: dict[str, Any], line: str) -> None:
    result = _failed(tmp_path, **fields)
    assert line in _plain(result, capsys)
    assert len(_screen(result)) >= 4


@pytest.mark.parametrize("width", [20, 60, 120])
@pytest.mark.parametrize("count", [2, 4, 300])
def test_ten_rows_however_much_there_is_to_say(tmp_path: Path, width: int, count: int) -> None:
    patch = b"".join(
        PATCH.replace(b"x.py", b"a_rather_long_name_of_a_module_%d.py" % number) for number in range(count)
    )
    everything = {name: value for fields, _ in list(FACTS.values())[:13] for name, value in fields.items()}
    everything |= {
        "files_changed": ("x.py",),
        "summary": {"title": "long " * 50, "body": "", "follow_ups": ("x" * 99,)},
    }
    everything |= {"checks": (CHECK,) * 9, "verified": True, "delivered": DONE["delivered"]}
    rows = _screen(_result(tmp_path, patch, **everything), width)
    assert rows[0].startswith("done: long")
    assert rows[-1] == "  next      git orefactor show"
    worst = _failed(tmp_path, **{**everything, "message": "why " * 200, "delivered": ()})
    assert _screen(worst, width)
    few = _screen(_result(tmp_path, patch), width)
    if width > 20:
        assert len([row for row in few if "a_rather_long" in row]) == min(count, 4 if count == 4 else 3)
        assert ("            and 297 more, +600 -300 in all" in few) == (count == 300)


def test_a_stranger_drives_neither_terminal_nor_ci(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "s3cret-value-of-a-key"
    monkeypatch.setenv("SOME_API_KEY", secret)
    evil = f"\n::error::x \x1b[2J\u202e##[add-path]x {secret} \udcff"
    patch = PATCH.replace(b"src/x.py", b'"src/\\033[2J\\n::error::\\377.py"')
    fields: dict[str, Any] = {
        "summary": {"title": evil, "body": "", "follow_ups": (evil,)},
        "isolation": {"tier": "landlock", "failure": evil},
        "files_changed": (evil,),
    }
    for result in (_result(tmp_path, patch, **fields), _failed(tmp_path, message=evil, **fields)):
        plain, rows = _plain(result, capsys), _screen(result, 200)
        for line in [*plain, *rows]:
            assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202e\ud800-\udfff]", line)
            assert secret not in line
        assert not [line for line in plain if line.strip().startswith("::") or "##[" in line]


def test_a_folder_that_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert f"run: {RUN}, trace: {tmp_path}/trace.json" in _plain(_result(tmp_path), capsys)


def _all_of(keys: int) -> str:
    """What a terminal was given that nobody writes to any more; Linux ends it with an error."""
    shown = b""
    with suppress(OSError), open(keys, "rb", buffering=0) as terminal:
        while piece := terminal.read(65536):
            shown += piece
    return shown.decode()


@pytest.mark.parametrize(("ci", "term", "is_screen"), [("", "xterm", True), ("true", "xterm", False), ("", "", False)])
def test_a_person_at_a_terminal_gets_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ci: str, term: str, *, is_screen: bool
) -> None:
    keys, screen = pty.openpty()
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLUMNS", "80")
    with open(screen, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        monkeypatch.setattr(sys, "stderr", terminal)
        progress = make_progress(quiet=False)
        say_outcome(_result(tmp_path), quiet=False)
        progress.close()
    shown = _all_of(keys)
    assert type(progress) is (LiveProgress if is_screen else PlainProgress)
    assert ("\x1b[36mgit orefactor apply\x1b[0m" in shown) == is_screen
    assert ("next: `git orefactor apply`; `git orefactor show`" in shown) == (not is_screen)
