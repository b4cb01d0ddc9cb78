"""The note on a result's commit: what it says, what it leaves alone, and that several writers lose nothing."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state
from e2e.publishing import RUN, Scene, make_scene

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.outputs.branch import Identities, Identity
from orefactor.core.outputs.note import NOTES_REF, note_text, write_note
from orefactor.core.trace import RunFolder
from orefactor.core.trace_model import Trace
from orefactor.sandbox.notes import append_note, read_note
from orefactor.sandbox.repository import find_repository

WHEN = datetime(2030, 1, 1, tzinfo=UTC)
WHO = Identities(Identity("A", "a@example.com"), Identity("C", "c@example.com"))
IDENTITY = {f"GIT_{role}_{part}": "x@example.com" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}


def _log(folder: Path, commit: str) -> str:
    return git(folder, "log", "-1", "--notes=orefactor", "--format=%N", commit)


@pytest.fixture
def scene(make_repository: MakeRepository) -> Scene:
    return make_scene(make_repository)


def test_log_tells_where_a_commit_came_from(scene: Scene) -> None:
    commit = scene.branch()
    repository = find_repository(scene.folder)
    folder = RunFolder(repository.common_dir / "orefactor" / "runs" / RUN)
    trace = folder.read_trace()
    assert trace is not None
    hook = repository.common_dir / "hooks" / "reference-transaction"
    hook.write_text(f"#!/bin/sh\ntouch '{scene.folder}/ran'\n")
    hook.chmod(0o755)
    before = user_state(scene.folder)
    assert write_note(repository, commit, folder, trace, WHO, WHEN) is True
    digest = hashlib.sha256((folder.path / "trace.json").read_bytes()).hexdigest()
    assert _log(scene.folder, commit).splitlines() == [
        f"Orefactor-Run: {RUN}",
        f"Orefactor-Trace: sha256:{digest}",
        "Orefactor-Model: fixture",
        f"Orefactor-Base: {scene.base}",
        f"Orefactor-Tree: {scene.tree}",
        "Orefactor-Checks: ruff passed, pytest passed",
    ]
    written = git(scene.folder, "log", "-1", "--format=%an %ae %ad %cn %ce", "--date=raw", NOTES_REF)
    assert written == f"A a@example.com {int(WHEN.timestamp())} +0000 C c@example.com"
    assert write_note(repository, commit, folder, trace, WHO, WHEN) is False
    assert not (scene.folder / "ran").exists()
    hook.unlink()
    git(scene.folder, "update-ref", "-d", NOTES_REF)
    assert user_state(scene.folder) == before


def test_its_text() -> None:
    made = {
        "version": "1",
        "run_id": RUN,
        "task": "",
        "paths": [],
        "settings": {},
        "status": "completed",
        "reason": "",
        "exit_code": 0,
        "message": "",
        "verified": None,
        "files_changed": [],
        "iterations": 0,
        "summary": {"title": "", "body": ""},
        "base": None,
        "tree": None,
        "usage": {},
        "rounds": [
            {"round": 1, "messages": 1, "prompt_tokens_estimated": 1, "model": model}
            for model in ("m\n\nOrefactor-Tree: forged\x1b", "m\ud800")
        ],
    }
    text = note_text(Trace.model_validate(made), "ab")
    assert text.splitlines() == [
        f"Orefactor-Run: {RUN}",
        "Orefactor-Trace: sha256:ab",
        r"Orefactor-Model: m Orefactor-Tree: forged , m\ud800",
        "Orefactor-Checks: none",
    ]


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_note_that_is_there_stays(make_repository: MakeRepository, object_format: str) -> None:
    folder = make_repository({"a": "a"}, "repo", f"--object-format={object_format}")
    head = git(folder, "rev-parse", "HEAD")
    git(folder, "notes", "--ref=orefactor", "add", "-m", "Mine.", "HEAD")
    worktree = folder.parent / "linked"
    git(folder, "worktree", "add", "-q", str(worktree))
    repository = find_repository(worktree)
    assert append_note(repository, NOTES_REF, head, "Ours.\n", IDENTITY)
    assert not append_note(repository, NOTES_REF, head, "Ours.\n", IDENTITY)
    assert append_note(repository, NOTES_REF, head, "Next.\n", IDENTITY)
    assert _log(folder, head) == "Mine.\n\nOurs.\n\nNext."
    assert read_note(repository, NOTES_REF, head) == "Mine.\n\nOurs.\n\nNext.\n"
    assert read_note(repository, "refs/notes/other", head) == ""


def test_several_writers_lose_nothing(make_repository: MakeRepository) -> None:
    folder = make_repository({"a": "a"})
    head = git(folder, "rev-parse", "HEAD")
    other = git(folder, "commit-tree", "-m", "other", git(folder, "write-tree"))
    repository = find_repository(folder)

    def write(number: int) -> bool:
        return append_note(repository, NOTES_REF, (head, other)[number % 2], f"Line {number}.", IDENTITY)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(write, range(8)))
    lines = [line for commit in (head, other) for line in _log(folder, commit).split("\n") if line]
    assert sorted(lines) == [f"Line {number}." for number in range(8)]
    assert int(git(folder, "rev-list", "--count", NOTES_REF)) == 8


def test_a_ref_that_is_something_else_is_left_alone(make_repository: MakeRepository) -> None:
    folder = make_repository({"a": "a"})
    head = git(folder, "rev-parse", "HEAD")
    repository = find_repository(folder)
    blob = git(folder, "hash-object", "-w", "a")
    for command in (
        ["symbolic-ref", NOTES_REF, "refs/heads/main"],
        ["update-ref", NOTES_REF, blob],
        ["update-ref", f"{NOTES_REF}/below", head],
    ):
        git(folder, *command)
        before = git(folder, "for-each-ref")
        with pytest.raises(UserError, match="no note could be written") as caught:
            append_note(repository, NOTES_REF, head, "Ours.", IDENTITY)
        assert caught.value.exit_code is ExitCode.CONFLICT
        assert git(folder, "for-each-ref") == before
        git(folder, "update-ref", "--no-deref", "-d", command[-2])


def test_the_digest_of_a_trace_that_is_gone(scene: Scene) -> None:
    commit = scene.branch()
    repository = find_repository(scene.folder)
    folder = RunFolder(repository.common_dir / "orefactor" / "runs" / "gone")
    trace = Trace.model_validate_json(json.dumps(scene.trace()))
    assert write_note(repository, commit, folder, trace, WHO, WHEN)
    assert hashlib.sha256(b"").hexdigest() in _log(scene.folder, commit)
