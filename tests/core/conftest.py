"""A real HTTP server with scripted answers."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from chat_server import ChatServer, serving


@pytest.fixture
def server() -> Generator[ChatServer]:
    """A chat-completions server on this machine."""
    with serving() as chat:
        yield chat
