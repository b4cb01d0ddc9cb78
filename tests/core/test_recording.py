"""Finds runs to repeat: by id, by file, from the events of a killed one; what of a trace counts; and its base."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, git
from recordings import part, recorded

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.events import BaseTaken, CallFinished, ReuseTried, RoundFinished, RoundStarted, RunStarted, to_json
from orefactor.core.messages import Usage
from orefactor.core.recording import Recording, find_recording, kept_tree, recorded_base, recorded_options
from orefactor.core.trace import RunFolder, make_run_folder
from orefactor.sandbox.repository import Repository, find_repository
from orefactor.sandbox.worktree import throwaway_worktree

RUN = "20300101T000000-abcdef"
STARTED = RunStarted(RUN, "t", ("src",), {"max_tokens": 5}, "1.0")
TAKEN = BaseTaken("HEAD", "c" * 40, "d" * 40, None)
REPLIED = RoundFinished(
    1, "tool_calls", "deepseek", "m", "", (("c1", "grep", "{}"),), Usage(9, 0, 1, 1), False, None, 3
)  # fmt: skip
CALLED = CallFinished(1, "c1", "grep", {"pattern": "x"}, "executed", 1, "none", "0" * 64)
KILLED = (STARTED, TAKEN, RoundStarted(1, 2, 9), REPLIED, CALLED, RoundStarted(2, 4, 20))


@pytest.fixture
def repository(make_repository: MakeRepository) -> Repository:
    return find_repository(make_repository({"a.py": "x = 1\n"}))


def keep_events(repository: Repository, *lines: Any) -> RunFolder:
    folder = make_run_folder(repository.common_dir, RUN)
    text = "\n".join(line if isinstance(line, str) else json.dumps(to_json(line)) for line in lines)
    (folder.path / "events.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_a_killed_run(repository: Repository) -> None:
    folder = keep_events(repository, *KILLED, '{"event": "RoundFin')
    found = find_recording(repository, "2030")
    assert (found.folder, found.was_killed, found.replies, found.run_id) == (folder, True, 1, RUN)
    trace = found.trace
    assert (trace.status, trace.reason, trace.paths, trace.settings) == (
        "error",
        "interrupted",
        ("src",),
        {"max_tokens": 5},
    )
    assert [call.id for round_ in trace.rounds for call in round_.reply_calls] == ["c1"]
    assert [call.name for call in trace.tool_calls] == ["grep"]
    assert (trace.usage.prompt_tokens, trace.cost_usd) == (9, None)


def test_a_run_that_is_going_on(repository: Repository) -> None:
    folder = keep_events(repository, *KILLED)
    head = git(repository.place, "rev-parse", "HEAD")
    with throwaway_worktree(repository, head, RUN), pytest.raises(UserError, match="is still going on"):
        find_recording(repository, folder.run_id)


@pytest.mark.parametrize(
    ("lines", "rounds"),
    [
        pytest.param(['{"event": "Unknown"}', '{"event": 5}', "[]", "7"], 2, id="other-lines"),
        pytest.param(['{"event": "RoundFinished", "round": "x"}', '{"event": "BaseTaken"}'], 2, id="broken-fields"),
        pytest.param([REPLIED, REPLIED], 2, id="a-reply-of-no-round"),
        pytest.param([ReuseTried("r", "no")], 0, id="an-attempt-that-does-not-count"),
        pytest.param(['{"event": "RunEnded", "duration_ms": 1e999}'], 2, id="no-number"),
    ],
)
def test_events_of_a_stranger(repository: Repository, lines: list[Any], rounds: int) -> None:
    keep_events(repository, *KILLED, *lines)
    assert len(find_recording(repository, RUN).trace.rounds) == rounds


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([], id="none"),
        pytest.param([STARTED], id="no-base"),
        pytest.param([REPLIED, TAKEN], id="no-start"),
        pytest.param([*KILLED, '{"event": "RunEnded", "duration_ms": -1}'], id="out-of-bounds"),
        pytest.param([*KILLED[1:], json.dumps({**to_json(STARTED), "task": "\ud800"})], id="half-a-pair"),
        pytest.param([*KILLED, '{"event": "RunStarted", ' + '"a": [' * 5000], id="deep"),
    ],
)  # fmt: skip
def test_events_that_tell_no_run(repository: Repository, lines: list[Any]) -> None:
    keep_events(repository, *lines)
    if lines and lines[-1] is not TAKEN and '"a": [' in str(lines[-1]):
        assert find_recording(repository, RUN).replies == 1
        return
    with pytest.raises(UserError, match="kept nothing that can be repeated"):
        find_recording(repository, RUN)


def test_a_file_and_what_lies_beside_it(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "trace.json").write_text(recorded(rounds=[part(1)]).model_dump_json(by_alias=True))
    found = find_recording(repository, str(tmp_path / "trace.json"))
    assert (found.folder.path, found.was_killed, found.replies) == (tmp_path, False, 1)
    folder = make_run_folder(repository.common_dir, RUN)
    folder.write_trace(found.trace)
    assert find_recording(repository, None).folder == folder
    older = recorded(rounds=[part(1).model_copy(update={"calls": 2})])
    folder.write_trace(older)
    with pytest.raises(UserError, match="counts calls that it does not hold"):
        find_recording(repository, None)


def test_which_settings_of_a_trace_count(repository: Repository) -> None:
    git(repository.place, "config", "--global", "orefactor.check.mine.command", "true")
    repository = find_repository(repository.place)
    told = {
        "contract": ["docstrings"], "minimize": True, "context_tokens": 5, "tool_protocol": "text", "allow": ["tests"],
        "max_iterations": 3, "max_tokens": 4, "max_output_tokens": 5, "max_cost": 9.0, "max_seconds": 0.1,
        "sandbox": "none", "python": "/evil", "base_url": "http://evil", "key_variable": "HOME", "provider": "openai",
        "fallback": ["x"], "fixture": "/x", "commands": {"own": "x"}, "model": "m",
        "checks": ["ruff", "own", "mine", "lint=touch x", 5],
    }  # fmt: skip
    trace = recorded(settings=told)
    always = {"contract": ("docstrings",), "minimize": True, "context_tokens": 5, "tool_protocol": "text"}
    checks = {"checks": ("ruff", "mine")}
    offline = {"allow": ("tests",), "max_iterations": 3, "max_tokens": 4, "max_output_tokens": 5}
    unknown = ["own", "lint=touch x"]
    assert recorded_options(trace, repository, is_offline=True) == ({**always, **offline, **checks}, unknown)
    assert recorded_options(trace, repository, is_offline=False) == ({**always, **checks}, unknown)
    assert recorded_options(recorded(settings={"checks": "all"}), repository, is_offline=True) == ({}, [])


def base_of(repository: Repository, folder: Path, **fields: Any) -> Any:
    base = {"source": "worktree", "commit": "c" * 40, "tree": "d" * 40, "head": None, **fields}
    return recorded_base(repository, Recording(recorded(base=base), RunFolder(folder)))


def test_the_base(repository: Repository, tmp_path: Path) -> None:
    place = repository.place
    head, tree = git(place, "rev-parse", "HEAD", "HEAD^{tree}").split()
    found = base_of(repository, tmp_path, commit=head, tree=tree, head=head)
    assert (found.source, found.commit, found.tree, found.head, found.difference) == ("worktree", head, tree, head, b"")
    # Only the tree is here.
    found = base_of(repository, tmp_path, tree=tree)
    assert git(place, "rev-parse", f"{found.commit}^{{tree}}") == tree
    # Nothing of it is here, but how it was made.
    (place / "a.py").write_text("x = 2\n")
    (tmp_path / "base.patch").write_bytes(git(place, "diff", "--binary").encode() + b"\n")
    blob = git(place, "hash-object", "a.py")
    listed = f"100644 blob {blob}\ta.py\n"
    wanted = git(place, "mktree", "--missing", stdin=listed.encode())
    (place / ".git" / "objects" / wanted[:2] / wanted[2:]).unlink()
    found = base_of(repository, tmp_path, tree=wanted, head=head)
    assert (found.tree, git(place, "rev-parse", f"{found.commit}^{{tree}}", f"{found.commit}^").split()) == (
        wanted, [wanted, head],
    )  # fmt: skip
    for fields, said in (
        ({"head": head, "tree": "a" * 40}, "doesn't give the tree"),
        ({"commit": head, "tree": "a" * 40}, "neither is its tree"),
        ({"head": "f" * 40}, f"nor the commit {'f' * 40} below it"),
    ):
        with pytest.raises(UserError, match="is not in this repository") as raised:
            base_of(repository, tmp_path, **fields)
        assert raised.value.exit_code is ExitCode.CONFLICT and said in raised.value.message
    (tmp_path / "base.patch").unlink()
    with pytest.raises(UserError, match=r"nor a `base\.patch` beside the trace"):
        base_of(repository, tmp_path, head=head)
    for fields in ({"commit": "HEAD"}, {"tree": "--help"}):
        with pytest.raises(UserError, match="names no base"):
            base_of(repository, tmp_path, **fields)


def test_the_recorded_tree(repository: Repository, tmp_path: Path) -> None:
    git_, place = repository.git, repository.place
    tree = git(place, "rev-parse", "HEAD^{tree}")

    def kept(name: str | None) -> str | None:
        return kept_tree(git_, Recording(recorded(tree=name), RunFolder(tmp_path)), tree, ("result.patch",))

    assert (kept(None), kept("--help"), kept(tree), kept("a" * 40)) == (None, None, tree, None)
    (tmp_path / "result.patch").write_bytes(b"no patch")
    assert kept("a" * 40) is None
