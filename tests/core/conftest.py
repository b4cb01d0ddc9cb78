"""A real HTTP server with scripted answers, and sessions over scripted replies."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from chat_server import ChatServer, serving
from sessions import Start, starting


@pytest.fixture
def server() -> Generator[ChatServer]:
    """A chat-completions server on this machine."""
    with serving() as chat:
        yield chat


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Makes sessions over the tools at a folder with a few files."""
    return starting(tmp_path)
