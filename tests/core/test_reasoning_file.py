"""The reasoning of a run is kept whole, redacted, its owner's, and read back with care."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from orefactor.core.messages import Reasoning
from orefactor.core.reasoning_file import REASONING, ReasoningFile, digest, read_reasoning
from orefactor.core.redact import Redactor
from orefactor.core.trace import RunFolder, make_run_folder

ID = "20300101T000000-abcdef"
KEY = "a-very-secret-value"
DETAILS = {"reasoning_details": [{"type": "reasoning.text", "text": "hm", "signature": "c2ln", "index": 0}]}


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return make_run_folder(tmp_path, ID)


def kept(folder: RunFolder, *all_reasoning: Reasoning) -> dict[int, Reasoning]:
    file = ReasoningFile(folder, Redactor({"MY_API_KEY": KEY}))
    for number, reasoning in enumerate(all_reasoning, 1):
        file.add(number, reasoning)
    file.close()
    return read_reasoning(folder)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        pytest.param(Reasoning("hm"), Reasoning("hm"), id="text"),
        pytest.param(Reasoning("hm", DETAILS), Reasoning("hm", DETAILS), id="fields"),
        pytest.param(Reasoning("a\r\nb\u2028c\x85d", {"r": "a\nb"}), Reasoning("a\r\nb\u2028c\x85d", {"r": "a\nb"}),
                     id="line-ends"),
        pytest.param(Reasoning(f"the key is {KEY}", {"r": [f"{KEY}!"]}),
                     Reasoning("the key is [REDACTED:environment]", {"r": ["[REDACTED:environment]!"]}), id="redacted"),
        pytest.param(Reasoning("\ud800", {"r": "\udfff"}), Reasoning("\\ud800", {"r": "\\udfff"}), id="half-a-pair"),
    ],
)  # fmt: skip
def test_reasoning_comes_back(folder: RunFolder, given: Reasoning, read: Reasoning) -> None:
    assert kept(folder, given, Reasoning("second")) == {1: read, 2: Reasoning("second")}


def test_fields_too_deep_to_write_leave_the_text(folder: RunFolder) -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    assert kept(folder, Reasoning("hm", {"r": deep})) == {1: Reasoning("hm")}
    while isinstance(deep, list):
        deep = deep.pop()  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]


def test_the_file_is_its_owners_and_made_when_needed(folder: RunFolder) -> None:
    file = ReasoningFile(folder, Redactor({}))
    assert list(folder.path.iterdir()) == []
    file.add(3, Reasoning("hm"))
    assert stat.S_IMODE((folder.path / REASONING).stat().st_mode) == 0o600
    # Flushed: a killed run's reasoning is there.
    assert read_reasoning(folder) == {3: Reasoning("hm")}
    file.close()
    ReasoningFile(folder, Redactor({})).close()


def test_a_link_is_not_followed(folder: RunFolder, tmp_path: Path) -> None:
    (folder.path / REASONING).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        ReasoningFile(folder, Redactor({})).add(1, Reasoning("hm"))
    assert not (tmp_path / "elsewhere").exists()
    assert read_reasoning(folder) == {}


def test_the_file_stays_readable_however_much_comes(folder: RunFolder) -> None:
    path = folder.path / REASONING
    path.write_bytes(GOOD.encode() + b"x" * ((32 << 20) - 200) + b"\n")
    file = ReasoningFile(folder, Redactor({}))
    file.add(2, Reasoning("x" * 200))
    file.add(3, Reasoning("small"))
    file.close()
    assert path.stat().st_size <= 32 << 20
    assert read_reasoning(folder) == {1: Reasoning("a"), 3: Reasoning("small")}


GOOD = '{"round": 1, "text": "a", "fields": {}}\n'


@pytest.mark.parametrize(
    ("line", "rounds"),
    [
        pytest.param('{"round": 2, "text": "b", "fie', [1], id="cut-last-line"),
        pytest.param('{"round": 2, "text": "b", "fields": {}}', [1, 2], id="without-line-end"),
        pytest.param("[]", [1], id="no-object"),
        pytest.param("[" * 100_000, [1], id="deep"),
        pytest.param('{"fields": ' + '{"a":' * 700 + "1" + "}" * 701, [1], id="deep-fields"),
        pytest.param('{"round": true, "text": "b", "fields": {}}', [1], id="round-is-no-number"),
        pytest.param('{"round": 0, "text": "b", "fields": {}}', [1], id="round-zero"),
        pytest.param('{"round": 2, "text": null, "fields": {}}', [1], id="no-text"),
        pytest.param('{"round": 2, "text": "b", "fields": []}', [1], id="no-fields"),
        pytest.param('{"round": 2, "text": "b", "fields": {"a": NaN}}', [1], id="no-number"),
        pytest.param('{"round": 2, "text": "b", "fields": {"a": 1e999}}', [1], id="infinite"),
        pytest.param('{"round": ' + "9" * 5000 + ', "text": "b", "fields": {}}', [1], id="many-digits"),
    ],
)
def test_lines_of_strangers(folder: RunFolder, line: str, rounds: list[int]) -> None:
    (folder.path / REASONING).write_text(GOOD + line)
    assert list(read_reasoning(folder)) == rounds


def test_what_is_read_can_be_sent(folder: RunFolder) -> None:
    entry = {"round": 1, "text": "\ud800", "fields": {"\udc00": ["\ud800"]}}
    (folder.path / REASONING).write_text(json.dumps(entry))
    (reasoning,) = read_reasoning(folder).values()
    json.dumps([reasoning.text, reasoning.fields], ensure_ascii=False).encode()


def test_the_later_line_counts(folder: RunFolder) -> None:
    (folder.path / REASONING).write_text(GOOD + GOOD.replace('"a"', '"b"'))
    assert read_reasoning(folder) == {1: Reasoning("b")}


def test_nothing_but_a_file_is_read(folder: RunFolder) -> None:
    assert read_reasoning(folder) == {}
    os.mkfifo(folder.path / REASONING)
    assert read_reasoning(folder) == {}


@pytest.mark.parametrize(("text", "hashed"), [("hm", b"hm"), ("ä", "ä".encode()), ("\ud800", b"\\ud800")])
def test_the_digest_is_of_the_text(text: str, hashed: bytes) -> None:
    assert digest(Reasoning(text, {"r": text})) == hashlib.sha256(hashed).hexdigest()
