"""`git orefactor verify`: what is proven, what is refused, and that nothing of the user's changes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import CopyOf, MakeRepository, git, user_state, write_files
from e2e.processes import COMMAND, Done, run_here
from e2e.scenes import FILES, REPLIES, TASK, edit, leftovers, read, run_folders, trace

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]
UNUSED = edit("def area(a, b):\n", "import os\n\n\ndef area(a, b):\n")


@pytest.fixture
def repository(
    copy_of: CopyOf, make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> Path:
    """One with a patch of its newest run beside unfinished work."""

    def make() -> Path:
        made = make_repository(FILES)
        write_files(made, {"README.md": "unfinished\n", ".gitignore": "*.patch\n"})
        git(made, "stash", "push", "-q")
        git(made, "stash", "apply", "-q")
        script = str(fixture_file(*REPLIES))
        done = run_here(capfdbinary, made, TASK, "src", "--fixture", script, "-o", "a.patch")
        assert done.returncode == 0, done.stderr
        return made

    return copy_of("to-verify", make)


def _verify(capture: Capture, repository: Path, *words: str) -> Done:
    """Call it, and find the user's side of the repository as before."""
    before = user_state(repository)
    status = git(repository, "status", "--porcelain")
    done = run_here(capture, repository, "verify", *words)
    assert user_state(repository) == before
    assert git(repository, "status", "--porcelain") == status
    assert not leftovers(repository)
    return done


def test_a_patch_is_proven(repository: Path, capfdbinary: Capture) -> None:
    told = trace(repository)
    done = _verify(capfdbinary, repository, "a.patch")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        f"run       {told['run_id']}",
        f"base      {told['base']['commit']}",
        f"tree      {told['tree']}",
        "files     src/shapes.py",
        "trace     kept here, names the same",
        "proven    the patch gives that tree",
    ]


def test_json(repository: Path, capfdbinary: Capture) -> None:
    told = trace(repository)
    done = _verify(capfdbinary, repository, "--json", "a.patch", "--checks")
    assert done.returncode == 0
    said: dict[str, Any] = json.loads(done.stdout)
    checks = said.pop("checks")
    assert said == {
        "proven": True,
        "run_id": told["run_id"],
        "commit": None,
        "base": told["base"]["commit"],
        "tree": told["tree"],
        "files_changed": ["src/shapes.py"],
        "trace_kept": True,
        "same_bytes": True,
        "picked": False,
        "verified": True,
        "exit_code": 0,
    }
    assert [(check["name"], check["outcome"]) for check in checks] == [("py_compile", "passed"), ("ruff", "passed")]


def test_json_of_what_is_refused(repository: Path, capfdbinary: Capture) -> None:
    done = _verify(capfdbinary, repository, "nothing", "--json")
    said = json.loads(done.stdout)
    assert (done.returncode, said["exit_code"], "neither a file" in said["message"]) == (2, 2, True)


@pytest.mark.parametrize("checks", [[], ["--checks"]])
def test_a_run_that_is_not_kept(repository: Path, capfdbinary: Capture, checks: list[str]) -> None:
    shutil.rmtree(repository / ".git" / "orefactor")
    done = _verify(capfdbinary, repository, "a.patch", *checks)
    assert done.returncode == 0
    assert b"trace     not kept here; the head of the patch alone was proven" in done.stdout
    assert (b"verified  yes" in done.stdout) == bool(checks)


def test_in_another_clone(repository: Path, tmp_path: Path, capfdbinary: Capture) -> None:
    git(tmp_path, "clone", "-q", "--no-local", str(repository), "clone")
    other = tmp_path / "clone"
    # The base holds work that no commit has.
    done = _verify(capfdbinary, other, str(repository / "a.patch"))
    assert (done.returncode, b"is not in this repository" in done.stderr, b"hint: fetch" in done.stderr) == (
        6,
        True,
        True,
    )


@pytest.mark.parametrize("cleaned", [False, True])
def test_a_base_of_uncommitted_work(
    repository: Path, fixture_file: FixtureFile, capfdbinary: Capture, cleaned: bool
) -> None:
    write_files(repository, {"src/shapes.py": FILES["src/shapes.py"] + "# unfinished\n"})
    run_here(capfdbinary, repository, TASK, "--fixture", str(fixture_file(*REPLIES)), "-o", "b.patch")
    if cleaned:
        git(repository, "-c", "gc.pruneExpire=now", "gc", "-q", "--prune=now")
        found = subprocess.run(
            ["git", "cat-file", "-e", trace(repository)["base"]["commit"]], cwd=repository, check=False
        )
        assert found.returncode != 0
    done = _verify(capfdbinary, repository, "b.patch", "--checks")
    assert done.returncode == 0, done.stderr
    assert b"proven    the patch gives that tree" in done.stdout


