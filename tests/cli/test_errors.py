"""Exceptions become one `error:` and one `hint:` line and an exit code; a bug leaves its traceback in a file."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from orefactor.cli.errors import report, say
from orefactor.core.errors import Cancelled, ExitCode, LimitReached, ProviderFailed, UserError

Capture = pytest.CaptureFixture[str]
SECRET = "correct-horse-battery-staple"


@pytest.mark.parametrize(
    ("error", "code", "said", "hint"),
    [
        (UserError("no", hint="do"), ExitCode.USAGE, "no", "do"),
        (UserError("no", hint="do", exit_code=ExitCode.CONFLICT), ExitCode.CONFLICT, "no", "do"),
        (
            LimitReached("max_tokens", "too much", hint="raise it"),
            ExitCode.LIMIT,
            "the limit max_tokens was reached: too much",
            "raise it",
        ),
        (ProviderFailed("timeout", "late", hint="wait"), ExitCode.PROVIDER, "late", "wait"),
        (Cancelled(), ExitCode.INTERRUPTED, "the run was interrupted", "run it again when you like"),
        (
            OSError(errno.ENOSPC, "No space left on device", "/x"),
            ExitCode.ENVIRONMENT,
            "No space left on device: /x",
            "check the path, its permissions and the free space",
        ),
        (
            OSError(errno.EIO, "Input/output error"),
            ExitCode.ENVIRONMENT,
            "Input/output error",
            "check the path, its permissions and the free space",
        ),
    ],
)
def test_one_error_and_one_hint(capsys: Capture, error: Exception, code: ExitCode, said: str, hint: str) -> None:
    assert report(error, as_json=True) is code
    printed = capsys.readouterr()
    assert printed.err == f"error: {said}\nhint: {hint}\n"
    told = json.loads(printed.out)
    assert (told["exit_code"], told["message"], told["hint"]) == (int(code), said, hint)
    assert (told["status"], told["run_id"], told["patch"]) == ("error", None, None)


def test_a_hint_may_be_missing(capsys: Capture) -> None:
    report(UserError("no", hint=""), as_json=False)
    assert capsys.readouterr() == ("", "error: no\n")


def _raise_a_bug() -> Exception:
    try:
        raise OSError(f"a bug with {SECRET}")  # without a number, so it isn't the system's
    except OSError as error:
        return error


def test_a_bug_leaves_its_traceback_in_a_file_without_secrets(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    assert report(_raise_a_bug(), as_json=False) is ExitCode.BUG
    (path,) = Path(os.environ["XDG_CACHE_HOME"], "git-orefactor").glob("crash-*.txt")
    assert capsys.readouterr().err == (
        f"error: a bug in orefactor (OSError); its traceback is in {path}\nhint: please report it with that file\n"
    )
    text = path.read_text()
    assert "_raise_a_bug" in text
    assert SECRET not in text
    assert path.stat().st_mode & 0o77 == 0


def test_a_bug_where_no_file_can_be_written(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    assert report(_raise_a_bug(), as_json=False) is ExitCode.BUG
    said = capsys.readouterr().err
    assert "_raise_a_bug" in said
    assert "its traceback is in the lines above" in said


def test_what_strangers_wrote_can_not_drive_the_terminal(capsys: Capture) -> None:
    say("note", "a\x1b[2Jb\nc\udce9 ä")
    assert capsys.readouterr().err == "note: a\\x1b[2Jb\\nc\\udce9 ä\n"
