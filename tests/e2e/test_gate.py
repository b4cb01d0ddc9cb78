"""The gate through the command: each guard and contract with a change that passes and one that doesn't, and checks."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import PYTEST_INI, MakeRepository, call, calls, git, user_state
from e2e.processes import Done, run_here
from e2e.scenes import events, leftovers, run_folders, trace

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]
Reply = dict[str, Any]

CODE = """import os
import sys


def area(a, b):
    return a * b  # square units


def use():
    return area(2, 3), os.sep, sys.path
"""
TEST = """from shapes import area


def test_area():
    assert area(2, 3) == 6


def test_zero():
    assert area(0, 3) == 0
"""
WORLD = {"shapes.py": CODE, "test_shapes.py": TEST, "other.py": "X = 1\n"}
LAST = {"content": "Change it", "every_round": True}


def change(old: str, new: str, path: str = "shapes.py") -> Reply:
    return calls(call("edit_file", path=path, old_string=old, new_string=new))


def edits(*pairs: tuple[str, str], path: str = "shapes.py") -> list[Reply]:
    return [calls(call("read_file", path=path)), *(change(old, new, path) for old, new in pairs), LAST]


def writes(path: str, content: str, *, first: str | None = None) -> list[Reply]:
    read = [calls(call("read_file", path=first or path))] if first or path in WORLD else [calls(call("list_dir"))]
    return [*read, calls(call("write_file", path=path, content=content)), LAST]


DEF = "def area(a, b):\n"
DOC = (DEF, f'{DEF}    """Multiply."""\n')
TYPED = (DEF, "def area(a: int, b: int) -> int:\n")
BODY = ("return a * b", "return b * a")
SORTED = ("import os\nimport sys\n", "import sys\nimport os\n")
RENAMED = ((DEF, "def surface(a, b):\n"), ("return area(2", "return surface(2"))
TOKEN = f"ghp_{'aB3' * 12}"


@dataclass(frozen=True)
class Case:
    """A scripted change and what the gate says of it; no reason: it passes."""

    replies: list[Reply]
    reason: str | None = None
    detail: str = ""
    options: tuple[str, ...] = ()
    task: str = "do it"


def contract(kind: str, *pairs: tuple[str, str], refused: str = "") -> Case:
    reason = f"contract:{kind}" if refused else None
    return Case(edits(*pairs), reason, refused, ("--contract", kind))


MOVED = [
    calls(call("read_file", path="shapes.py"), call("read_file", path="other.py")),
    change(f"{DEF}    return a * b  # square units\n\n\n", ""),
    change("import sys\n", "import sys\n\nfrom other import area\n"),
]  # fmt: skip


def moved(body: str) -> list[Reply]:
    text = f"X = 1\n\n\n{DEF}    {body}  # square units\n"
    return [*MOVED, change("X = 1\n", text, "other.py"), LAST]


BECAME = "`return a * b` became `return b * a`"
CONTRACTS = {
    "docstrings": contract("docstrings", DOC),
    "docstrings-broken": contract("docstrings", DOC, BODY, refused=f"shapes.py:7 in area: {BECAME}"),
    "comments": contract("comments", ("# square units", "# in square units")),
    "comments-broken": contract("comments", ("  # square units", ""), BODY, refused="`return a * b` became"),
    "annotations": contract("annotations", TYPED),
    "annotations-broken": contract("annotations", (DEF, "def area(a: int, b: int = 0) -> int:\n"), refused="in area"),
    "imports": contract("imports", SORTED),
    "imports-broken": contract("imports", SORTED, DOC, refused="Multiply"),
    "formatting": contract("formatting", ("area(2, 3), os", "area( 2,3 ), os")),
    "formatting-broken": contract("formatting", ("area(2, 3), os", "area(3, 2), os"), refused="in use"),
    "rename": contract("rename:area=surface", *RENAMED),
    "rename-broken": contract("rename:area=surface", *RENAMED, BODY, refused="in surface"),
    "move": Case(moved("return a * b"), options=("--contract", "move")),
    "move-broken": Case(moved("return b * a"), "contract:move", "return b * a", ("--contract", "move")),
    "two-together": contract("docstrings,annotations", DOC, ("def use():", "def use() -> object:")),
    "two-together-broken": contract("docstrings,annotations", DOC, BODY, refused="return b * a"),
    "by-the-task": Case(edits(DOC), task="add docstrings"),
    "by-the-task-broken": Case(edits(BODY), "contract:docstrings", "return b * a", task="add docstrings"),
    "unsure": Case(edits(BODY), task="make area nicer"),
}  # fmt: skip

WEAKER = (("assert area(2, 3) == 6", "assert area(2, 3)"),)
SKIPPED = (("from shapes import area\n", "import pytest\nfrom shapes import area\n"),
           ("def test_zero", "@pytest.mark.skip\ndef test_zero"))  # fmt: skip
ADDED = (("def test_zero", "def test_one():\n    assert area(1, 1) == 1\n\n\ndef test_zero"),)


def in_tests(*pairs: tuple[str, str]) -> list[Reply]:
    return edits(*pairs, path="test_shapes.py")


GUARDS = {
    "tests": Case(in_tests(*ADDED)),
    "tests-weaker": Case(in_tests(*WEAKER), "guard:tests", "test_shapes.py:5"),
    "tests-weaker-allowed": Case(in_tests(*WEAKER), options=("--allow", "tests")),
    "tests-skipped": Case(in_tests(*SKIPPED), "guard:tests", "skip"),
    "tests-deleted": Case([calls(call("read_file", path="test_shapes.py")),
                           calls(call("delete_file", path="test_shapes.py")), LAST], "guard:tests", "test_shapes.py"),
    "suppressed": Case(edits(("return a * b  #", "return a * b  # noqa #")), "guard:tests", "noqa"),
    "secrets": Case(edits(("# square units", "# see the manual"))),
    "secrets-broken": Case(edits(("# square units", f"# {TOKEN}")), "guard:secrets", "shapes.py:6"),
    "secrets-allowed": Case(edits(("# square units", f"# {TOKEN}")), options=("--allow", "secrets")),
    "size": Case(writes("big.py", "X = 1\n" * 1000)),
    "size-broken": Case(writes("big.py", "X = 1\n" * 20_001), "guard:size", "20,001"),
}  # fmt: skip


def command(capture: Capture, repository: Path, script: Path, case: Case, *more: str) -> Done:
    checks = () if any(word.startswith("--check") for word in more) else ("--no-check",)
    return run_here(capture, repository, case.task, *case.options, *checks, *more, "--fixture", str(script))


@pytest.mark.parametrize("case", [*CONTRACTS.values(), *GUARDS.values()], ids=[*CONTRACTS, *GUARDS])
def test_guards_and_contracts(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, case: Case
) -> None:
    repository = make_repository(WORLD)
    before = user_state(repository)
    done = command(capfdbinary, repository, fixture_file(*case.replies), case)
    kept = trace(repository)
    assert kept["reason"] == (case.reason or "delivered"), done.stderr
    assert done.returncode == (3 if case.reason else 0)
    assert bool(done.stdout) is not bool(case.reason)
    if case.reason and case.reason.startswith("contract:"):
        assert case.detail in kept["contract"]["detail"]
        assert case.detail in done.stderr.decode()
    elif case.reason:
        (guard,) = [guard for guard in kept["guards"] if not guard["ok"]]
        assert case.detail in guard["detail"]
    assert TOKEN not in (run_folders(repository)[-1] / "trace.json").read_text()
    assert (user_state(repository), leftovers(repository)) == (before, [])


def test_a_breach_goes_back_to_the_model(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(WORLD)
    back = calls(call("edit_file", path="shapes.py", old_string="return b * a", new_string="return a * b"))
    script = fixture_file(
        *edits(DOC, BODY)[:-1],
        {**back, "prompt_contains": "`return a * b` became `return b * a`"},
        {**LAST, "content": "Document area"},
    )
    done = command(capfdbinary, repository, script, Case([], options=("--contract", "docstrings")))
    assert done.returncode == 0, done.stderr
    kept = trace(repository)
    assert (kept["repairs"], kept["contract"]) == (1, {"kinds": ["docstrings"], "ok": True, "detail": ""})
    assert "contract docstrings: kept" in done.stderr.decode()


def test_the_contract_is_told_at_the_start(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(WORLD)
    told = {**calls(call("read_file", path="shapes.py")), "prompt_contains": "Contract: "}
    done = command(capfdbinary, repository, fixture_file(told, *edits(DOC)[1:]), Case([], task="add docstrings"))
    assert done.returncode == 0, done.stderr
    assert [entry["name"] for entry in trace(repository)["tool_calls"]] == ["read_file", "edit_file"]


BROKEN = "def test_old():\n    assert False\n"
PROJECT = {**WORLD, "test_old.py": BROKEN, "pytest.ini": PYTEST_INI}
PYTHON = ("--python", sys.executable)


@pytest.mark.sandbox
def test_old_failures_are_old_and_new_ones_count(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(PROJECT)
    passes, fails = fixture_file(*edits(BODY)), fixture_file(*edits(("a * b", "a + b")), name="bad.json")
    done = command(capfdbinary, repository, passes, Case([]), "--check", "pytest", *PYTHON)
    assert done.returncode == 0, done.stderr
    (check,) = trace(repository)["checks"]
    assert (check["outcome"], check["findings_new"], check["findings_old"], check["baseline"]) == (
        "passed", 0, 1, "measured",
    )  # fmt: skip
    done = command(capfdbinary, repository, fails, Case([]), "--check", "pytest", *PYTHON, "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["reason"]) == (3, "check:pytest")
    assert "test_shapes.py::test_area" in told["message"]
    (check,) = json.loads(Path(told["trace_path"]).read_text())["checks"]
    # The same base in the same environment isn't measured twice.
    assert (check["findings_new"], check["findings_old"], check["baseline"]) == (2, 1, "kept")


@pytest.mark.sandbox
def test_tests_that_are_gone_when_they_run(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    """No source of a test changes, and yet one is lost: what became of each test counts."""
    cases = "@pytest.mark.parametrize('a', open('cases.txt').read().split())\ndef test_a(a):\n    assert a\n"
    repository = make_repository(
        {
            **WORLD,
            "test_cases.py": f"import pytest\n\n\n{cases}",
            "cases.txt": "one\nzero\n",
            "pytest.ini": PYTEST_INI,
        }
    )
    script = fixture_file(*writes("cases.txt", "one\n", first="cases.txt"))
    done = command(capfdbinary, repository, script, Case([]), "--check", "pytest", *PYTHON)
    kept = trace(repository)
    assert (done.returncode, kept["reason"]) == (3, "guard:tests"), done.stderr
    assert "test_a[zero]" in next(guard["detail"] for guard in kept["guards"] if guard["name"] == "tests")


@pytest.mark.sandbox
def test_a_flaky_failure_does_not_count(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    alone = "len(request.session.items) == 1 or 'X2' not in open('shapes.py').read()"
    flaky = f"import sys\n\n\ndef test_flaky(request):\n    assert {alone}\n"
    repository = make_repository({**WORLD, "test_flaky.py": flaky, "pytest.ini": PYTEST_INI})
    script = fixture_file(*edits(("square units", "square units X2")))
    done = command(capfdbinary, repository, script, Case([]), "--check", "pytest", *PYTHON)
    assert done.returncode == 0, done.stderr
    assert trace(repository)["checks"][0]["flaky"] == ["test_flaky.py::test_flaky"]


LINT = f"lint={sys.executable} lint.py"
LINTER = """import sys

