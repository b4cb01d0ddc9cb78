"""What leaves a run that passes: a patch, a file, a branch, JSON; and that nothing of the user's moves."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, RunCommand, call, calls, git, user_state, write_files
from e2e.processes import run_here
from e2e.scenes import (
    DOCUMENTED,
    FILES,
    REPLIES,
    TASK,
    applied_tree,
    edit,
    leftovers,
    read,
    run_folders,
    trace,
)

FixtureFile = Callable[..., Path]
HEAD = re.compile(
    rb"Orefactor-Run: (\d{8}T\d{6}-[0-9a-f]{6})\n"
    rb"Orefactor-Base: ([0-9a-f]{40})\n"
    rb"Orefactor-Tree: ([0-9a-f]{40})\n\ndiff --git "
)


@pytest.mark.traces("REQ-103-017", "REQ-103-022", "REQ-103-023")
def test_the_patch_gives_the_tree_that_its_head_names(
    make_repository: MakeRepository, fixture_file: FixtureFile, run_command: RunCommand, tmp_path: Path
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    done = run_command(repository, TASK, "src/shapes.py", "--fixture", str(fixture_file(*REPLIES)))
    assert done.returncode == 0, done.stderr
    head = HEAD.match(done.stdout)
    assert head is not None
    run_id, base, tree = (part.decode() for part in head.groups())
    assert base == git(repository, "rev-parse", "HEAD")
    assert applied_tree(repository, done.stdout, base, tmp_path / "index") == tree
    kept = trace(repository)
    assert (kept["run_id"], kept["tree"], kept["status"]) == (run_id, tree, "completed")
    assert [entry["name"] for entry in kept["tool_calls"]] == ["read_file", "edit_file"]
    assert kept["user_state"]["same"]
    assert (run_folders(repository)[-1] / "result.patch").read_bytes() == done.stdout
    assert user_state(repository) == before
    assert leftovers(repository) == []


HARD = {
    "old name.py": "x = 1\ny = 2\nz = 3\n",
    "gone.py": "x = 1\n",
    'käse/ümlaut "q".py': "x = 1\n",
    "data.bin": bytes(range(256)),
    "script": "#!/bin/sh\necho hello\n",
}


def test_new_deleted_renamed_and_oddly_named_files_are_in_the_patch(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> None:
    repository = make_repository(HARD)
    (repository / "script").chmod(0o755)
    git(repository, "commit", "-qam", "mode")
    name = 'käse/ümlaut "q".py'
    script = fixture_file(
        calls(*(call("read_file", path=path) for path in ("old name.py", "gone.py", name, "script"))),
        calls(call("move_file", path="old name.py", new_path="neü/new name.py")),
        calls(call("delete_file", path="gone.py")),
        edit("x = 1", "x = 2", name),
        edit("hello", "hi", "script"),
        calls(call("write_file", path="added.py", content="a = 1\n")),
        {"content": "Change all kinds"},
    )
    done = run_here(capfdbinary, repository, "change", "--fixture", str(script), "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    tree = applied_tree(repository, told["patch"].encode(), "HEAD", tmp_path / "index")
    assert tree == told["tree"]
    assert "100755" in git(repository, "ls-tree", tree, "script")
    assert "rename from old name.py\n" in told["patch"]
    assert set(told["files_changed"]) == {"added.py", "gone.py", name, "neü/new name.py", "old name.py", "script"}


@pytest.mark.parametrize("options", [["-o", "out.patch"], ["--output=out.patch"]])
def test_output_writes_the_patch_and_leaves_stdout_empty(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    options: list[str],
    tmp_path: Path,
) -> None:
    repository = make_repository(FILES)
    done = run_here(capfdbinary, repository, TASK, "--fixture", str(fixture_file(*REPLIES)), *options)
    assert (done.returncode, done.stdout) == (0, b"")
    patch = (repository / "out.patch").read_bytes()
    assert applied_tree(repository, patch, "HEAD", tmp_path / "index") == trace(repository)["tree"]
    # The file that was asked for is no harm done to the user.
    assert trace(repository)["user_state"]["same"]


def test_apply_puts_the_patch_on_the_working_tree_only(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository = make_repository(FILES)
    write_files(repository, {"README.md": "unfinished\n"})
    before = user_state(repository)
    done = run_here(capfdbinary, repository, TASK, "--apply", "--fixture", str(fixture_file(*REPLIES)))
    assert done.returncode == 0, done.stderr
    assert (repository / "src/shapes.py").read_text() == DOCUMENTED
    assert (repository / "README.md").read_text() == "unfinished\n"
    after = user_state(repository)
    assert {name: after[name] for name in after if name != "files"} == {
        name: before[name] for name in before if name != "files"
    }
    assert [entry["kind"] for entry in trace(repository)["delivered"]] == ["patch", "applied"]


def test_apply_that_does_not_fit_changes_nothing(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository = make_repository(FILES)
    write_files(repository, {"src/shapes.py": "def area(x, y):\n    return x * y\n"})
    before = user_state(repository)
    done = run_here(
        capfdbinary, repository, TASK, "--apply", "--base", "HEAD", "--fixture", str(fixture_file(*REPLIES))
    )
    assert (done.returncode, done.stdout) == (7, b"")
    assert user_state(repository) == before
    assert (trace(repository)["status"], trace(repository)["exit_code"]) == ("error", 7)


JSON_FIELDS = frozenset(
    {"run_id", "status", "reason", "exit_code", "verified", "files_changed", "iterations", "summary", "patch"}
    | {"patch_encoding", "branch", "commit", "base", "tree", "usage", "cost_usd", "checks", "guards", "contract"}
    | {"tool_calls", "trace_path"}
)


@pytest.mark.traces("REQ-103-023")
def test_json_holds_the_whole_result(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository = make_repository(FILES)
    done = run_here(capfdbinary, repository, TASK, "--json", "--fixture", str(fixture_file(*REPLIES)))
    told: dict[str, Any] = json.loads(done.stdout)
    assert set(told) >= JSON_FIELDS
    assert done.stdout.count(b"\n") == 1
    assert (told["status"], told["reason"], told["exit_code"]) == ("completed", "delivered", 0)
    assert told["files_changed"] == ["src/shapes.py"]
    assert (told["iterations"], told["verified"]) == (3, True)
    assert told["summary"]["title"] == "Document area"
    assert [check["outcome"] for check in told["checks"]] == ["passed", "passed"]
    assert set(told["tool_calls"][0]) == {
        *("round", "id", "name", "arguments", "status", "duration_ms", "summary", "digest")
    }
    assert Path(told["trace_path"]).is_file()


def test_a_patch_that_is_no_text_is_base64_in_json(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> None:

    repository = make_repository({"latin.py": b"# -*- coding: latin-1 -*-\n# caf\xe9\nx = 1\n"})
    script = fixture_file(read("latin.py"), edit("x = 1", "x = 2", "latin.py"), {"content": "Change x"})
    told = json.loads(run_here(capfdbinary, repository, "change", "--json", "--fixture", str(script)).stdout)
    assert told["patch_encoding"] == "base64"
    patch = base64.b64decode(told["patch"])
    assert applied_tree(repository, patch, "HEAD", tmp_path / "index") == told["tree"]
    assert git(repository, "cat-file", "-s", f"{told['tree']}:latin.py") == git(
        repository, "cat-file", "-s", "HEAD:latin.py"
    )


NO_CHANGE = (read(), {"content": "It is documented already."})


@pytest.mark.parametrize(
    ("replies", "options", "code", "has_patch"),
    [
        (REPLIES, [], 0, True),
        (REPLIES, ["--exit-code"], 1, True),
        (NO_CHANGE, [], 0, False),
        (NO_CHANGE, ["--exit-code"], 0, False),
        (NO_CHANGE, ["--branch", "result"], 0, False),
        (NO_CHANGE, ["--apply"], 0, False),
    ],
)
def test_changes_and_no_change_needed(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    replies: tuple[dict[str, Any], ...],
    options: list[str],
    code: int,
    has_patch: bool,
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    done = run_here(capfdbinary, repository, TASK, *options, "--fixture", str(fixture_file(*replies)))
    assert (done.returncode, bool(done.stdout)) == (code, has_patch), done.stderr
    assert (b"needed no change" in done.stderr) == (not has_patch)
    assert user_state(repository) == before


def test_the_trace_is_copied_and_valid(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> None:
    repository = make_repository(FILES)
    copy = tmp_path / "copy.json"
    run_here(capfdbinary, repository, TASK, "--trace", str(copy), "--fixture", str(fixture_file(*REPLIES)))
    assert copy.read_bytes() == (run_folders(repository)[-1] / "trace.json").read_bytes()
    assert trace(repository)["schema"] == "orefactor.trace/1"
