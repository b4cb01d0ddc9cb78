"""Progress in the log of a CI: its sections, and no commands by strangers."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from orefactor.cli.progress import make_progress
from orefactor.cli.progress.plain import PlainProgress
from orefactor.core import events
from orefactor.core.messages import Usage

Capture = pytest.CaptureFixture[str]


def _finished(**values: Any) -> events.CallFinished:
    base = events.CallFinished(1, "1", "read_file", {"path": "x.py"}, "executed", 5, "text", "0")
    return dataclasses.replace(base, **values)


def _round(**values: Any) -> events.RoundFinished:
    base = events.RoundFinished(2, "stop", "p", "m", "", (), Usage(), False, 0.0, 1234)
    return dataclasses.replace(base, **values)


_CALL = ("c", "read_file", "{}")
_RUN = "20260101T000000-abcdef"


def _check(**values: Any) -> events.CheckFinished:
    return dataclasses.replace(events.CheckFinished("ruff", True, "final", "passed", 0, 0, "", 5, True), **values)


@pytest.fixture(autouse=True)
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests may be run by a CI."""
    for name in ("CI", "GITHUB_ACTIONS", "GITLAB_CI"):
        monkeypatch.delenv(name, raising=False)


STORY: list[events.Event] = [
    events.RunStarted(_RUN, "t", (), {}, "1"),
    events.RoundStarted(1, 2, 100),
    _finished(),
    events.RoundStarted(2, 2, 100),
    _round(),
    events.ChecksStarted(("ruff",)),
    _check(),
    events.IsolationProbed("none", None, ()),
    events.UserStateCompared({"refs": "a"}, {"refs": "b"}, False),
]
_ENDS = ["checks were not isolated", "  ! meanwhile somebody else changed what is yours: refs"]


def test_github_gets_groups_by_round_and_phase(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    progress = make_progress(quiet=False)
    for event in STORY:
        progress.listen(event)
    progress.close()
    assert capsys.readouterr().err.splitlines() == [
        f"run {_RUN}: t",
        *("::group::round 1", "  ✓ read x.py", "::endgroup::"),
        *("::group::round 2", "round 2: 0 call(s) in 1.2 s", "::endgroup::"),
        *("::group::checks", "  ✓ ruff passed", "::endgroup::"),
        *_ENDS,
    ]


def test_a_group_is_closed_when_the_run_breaks_off(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    progress = make_progress(quiet=False)
    progress.listen(STORY[1])
    progress.close()
    progress.close()
    assert capsys.readouterr().err.splitlines() == ["::group::round 1", "::endgroup::"]


def test_gitlab_gets_sections(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITLAB_CI", "true")
    progress = make_progress(quiet=False)
    for event in STORY:
        progress.listen(event)
    progress.close()
    said = re.sub(r":\d{9,}:", ":TIME:", capsys.readouterr().err).split("\n")
    sections = [(f"orefactor_{number}", title) for number, title in enumerate(("round 1", "round 2", "checks"), 1)]
    for name, title in sections:
        assert said.count(f"\x1b[0Ksection_start:TIME:{name}\r\x1b[0K{title}") == 1
        assert said.count(f"\x1b[0Ksection_end:TIME:{name}\r\x1b[0K") == 1
    assert said[-3:] == [*_ENDS, ""]


EVIL = "\n ::error::x\r::stop-commands::t\x0b##[add-path]/evil\u2028::set-output name=a::b%0A::error::c"


def _runs_a_command(line: str) -> bool:
    """As GitHub's runner reads it: in the first column but for white space, or the older form anywhere."""
    return line.strip().startswith("::") or re.search(r"##\w*\[", line) is not None


@pytest.mark.parametrize(
    "event",
    [
        events.RunStarted(_RUN, EVIL, (), {}, "1"),
        events.ReasoningArrived(1, f"::error::x\n{EVIL}\n\u00ad::error::y\n\ufe0f::error::z\n"),
        _round(reply_calls=(_CALL,), text=EVIL),
        _finished(name=EVIL, arguments={"path": EVIL}, status="failed", summary=EVIL),
        _finished(name="grep", arguments={"path": EVIL, "pattern": EVIL}),
        _finished(name="run_check", arguments={"command": EVIL}),
        _check(outcome="failed", detail=EVIL),
        events.GuardJudged("size", False, EVIL),
        events.ContractJudged((EVIL,), False, EVIL),
        events.SpareHunksFound(((EVIL, 3, EVIL, EVIL),)),
        events.ContextBuilt(None, None, 5, EVIL),
        events.ReuseTried(_RUN, EVIL),
        events.RetryScheduled(1, 2, 6, "rate_limited", EVIL, 1.25),
        events.ProviderChanged(1, "a", "b", EVIL, EVIL),
        events.ProtocolChanged(1, "text", EVIL),
        events.IsolationProbed("none", EVIL, ()),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_stranger_commands_no_ci(capsys: Capture, event: events.Event) -> None:
    progress = PlainProgress(reasoning=True)
    progress.listen(event)
    progress.close()
    lines = capsys.readouterr().err.split("\n")
    assert len(lines) > 1
    assert [line for line in lines if _runs_a_command(line)] == []
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", "".join(lines))
