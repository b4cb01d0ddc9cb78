"""The installed command: `eval` runs a suite over arms, goes on where it stopped, compares and shows what came."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from conftest import write_files
from e2e.processes import run_here

CHECK = """import ast
tree = ast.parse(open("x.py").read())
functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
raise SystemExit(0 if all(map(ast.get_docstring, functions)) else 1)
"""
TASK = 'text = "add docstrings"\npaths = ["x.py"]\n[source]\nfiles = "files"\n[success]\npython = "check.py"\n'
SUITE = {
    "s/suite.toml": 'name = "small"\nlicence = "MIT"\nsource = "made up"\n',
    "s/tasks/one/task.toml": TASK,
    "s/tasks/one/check.py": CHECK,
    "s/tasks/one/files/x.py": "def area(a, b):\n    return a * b\n",
    "s/tasks/two/task.toml": TASK.replace("add docstrings", "rename area to surface"),
    "s/tasks/two/check.py": CHECK,
    "s/tasks/two/files/x.py": "def f():\n    return 1\n",
}
ARMS = ("--provider", "recipes", "--vary", "max_output_tokens=100,200")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write_files(tmp_path, SUITE)
    return tmp_path


def said(stdout: bytes) -> Any:
    return json.loads(stdout)


def test_a_suite_is_run_compared_and_shown(place: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    first = run_here(capfdbinary, place, "eval", "s", "--task", "one", *ARMS, "--out", "out", "--json", "--jobs", "2")
    assert first.returncode == 0
    told = said(first.stdout)
    assert [(each["task"], each["arm"], each["passed"]) for each in told["attempts"]] == [
        ("one", "max-output-tokens=100", True),
        ("one", "max-output-tokens=200", True),
    ]
    assert first.stderr.count(b"passed") == 2
    figures = told["arms"][0]["figures"]
    assert (figures["landed"]["hits"], figures["first edit well formed"]["value"]) == (1, 1.0)
    attempt = told["attempts"][0]
    assert (attempt["edits"], attempt["lines"] > 0, attempt["verdicts"]) == (2, True, {"own": True})
    assert (place / "out" / attempt["trace"] / "trace.json").is_file()
    # Nothing is done twice.
    again = run_here(capfdbinary, place, "eval", "s", "--task", "one", *ARMS, "--out", "out", "--html", "p.html")
    assert (again.returncode, again.stderr) == (0, b"")
    assert b"landed" in again.stdout and b"1/1 100%" in again.stdout
    page = (place / "p.html").read_text()
    tree = ET.fromstring(page.partition("\n")[2])
    links = [link.get("href") or "" for link in tree.iter("a")]
    assert len(links) == 2 and all((place / link).is_file() for link in map(_unquoted, links))
    shown = run_here(capfdbinary, place, "eval", "show", "out")
    assert (shown.returncode, shown.stdout) == (0, again.stdout)
    pair = ("out:max-output-tokens=100", "out:max-output-tokens=200")
    compared = run_here(capfdbinary, place, "eval", "compare", *pair, "--json")
    assert compared.returncode == 0
    differences = said(compared.stdout)["differences"]
    assert [each["pairs"] for each in differences if each["figure"] == "landed"] == [1]
    assert not any(each["more_than_noise"] for each in differences)
    words = run_here(capfdbinary, place, "eval", "compare", *pair)
    assert b"more than noise (p < 0.05): nothing" in words.stdout


def _unquoted(link: str) -> str:
    from urllib.parse import unquote

    return unquote(link)


def test_a_task_that_lands_nothing_is_counted_and_no_error(
    place: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    done = run_here(capfdbinary, place, "eval", "s", "--provider", "recipes", "--json")
    assert done.returncode == 0
    one, two = said(done.stdout)["attempts"]
    assert (one["landed"], one["passed"], one["arm"]) == (True, True, "usual")
    assert (two["landed"], two["passed"], two["reason"]) == (False, None, "not_started")
    assert (place / "eval-s" / "results.jsonl").is_file()
    # An arm that can't even begin is an error and no result.
    done = run_here(capfdbinary, place, "eval", "s", "--model", "deepseek-v4-pro", "--out", "other")
    assert (done.returncode, done.stdout) == (5, b"")
    assert b"DEEPSEEK_API_KEY" in done.stderr and not (place / "other" / "results.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(("eval",), "there is no suite", id="nothing"),
        pytest.param(("eval", "none"), "there is no suite at `none`", id="no-such-suite"),
        pytest.param(("eval", "xyz:none"), "`xyz` is no loader of suites", id="no-such-loader"),
        pytest.param(("eval", "s", "t"), "too many words", id="too-many"),
        pytest.param(("eval", "s", "--task", "x*"), "no task has such a name", id="no-task"),
        pytest.param(("eval", "s", "--vary", "modle=a"), "`modle` is no setting", id="no-setting"),
        pytest.param(("eval", "s", "--vary", "model=a", "--arms", "a.toml"), "exclude each other", id="both"),
        pytest.param(("eval", "s", "--jobs", "0"), "--jobs", id="no-jobs"),
        pytest.param(("eval", "show", "s"), "`s` holds no evaluation", id="show"),
        pytest.param(("eval", "compare", "s"), "`compare` needs two arms", id="compare"),
        pytest.param(("eval", "compare", "s", "s"), "`s` holds no evaluation", id="compare-nothing"),
    ],
)
def test_bad_input(
    place: Path, capfdbinary: pytest.CaptureFixture[bytes], words: tuple[str, ...], message: str
) -> None:
    done = run_here(capfdbinary, place, *words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode() and b"hint: " in done.stderr
    assert b"Traceback" not in done.stderr
