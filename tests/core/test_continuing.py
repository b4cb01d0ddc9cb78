"""Where a run may go on, and with which limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from recordings import part, recorded
from scripted import ScriptedProvider, reply

from orefactor.core.continuing import continuation
from orefactor.core.errors import UserError
from orefactor.core.limits import Limits
from orefactor.core.messages import Message, ProviderRequest, Reasoning
from orefactor.core.providers.choose import Choice
from orefactor.core.reasoning_file import digest
from orefactor.core.recording import Recording
from orefactor.core.trace import RunFolder

TWO = [part(1, text="a"), part(2, text="b")]


def record(folder: Path, **fields: Any) -> Recording:
    return Recording(
        recorded(**{"rounds": TWO, "status": "error", "reason": "interrupted", **fields}), RunFolder(folder)
    )


@pytest.mark.parametrize(
    ("fields", "number", "expected"),
    [
        pytest.param({}, None, 3, id="interrupted"),
        pytest.param({"rounds": [*TWO, part(3, "")]}, None, 3, id="waiting-for-a-reply"),
        pytest.param({"rounds": []}, None, 1, id="no-reply-at-all"),
        pytest.param({"status": "max_iterations", "reason": "limit:max_iterations"}, None, 3, id="rounds"),
        pytest.param({"status": "limit", "reason": "limit:max_cost"}, None, 3, id="cost"),
        pytest.param({"status": "error", "reason": "provider:rate_limited"}, None, 3, id="provider"),
        pytest.param({"status": "cancelled", "reason": "interrupted"}, None, 3, id="cancelled"),
        pytest.param({"status": "limit", "reason": "limit:repeated_call"}, None, 2, id="the-last-reply-ended-it"),
        pytest.param({"status": "error", "reason": "model:empty_reply"}, None, 2, id="the-model"),
        pytest.param({"status": "error", "reason": "model:no_tool_call", "rounds": []}, None, 1, id="no-model"),
        pytest.param({"status": "completed"}, 2, 2, id="named"),
        pytest.param({"status": "completed"}, 3, 3, id="behind-the-last"),
    ],
)
def test_from_which_round(tmp_path: Path, fields: dict[str, Any], number: int | None, expected: int) -> None:
    assert continuation(record(tmp_path, **fields), number).round == expected


@pytest.mark.parametrize(
    ("fields", "number", "words"),
    [
        pytest.param({"status": "completed"}, None, "came to its end", id="completed"),
        pytest.param({"status": "gate"}, None, "came to its end", id="refused"),
        pytest.param({}, 4, "has replies for 2 round", id="beyond"),
        pytest.param({}, 0, "has replies for 2 round", id="zero"),
    ],
)
def test_from_nowhere(tmp_path: Path, fields: dict[str, Any], number: int | None, words: str) -> None:
    with pytest.raises(UserError, match=words) as raised:
        continuation(record(tmp_path, **fields), number)
    assert "--from N" in raised.value.hint


def test_what_it_goes_on_with(tmp_path: Path) -> None:
    (tmp_path / "reasoning.jsonl").write_text('{"round": 1, "text": "mm", "fields": {"reasoning_content": "mm"}}\n')
    first = part(1, text="a", reasoning_digest=digest(Reasoning("mm")))
    goes_on = continuation(record(tmp_path, rounds=[first, TWO[1]]), 2)
    assert goes_on.extended(Limits(max_rounds=25, max_tokens=7)) == Limits(max_rounds=26, max_tokens=7)
    live, spare = ScriptedProvider([reply(text="live")], "served"), Choice(ScriptedProvider([]), "spare")
    (choice, *others) = goes_on.joined([Choice(live, "m"), spare])
    assert (choice.model, choice.provider.name, others) == ("m", "served", [spare])
    asked = ProviderRequest((Message("user", "x"),))
    said = [choice.provider.complete(asked).message for _ in range(2)]
    assert [message.content for message in said] == ["a", "live"]
    assert said[0].reasoning == Reasoning("mm", {"reasoning_content": "mm"})
