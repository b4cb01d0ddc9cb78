"""The Python entry point: a whole run in a real repository, with scripted models and over real HTTP."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from chat_server import DONE, ChatServer, as_stream, chunk, completion, refusal, streamed, tool_call
from conftest import MakeRepository, git, user_state, write_files
from e2e.scenes import require_valid
from scripted import ManualClock, ScriptedProvider, Step, asked, reply

import orefactor.core
from orefactor.core import RefactorResult, UserError, events, refactor
from orefactor.core.guards.table import GUARDS
from orefactor.core.log import LOGGER_NAME
from orefactor.core.messages import ProviderRequest, ProviderResponse, Usage

# Read here, since no test itself sees a key.
REAL_KEY = os.environ.get("DEEPSEEK_API_KEY")
SECRET = "s3cr3t-of-the-user"
SOURCE = "def area(width, height):\n    return width * height\n"
TYPED = "def area(width: float, height: float) -> float:\n    return width * height\n"
READ = asked("c1", "read_file", path="x.py")
EDIT = asked("c2", "edit_file", path="x.py", old_string=SOURCE.splitlines()[0], new_string=TYPED.splitlines()[0])
CHECK = asked("c3", "run_check", command="py_compile x.py")
ANSWER = reply(text="Add type hints to area\n\nBoth parameters and the result are numbers.")


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    return make_repository({"x.py": SOURCE, "other.py": "import os\n"})


def run(repository: Path, *steps: Step, **options: Any) -> RefactorResult:
    given: dict[str, Any] = {
        "paths": ["x.py"],
        "sandbox": "none",
        "python": sys.executable,
        "context_tokens": 0,
        **options,
    }
    return refactor("add type hints", repository, provider=ScriptedProvider(steps), **given)


def applied(repository: Path, patch: bytes) -> str:
    git(repository, "apply", stdin=patch)
    return (repository / "x.py").read_text()


@pytest.mark.traces("REQ-103-022", "REQ-103-023", "REQ-103-025", "US-001")
def test_a_run_gives_a_patch_and_everything_about_it(repository: Path) -> None:
    before = user_state(repository)
    result = run(repository, reply(READ), reply(EDIT), reply(CHECK), ANSWER)
    assert user_state(repository) == before
    assert (result.status, result.reason, result.exit_code) == ("completed", "delivered", 0)
    assert (result.verified, result.files_changed, result.iterations) == (True, ("x.py",), 4)
    assert [(call.round, call.name, call.status) for call in result.tool_calls] == [
        (1, "read_file", "executed"),
        (2, "edit_file", "executed"),
        (3, "run_check", "executed"),
    ]
    assert result.usage.model_dump() == {
        "prompt_tokens": 40,
        "cached_tokens": 0,
        "completion_tokens": 20,
        "requests": 4,
    }
    assert [(check.name, check.outcome) for check in result.checks] == [("py_compile", "passed"), ("ruff", "passed")]
    assert [(guard.name, guard.ok) for guard in result.guards] == [(name, True) for name in GUARDS]
    assert result.trace.summary.title == "Add type hints to area"
    assert result.run_id in str(result.trace_path)
    assert (result.branch, result.commit) == (None, None)
    assert result.patch is not None
    assert applied(repository, result.patch) == TYPED


@pytest.mark.traces("REQ-103-023")
def test_the_trace_file_follows_its_schema(repository: Path) -> None:
    result = run(repository, reply(READ), reply(EDIT), ANSWER, clock=ManualClock())
    written = json.loads(result.trace_path.read_bytes())
    require_valid(written)
    assert written["schema"] == "orefactor.trace/1"
    assert written["started"] == "2030-01-01T00:00:00+00:00"
    assert written["run_id"].startswith("20300101T000000-")
    assert written["duration_ms"] == 0
    assert written["user_state"]["same"] is True
    shown = result.to_json()
    assert (shown["patch_encoding"], shown["base"]["source"]) == ("utf-8", "worktree")
    assert shown["patch"].startswith(f"Orefactor-Run: {result.run_id}\n")
    json.dumps(shown)


@pytest.mark.parametrize("root", [".", "sub", "sub/.."])
def test_the_root_may_be_relative(repository: Path, monkeypatch: pytest.MonkeyPatch, root: str) -> None:
    (repository / "sub").mkdir()
    monkeypatch.chdir(repository)
    script = ScriptedProvider([reply(READ), reply(EDIT), ANSWER])
    path = "../x.py" if root == "sub" else "x.py"
    result = refactor("annotate it", root, paths=[path], provider=script, sandbox="none", python=sys.executable)
    assert result.status == "completed", result.message
    assert result.files_changed == ("x.py",)


def test_events_come_as_they_happen(repository: Path) -> None:
    seen: list[events.Event] = []
    run(repository, reply(READ), reply(EDIT), ANSWER, on_event=seen.append, context_tokens=500)
    kinds = [type(event).__name__ for event in seen if not isinstance(event, events.TRANSIENT)]
    assert kinds[:4] == ["RunStarted", "BaseTaken", "ContextBuilt", "ToolsOffered"]
    assert kinds[-3:] == ["OutcomeReached", "UserStateCompared", "RunEnded"]
    assert kinds.count("RoundFinished") == 3


@pytest.mark.traces("REQ-103-018")
@pytest.mark.parametrize(
    ("steps", "options", "status", "reason", "code"),
    [
        pytest.param([reply(READ)] * 3, {"max_iterations": 2}, "max_iterations", "limit:max_iterations", 4,
                     id="rounds"),
        pytest.param([reply(READ, usage=Usage(9999, 0, 1, 1))], {"max_tokens": 9000}, "limit", "limit:max_tokens", 4,
                     id="tokens"),
        pytest.param([reply(text="fine")] * 2, {}, "error", "model:no_tool_call", 5, id="no-tool"),
        pytest.param([reply(READ), reply(text="Nothing to do")], {}, "completed", "no_change_needed", 0,
                     id="no-change"),
        pytest.param([reply(READ)], {"cancel": lambda: True}, "cancelled", "interrupted", 130, id="cancelled"),
    ],
)  # fmt: skip
def test_how_a_run_may_end(
    repository: Path, steps: list[ProviderResponse], options: dict[str, Any], status: str, reason: str, code: int
) -> None:
    before = user_state(repository)
    result = run(repository, *steps, **options)
    assert (result.status, result.reason, result.exit_code) == (status, reason, code)
    assert not result.patch
    assert (result.patch is None) is (status != "completed")
    assert result.message
    require_valid(json.loads(result.trace_path.read_bytes()))
    assert user_state(repository) == before


def test_a_provider_without_tools_is_offered_nothing(repository: Path) -> None:
    provider = ScriptedProvider([], tools=False)
    result = refactor("add type hints", repository, provider=provider, sandbox="none")
    assert (result.status, result.reason) == ("error", "provider:no_function_calling")
    assert (provider.requests, result.trace.offered) == ([], ())


def test_a_failed_check_goes_back_to_the_model(repository: Path) -> None:
    """The second answer is judged anew."""
    spoil = asked("s", "edit_file", path="x.py", old_string="def area", new_string="import os\n\n\ndef area")
    mend = asked("m", "edit_file", path="x.py", old_string="import os\n\n\n", new_string="")
    asked_back: list[str] = []

    def look(request: ProviderRequest) -> ProviderResponse:
        asked_back.append(request.messages[-1].content or "")
        return reply(mend)

    result = run(repository, reply(READ), reply(EDIT), reply(spoil), ANSWER, look, ANSWER)
    assert (result.status, result.verified, result.trace.repairs) == ("completed", True, 1)
    assert "x.py:1: F401" in asked_back[0]
    assert result.patch is not None and applied(repository, result.patch) == TYPED


def test_a_file_behind_a_filter_is_not_changed(make_repository: MakeRepository) -> None:
    """What the worktree holds of it is a pointer."""
    repository = make_repository({"x.py": SOURCE, ".gitattributes": "x.py filter=lfs\n"})
    result = run(repository, reply(READ), reply(EDIT), reply(text="It can't be changed"))
    assert result.reason == "no_change_needed"
    assert "`x.py` is stored through the filter `lfs`" in result.tool_calls[1].summary


def test_bad_input_is_an_exception(repository: Path, tmp_path: Path) -> None:
    for task, root, options, words in (
        ("  ", repository, {}, "the task is empty"),
        ("t", tmp_path / "none", {}, ""),
        ("t", repository, {"max_iterations": 0}, "max-iterations` is wrong"),
        ("t", repository, {"colour": "red"}, "`colour` is no setting"),
        ("t", repository, {"provider": "nobody"}, "no provider `nobody`"),
        ("t", repository, {"paths": ["../x"]}, "outside the repository"),
        ("t", repository, {}, "DEEPSEEK_API_KEY is not set"),
    ):
        given: dict[str, Any] = options
        with pytest.raises(UserError) as raised:
            refactor(task, root, **given)
        assert words in raised.value.message
        assert raised.value.hint
    assert not (repository / ".git/orefactor").exists()


@pytest.mark.traces("SEC-103-003", "TST-103-005")
def test_no_secret_in_anything_that_is_kept(
    repository: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("MY_TOKEN", SECRET)
    write_files(repository, {"x.py": f"key = '{SECRET}'\n{SOURCE}"})
    token = f"ghp_{'aB3' * 12}"
    grep = asked("g", "grep", pattern=SECRET)
    write = asked("w", "write_file", path="x.py", content=f"key = '{SECRET}'\n{TYPED}# {token}\n")
    marked = asked("m", "edit_file", path="x.py", old_string="key = '[REDACTED:environment]'", new_string="key = ''")
    caplog.set_level(logging.INFO, LOGGER_NAME)
    seen: list[ProviderRequest] = []

    def look(request: ProviderRequest) -> ProviderResponse:
        seen.append(request)
        return reply(marked, write)

    result = run(
        repository,
        reply(READ, grep),
        look,
        reply(text=f"Use {SECRET}"),
        output=repository / "p.patch",
        allow=["secrets"],
        contract=["any"],
    )
    answers = [message.content or "" for message in seen[0].messages if message.role == "tool"]
    assert answers[0].startswith("key = '[REDACTED:environment]'\n")
    assert [call.status for call in result.tool_calls] == ["executed", "executed", "failed", "executed"]
    kept = [path for path in result.trace_path.parent.iterdir() if path.suffix != ".patch"]
    assert {path.name for path in kept} == {"trace.json", "events.jsonl"}
    for text in [*(path.read_text() for path in kept), *answers, repr([vars(record) for record in caplog.records])]:
        assert SECRET not in text and token not in text
    # The patch is not redacted: it must be exact.
    assert result.patch is not None and token.encode() in result.patch


@pytest.mark.traces("REQ-103-024")
def test_a_run_is_logged_in_order(repository: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, LOGGER_NAME)
    again = asked("c4", "read_file", path="other.py")
    run(repository, reply(READ, again), reply(EDIT), ANSWER)
    tools = [vars(record)["tool"] for record in caplog.records if record.message == "tool_call"]
    assert tools == ["read_file", "read_file", "edit_file"]
    assert [record.message for record in caplog.records] == [
        "turn", "tool_call", "tool_call", "turn", "tool_call", "turn", "check", "check", "outcome",
    ]  # fmt: skip


HINTS = [
    streamed(
        chunk({"role": "assistant", "content": "", "reasoning_content": "I look first."}),
        chunk({"tool_calls": [{"index": 0, **tool_call("a1", "ast_outline", path="x.py")}]}),
        chunk({"tool_calls": [{"index": 1, **tool_call("a2", "read_file", path="x.py")}]}),
        chunk({}, "tool_calls"),
        chunk(None, usage={"prompt_tokens": 1000, "prompt_cache_hit_tokens": 0, "completion_tokens": 20}),
        DONE,
    ),
    refusal(503),
    as_stream({"content": None, "tool_calls": [tool_call("a3", "edit_file", **json.loads(EDIT.arguments))]}, "stop"),
    completion({"content": "", "tool_calls": [tool_call("", "run_check", command="py_compile x.py")]}),
    as_stream({"content": "Add type hints to area"}, usage={"prompt_tokens": 1400, "prompt_cache_hit_tokens": 1280}),
]


def real_refactor(repository: Path, **options: Any) -> RefactorResult:
    given: dict[str, Any] = {"paths": ["x.py"], "sandbox": "none", "python": sys.executable, **options}
    return refactor("add type hints to the function area; width and height are floats", repository, **given)


def expect_read_before_edit(repository: Path, result: RefactorResult) -> None:
    assert (result.status, result.verified) == ("completed", True), result.message
    names = [call.name for call in result.tool_calls if call.status == "executed"]
    edits = [position for position, name in enumerate(names) if name in ("edit_file", "write_file")]
    reads = [position for position, name in enumerate(names) if name in ("read_file", "ast_outline")]
    assert reads[0] < edits[0]
    assert result.files_changed == ("x.py",)
    assert result.patch is not None
    assert "-> float" in applied(repository, result.patch)
    subprocess.run([sys.executable, "-m", "py_compile", "x.py"], cwd=repository, check=True)


@pytest.mark.traces("TST-103-004", "TST-103-003")
def test_a_real_refactor_over_http(repository: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scenario of the on-demand test, with a model that is scripted."""
    monkeypatch.setenv("DEEPSEEK_API_KEY", SECRET)
    server.script(*HINTS)
    result = real_refactor(repository, base_url=server.url)
    expect_read_before_edit(repository, result)
    assert (result.trace.provider, result.trace.settings["model"]) == ("deepseek", "deepseek-v4-pro")
    assert [call.name for call in result.tool_calls] == ["ast_outline", "read_file", "edit_file", "run_check"]
    bodies = [json.dumps(request["messages"]) for request in server.requests]
    assert bodies[1] == bodies[2], "a request that failed is sent again as it was"
    for earlier, later in pairwise(bodies):
        assert later.startswith(earlier[:-1])
    last = server.requests[-1]["messages"]
    assert [message["role"] for message in last] == [
        "system", "user", "assistant", "tool", "tool", "assistant", "tool", "assistant", "tool",
    ]  # fmt: skip
    assert last[2]["reasoning_content"] == "I look first."
    assert [(m["tool_call_id"], m["name"]) for m in last if m["role"] == "tool"] == [
        ("a1", "ast_outline"), ("a2", "read_file"), ("a3", "edit_file"), ("call00000", "run_check"),
    ]  # fmt: skip
    assert last[-1]["content"] == "passed: py_compile x.py"
    assert SECRET not in json.dumps(server.requests) + result.trace_path.read_text()
    assert result.usage.cached_tokens == 1280


