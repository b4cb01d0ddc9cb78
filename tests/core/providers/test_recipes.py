"""The offline provider, against a small tool server in memory."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from scripted import collecting

from orefactor.core.errors import ExitCode, ProviderFailed
from orefactor.core.messages import Message, Provider, ProviderRequest, RunFacts, ToolCall
from orefactor.core.providers.recipes import RecipesProvider

TOOLS = ("list_dir", "read_file", "edit_file", "write_file", "run_check")
DOCUMENTED = '"""Doc."""\n'


@dataclass
class Server:
    """Files in memory, and the tools that a session offers.

    Attributes:
        page: lines in one answer of `read_file`, names in one of `list_dir`.
        refuse: says for a mutating call what is wrong with it, or nothing.
    """

    files: dict[str, str]
    page: int = 10_000
    refuse: Callable[[str, str], str] = lambda _tool, _path: ""
    log: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])

    def call(self, call: ToolCall) -> str:
        arguments = json.loads(call.arguments)
        self.log.append((call.name, arguments))
        answer: str = getattr(self, call.name)(**arguments)
        return answer

    def list_dir(self, path: str, offset: int = 0) -> str:
        start = "" if path == "." else f"{path}/"
        found = {name.removeprefix(start) for name in self.files if name.startswith(start)}
        names = sorted({f"{name.partition('/')[0]}/" if "/" in name else name for name in found})
        if not names:
            return f"ERROR: there is no folder '{path}'" if start else "[orefactor: the folder is empty]"
        return self._paged([f"{name}\n" for name in names], offset, "offset", 0).rstrip("\n")

    def read_file(self, path: str, start_line: int = 1) -> str:
        if path not in self.files:
            return f"ERROR: there is no file '{path}'\nlook with list_dir"
        if not self.files[path]:
            return "[orefactor: the file is empty]"
        return self._paged(self.files[path].splitlines(keepends=True), start_line - 1, "start_line", 1)

    def edit_file(self, path: str, old_string: str, new_string: str) -> str:
        if problem := self.refuse("edit_file", path):
            return f"ERROR: {problem}"
        assert self.files[path].count(old_string) == 1
        self.files[path] = self.files[path].replace(old_string, new_string)
        return f"edited {path}"

    def write_file(self, path: str, content: str) -> str:
        self.files[path] = content
        return f"wrote {path}"

    def run_check(self, command: str) -> str:
        name, *paths = shlex.split(command)
        assert name == "py_compile"
        for path in paths:
            compile(self.files[path], path, "exec")
        return "passed: py_compile\nno output"

    def _paged(self, items: list[str], start: int, place: str, base: int) -> str:
        end = start + self.page
        note = f"[orefactor: a part of {len(items)} shown; go on with {place}={end + base}]"
        return "".join(items[start:end]) + (note if end < len(items) else "")

    def of(self, tool: str) -> Iterator[str]:
        return (str(arguments.get("path", arguments.get("command"))) for name, arguments in self.log if name == tool)


def run(server: Server, task: str, paths: tuple[str, ...] = (), tools: tuple[str, ...] = TOOLS) -> str:
    """Play the session until the final answer."""
    provider: Provider = RecipesProvider(RunFacts(task, paths))
    assert provider.supports_function_calling()
    messages = [Message("user", task)]
    schemas = tuple({"type": "function", "function": {"name": name}} for name in tools)
    said: list[str] = []
    while True:
        reply = provider.complete(ProviderRequest(tuple(messages), tools=schemas), collecting(said))
        messages.append(reply.message)
        assert reply.usage is not None
        assert (reply.usage.requests, reply.usage.total, reply.model) == (1, 0, "recipes")
        if not reply.tool_calls:
            again = provider.complete(ProviderRequest(tuple(messages), tools=schemas))
            assert again.message == reply.message
            assert said == [reply.message.content]
            return reply.message.content or ""
        assert len(reply.tool_calls) <= 50
        messages += [
            Message("tool", server.call(call), tool_call_id=call.id, name=call.name) for call in reply.tool_calls
        ]


def test_one_file() -> None:
    server = Server({"src/x.py": "def go():\n    pass\n", "src/y.py": "def go(): pass\n"})
    answer = run(server, "add docstrings", ("src/x.py",))
    assert server.files["src/x.py"] == '"""Functions for x."""\n\ndef go():\n    """Go."""\n    pass\n'
    assert server.files["src/y.py"] == "def go(): pass\n"
    assert answer.splitlines() == [
        "Add docstrings to src/x.py",
        "",
        "1 of 1 Python file(s) changed, with 2 edit(s).",
        "Done by fixed rules, without a model: docstrings.",
        "py_compile: passed: py_compile",
    ]
    assert list(server.of("run_check")) == ["py_compile src/x.py"]


@pytest.mark.parametrize(
    ("paths", "task", "changed"),
    [
        ((), "format", "a b.py|p/q/r/c.py|p/s.pyi|top.py"),
        ((".",), "format", "a b.py|p/q/r/c.py|p/s.pyi|top.py"),
        (("p/",), "format", "p/q/r/c.py|p/s.pyi"),
        (("p/q", "top.py"), "format", "p/q/r/c.py|top.py"),
        ((), "format the code in ./p/q/ and top.py", "p/q/r/c.py|top.py"),
        (("p",), "format the code in p/s.pyi", "p/s.pyi"),
        (("p/q",), "format the code in p/s.pyi", "p/q/r/c.py"),
        ((".",), "format the code in p/s.pyi", "p/s.pyi"),
    ],
)
def test_scope(paths: tuple[str, ...], task: str, changed: str) -> None:
    names = ["top.py", "a b.py", "p/q/r/c.py", "p/s.pyi", "p/readme.md", "link.py@"]
    server = Server(dict.fromkeys(names, "x  =  1\n"))
    run(server, task, paths)
    assert "|".join(sorted(name for name, text in server.files.items() if text == "x = 1\n")) == changed


def test_long_answers_are_read_to_their_end() -> None:
    text = DOCUMENTED + "".join(f"x{number}  =  1\n" for number in range(25))
    server = Server({f"m{number}.py": text for number in range(5)}, page=2)
    run(server, "format")
    assert set(server.files.values()) == {text.replace("  =  ", " = ").replace('"""\n', '"""\n\n', 1)}


def test_many_files_and_many_edits() -> None:
    body = "".join(f"def go_{number}():\n    pass\n\n" for number in range(60))
    server = Server({f"m{number}.py": DOCUMENTED + "class A: pass\n" for number in range(52)} | {"z.py": body})
    answer = run(server, "add docstrings")
    assert answer.startswith("Add docstrings to 53 files\n")
    assert list(server.of("write_file")) == ["z.py"]
    assert list(server.of("run_check")) == []
    assert server.files["z.py"].count('"""Go ') == 60