CHANGES: list[tuple[str, Callable[[bytes], bytes], int, str]] = [
    ("another line", lambda patch: patch.replace(b'"""Multiply."""', b'"""Divide."""'), 3, "but its head names"),
    ("another tree", lambda patch: _with_tree(patch, b"1" * 40), 3, "but its head names " + "1" * 40),
    ("another context", lambda patch: patch.replace(b"return a * b", b"return a + b"), 7, "doesn't apply"),
    ("CRLF", lambda patch: patch.replace(b"\n", b"\r\n"), 7, "doesn't apply"),
    ("a line that git skips", lambda patch: patch + b"+    evil()\n", 3, "reads as a part of it"),
    ("a base that is not here", lambda patch: _with_base(patch, b"1" * 40), 6, "is not in this repository"),
    ("no head", lambda patch: patch[patch.index(b"diff --git") :], 2, "no head"),
    ("two heads", lambda patch: patch + patch, 2, "several heads"),
    ("a malformed head", lambda patch: patch.replace(b"Orefactor-Run: ", b"Orefactor-Run: x"), 2, "not in the form"),
    ("nothing", lambda _: b"", 2, "no head"),
    ("binary", lambda _: bytes(range(256)), 2, "no head"),
]


def _with_tree(patch: bytes, tree: bytes) -> bytes:
    at = patch.index(b"Orefactor-Tree: ") + 16
    return patch[:at] + tree + patch[at + 40 :]


def _with_base(patch: bytes, base: bytes) -> bytes:
    at = patch.index(b"Orefactor-Base: ") + 16
    return patch[:at] + base + patch[at + 40 :]


@pytest.mark.parametrize(("change", "code", "said"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_patch_that_is_refused(
    repository: Path, capfdbinary: Capture, change: Callable[[bytes], bytes], code: int, said: str
) -> None:
    changed = repository / "changed.patch"
    changed.write_bytes(change((repository / "a.patch").read_bytes()))
    done = _verify(capfdbinary, repository, "changed.patch")
    assert (done.returncode, done.stdout) == (code, b"")
    first, second = done.stderr.decode().splitlines()
    assert first.startswith("error: ")
    assert said in first
    assert second.startswith("hint: ")


def test_a_mailed_patch_gives_the_same_tree(repository: Path, capfdbinary: Capture) -> None:
    mailed = b"From: a@example.com\nSubject: x\n\n" + (repository / "a.patch").read_bytes() + b"-- \n2.39.5\n"
    (repository / "mailed.patch").write_bytes(mailed)
    done = _verify(capfdbinary, repository, "mailed.patch")
    assert done.returncode == 0
    assert b"bytes     not the patch that the run delivered, byte for byte" in done.stdout


@pytest.mark.parametrize("name", ["fifo.patch", "folder", "missing.patch", "loop.patch", "-x"])
def test_what_is_no_patch_file(repository: Path, capfdbinary: Capture, name: str) -> None:
    os.mkfifo(repository / "fifo.patch")
    (repository / "folder").mkdir()
    (repository / "loop.patch").symlink_to("loop.patch")
    before = git(repository, "for-each-ref")
    done = run_here(capfdbinary, repository, "verify", name)
    assert (done.returncode, done.stdout, git(repository, "for-each-ref")) == (2, b"", before)


def test_standard_input(repository: Path) -> None:
    patch = (repository / "a.patch").read_bytes()
    done = subprocess.run(
        [*COMMAND, "verify", "-"], cwd=repository / "src", input=patch, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "verify", "-"], cwd=repository, capture_output=True, check=False
    )
    assert (closed.returncode, b"no head" in closed.stderr) == (2, True)


@pytest.fixture
def branched(make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture) -> Path:
    """One whose newest run made the branch `result`."""
    made = make_repository(FILES)
    done = run_here(capfdbinary, made, TASK, "--branch", "result", "--fixture", str(fixture_file(*REPLIES)))
    assert done.returncode == 0, done.stderr
    return made


@pytest.mark.parametrize("checks", [[], ["--checks"]])
def test_a_commit_is_proven(branched: Path, capfdbinary: Capture, checks: list[str]) -> None:
    done = _verify(capfdbinary, branched, "result", *checks)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert f"commit    {git(branched, 'rev-parse', 'result')}" in lines
    assert lines[-1] == "proven    the commit holds that tree"
    assert ("check     ruff: passed" in lines) == bool(checks)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["commit", "-q", "--amend", "-am", "other\n\nOrefactor-Run: {run}"], 3, "gives the tree"),
        (["commit", "-q", "--amend", "--allow-empty", "-m", "no run"], 2, "no trailer"),
        (["commit", "-q", "--allow-empty", "-m", "x\n\nOrefactor-Run: {run}"], 3, "stands on the base"),
        (["commit", "-q", "--amend", "-m", "x\n\nOrefactor-Run: 20261130T101500-4f2a9c"], 6, "is not kept"),
    ],
    ids=["another tree", "no trailer", "another parent", "not kept"],
)
def test_a_commit_that_is_refused(branched: Path, capfdbinary: Capture, words: list[str], code: int, said: str) -> None:
    git(branched, "checkout", "-q", "result")
    if "-am" in words:
        write_files(branched, {"README.md": "changed\n"})
    git(branched, *(word.format(run=trace(branched)["run_id"]) for word in words))
    done = _verify(capfdbinary, branched, "HEAD")
    assert (done.returncode, done.stdout, said in done.stderr.decode()) == (code, b"", True), done.stderr


