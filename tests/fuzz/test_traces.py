"""Kept runs of strangers: what lies in a run's folder is read, listed, shown, and drives neither terminal nor page."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest
from conftest import MakeRepository, user_state
from fuzz.mutations import as_json, mutated_bytes, mutated_json, repeated_bytes
from fuzz.profiles import fuzzed, in_time
from hypothesis import given
from hypothesis import strategies as st
from report_scenes import PATCH, trace_values
from review_traces import review_trace
from scripted import ScriptedProvider, asked, reply

from orefactor.cli.commands.runs import runs_command
from orefactor.cli.pages import rendered
from orefactor.cli.shown.page import part_page, whole_page
from orefactor.core import refactor
from orefactor.core.errors import RunStopped, UserError
from orefactor.core.outputs.report.page import report_page
from orefactor.core.recording import find_recording
from orefactor.core.redact import Redactor
from orefactor.core.replaying import replay
from orefactor.core.reporting import ReportedRun, read_run
from orefactor.core.trace import EVENTS, TRACE, RunFolder, list_runs
from orefactor.core.trace import PATCH as PATCH_FILE
from orefactor.sandbox.repository import find_repository

REPLIES = (
    reply(asked("c1", "read_file", path="a.py")),
    reply(asked("c2", "edit_file", path="a.py", old_string="x = 1", new_string="x = 2")),
    reply(text='{"title": "Count on", "body": "It counts.", "follow_ups": []}'),
)
KNOWN = [trace_values(), json.loads(review_trace().model_dump_json(by_alias=True))]
_NAMESPACE = "{http://www.w3.org/1999/xhtml}"
_SCRIPTS = 1


@pytest.fixture
def run(make_repository: MakeRepository) -> RunFolder:
    """The folder of a run that was done for once."""
    repository = make_repository({"a.py": "x = 1\n"})
    refactor("count", repository, provider=ScriptedProvider(REPLIES), checks=(), context_tokens=0, reuse=False)
    return list_runs(find_repository(repository).common_dir)[0]


def traces(run: RunFolder) -> st.SearchStrategy[bytes]:
    """The run's trace and others, changed as bytes or as values."""
    own = run.read(TRACE) or b""
    known = [json.loads(own), *KNOWN]
    return mutated_json(known).map(as_json) | mutated_bytes([own, *map(as_json, KNOWN)])


def as_lines(events: Any) -> bytes:
    """A list of events as they are kept."""
    return b"\n".join(map(as_json, cast("list[object]", events) if isinstance(events, list) else [events]))


def shown(run: ReportedRun) -> bytes:
    """All that `show` prints of a run."""
    lines = [*whole_page(run, 80), *part_page(run, 60, number=None, calls=True, checks=True)]
    for number in {entry.round for entry in run.trace.rounds}:
        lines += part_page(run, 100, number=number, calls=False, checks=False)
    return rendered(lines, coloured=False)


def require_inert(run: ReportedRun) -> None:
    """Fail where the run's texts drive a terminal, or the page has more scripts than its own."""
    text = shown(run).decode()
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    page = report_page(run, Redactor({}))
    root = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))
    names = [element.tag.removeprefix(_NAMESPACE) for element in root.iter()]
    assert names.count("script") == _SCRIPTS and not {"img", "iframe", "object"} & set(names)
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)


def test_any_trace_is_shown(run: RunFolder) -> None:
    run.write(PATCH_FILE, PATCH)

    @fuzzed(cost=2)
    @given(traces(run), st.just(PATCH) | mutated_bytes([PATCH]))
    def show(trace: bytes, patch: bytes) -> None:
        run.write(TRACE, trace)
        run.write(PATCH_FILE, patch)
        require_inert(read_run(run))

    show()


def test_any_events_are_shown(run: RunFolder) -> None:
    (run.path / TRACE).unlink()
    told = (run.read(EVENTS) or b"").splitlines()
    known = [json.loads(line) for line in told]

    @fuzzed(cost=2)
    @given(mutated_json([known]).map(as_lines) | mutated_bytes([b"\n".join(told)]))
    def show(events: bytes) -> None:
        run.write(EVENTS, events)
        require_inert(read_run(run))

    show()


def test_any_run_is_listed(run: RunFolder, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(run.path.parents[3])

    @fuzzed(cost=4)
    @given(traces(run), st.booleans())
    def show(trace: bytes, as_json: bool) -> None:
        run.write(TRACE, trace)
        runs_command(as_json=as_json)
        printed = capfd.readouterr().out
        assert run.run_id in printed and printed.count("\n") == 1 and printed[:-1].isprintable()

    show()


@pytest.mark.untraced
def test_long_traces_take_linear_time(run: RunFolder) -> None:
    own = [run.read(TRACE) or b"", as_json(KNOWN[0])]

    @fuzzed(cost=8)
    @given(repeated_bytes(own), repeated_bytes([run.read(EVENTS) or b""]))
    def show(trace: bytes, events: bytes) -> None:
        for name, data in ((TRACE, trace), (EVENTS, events)):
            run.write(name, data)
        with in_time(len(trace) + len(events)):
            require_inert(read_run(run))

    show()


def test_a_changed_trace_is_not_repeated_as_it_was(run: RunFolder, tmp_path: Path) -> None:
    """It gives the same tree by the same replies, or says what differs; the user's files stay."""
    place = run.path.parents[3]
    repository, own = find_repository(place), run.read(TRACE) or b""
    file = tmp_path / "trace.json"
    before = user_state(place)

    @fuzzed(cost=10)
    @given(mutated_json([json.loads(own)]))
    def again(trace: Any) -> None:
        file.write_bytes(as_json(trace))
        try:
            replayed = replay(repository, find_recording(repository, str(file)), {"max_seconds": 20})
        except (UserError, RunStopped):
            return
        same = replayed.difference is None and replayed.recorded_tree is not None
        assert not same or replayed.tree == replayed.recorded_tree

    again()
    shutil.copy(run.path / TRACE, file)
    assert user_state(place) == before