def test_an_empty_file_is_written() -> None:
    server = Server({"shop/__init__.py": ""})
    assert run(server, "add docstrings").startswith("Add docstrings to shop/__init__.py\n")
    assert server.files["shop/__init__.py"] == '"""The shop package."""\n'


def test_several_recipes_in_their_order() -> None:
    text = "from typing import List\ndef f(x: List[int], y=True):\n    print(x, y)\n"
    server = Server({"x.py": text, "ruff.toml": 'target-version = "py312"'})
    answer = run(server, "add docstrings, modernize and format")
    assert answer.startswith("Add docstrings and modernize syntax and format code in x.py\n")
    assert server.files["x.py"].startswith('"""Functions for x."""\n\n\ndef f(x: list[int], y=True):\n')


def test_the_projects_settings_and_modules_count() -> None:
    files = {
        "x.py": "import b\nimport shop\nimport a\nimport top\n",
        "top.py": DOCUMENTED,
        "src/shop/__init__.py": DOCUMENTED,
        "pyproject.toml": "[tool.ruff.lint.isort]\nforce-sort-within-sections = true\n",
    }
    server = Server(files)
    run(server, "sort imports", ("x.py",))
    assert server.files["x.py"] == "import a\nimport b\n\nimport shop\nimport top\n"
    assert set(server.of("read_file")) == {"pyproject.toml", "x.py"}


def test_python_version_of_the_task() -> None:
    server = Server({"x.py": "from typing import Union\nx: Union[int, str]\n"})
    run(server, "modernize for Python 3.12")
    assert server.files["x.py"] == "x: int | str\n"


def test_nothing_to_change() -> None:
    server = Server({"x.py": DOCUMENTED})
    answer = run(server, "add docstrings")
    assert answer.splitlines()[:3] == [
        "Nothing to change",
        "",
        "1 Python file(s) looked at; none needs a change.",
    ]
    assert list(server.of("run_check")) == []


