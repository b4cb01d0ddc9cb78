"""The machine, what is kept, the page and its picture."""

from __future__ import annotations

import xml.etree.ElementTree as Xml
from datetime import date
from pathlib import Path

import pytest
from benchmark_page import write_page
from figures import Figure, figure
from kept import Curve, Results, file_for, read_results, write_results
from machine import Machine, describe_machine, memory_in, processor_in
from peers import PEERS, find_peers
from plot import draw, scale

MACHINE = Machine(2, "Intel(R) Xeon(R) CPU @ 2.20GHz", 24_000, "Linux 6.1", "3.11.7", "2.39.2", 0.1)
CURVES = (
    Curve("first <run>", "files", ((1_000, 2.0, 60.0), (100_000, 40.0, 700.0))),
    Curve("next run", "files", ((1_000, 1.0, 60.0), (100_000, 6.0, 400.0))),
    Curve("run", "rounds", ((10, 1.0, 46.0), (300, 1.0, 46.0))),
)
ROWS = {"start": [figure("start", [2.0], [4.0], peer_name="llm")], "size": [Figure("size", 162, "MB")]}


@pytest.mark.parametrize(
    ("processor", "name"),
    [
        ("Intel(R) Xeon(R) CPU @ 2.20GHz", "2x-intel-xeon-cpu"),
        ("", "2x-unknown"),
        ("../../x" * 20, "2x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x"),
    ],
)
def test_machine_name(processor: str, name: str) -> None:
    assert Machine(2, processor, 0, "", "", "", 0.6).name == name


def test_machine() -> None:
    found = describe_machine()
    assert found.cores >= 1
    assert found.git
    assert not MACHINE.is_busy
    assert processor_in("processor\t: 0\nmodel name\t: A  B\nmodel name\t: A  B\n") == "A B"
    assert processor_in("") == ""
    assert memory_in("MemTotal:       24000000 kB\n") == 23437
    assert memory_in("") == 0


def test_results_are_kept(tmp_path: Path) -> None:
    results = Results(date(2026, 12, 1), MACHINE, False, ROWS, CURVES)
    path = file_for(tmp_path / "new", results)
    assert path.name == "2026-12-01-2x-intel-xeon-cpu.json"
    assert read_results(path) is None
    write_results(path, results)
    assert read_results(path) == results
    assert file_for(tmp_path, Results(results.day, MACHINE, True, {})).stem.endswith("-quick")


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [([1_000, 100_000], 3, 5), ([46, 52], 1, 2), ([1, 1], 0, 1), ([0.02, 3], -2, 1)],
)
def test_scale(values: list[float], low: int, high: int) -> None:
    found = scale(values, 200)
    assert (found.low, found.high) == (low, high)
    assert (found.at(10.0**low), found.at(10.0**high)) == (0, 200)
    assert len(found.ticks) == high - low + 1


def test_picture() -> None:
    picture = Xml.fromstring(draw(CURVES))
    space = "{http://www.w3.org/2000/svg}"
    lines = picture.findall(f".//{space}polyline")
    words = [text.text or "" for text in picture.iter() if text.tag in (f"{space}text", f"{space}tspan")]
    assert len(lines) == 6, "each curve has time and memory"
    assert {"first <run>", "seconds by files", "megabytes by rounds", "100,000"} <= set(words)
    level = {point.split(",")[1] for point in (lines[4].get("points") or "").split()}
    assert len(level) == 1, "what stays the same is level"


@pytest.mark.parametrize("is_quick", [True, False])
def test_page(tmp_path: Path, is_quick: bool) -> None:
    (tmp_path / "pictures").mkdir()
    write_page(tmp_path, Results(date(2026, 12, 1), MACHINE, is_quick, ROWS))
    text = (tmp_path / "benchmarks.md").read_text()
    assert ("mean nothing" in text) is is_quick
    assert "How it grows" not in text
    write_page(tmp_path, Results(date(2026, 12, 1), MACHINE, is_quick, ROWS, CURVES))
    text = (tmp_path / "benchmarks.md").read_text()
    assert "| next run | 100,000 files | 6 | 400 |" in text
    assert "| start | 2 s | 4 s llm | 0.5 |  |  |" in text
    assert all(pinned.requirement.replace("==", " ") in text for pinned in PEERS.values())
    Xml.parse(tmp_path / "pictures" / "growth.svg")


def test_peers_are_those_that_are_there(tmp_path: Path) -> None:
    program = tmp_path / "aider" / "bin" / "aider"
    program.parent.mkdir(parents=True)
    program.touch()
    (tmp_path / "llm").mkdir()
    assert {name: peer.program for name, peer in find_peers(tmp_path).items()} == {"aider": str(program)}
    assert find_peers(None) == {}
