"""Requests that another thread waits for can be broken off."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from chat_server import NOTHING, Answer, completion, serving
from e2e.processes import wait_until

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import Message, ProviderRequest
from orefactor.core.providers.openai import OpenAIProvider
from orefactor.core.providers.quirks import PROVIDERS

REQUEST = ProviderRequest((Message("user", "hello"),), "m")
SILENT = {
    "no-answer": Answer(b"", NOTHING),
    "half-an-answer": Answer(b"", content_type="text/event-stream", then="silence"),
}


@pytest.mark.parametrize("silent", SILENT.values(), ids=SILENT)
@pytest.mark.parametrize("is_used", [True, False], ids=["connection-in-use", "new-connection"])
def test_a_silent_server(silent: Answer, is_used: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as server, ThreadPoolExecutor(1) as pool:
        provider = OpenAIProvider(PROVIDERS["openai-compatible"], server.url, None, "m")
        provider.abort()
        if is_used:
            server.script(completion({"role": "assistant", "content": "hello"}))
            provider.complete(REQUEST)
        server.script(silent)
        waiting = pool.submit(provider.complete, REQUEST)
        wait_until(lambda: len(server.requests) == 1 + is_used)
        provider.abort()
        with pytest.raises(ProviderFailed) as raised:
            waiting.result(10)
    assert raised.value.retry
