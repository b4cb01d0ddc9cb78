"""The docstring task and a server that answers it at once, for us and for each peer in the way that it speaks.

The server counts what each asks: requests, tokens and what they would cost. Tokens are characters of what the model
reads by four, the same rough measure for everybody; a server's prompt cache holds what a request has in common with an
earlier one, in whole blocks, as DeepSeek's does.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chat_server import Answer, Json, as_stream, completion, serving

from orefactor.core.messages import Usage
from orefactor.core.providers.price_table import PRICES

TASK = "add docstrings"
OTHER_TASK = "say in words what each function gives back"
FILE = "shapes.py"
OLD = "def area(a, b):\n"
NEW = 'def area(a, b):\n    """Multiply two lengths."""\n'
SOURCE = f"{OLD}    return a * b\n\n\ndef edge(a, b):\n    return 2 * (a + b)\n"
MODEL = "scripted"
PRICED_AS = "deepseek-v4-pro"
_OFF_PEAK = datetime(2026, 11, 28, tzinfo=UTC)
_BLOCK = 64
"""Tokens that DeepSeek's cache keeps as one."""
_LONGEST = 120.0
"""Seconds after which a contestant hangs."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """Somebody who does the task.

    Attributes:
        name: who it is.
        command: its words; `URL` stands for the server's address, `HOME` for a folder of its own.
        replies: what the model says, in order.
        environment: what it reads there besides; the same two names stand in it.
        files: what lies in its home.
    """

    name: str
    command: Sequence[str]
    replies: Sequence[Json]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it.

    Attributes:
        first: seconds to the first request.
        seconds: to the end.
        prompts: what each request gave the model to read.
        answers: what the model said to it.
        landed: whether the docstring is in the file, or in the patch.
    """

    first: float
    seconds: float
    prompts: tuple[str, ...]
    answers: tuple[str, ...]
    landed: bool

    @property
    def tokens(self) -> int:
        """Tokens of all prompts."""
        return sum(map(tokens, self.prompts))

    def cost(self, before: Sequence[str] = ()) -> float:
        """USD at DeepSeek's prices, off the peak.

        Args:
            before: prompts that the server has in its cache already.
        """
        price, known = PRICES["deepseek"][PRICED_AS], [*before]
        total = 0.0
        for asked, said in zip(self.prompts, self.answers, strict=True):
            total += price.cost(Usage(tokens(asked), cached(known, asked), tokens(said)), _OFF_PEAK)
            known.append(asked)
        return total


def tokens(text: str) -> int:
    """A rough count."""
    return -(-len(text) // 4)


def cached(before: Sequence[str], now: str) -> int:
    """Tokens of a prompt that stand in the cache after those before, in whole blocks."""
    return max((_shared(one, now) // 4 // _BLOCK * _BLOCK for one in before), default=0)


def _shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def with_other_task(who: Contestant) -> Contestant:
    """The same one, asked for something else; the replies are as they were."""
    return replace(who, command=[word.replace(TASK, OTHER_TASK) for word in who.command])


def read_by_model(body: Json) -> str:
    """What a request gives the model to read: the tools, then the messages."""
    return json.dumps([body.get("tools", []), body.get("response_format"), body["messages"]], ensure_ascii=False)


def play(who: Contestant, folder: Path, home: Path) -> Played:
    """Let it do the task in a new repository.

    Args:
        who: who does it.
        folder: where the repository is made; it must not be there.
        home: a folder of its own, which it may find again, warm.

    Raises:
        TimeoutExpired: it hangs.
    """
    make_task(folder)
    with _scripted(who.replies) as (url, log):
        environment = _environment(who, url, home)
        command = [word.replace("URL", url).replace("HOME", str(home)) for word in who.command]
        started = time.perf_counter()
        ended = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LONGEST,
            check=False,
        )
        seconds = time.perf_counter() - started
    landed = NEW in (folder / FILE).read_text() or b"+" + NEW.splitlines()[1].encode() in ended.stdout
    if not log:
        raise RuntimeError(f"{who.name} asked nothing: {ended.stderr.decode(errors='replace')[-500:]}")
    moments, prompts, answers = zip(*log, strict=True)
    return Played(moments[0] - started, seconds, prompts, answers, landed)


def make_task(folder: Path) -> None:
    """A repository with one file."""
    folder.mkdir(parents=True)
    (folder / FILE).write_text(SOURCE)
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=folder, check=True)


def _environment(who: Contestant, url: str, home: Path) -> dict[str, str]:
    home.mkdir(parents=True, exist_ok=True)
    for name, text in who.files.items():
        (home / name).write_text(text.replace("URL", url))
    names = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    own = {name: text.replace("URL", url).replace("HOME", str(home)) for name, text in who.environment.items()}
    identity = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {**kept, **identity, "HOME": str(home), "OPENAI_API_KEY": "none", "NO_PROXY": "127.0.0.1", **own}


@contextmanager
def _scripted(replies: Sequence[Json]) -> Generator[tuple[str, list[tuple[float, str, str]]]]:
    """A server that says these, the last one again and again, and notes when it was asked what."""
    log: list[tuple[float, str, str]] = []

    def answer(body: bytes, headers: Mapping[str, str]) -> Answer:
        moment, request = time.perf_counter(), json.loads(body)
        message = replies[min(len(log), len(replies) - 1)]
        log.append((moment, read_by_model(request), _said(message)))
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        usage = {"prompt_tokens": tokens(log[-1][1]), "completion_tokens": tokens(log[-1][2]), "total_tokens": 0}
        usage["total_tokens"] = sum(usage.values())
        whole: dict[str, Any] = {"role": "assistant", **message}
        return (as_stream if request.get("stream") else completion)(whole, finish, usage=usage)

    with serving() as chat:
        chat.next_answer = answer  # type: ignore[method-assign]
        yield chat.url, log


def _said(message: Json) -> str:
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    return (message.get("content") or "") + "".join(call["name"] + call["arguments"] for call in calls)
