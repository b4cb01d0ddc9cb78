"""Failures that only the client itself can have; those of servers are in `test_openai`."""

from __future__ import annotations

import openai
import pytest
from chat_server import NOTHING, Answer, ChatServer

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import Message, ProviderRequest
from orefactor.core.providers.failures import failed
from orefactor.core.providers.openai import OpenAIProvider
from orefactor.core.providers.presets import PRESETS


def test_an_error_of_the_client_without_a_response() -> None:
    said = failed(openai.OpenAIError("odd\nthing"), "deepseek", "http://x")
    assert said.reason == "provider:bad_reply"
    assert said.message == "`deepseek` gave a reply that can't be read: odd thing"


def test_a_server_that_does_not_answer_at_all(server: ChatServer) -> None:
    server.script(Answer(b"", NOTHING))
    provider = OpenAIProvider(PRESETS["deepseek"], server.url, "k")
    with pytest.raises(ProviderFailed, match="did not answer in time") as raised:
        provider.complete(ProviderRequest((Message("user", "x"),), "m", timeout=0.05))
    assert raised.value.reason == "provider:timeout"
