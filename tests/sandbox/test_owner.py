"""Whether the process that owns something still runs."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from orefactor.sandbox.owner import Owner, current_owner, start_of


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lives until it is ended."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def test_this_process_is_alive() -> None:
    owner = current_owner()
    assert owner.is_alive
    assert not owner.is_elsewhere
    assert Owner.parse(owner.to_text()) == owner
    assert "\n" not in owner.to_text()


def test_another_process_is_alive_until_it_ends(child: "subprocess.Popen[bytes]") -> None:
    started = start_of(child.pid)
    assert started is not None
    owner = replace(current_owner(), pid=child.pid, started=started)
    assert owner.is_alive
    child.kill()
    # Not waited for yet: a zombie has ended too.
    assert child.stdin is not None
    while owner.is_alive:
        pass
    child.wait()
    assert start_of(child.pid) is None
    assert not owner.is_alive


@pytest.mark.parametrize("started", ["", "another boot:1"])
def test_a_number_that_was_given_out_again_is_another_process(started: str) -> None:
    assert not replace(current_owner(), started=started).is_alive


@pytest.mark.parametrize("pid", [-1, 2**22 + 1, 2**31])
def test_numbers_that_no_process_has(pid: int) -> None:
    assert start_of(pid) is None


def test_an_owner_in_another_place_is_elsewhere() -> None:
    assert replace(current_owner(), place="another machine").is_elsewhere


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the user's own words",
        "[]",
        "null",
        "{}",
        '{"pid": 1}',
        '{"pid": "x", "started": "y", "place": "z"}',
        '{"pid": null, "started": "y", "place": "z"}',
        '{"pid": Infinity, "started": "y", "place": "z"}',
        '{"pid": 1, "started": "y"}',
        "[" * 100_000,
        "\udcff",
    ],
    ids=lambda text: text[:12],
)
def test_words_that_name_no_owner(text: str) -> None:
    assert Owner.parse(text) is None