def test_without_the_tool_for_checks() -> None:
    server = Server({"x.py": "x = 1\n"})
    assert "py_compile" not in run(server, "add docstrings", tools=TOOLS[:-1])
    assert list(server.of("run_check")) == []


def test_what_is_left_is_said() -> None:
    server = Server({"broken.py": "def (:\n", "key.py": "k = '[REDACTED:jwt]'\n", "readme.md": ""})
    answer = run(server, "format", ("broken.py", "gone.py", "readme.md", "key.py", "nowhere"))
    assert answer.splitlines()[-7:] == [
        "",
        "Left as it is, wholly or in part:",
        "- broken.py: it has syntax that can't be parsed",
        "- gone.py: there is no file 'gone.py'",
        "- key.py: 1 change(s) beside redacted text or broken syntax",
        "- nowhere: there is no folder 'nowhere'",
        "- readme.md: there is no folder 'readme.md'",
    ]


def test_a_long_list_of_what_is_left_is_cut() -> None:
    server = Server({f"m{number}.py": "def (:\n" for number in range(25)})
    assert run(server, "format").endswith("\n- and 5 more")


@dataclass
class Refusing:
    """Refuses the first edits of a file."""

    times: int

    def __call__(self, tool: str, path: str) -> str:
        self.times -= 1
        return f"not now: {tool} {path}" if self.times >= 0 else ""


@pytest.mark.parametrize(
    ("times", "end"),
    [(1, "py_compile: passed: py_compile"), (2, "- x.py: not now: edit_file x.py")],
)
def test_a_refused_edit_is_tried_once_more(times: int, end: str) -> None:
    server = Server({"x.py": "x = 1\n"}, refuse=Refusing(times))
    assert run(server, "add docstrings").endswith(end)
    assert list(server.of("read_file")) == ["x.py", "x.py"]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("x = 1\n[orefactor: line 1 of 1 is longer than an answer can be and was cut]", "was cut"),
        ("x = 1\n[orefactor: cut after 5 of 9 bytes; ask for a smaller part]", "smaller part"),
        ("x = 1\n[orefactor: lines 1-1 of 2 shown; go on with start_line=1]", "can't be read to its end"),
    ],
)
def test_a_file_that_can_not_be_read_to_its_end_is_left(answer: str, problem: str) -> None:
    class Cut(Server):
        def read_file(self, path: str, start_line: int = 1) -> str:
            return answer

    server = Cut({"x.py": "x = 1\n"})
    assert problem in run(server, "add docstrings")
    assert list(server.of("edit_file")) == []


@pytest.mark.parametrize(
    ("path", "subject"),
    [
        ("a/" * 20 + "x.py", "Add type hints and docstrings and format code in 1 file"),
        ("x.py", "Add type hints and docstrings and format code in x.py"),
    ],
)
def test_subjects_fit(path: str, subject: str) -> None:
    server = Server({path: "x  =  1\n"})
    assert run(server, "add type hints and docstrings and format").splitlines()[0] == subject


def test_a_subject_of_many_recipes() -> None:
    server = Server({"x.py": "import os\nx  =  1\n"})
    task = "add type hints, docstrings, sort imports, remove unused imports, modernize and format"
    assert run(server, task).splitlines()[0] == "Apply 5 recipes to 1 file"


def test_a_missing_answer_is_a_failed_call() -> None:
    provider = RecipesProvider(RunFacts("format", ("x.py",)))
    request = ProviderRequest((Message("user", "format"),))
    while (reply := provider.complete(request)).tool_calls:
        pass
    assert "- x.py: no answer" in (reply.message.content or "")


@pytest.mark.parametrize("task", ["make it faster", "x" * 500])
def test_unknown_tasks(task: str) -> None:
    with pytest.raises(ProviderFailed) as caught:
        RecipesProvider(RunFacts(task))
    error = caught.value
    assert (error.reason, error.exit_code) == ("provider:unknown_task", ExitCode.PROVIDER)
    assert len(error.message) < 300
    assert "`add docstrings`" in error.message
    assert "`sort imports`" in error.message
    assert "--model NAME" in error.hint
    assert "DEEPSEEK_API_KEY" in error.hint
