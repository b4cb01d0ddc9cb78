"""Failures that only the client itself can have; those of servers are in `test_openai`."""

from __future__ import annotations

import ssl

import openai
import pytest
from chat_server import NOTHING, Answer, ChatServer

from orefactor.core.errors import ProviderFailed
from orefactor.core.messages import Message, ProviderRequest
from orefactor.core.providers.failures import Party, failed
from orefactor.core.providers.openai import OpenAIProvider
from orefactor.core.providers.quirks import PROVIDERS

PARTY = Party("deepseek", "http://x/v1", "sk-secret")


def test_an_error_of_the_client_without_a_response() -> None:
    said = failed(openai.OpenAIError("odd\nthing of sk-secret"), PARTY)
    assert said.reason == "provider:bad_reply"
    assert said.message == "`deepseek` gave a reply that can't be read: odd thing of [key]"


def connection_error(cause: Exception) -> openai.APIConnectionError:
    error = openai.APIConnectionError(request=None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("cause", "retry", "words"),
    [
        (OSError("Name or service not known"), True, "Name or service not known"),
        (ssl.SSLCertVerificationError("self-signed certificate"), False, "self-signed"),
        (ValueError(), True, "ValueError"),
    ],
)
def test_a_server_that_can_not_be_reached(cause: Exception, retry: bool, words: str) -> None:
    said = failed(connection_error(cause), PARTY)
    assert (said.kind, said.retry, said.elsewhere) == ("unreachable", retry, True)
    assert "http://x/v1" in said.message
    assert words in said.message


def timeout_error(name: str) -> openai.APITimeoutError:
    error = openai.APITimeoutError(request=None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    error.__cause__ = type(name, (Exception,), {})()
    return error


@pytest.mark.parametrize(
    ("cause", "is_over", "kind", "retry"),
    [
        ("ConnectTimeout", True, "unreachable", True),
        ("ReadTimeout", True, "timeout", False),
        ("ReadTimeout", False, "silent", True),
    ],
)
def test_what_was_waited_for_in_vain(cause: str, is_over: bool, kind: str, retry: bool) -> None:
    said = failed(timeout_error(cause), PARTY, is_over=is_over)
    assert (said.kind, said.retry) == (kind, retry)


@pytest.mark.parametrize(
    ("base_url", "shown"),
    [
        ("https://user:pass@host.example:8443/v1?key=1", "https://host.example:8443/v1"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1"),
        ("http://user:pass@host:99999/v1", "host:99999/v1"),
        ("user:pass@nowhere", "nowhere"),
        ("http://host/\x1b[31m", "http://host/ [31m"),
    ],
)
def test_an_address_is_shown_without_what_is_secret(base_url: str, shown: str) -> None:
    assert Party("x", base_url).address == shown


def test_a_server_that_does_not_answer_at_all(server: ChatServer) -> None:
    server.script(Answer(b"", NOTHING))
    provider = OpenAIProvider(PROVIDERS["deepseek"], server.url, "k")
    with pytest.raises(ProviderFailed, match="did not answer in time") as raised:
        provider.complete(ProviderRequest((Message("user", "x"),), "m", timeout=0.05))
    assert raised.value.reason == "provider:timeout"
