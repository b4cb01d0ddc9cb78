"""Real models, where a key is set: a small docstring task, and one of several steps. They cost a few cents at most."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, RunCommand, user_state
from e2e.scenes import FILES, leftovers, trace

pytestmark = pytest.mark.servers

MODELS = {"deepseek-v4-pro": "DEEPSEEK_API_KEY", "qwen-plus": "DASHSCOPE_API_KEY"}
# Each test's environment is sealed, so the keys are read before.
KEYS = {variable: os.environ.get(variable, "").strip() for variable in MODELS.values()}
STEPS = {
    "src/shapes.py": "def area(a, b):\n    return a * b\n\n\ndef twice(a):\n    return 2 * a\n",
    "src/report.py": "from shapes import area\n\n\ndef report(a, b):\n    return f'area: {area(a, b)}'\n",
    "tests/test_report.py": (
        "import sys\n\nsys.path.insert(0, 'src')\n\nfrom report import report\nfrom shapes import area\n\n\n"
        "def test_report():\n    assert area(2, 3) == 6\n    assert report(2, 3) == 'area: 6'\n"
    ),
}
SPENDING = ("--max-cost", "0.50", "--max-seconds", "900", "--check", "py_compile")
READS = ("read_file", "ast_outline", "grep")
EDITS = ("edit_file", "write_file", "move_file", "delete_file")

Ask = Callable[..., tuple[dict[str, Any], bytes]]


@pytest.fixture(params=MODELS)
def ask(request: pytest.FixtureRequest, run_command: RunCommand, record_property: Callable[[str, Any], None]) -> Ask:
    """Runs the command with a real model; gives the trace and the patch."""
    variable = MODELS[request.param]
    if not KEYS[variable]:
        pytest.skip(f"{variable} is not set, so `{request.param}` can't be asked")

    def run(repository: Path, *arguments: str) -> tuple[dict[str, Any], bytes]:
        key = {variable: KEYS[variable]}
        done = run_command(repository, "--model", request.param, *SPENDING, *arguments, environment=key, seconds=1000)
        assert done.returncode == 0, done.stderr
        assert KEYS[variable].encode() not in done.stdout + done.stderr
        kept = trace(repository)
        usage = kept["usage"]
        record_property("cost", f"{kept['cost_usd']} USD, {usage}")
        assert kept["cost_usd"] > 0
        assert usage["prompt_tokens"] > usage["cached_tokens"] >= 0 < usage["completion_tokens"]
        return kept, done.stdout

    return run


def assert_careful(kept: dict[str, Any]) -> None:
    """It read before the first edit, and a check passed."""
    names = [call["name"] for call in kept["tool_calls"] if call["status"] == "executed"]
    first = next(number for number, name in enumerate(names) if name in EDITS)
    assert any(name in READS for name in names[:first])
    assert any(check["outcome"] == "passed" for check in kept["checks"])
    assert not any(check["outcome"] == "failed" for check in kept["checks"] if check["when"] == "final")


def test_a_docstring_task(ask: Ask, make_repository: MakeRepository) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    kept, patch = ask(repository, "add a docstring to each function; change nothing else", "src/shapes.py")
    assert_careful(kept)
    assert patch.count(b'+    """') >= 2
    assert not [line for line in patch.splitlines() if line.startswith(b"-") and not line.startswith(b"---")]
    assert (user_state(repository), leftovers(repository)) == (before, [])


def test_a_task_of_several_steps(ask: Ask, make_repository: MakeRepository) -> None:
    repository = make_repository(STEPS)
    before = user_state(repository)
    task = (
        "rename the function `area` to `surface` in src/shapes.py and mend each place that uses it, in src and in "
        "tests; the text `area: ` that report gives stays; then give `surface` and `twice` type annotations of floats"
    )
    kept, patch = ask(repository, task, "--allow", "tests")
    assert_careful(kept)
    assert set(kept["files_changed"]) == set(STEPS)
    assert b"+def surface(a: float, b: float) -> float:" in patch
    assert (user_state(repository), leftovers(repository)) == (before, [])
