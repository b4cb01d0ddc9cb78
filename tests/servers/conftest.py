"""The servers as fixtures, and what the live ones cost at the end of the run."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from servers.servers import LLAMA_SERVER, LLMOCK, Server, Start, running


@pytest.fixture
def llmock_process(tmp_path: Path) -> Generator[Server]:
    """`llmock serve`, as from a terminal; so slow that a client can leave a broken stream before its end."""
    pace = {"LLMOCK_STREAM_CHUNK_DELAY_MS": "60"}
    with running([LLMOCK, "serve", "--port", "0"], tmp_path / "llmock.log", pace) as server:
        yield server


@pytest.fixture
def aimock(tmp_path: Path) -> Start:
    """Starts `aimock` with one reply a turn, which it knows by the assistant's messages so far."""

    @contextmanager
    def start(*replies: dict[str, Any]) -> Generator[Server]:
        program = shutil.which("aimock")
        assert program, "`aimock` is missing: `scripts/check --servers` installs it"
        turns = [{"match": {"turnIndex": number}, "response": reply} for number, reply in enumerate(replies)]
        fixtures, config = tmp_path / "turns.json", tmp_path / "aimock.json"
        fixtures.write_text(json.dumps({"fixtures": turns}))
        config.write_text(json.dumps({"strict": True, "llm": {"fixtures": str(fixtures), "chunkSize": 7}}))
        strict = {"AIMOCK_STRICT_TURN_INDEX": "1"}
        with running([program, "--config", config], tmp_path / "aimock.log", strict) as server:
            yield server

    return start


@pytest.fixture
def llama(tmp_path: Path) -> Start:
    """Starts a llama.cpp server with a real, very small model."""

    @contextmanager
    def start(context: int = 8192, *, jinja: bool = True) -> Generator[Server]:
        command = [sys.executable, "-c", LLAMA_SERVER, str(context), "jinja" if jinja else "plain"]
        with running(command, tmp_path / "llama.log") as server:
            yield server

    return start


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what each run with a real model cost."""
    reports: list[Any] = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    for report in reports:
        for name, value in getattr(report, "user_properties", ()):
            if name == "cost" and report.when == "call":
                terminalreporter.write_line(f"{report.nodeid}: {value}")
