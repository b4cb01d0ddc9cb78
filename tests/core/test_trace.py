"""The run's folder, its events, and `trace.json` with its schema."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import jsonschema
import pytest
from e2e.scenes import require_valid

from orefactor.core import events
from orefactor.core.errors import ExitCode, UserError
from orefactor.core.messages import Usage
from orefactor.core.record import Record
from orefactor.core.review.finding import ReviewFinding, SuggestedEdit
from orefactor.core.trace import (
    EventFile,
    RunFolder,
    find_run,
    list_runs,
    make_run_folder,
    runs_folder,
)
from orefactor.core.trace_building import build_trace
from orefactor.core.trace_model import Trace, derived_schema, trace_schema

ID, OTHER = "20300101T000000-abcdef", "20300102T000000-012345"
FOUND = ReviewFinding("bug", "model", "error", "x.py", 2, 3, "No.", SuggestedEdit("a", "b"), 0.5)
REVIEWED = events.ResultReviewed(
    ID, 2, "m", "c" * 40, "t" * 40, "reviewed", "blocking:model", "1 finding blocks", "request_changes", "Look.",
    (FOUND,), 1, (FOUND,), "error", (), Usage(100, 0, 10, 1), 0.5,
)  # fmt: skip
REVIEW: tuple[events.Event, ...] = (
    events.ChangeTaken("the index", "b" * 40, "u" * 40, "c" * 40, "t" * 40, ("x.py",), 4, "d" * 64),
    events.DeliberationEnded("", "max_rounds", ("check_ruff",), ("grep",), 3, 99, "e" * 64),
    events.VerdictReused(OTHER),
    events.ReviewReached("reviewed", "blocking:model", "comment", "Look.", (FOUND,), 1, (FOUND,), "error", ("slow",)),
)
"""What happens in reviews alone."""
CALL = events.CallFinished(1, "c1", "read_file", {"path": "x.py"}, "executed", 3, "x = 1", "d" * 64)
STORY: tuple[events.Event, ...] = (
    events.RunStarted(ID, "task", ("x.py",), {"model": "m"}, "1.0"),
    events.BaseTaken("worktree", "c" * 40, "t" * 40, "h" * 40),
    events.RunContinued("20300101T000000-000001", 2),
    events.ReuseBegun("20300101T000000-000002"),
    events.ReuseTried("20300101T000000-000002"),
    events.BuildProductsCopied(("pkg/native.so",), 9, 1),
    events.ContextBuilt({"task_type": "general"}, {"pack_id": "p", "items": [], "tokens": 0}, 3),
    events.ToolsOffered(("read_file", "grep"), "scripted", "m"),
    events.RoundStarted(1, 2, 100),
    events.ProtocolChanged(1, "text", "the server refuses tools"),
    events.RetryScheduled(1, 2, 4, "server_error", "it failed", 0.5),
    events.ProviderChanged(1, "first", "scripted", "m", "it failed"),
    events.ReasoningArrived(1, "hmm"),
    events.TextArrived(1, "hel"),
    events.RoundFinished(
        1,
        "tool_calls",
        "scripted",
        "m",
        "hello",
        (("c1", "read_file", '{"path": "x.py"}'),),
        Usage(10, 5, 2, 1),
        False,
        0.25,
        7,
        True,
        "",
        3,
        "e" * 64,
        2,
    ),
    events.CallStarted(1, "c1", "read_file", {"path": "x.py"}),
    CALL,
    events.RoundStarted(2, 4, 120),
    events.RoundFinished(2, "length", "scripted", "m", "", (), Usage(12, 0, 2, 1), True, 0.5, 7),
    events.ReplyRejected(2, "cut_for_length"),
    events.ChecksStarted(("ruff",)),
    events.GuardJudged("scope", True, "fine"),
    events.CheckFinished("ruff", True, "final", "failed", 1, 0, "x.py:1: F401", 5, True),
    events.ResultReviewBegun("m"),
    REVIEWED,
    events.RepairAsked(1, "mend it"),
    events.ChecksStarted(("ruff",)),
    events.CheckEnded("ruff", "passed"),
    events.GuardJudged("scope", True, "fine"),
    events.ContractJudged(("docstrings",), True, ""),
    events.CheckFinished("ruff", True, "final", "passed", 0, 2, "", 5, True),
    events.SpareHunksFound((("x.py", 3, "f", "nobody asked"),)),
    events.ChangeMinimized((("x.py", 3),), 2, True),
    events.IsolationProbed("bwrap", None, (("network", True, "none"),)),
    events.OriginsFound((("pkg", "/repo/pkg", True),), ("/repo",)),
    events.OutcomeReached(
        "completed", "delivered", 0, True, "fine", "", ("x.py",), "t" * 40, "Title", "Body", ("later",)
    ),
    events.Delivered("branch", "topic", "d" * 40),
    events.UserStateCompared({"head": "a"}, {"head": "a"}, True),
    events.RunEnded(50),
)


SHARDS: tuple[events.Event, ...] = (
    events.ShardsPlanned(2, 2, 1),
    events.ShardEnded(2, ("y.py",), OTHER, "gate", "check:ruff", 3, "no", (), None, 3, Usage(7, 0, 1, 3), 0.25, 9),
    events.ShardEnded(1, ("x.py",), ID, "completed", "delivered", 0, "ok", ("x.py",), "t" * 40, 2, Usage(5), None, 8),
)
"""What happens where the task is split."""


def told(*story: events.Event) -> Trace:
    record = Record()
    for event in story:
        record.listen(event)
    return build_trace(record, "2030-01-01T00:00:00+00:00")


@pytest.mark.traces("REQ-103-023")
def test_a_trace_tells_the_whole_story() -> None:
    trace = told(*STORY)
    assert (trace.run_id, trace.task, trace.status, trace.exit_code) == (ID, "task", "completed", 0)
    assert (trace.iterations, trace.repairs, trace.verified) == (2, 1, True)
    assert (trace.offered, trace.requested, trace.not_requested) == (("read_file", "grep"), ("read_file",), ("grep",))
    assert trace.undecided is None
    assert trace.usage.model_dump() == {
        "prompt_tokens": 122, "cached_tokens": 5, "completion_tokens": 14, "requests": 3,
    }  # fmt: skip
    assert [check.outcome for check in trace.checks] == ["passed"]
    assert len(trace.guards) == 1
    assert [(part.round, part.rejected, part.usage_estimated) for part in trace.rounds] == [
        (1, None, False),
        (2, "cut_for_length", True),
    ]
    assert [call.arguments for call in trace.rounds[0].reply_calls] == ['{"path": "x.py"}']
    assert (trace.rounds[0].written, trace.rounds[0].attempts, trace.rounds[0].reasoning_chars) == (True, 2, 3)
    assert (trace.cost_usd, trace.rounds[1].cost_usd) == (1.25, 0.5)
    assert [retry.kind for retry in trace.retries] == ["server_error"]
    assert [(change.before, change.provider) for change in trace.provider_changes] == [("first", "scripted")]
    assert [change.protocol for change in trace.protocol_changes] == ["text"]
    assert (trace.frame, trace.context_failure) == ({"task_type": "general"}, "")
    assert trace.context_pack is not None and trace.context_pack["pack_id"] == "p"
    assert trace.continues is not None and trace.continues.round == 2
    assert trace.reused == "20300101T000000-000002"
    assert trace.summary.follow_ups == ("later",)
    assert (trace.contract.kinds, trace.contract.ok) == (("docstrings",), True)
    assert [(part.path, part.line) for part in trace.spare] == [("x.py", 3)]
    assert trace.minimized is not None and trace.minimized.dropped == (("x.py", 3),)
    assert (trace.branch, trace.commit) == ("topic", "d" * 40)
    assert trace.isolation is not None and trace.isolation.probe[0].name == "network"
    assert trace.origins is not None and trace.origins.modules[0].in_tree
    assert trace.user_state is not None and trace.user_state.same
    (review,) = trace.reviews
    assert (review.run_id, review.round, review.outcome, review.dropped) == (ID, 2, "reviewed", 1)
    assert review.findings == review.blocking_findings and review.findings[0].confidence == 0.5
    assert trace.review is None


def test_a_review_has_a_part_of_its_own() -> None:
    review = told(*STORY[:2], *REVIEW).review
    assert review is not None
    assert (review.reused, review.limit, review.tokens, review.diff_digest) == (OTHER, "max_rounds", 99, "d" * 64)
    assert [finding.rule for finding in review.blocking_findings] == ["bug"]
    assert review.limitations == ("slow",)


def test_shards_stand_in_their_order_and_what_failed_is_named() -> None:
    trace = told(*STORY[:2], *SHARDS)
    assert [(shard.number, shard.paths, shard.rounds) for shard in trace.shards] == [
        (1, ("x.py",), 2),
        (2, ("y.py",), 3),
    ]
    assert (trace.left_out, trace.iterations, trace.usage.prompt_tokens, trace.cost_usd) == (("y.py",), 5, 12, None)
    require_valid(trace.model_dump(mode="json", by_alias=True))


def test_what_other_runs_don_t_have_is_no_part_of_theirs() -> None:
    assert not {"review", "reviews", "shards", "left_out"} & told(*STORY[:10]).model_dump(by_alias=True).keys()


def test_nothing_of_an_attempt_to_reuse_counts() -> None:
    trace = told(*STORY[:12], events.ReuseTried(ID, "a call gives another answer"), *STORY[12:14])
    assert (trace.run_id, trace.base is not None, trace.reused, trace.continues) == (ID, True, None, None)
    assert (trace.rounds, trace.retries, trace.frame) == ((), (), None)


def test_a_cost_that_is_unknown_once_is_unknown() -> None:
    free = events.RoundFinished(1, "stop", "p", "m", "", (), Usage(), False, 0.25, 7)
    rounds: list[events.Event] = [events.RoundStarted(1, 2, 100), free, events.RoundStarted(2, 2, 100)]
    unknown = events.RoundFinished(2, "stop", "p", "m", "", (), Usage(), False, None, 7)
    assert told(*rounds, unknown, events.RoundStarted(3, 2, 100), free).cost_usd is None
    assert told(*rounds).cost_usd == 0.25


@pytest.mark.parametrize("length", range(len(STORY) + 1))
def test_a_story_that_breaks_off_anywhere_is_a_valid_trace(length: int) -> None:
    trace = told(*STORY[:length])
    require_valid(trace.model_dump(mode="json", by_alias=True))
    if "OutcomeReached" not in {type(event).__name__ for event in STORY[:length]}:
        assert (trace.status, trace.reason, trace.message) == ("error", "interrupted", "the run broke off")
        assert trace.not_requested == ()
        assert trace.undecided


def test_no_event_is_forgotten() -> None:
    assert {type(event).__name__ for event in (*STORY, *REVIEW, *SHARDS)} == set(events.EVENT_KINDS)


def test_the_schema_that_ships_is_the_one_of_the_classes() -> None:
    assert trace_schema() == derived_schema()
    jsonschema.Draft202012Validator.check_schema(trace_schema())


@pytest.mark.parametrize("wrong", [{"schema": "orefactor.trace/9"}, {"colour": "red"}, {"iterations": "many"}])
def test_the_schema_refuses(wrong: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        require_valid(told(*STORY).model_dump(mode="json", by_alias=True) | wrong)


def test_a_runs_folder_is_its_owners(tmp_path: Path) -> None:
    folder = make_run_folder(tmp_path, ID)
    assert folder.run_id == ID
    assert folder.path == runs_folder(tmp_path) / ID
    path = folder.write("result.patch", b"\xff")
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (folder.read("result.patch"), folder.read("none")) == (b"\xff", None)
    assert [entry.name for entry in folder.path.iterdir()] == ["result.patch"]
    folder.remove()
    assert list_runs(tmp_path) == []


@pytest.mark.parametrize("name", ["orefactor", "orefactor/runs"])
def test_a_link_in_the_git_directory_is_not_followed(tmp_path: Path, name: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="is a symbolic link"):
        make_run_folder(tmp_path, ID)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_folder_that_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "orefactor").write_text("a file")
    with pytest.raises(UserError, match="can't write to the git directory") as raised:
        make_run_folder(tmp_path, ID)
    assert raised.value.exit_code is ExitCode.ENVIRONMENT


def test_a_trace_is_written_and_read(tmp_path: Path) -> None:
    folder = make_run_folder(tmp_path, ID)
    assert folder.read_trace() is None
    trace = told(*STORY)
    folder.write_trace(trace)
    assert folder.read_trace() == trace
    folder.write("trace.json", b"{}")
    assert folder.read_trace() is None


def test_events_are_there_as_soon_as_they_happen(tmp_path: Path) -> None:
    folder = make_run_folder(tmp_path, ID)
    file = EventFile(folder)
    for count, event in enumerate(STORY, 1):
        file.listen(event)
        kept = [kind for kind in STORY[:count] if not isinstance(kind, events.TRANSIENT)]
        assert [line["event"] for line in folder.read_events()] == [type(kind).__name__ for kind in kept]
    file.close()
    with open(folder.path / "events.jsonl", "ab") as cut:
        cut.write(b'{"event": "RunEn')
    assert [line["event"] for line in folder.read_events()][-1] == "RunEnded"


def test_lines_that_are_no_events_are_left_out(tmp_path: Path) -> None:
    folder = make_run_folder(tmp_path, ID)
    assert list(folder.read_events()) == []
    folder.write("events.jsonl", b'[1]\nnope\n{"event": "X"}\n\n')
    assert list(folder.read_events()) == [{"event": "X"}]


def test_an_event_with_odd_text_is_one_line_of_valid_json(tmp_path: Path) -> None:
    folder = make_run_folder(tmp_path, ID)
    file = EventFile(folder)
    file.listen(events.ReplyRejected(1, "a\nb\u2028\ud83d\x1b"))
    file.close()
    data = (folder.path / "events.jsonl").read_bytes()
    assert data.count(b"\n") == 1
    assert json.loads(data)["reason"].startswith("a\nb")
    assert len(list(folder.read_events())) == 1


def test_finding_a_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no run is kept"):
        find_run(tmp_path, None)
    first, second = make_run_folder(tmp_path, ID), make_run_folder(tmp_path, OTHER)
    (runs_folder(tmp_path) / "notes").mkdir()
    assert list_runs(tmp_path) == [second, first]
    assert find_run(tmp_path, None) == second
    assert find_run(tmp_path, ID) == find_run(tmp_path, "20300101") == find_run(tmp_path, "abcdef") == first
    for name, words in {"2030": "several runs are called `2030`", "zzz": "no run is called `zzz`"}.items():
        with pytest.raises(UserError, match=words):
            find_run(tmp_path, name)
    assert isinstance(first, RunFolder)
