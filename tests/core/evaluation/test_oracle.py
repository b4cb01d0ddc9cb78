"""The oracle plays the right calls over real tools, and hears what they answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conftest import MakeRepository, user_state
from oracle_scenes import AFTER, BEFORE, FILE, FILES, TASK, play

from orefactor.core.errors import ProviderFailed
from orefactor.core.evaluation.mirror import Answered, Mirror
from orefactor.core.evaluation.oracle import Oracle, Wanted, move_oracle
from orefactor.core.messages import Message, ProviderRequest, ProviderResponse, RunFacts, ToolCall
from orefactor.core.request import RunRequest
from orefactor.core.run import run
from orefactor.sandbox.errors import Refused

TOOLS = tuple({"type": "function", "function": {"name": name}} for name in ("read_file", "edit_file", "run_check"))


def oracle(before: str = BEFORE, after: str = AFTER, *, edits_per_reply: int = 1, notices: bool = True) -> Oracle:
    wanted = {FILE: Wanted(before.encode(), after.encode())}
    return Oracle(wanted, edits_per_reply=edits_per_reply, notices=notices)


class Talking:
    """Answers an oracle by hand."""

    def __init__(self, provider: Oracle) -> None:
        self.provider = provider
        self.messages = [Message("user", TASK)]

    def next(self, answer: Callable[[ToolCall], str] = lambda _: "ERROR: no") -> ProviderResponse:
        """Answer the last calls, and give the next reply."""
        calls = self.messages[-1].tool_calls
        self.messages += [Message("tool", answer(call), tool_call_id=call.id, name=call.name) for call in calls]
        reply = self.provider.complete(ProviderRequest(tuple(self.messages), tools=TOOLS))
        self.messages.append(reply.message)
        return reply


def edits_of(reply: ProviderResponse) -> list[Mapping[str, str]]:
    return [json.loads(call.arguments) for call in reply.tool_calls if call.name == "edit_file"]


def test_it_lands_its_change_in_the_real_main_job(make_repository: MakeRepository) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    provider = move_oracle(RunFacts(TASK, (FILE,)), repository)
    result = run(RunRequest(TASK, repository, (FILE,), {"reuse": False, "sandbox": "none"}, provider=provider))
    assert (result.status, int(result.exit_code), result.files_changed) == ("completed", 0, (FILE,))
    assert {call.status for call in result.tool_calls} == {"executed"}
    assert provider.mirror.files[FILE] == AFTER.encode()
    assert user_state(repository) == before


def test_several_edits_of_a_reply_land_as_well(tmp_path: Path) -> None:
    played = play(tmp_path, oracle(edits_per_reply=10))
    assert (played.text, played.ended, played.calls["edit_file"]) == (AFTER, "", 5)
    assert played.rounds == 4
    assert set(played.refused) == {"no check can run here; go on without"}


def test_long_places_are_read_to_their_end(tmp_path: Path) -> None:
    before = "".join(f"# {number} {'x' * 200}\n" for number in range(400))
    provider = Oracle({"long.txt": Wanted(before.encode(), before.replace("x", "y").encode())})
    played = play(tmp_path, provider, files={"long.txt": before}, file="long.txt")
    assert (played.ended, played.text) == ("", before.replace("x", "y"))
    assert played.calls["read_file"] == 3


def test_files_come_and_go(tmp_path: Path) -> None:
    wanted = {FILE: Wanted(BEFORE.encode(), None), "new": Wanted(None, b"x = 1\n"), "same": Wanted(b"", b"")}
    talking = Talking(Oracle(wanted, edits_per_reply=5))
    assert [call.name for call in talking.next().tool_calls] == ["read_file"]
    assert [call.name for call in talking.next(lambda _: "text").tool_calls] == ["delete_file", "write_file"]
    assert json.loads(talking.next(lambda _: "done").message.content or "").keys() >= {"title"}
    assert talking.provider.mirror.files == {FILE: None, "new": b"x = 1\n", "same": b""}


def test_a_refused_edit_comes_again_with_more_around_it() -> None:
    talking = Talking(oracle())
    talking.next()
    replies = [talking.next(lambda _: "text"), talking.next(), talking.next()]
    sizes = [len(edits_of(reply)[0]["old_string"]) for reply in replies]
    assert sizes == sorted(set(sizes))


def test_it_gives_up_where_right_calls_are_refused() -> None:
    talking = Talking(oracle())
    with pytest.raises(ProviderFailed, match="right calls are refused: ERROR: no"):
        for _ in range(10):
            talking.next()


def test_it_gives_up_where_no_calls_make_the_change() -> None:
    talking = Talking(oracle("a\r\n", "a\n"))
    with pytest.raises(ProviderFailed, match="no exact edits"):
        for _ in range(3):
            talking.next(lambda _: "text")


def test_it_sees_that_something_else_was_accepted() -> None:
    provider = oracle("a = 1\nb = 1\n", "a = 2\nb = 1\n")
    talking = Talking(provider)
    talking.next()
    call = edits_of(talking.next(lambda _: "text"))[0]
    assert (call["old_string"], call["new_string"]) == ("a = 1", "a = 2")
    stray = {"path": FILE, "old_string": "b = 1", "new_string": "b = 3"}
    talking.messages[-1] = Message("assistant", None, (ToolCall("o", "edit_file", json.dumps(stray)),))
    assert edits_of(talking.next(lambda _: "edited"))[0]["new_string"] == "a = 2\nb = 1"


def test_or_takes_it_for_what_it_meant() -> None:
    talking = Talking(oracle("a = 1\nb = 1\n", "a = 2\nb = 1\n", notices=False))
    talking.next()
    sent = talking.next(lambda _: "text").tool_calls[0]
    stray = {"path": FILE, "old_string": "b = 1", "new_string": "b = 3"}
    talking.messages[-1] = Message("assistant", None, (ToolCall(sent.id, "edit_file", json.dumps(stray)),))
    assert [call.name for call in talking.next(lambda _: "edited").tool_calls] == ["run_check"]
    assert talking.provider.mirror.files[FILE] == b"a = 1\nb = 3\n"


@pytest.mark.parametrize(
    ("facts", "error"),
    [
        pytest.param(RunFacts("Add docstrings", (FILE,)), "only tasks that make a method", id="other-task"),
        pytest.param(RunFacts(TASK), "of one file", id="no-file"),
    ],
)
def test_other_tasks_are_refused(facts: RunFacts, error: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=error):
        move_oracle(facts, tmp_path)


def calling(name: str, **arguments: object) -> tuple[Message, Message]:
    call = ToolCall("c", name, json.dumps(arguments))
    return Message("assistant", None, (call,)), Message("tool", "done", tool_call_id="c", name=name)


def test_the_mirror_follows_what_tools_have_done() -> None:
    mirror = Mirror({"a.py": b"x = 1\n", "b.py": None})
    talk = [
        *calling("edit_file", path="./a.py", old_string="1", new_string="2"),
        *calling("write_file", path="b.py", content="y = 1\n"),
        *calling("move_file", path="a.py", new_path="c.py"),
        *calling("delete_file", path="b.py"),
        *calling("edit_file", path="elsewhere.py", old_string="1", new_string="2"),
    ]
    assert len(mirror.listen(talk)) == 5
    assert mirror.files == {"a.py": None, "b.py": None, "c.py": b"x = 2\n"}
    assert mirror.listen(talk) == []
    with pytest.raises(Refused, match="isn't there"):
        mirror.listen([*talk, *calling("edit_file", path="a.py", old_string="1", new_string="2")])


def test_calls_that_can_t_be_read_name_nothing() -> None:
    assert Answered(ToolCall("c", "read_file", "{no"), "ERROR: no").path == ""
    assert Answered(ToolCall("c", "read_file", '{"path": 1}'), "ERROR: no").path == ""
