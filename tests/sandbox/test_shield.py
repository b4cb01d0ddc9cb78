"""Signals, for real: the first one stops, later ones change nothing, and a clean-up is never torn apart."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from orefactor.sandbox.shield import STOPPING, Stopped, shield, stop_on_signals

PRELUDE = """
import os, signal, sys
from orefactor.sandbox.shield import Stopped, shield, stop_on_signals
def wait(word):
    print(word, flush=True)
    sys.stdin.readline()
"""
Start = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a script that says a word and waits for a line, as often as it likes."""
    started: list[subprocess.Popen[str]] = []

    def run(script: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-c", PRELUDE + script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def heard(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def go_on(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


TEAR = """
try:
    with stop_on_signals():
        try:
            wait("working")
        finally:
            with shield():
                wait("cleaning")
                print("cleaned", flush=True)
except Stopped as stopped:
    print("stopped by", stopped, flush=True)
    wait("after")
print("end", flush=True)
"""


@pytest.mark.parametrize("number", STOPPING, ids=lambda number: number.name)
def test_the_first_signal_stops_and_later_ones_do_not_tear(start: Start, number: signal.Signals) -> None:
    process = start(TEAR)
    assert heard(process) == "working"
    process.send_signal(number)
    assert heard(process) == "cleaning"
    for again in (number, *STOPPING):
        process.send_signal(again)
    go_on(process)
    assert heard(process) == "cleaned"
    assert heard(process) == f"stopped by {number.name}"
    assert heard(process) == "after"
    go_on(process)
    assert heard(process) == "end"
    assert process.wait(10) == 0


def test_outside_the_block_signals_are_as_before(start: Start) -> None:
    process = start("with stop_on_signals():\n    pass\nwait('ready')\n")
    assert heard(process) == "ready"
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == -signal.SIGTERM


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("with shield():", "KeyboardInterrupt"),
        ("with stop_on_signals(), shield():", "Stopped: SIGINT"),
        ("with stop_on_signals(), shield(), shield():", "Stopped: SIGINT"),
    ],
)
def test_a_shield_holds_a_signal_back_until_its_end(start: Start, block: str, expected: str) -> None:
    process = start(f"{block}\n    wait('in')\n    print('kept', flush=True)\nprint('not reached')\n")
    assert heard(process) == "in"
    process.send_signal(signal.SIGINT)
    go_on(process)
    assert heard(process) == "kept"
    assert process.stdout is not None
    # Not `communicate`: it would miss what the last `readline` took along.
    rest = process.stdout.read()
    assert rest.strip().endswith(expected)
    assert "not reached" not in rest


def test_an_ignored_signal_stays_ignored(start: Start) -> None:
    process = start(
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with stop_on_signals():\n    wait('a')\n    with shield():\n        wait('b')\nprint('end')\n"
    )
    for word in ("a", "b"):
        assert heard(process) == word
        process.send_signal(signal.SIGHUP)
        go_on(process)
    assert heard(process) == "end"
    assert process.wait(10) == 0


def test_an_exception_in_the_shield_comes_out(start: Start) -> None:
    with pytest.raises(KeyError), shield():
        raise KeyError
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_inside_this_process() -> None:
    with pytest.raises(Stopped) as caught, stop_on_signals():
        with shield():
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
        pytest.fail("the shield ended without the signal")
    assert caught.value.signal is signal.SIGTERM
    assert not isinstance(caught.value, Exception)


def test_after_the_first_signal_more_of_them_do_nothing() -> None:
    with pytest.raises(Stopped), stop_on_signals():
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)


def test_other_threads_have_no_signals_to_hold_back() -> None:
    passed: list[bool] = []

    def work() -> None:
        with shield():
            passed.append(signal.getsignal(signal.SIGINT) is signal.default_int_handler)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert passed == [True]