def test_checks_that_fail_anew(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    made = make_repository(FILES)
    script = str(fixture_file(read(), UNUSED, {"content": "Import os"}))
    assert run_here(capfdbinary, made, TASK, "--no-check", "--branch", "result", "--fixture", script).returncode == 0
    (folder,) = run_folders(made)
    told = json.loads((folder / "trace.json").read_bytes())
    assert _verify(capfdbinary, made, "result", "--checks").returncode == 0
    told["settings"]["checks"] = ["ruff", "evil", "py_compile", 7, "evil"]
    (folder / "trace.json").write_text(json.dumps(told))
    done = _verify(capfdbinary, made, "result", "--checks")
    assert done.returncode == 3
    assert "check     ruff: failed, 1 new and 0 old finding(s)\n" in done.stdout.decode()
    assert b"F401" in done.stdout
    assert b"verified  no" in done.stdout
    assert [line[:6] for line in done.stderr.splitlines()] == [b"note: ", b"error:", b"hint: "]
    assert b"note: `evil` is a check of the project's own, which is not run here" in done.stderr
    assert done.stderr.count(b"evil") == 1
    said = json.loads(_verify(capfdbinary, made, "result", "--checks", "--json").stdout)
    assert (said["exit_code"], said["proven"], said["verified"], said["checks"][0]["findings_new"]) == (
        3,
        True,
        False,
        1,
    )


@pytest.mark.parametrize("named", ["ruff", None, [], {}])
def test_checks_that_the_trace_names_in_no_form(branched: Path, capfdbinary: Capture, named: Any) -> None:
    (folder,) = run_folders(branched)
    told = json.loads((folder / "trace.json").read_bytes())
    told["settings"]["checks"] = named
    (folder / "trace.json").write_text(json.dumps(told))
    done = _verify(capfdbinary, branched, "result", "--checks")
    assert (done.returncode, done.stdout.count(b"check     ")) == (0, 0 if named == [] else 2)


def test_old_findings_do_not_count(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    made = make_repository({**FILES, "src/shapes.py": "import os\n\n\n" + FILES["src/shapes.py"]})
    script = str(fixture_file(*REPLIES))
    assert run_here(capfdbinary, made, TASK, "-o", "../a.patch", "--fixture", script).returncode == 0
    done = _verify(capfdbinary, made, "../a.patch", "--checks")
    assert (done.returncode, b"check     ruff: passed, 0 new and 1 old finding(s)" in done.stdout) == (0, True)


def test_nothing_of_the_repository_runs(repository: Path, tmp_path: Path, capfdbinary: Capture) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    for hook in ("post-checkout", "pre-applypatch", "post-index-change", "reference-transaction"):
        shutil.copy(program, repository / ".git" / "hooks" / hook)
    settings = ("core.fsmonitor", "diff.external", "filter.x.clean", "filter.x.smudge", "diff.x.textconv")
    for key in (*settings, "filter.x.process", "trailer.x.command", "core.alternateRefsCommand"):
        git(repository, "config", key, str(program))
    (repository / ".git" / "info" / "attributes").write_text("* filter=x diff=x\n")
    before = (repository / ".git" / "index").read_bytes()
    done = run_here(capfdbinary, repository, "verify", "a.patch", "--checks")
    assert (done.returncode, mark.exists()) == (0, False), done.stderr
    assert (repository / ".git" / "index").read_bytes() == before