if 'b * a' in open('shapes.py').read():
    print('shapes.py:6: never b first')
    sys.exit(1)
"""


@pytest.mark.sandbox
@pytest.mark.parametrize("how", ["command-line", "git-config", "trusted-repository"])
def test_commands_of_the_projects_own(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, how: str
) -> None:
    name, _, words = LINT.partition("=")
    toml = f'[tool.orefactor.commands]\n{name} = "{words}"\n' if how == "trusted-repository" else ""
    repository = make_repository({**WORLD, "lint.py": LINTER, "pyproject.toml": toml})
    script = fixture_file(*edits(BODY))
    if how == "git-config":
        git(repository, "config", "--global", f"orefactor.check.{name}.command", words)
    check = LINT if how == "command-line" else name
    if how == "trusted-repository":
        done = command(capfdbinary, repository, script, Case([]), "--check", check, *PYTHON)
        assert (done.returncode, run_folders(repository)) == (2, [])
        assert "you haven't said that you trust it" in done.stderr.decode()
        git(repository, "config", "--global", "--add", "orefactor.trusted", str(repository))
    done = command(capfdbinary, repository, script, Case([]), "--check", check, *PYTHON)
    kept = trace(repository)
    assert (done.returncode, kept["reason"]) == (3, "check:lint"), done.stderr
    assert "never b first" in done.stderr.decode()
    assert kept["checks"][0]["command"][-1] == "lint.py"


@pytest.mark.sandbox
def test_what_the_project_uses_is_offered(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository({**WORLD, "pytest.ini": PYTEST_INI})
    asked = {**calls(call("check_pytest", paths=["test_shapes.py"])), "prompt_contains": "check_pytest"}
    script = fixture_file(*edits(BODY)[:-1], asked, LAST)
    done = command(capfdbinary, repository, script, Case([]), *PYTHON)
    assert done.returncode == 0, done.stderr
    kept = trace(repository)
    assert "check_pytest" in kept["offered"] and "check_pytest" not in kept["not_requested"]
    assert kept["tool_calls"][-1]["summary"].startswith("passed: check_pytest")
    done = command(capfdbinary, repository, fixture_file(*edits(BODY)), Case([]), *PYTHON, "--json")
    other = json.loads(Path(json.loads(done.stdout)["trace_path"]).read_text())
    assert "check_pytest" in other["not_requested"]
    # Required ones aren't offered, they run anyhow.
    done = command(
        capfdbinary, repository, fixture_file(*edits(BODY)), Case([]), *PYTHON, "--check", "pytest", "--json"
    )
    other = json.loads(Path(json.loads(done.stdout)["trace_path"]).read_text())
    assert "check_pytest" not in other["offered"]


@pytest.mark.sandbox
def test_checks_run_where_no_model_decided(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository({**WORLD, "pytest.ini": PYTEST_INI})
    done = command(capfdbinary, repository, fixture_file({"content": "I can't call tools"}), Case([]), *PYTHON)
    kept = trace(repository)
    assert (done.returncode, kept["reason"]) == (5, "provider:no_function_calling")
    assert [(check["name"], check["required"], check["when"], check["outcome"]) for check in kept["checks"]] == [
        ("pytest", False, "on_demand", "passed")
    ]
    assert kept["undecided"] and kept["not_requested"] == []


TWO = {**WORLD, "shapes.py": CODE + "\n\ndef twice(a):\n    return 2 * a\n"}


def test_what_nobody_asked_for_is_pointed_out_and_dropped_on_request(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(TWO)
    pairs = [
        (f"{DEF}    return a * b", f'{DEF}    """Multiply."""\n    return a * b'),
        ("return 2 * a", "return a + a"),
    ]
    task = Case([], task="document the function area")
    done = command(capfdbinary, repository, fixture_file(*edits(*pairs)), task)
    assert done.returncode == 0, done.stderr
    (spare,) = trace(repository)["spare"]
    assert (spare["path"], spare["symbol"]) == ("shapes.py", "twice")
    assert b"return a + a" in done.stdout and b"(`--minimize`)" in done.stderr
    done = command(capfdbinary, repository, fixture_file(*edits(*pairs)), task, "--minimize", "--check", "py_compile")
    assert done.returncode == 0, done.stderr
    assert b"Multiply" in done.stdout and b"return a + a" not in done.stdout
    assert b"dropped 1 hunk(s)" in done.stderr


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(Case([], task="make it nicer"), id="the-task-names-nothing"),
        pytest.param(Case([], task="document area", options=("--contract", "docstrings,comments")), id="a-contract"),
    ],
)
def test_where_all_of_the_change_was_asked_for(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, case: Case
) -> None:
    """Most of what a task asks for could go without any check's noticing."""
    repository = make_repository(TWO)
    pairs = [(DEF, f'{DEF}    """Multiply."""\n'), ("def twice(a):\n", 'def twice(a):\n    """Double."""\n')]
    script = fixture_file(*edits(("# square", "# Square"), *pairs))
    done = command(capfdbinary, repository, script, case, "--minimize", "--check", "py_compile")
    assert done.returncode == 0, done.stderr
    assert b"Multiply" in done.stdout and b"Double" in done.stdout and b"# Square" in done.stdout
    kept = trace(repository)
    assert (kept["spare"], kept["minimized"]["dropped"]) == ([], [])


def test_events_of_the_gate_come_in_order(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    repository = make_repository(WORLD)
    command(capfdbinary, repository, fixture_file(*edits(DOC)), Case([]), "--check", "py_compile")
    kinds = [event["event"] for event in events(repository)]
    assert kinds.index("ChecksStarted") < kinds.index("ContractJudged") < kinds.index("GuardJudged")
    assert kinds.index("CheckFinished") < kinds.index("OutcomeReached")


def test_a_file_that_git_shows_as_new_is_asked_for_too(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    """A move with many edits is no rename for git; the bytes are accounted for all the same."""
    repository = make_repository({**WORLD, "crlf.py": "a = 1\r\nb = 2\r\n"})
    script = fixture_file(
        calls(call("read_file", path="crlf.py")),
        calls(call("move_file", path="crlf.py", new_path="new.py")),
        calls(call("edit_file", path="new.py", old_string="a = 1\nb = 2\n", new_string="c = 3\nd = 4\ne = 5\n")),
        LAST,
    )
    done = command(capfdbinary, repository, script, Case([]))
    assert done.returncode == 0, done.stderr
    assert b"+e = 5\r\n" in done.stdout
