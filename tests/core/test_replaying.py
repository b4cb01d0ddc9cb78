"""A replay that is stopped, and one that stops elsewhere than the recorded run; the rest is in `tests/e2e`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, user_state
from scripted import ScriptedProvider, asked, reply

from orefactor.core import refactor
from orefactor.core.book import Surroundings
from orefactor.core.errors import Cancelled, ProviderFailed, RunStopped
from orefactor.core.messages import Usage
from orefactor.core.recording import Recording, find_recording
from orefactor.core.replaying import Replayed, replay
from orefactor.sandbox.repository import find_repository

READ = reply(asked("c1", "read_file", path="a.py"))
EDIT = reply(asked("c2", "edit_file", path="a.py", old_string="x = 1", new_string="x = 2"), usage=Usage(3400, 0, 5, 1))
OPTIONS: dict[str, Any] = {"checks": (), "context_tokens": 0}


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository({"a.py": "x = 1\n"})


def record(repository: Path, *replies: Any, **options: Any) -> Recording:
    refactor("count", repository, provider=ScriptedProvider(replies), **{**OPTIONS, **options})
    return find_recording(find_repository(repository), None)


def again(repository: Path, recording: Recording, **fields: Any) -> Replayed:
    changed = Recording(recording.trace.model_copy(update=fields), recording.folder)
    return replay(find_repository(repository), changed, {})


def test_it_can_be_stopped(repository: Path) -> None:
    recording = record(repository, READ, EDIT, reply(text="done"))
    before = user_state(repository)
    with pytest.raises(Cancelled):
        replay(find_repository(repository), recording, {}, Surroundings(cancelled=lambda: True))
    assert user_state(repository) == before
    same = again(repository, recording)
    assert (same.difference, same.tree, same.rounds, same.calls) == (None, recording.trace.tree, 3, 2)


@pytest.mark.parametrize(
    ("replies", "options", "reason", "rounds"),
    [
        pytest.param((READ, EDIT), {"max_iterations": 2}, "limit:max_iterations", 2, id="rounds"),
        pytest.param((READ, EDIT), {"max_tokens": 3500}, "limit:max_tokens", 2, id="tokens"),
        pytest.param((READ, *[reply(text="")] * 2), {}, "model:empty_reply", 3, id="the-model-said-nothing"),
        pytest.param([reply(text="no")] * 2, {}, "model:no_tool_call", 2, id="no-tool"),
        pytest.param((READ, RunStopped("error", "x", "m", hint="", exit_code=5)), {}, "x", 1, id="failed"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    ],
)
def test_a_run_that_came_to_no_tree(
    repository: Path, replies: Any, options: dict[str, Any], reason: str, rounds: int | None
) -> None:
    recording = record(repository, *replies, **options)
    assert recording.trace.reason == reason
    found = again(repository, recording)
    assert (found.difference, found.tree, found.ended) == (None, None, reason)
    assert rounds is None or found.rounds == rounds


class InForm(ScriptedProvider):
    """Is asked for its last reply in a form."""

    asks_for_form = True


def refused(kind: str) -> ProviderFailed:
    return ProviderFailed(kind, "no", hint="")


WRITTEN = reply(text='I look.\n<call tool="read_file">\npath: a.py\n</call>')
CHANGED = reply(text='<call tool="write_file">\npath: a.py\ncontent: "x = 3\\n"\n</call>')
DONE = reply(text="done")


@pytest.mark.parametrize(
    ("provider", "options"),
    [
        pytest.param(ScriptedProvider([WRITTEN, CHANGED, DONE]), {"tool_protocol": "text"}, id="text-from-the-start"),
        pytest.param(ScriptedProvider([refused("no_function_calling"), WRITTEN, CHANGED, DONE]), {}, id="text-later"),
        pytest.param(ScriptedProvider([WRITTEN, EDIT, DONE]), {}, id="one-written-call"),
        pytest.param(ScriptedProvider([READ, refused("tool_use_failed"), EDIT, DONE]), {}, id="refused-by-the-server"),
        pytest.param(ScriptedProvider([READ, reply(text="x", finish="length"), EDIT, DONE]), {}, id="cut"),
        pytest.param(
            InForm([refused("no_structured_answer"), READ, EDIT, DONE, reply(text='{"title": "Count"}')]),
            {},
            id="form-alone",
        ),
        pytest.param(
            InForm([refused("no_structured_answer"), READ, EDIT, DONE, refused("unauthorized")]), {}, id="no-form"
        ),
    ],
)
def test_the_same_way_through_protocols_and_refusals(
    repository: Path, provider: ScriptedProvider, options: dict[str, Any]
) -> None:
    refactor("count", repository, provider=provider, **{**OPTIONS, **options})
    recording = find_recording(find_repository(repository), None)
    assert recording.trace.status == "completed", recording.trace.message
    assert recording.trace.files_changed == ("a.py",)
    found = again(repository, recording)
    assert (found.difference, found.tree) == (None, recording.trace.tree)


def test_where_it_stops_otherwise(repository: Path) -> None:
    recording = record(repository, READ, EDIT, reply(text="done"))
    fewer = {**recording.trace.settings, "max_iterations": 1}
    found = again(repository, recording, settings=fewer).difference
    assert found is not None
    assert (found.kind, found.round, found.was) == ("end", 2, "completed (delivered)")
    assert found.message.startswith("the run stops in round 2, where the recorded one did not: the limit")
    ended = again(repository, recording, tree=None, reason="limit:max_cost", status="limit").difference
    assert ended is not None and ended.message.startswith("the run comes to its end")
    nothing = reply(text="")
    recording = record(repository, READ, nothing, nothing)
    found = again(repository, recording, reason="limit:max_tokens").difference
    assert found is not None and found.now == "error (model:empty_reply)"
