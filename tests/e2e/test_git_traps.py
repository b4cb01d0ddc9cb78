"""What repositories and users' settings do to tools like this one; it must not show in the result."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, call, calls, git, user_state, write_files
from e2e.processes import finish, run_here, start
from e2e.scenes import (
    DOCUMENT,
    DOCUMENTED,
    FILES,
    REPLIES,
    SHAPES,
    TASK,
    applied_tree,
    edit,
    leftovers,
    read,
    run_folders,
    trace,
)

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]
ORDINARY = ("--no-check", "-q", "--fixture")


def _body(patch: bytes) -> bytes:
    """The patch without its head, which names the run."""
    return patch.partition(b"\n\n")[2]


def _expected(repository: Path) -> bytes:
    """What plain git says of the scripted change, before anything is set that might bend it."""
    write_files(repository, {"src/shapes.py": DOCUMENTED})
    command = ["git", "diff", "--full-index", "--no-ext-diff"]
    patch = subprocess.run(command, cwd=repository, capture_output=True, check=True).stdout
    git(repository, "checkout", "-q", ".")
    return patch


def _script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def _hooks(repository: Path, ran: Path) -> None:
    for name in ("post-checkout", "post-commit", "reference-transaction", "post-index-change", "pre-commit"):
        _script(
            repository / ".git" / "hooks" / name, f"echo {name} >> '{ran}'; echo x > '{repository}/written'; exit 1"
        )


def _external_diff(repository: Path, ran: Path) -> None:
    git(repository, "config", "diff.external", _script(ran.with_name("external"), f"echo x >> '{ran}'"))


def _filters_and_drivers(repository: Path, ran: Path) -> None:
    program = _script(ran.with_name("program"), f"echo x >> '{ran}'; cat")
    (repository / ".git" / "info" / "attributes").write_text("*.py diff=trap\n*.md filter=trap\n")
    for key in ("diff.trap.textconv", "diff.trap.command", "filter.trap.clean", "filter.trap.smudge"):
        git(repository, "config", key, program)
    git(repository, "config", "filter.trap.required", "true")


def _programs(repository: Path, ran: Path) -> None:
    program = _script(ran.with_name("program"), f"echo x >> '{ran}'")
    for key in ("core.fsmonitor", "core.editor", "core.sshCommand", "gpg.program", "core.alternateRefsCommand"):
        git(repository, "config", key, program)
    git(repository, "config", "commit.gpgSign", "true")


def _odd_settings(repository: Path, _ran: Path) -> None:
    for key, value in {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.context": "0",
        "diff.algorithm": "patience",
        "color.ui": "always",
        "core.quotePath": "false",
        "apply.whitespace": "fix",
        "diff.renames": "false",
    }.items():
        git(repository, "config", key, value)


@pytest.mark.parametrize("trap", [_hooks, _external_diff, _filters_and_drivers, _programs, _odd_settings])
@pytest.mark.parametrize("options", [(), ("--branch", "result")], ids=["patch", "branch"])
def test_nothing_of_the_repository_runs_or_shows(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    tmp_path: Path,
    trap: Callable[[Path, Path], None],
    options: tuple[str, ...],
) -> None:
    repository, ran = make_repository(FILES), tmp_path / "ran"
    expected = _expected(repository)
    trap(repository, ran)
    done = run_here(capfdbinary, repository, TASK, *options, *ORDINARY, str(fixture_file(*REPLIES)))
    assert done.returncode == 0, done.stderr
    assert not ran.exists()
    assert not (repository / "written").exists()
    assert _body((run_folders(repository)[-1] / "result.patch").read_bytes()) == expected
    assert trace(repository)["user_state"]["same"]
    assert leftovers(repository) == []


@pytest.mark.parametrize(
    "variables",
    [
        {"GIT_EXTERNAL_DIFF": "false", "GIT_PAGER": "false", "GIT_DIFF_OPTS": "-u0"},
        {"GIT_DIR": "/nonexistent", "GIT_WORK_TREE": "/nonexistent", "GIT_INDEX_FILE": "/nonexistent"},
        {"GIT_OBJECT_DIRECTORY": "/nonexistent", "GIT_COMMON_DIR": "/nonexistent", "GIT_NAMESPACE": "x"},
        {"GIT_LITERAL_PATHSPECS": "0", "GIT_GLOB_PATHSPECS": "1", "GIT_PREFIX": "src/"},
    ],
)
def test_variables_that_redirect_git_are_scrubbed(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
) -> None:
    repository = make_repository(FILES)
    expected = _expected(repository)
    with monkeypatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        done = run_here(capfdbinary, repository, TASK, *ORDINARY, str(fixture_file(*REPLIES)))
    assert (done.returncode, _body(done.stdout)) == (0, expected), done.stderr


def test_inside_a_pre_commit_hook_the_index_stays_byte_for_byte(
    make_repository: MakeRepository, fixture_file: FixtureFile, tmp_path: Path
) -> None:
    repository = make_repository(FILES)
    write_files(repository, {"README.md": "staged\n"})
    git(repository, "add", "README.md")
    script, out = fixture_file(*REPLIES), tmp_path / "hook"
    _script(
        repository / ".git" / "hooks" / "pre-commit",
        f'env | grep -c "^GIT_INDEX_FILE=" > "{out}.variables"\n'
        f'cp "$GIT_INDEX_FILE" "{out}.before"\n'
        f'"{sys.executable}" -m orefactor {TASK!r} --base index --exit-code -q --fixture "{script}" > "{out}.patch"\n'
        f'echo $? > "{out}.code"\n'
        f'cp "$GIT_INDEX_FILE" "{out}.after"\n'
        "exit 1",
    )
    assert subprocess.run(["git", "commit", "-qm", "x"], cwd=repository, capture_output=True).returncode == 1

    def left(kind: str) -> bytes:
        return Path(f"{out}.{kind}").read_bytes()

    assert (left("variables"), left("code")) == (b"1\n", b"1\n")
    assert left("before") == left("after")
    assert git(repository, "show", f"{trace(repository)['base']['tree']}:README.md") == "staged"
    assert applied_tree(repository, left("patch"), trace(repository)["base"]["commit"], tmp_path / "index")
    assert git(repository, "diff", "--cached", "--name-only") == "README.md"


@pytest.mark.traces("SEC-103-001", "REQ-103-008")
def test_the_models_absolute_path_into_the_users_checkout_is_refused(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    own = str(repository / "src/shapes.py")
    script = fixture_file(
        read(own),
        edit("a * b", "b * a", own),
        calls(call("write_file", path="../../repo/src/shapes.py", content="")),
        read(),
        DOCUMENT,
        {"content": "Document"},
    )
    assert run_here(capfdbinary, repository, TASK, *ORDINARY, str(script)).returncode == 0
    statuses = [entry["status"] == "executed" for entry in trace(repository)["tool_calls"]]
    assert statuses == [False, False, False, True, True]
    assert user_state(repository) == before


def test_the_base_is_head_and_not_the_remotes_branch(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, tmp_path: Path
) -> None:
    origin = make_repository({"src/shapes.py": "old = 1\n"}, "origin")
    git(tmp_path, "clone", "-q", str(origin), "clone")
    repository = tmp_path / "clone"
    write_files(repository, FILES)
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "ahead")
    done = run_here(capfdbinary, repository, TASK, "--branch", "result", *ORDINARY, str(fixture_file(*REPLIES)))
    assert done.returncode == 0, done.stderr
    assert git(repository, "rev-parse", "result^") == git(repository, "rev-parse", "HEAD")


def test_unfinished_work_in_the_target_is_part_of_the_base(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(FILES)
    write_files(repository, {"src/shapes.py": SHAPES.replace("2 * a", "a + a")})
    before = user_state(repository)
    done = run_here(capfdbinary, repository, TASK, *ORDINARY, str(fixture_file(*REPLIES)))
    assert user_state(repository) == before
    assert b"a + a" not in [line[1:] for line in done.stdout.splitlines() if line[:1] in b"+-"]
    git(repository, "apply", stdin=done.stdout)
    assert "a + a" in (repository / "src/shapes.py").read_text()
    base = run_folders(repository)[-1] / "base.patch"
    assert b"+    return a + a" in base.read_bytes()


def test_files_that_a_filter_stands_for_stay_pointers(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n"
    repository = make_repository({**FILES, "src/big.py": pointer, ".gitattributes": "big.py filter=lfs\n"})
    for part, command in {"smudge": "sleep 60", "process": "sleep 60", "clean": "sleep 60"}.items():
        git(repository, "config", f"filter.lfs.{part}", command)
    git(repository, "config", "filter.lfs.required", "true")
    script = fixture_file(
        read(), read("src/big.py"), edit("size 3", "size 4", "src/big.py"), DOCUMENT, {"content": "Document"}
    )
    done = run_here(capfdbinary, repository, TASK, *ORDINARY, str(script))
    assert done.returncode == 0, done.stderr
    assert trace(repository)["files_changed"] == ["src/shapes.py"]
    refused = [entry["summary"] for entry in trace(repository)["tool_calls"] if entry["status"] != "executed"]
    assert ["filter `lfs`" in summary for summary in refused] == [True]


def test_four_runs_at_once_in_one_repository(make_repository: MakeRepository, fixture_file: FixtureFile) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    script = str(fixture_file(*REPLIES))
    ended = [finish(process) for process in [start(repository, TASK, "--fixture", script, "-q") for _ in range(4)]]
    assert [(code, errors) for code, _, errors in ended] == [(0, "")] * 4
    assert len({_body(patch.encode()) for _, patch, _ in ended}) == 1
    assert len(run_folders(repository)) == 4
    assert leftovers(repository) == []
    assert user_state(repository) == before


def test_a_repository_in_the_home_of_another_is_found_by_its_own_top(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    outer = make_repository({"README.md": "outer\n"}, "outer – ö")
    inner = make_repository(FILES, "outer – ö/in ner")
    os.chmod(inner, 0o755)
    assert run_here(capfdbinary, inner / "src", TASK, *ORDINARY, str(fixture_file(*REPLIES))).returncode == 0
    assert (len(run_folders(inner)), len(run_folders(outer))) == (1, 0)