@pytest.mark.traces("TST-103-004")
@pytest.mark.skipif(REAL_KEY is None, reason="on demand: set DEEPSEEK_API_KEY to ask the real DeepSeek")
def test_a_real_refactor_by_deepseek(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", REAL_KEY or "")
    monkeypatch.delenv("SSL_CERT_DIR")
    expect_read_before_edit(repository, real_refactor(repository))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(refusal(401, {"error": {"message": f"bad key {SECRET}"}}), "provider:unauthorized"),
     (refusal(402), "provider:no_credit"), (refusal(503), "provider:server_error"),
     (streamed(chunk({"content": "half"})), "provider:cut_stream")],
)  # fmt: skip
def test_a_provider_that_fails_is_a_result(
    repository: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch, answer: Any, reason: str
) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", SECRET)
    server.script(answer)
    result = real_refactor(repository, base_url=server.url)
    assert (result.status, result.reason, result.exit_code) == ("error", reason, 5)
    assert result.patch is None
    assert SECRET not in result.trace_path.read_text()


def test_a_models_name_goes_with_its_provider(repository: Path, server: ChatServer) -> None:
    server.script(completion({"content": "x"}))
    real_refactor(repository, provider="ollama", model="qwen3", base_url=server.url)
    assert server.requests[0]["model"] == "qwen3"


@pytest.mark.traces("REQ-103-022")
def test_what_the_package_offers() -> None:
    assert set(orefactor.core.__all__) >= {"refactor", "RefactorResult", "RefactorTools", "TOOL_SCHEMAS", "UserError"}
    for name in orefactor.core.__all__:
        assert getattr(orefactor.core, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = orefactor.core.nothing
