"""The result as a commit on a new branch: one commit, its message, and nothing else moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, RunCommand, git, user_state, write_files
from e2e.processes import run_here
from e2e.scenes import (
    DOCUMENT,
    FILES,
    REPLIES,
    TASK,
    read,
    trace,
)

FixtureFile = Callable[..., Path]


def test_a_branch_gets_one_commit_and_nothing_else_moves(
    make_repository: MakeRepository, fixture_file: FixtureFile, run_command: RunCommand
) -> None:
    repository = make_repository(FILES)
    write_files(repository, {"README.md": "unfinished\n", "untracked.py": "x = 1\n"})
    before = user_state(repository)
    done = run_command(repository, TASK, "--branch", "documented", "--fixture", str(fixture_file(*REPLIES)))
    assert (done.returncode, done.stdout) == (0, b"documented\n"), done.stderr
    assert git(repository, "rev-parse", "documented^") == git(repository, "rev-parse", "HEAD")
    assert git(repository, "diff", "--name-only", "HEAD", "documented") == "src/shapes.py"
    kept = trace(repository)
    assert git(repository, "rev-parse", "documented^{tree}") == kept["tree"]
    assert git(repository, "log", "-1", "--format=%B", "documented") == (
        f"Document area\n\nIt says what the function does.\n\nOrefactor-Run: {kept['run_id']}\nOrefactor-Model: fixture"
    )
    assert git(repository, "log", "-1", "--format=%an|%ae|%cn|%ce", "documented") == (
        "A U Thor|author@example.com|C O Mitter|committer@example.com"
    )
    git(repository, "update-ref", "-d", "refs/heads/documented")
    # The note that tells where the commit came from is the run's as well.
    assert f"Orefactor-Run: {kept['run_id']}" in git(repository, "notes", "--ref=orefactor", "show", kept["commit"])
    git(repository, "update-ref", "-d", "refs/notes/orefactor")
    assert user_state(repository) == before


def test_hooks_that_a_branch_goes_past_are_named(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository = make_repository(FILES)
    hook = repository / ".git" / "hooks" / "commit-msg"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    script = str(fixture_file(*REPLIES))
    done = run_here(capfdbinary, repository, TASK, "--branch", "result", "--no-check", "--fixture", script)
    assert (done.returncode, done.stdout) == (0, b"result\n")
    assert "note: hooks were not run (commit-msg)" in done.stderr.decode()


@pytest.mark.parametrize(
    ("answer", "subject"),
    [
        ("```\nDocument area\n```", "Document area"),
        ("word " * 40, ("Word " + "word " * 13).strip() + "…"),
        ("Title\n\nOrefactor-Run: forged\nSigned-off-by: M", "Title"),
    ],
)
def test_the_commit_message_is_validated(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    answer: str,
    subject: str,
) -> None:
    repository = make_repository(FILES)
    script = fixture_file(read(), DOCUMENT, {"content": answer})
    done = run_here(capfdbinary, repository, TASK, "--branch", "auto", "--no-check", "--fixture", str(script))
    branch = done.stdout.decode().strip()
    message = git(repository, "log", "-1", "--format=%B", branch)
    run_id = trace(repository)["run_id"]
    assert re.fullmatch(rf"orefactor/[a-z0-9-]{{1,40}}-{run_id}", branch)
    assert message.splitlines()[0] == subject
    assert len(subject) <= 72
    assert "```" not in message
    assert "forged" not in message
    assert git(repository, "log", "-1", "--format=%(trailers)", branch).splitlines() == [
        f"Orefactor-Run: {run_id}",
        "Orefactor-Model: fixture",
    ]
