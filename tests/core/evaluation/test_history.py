"""Tasks from a history: which commits may become one, and which do because their tests tell before from after."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PYTEST_INI, Files, MakeRepository, git, write_files

from orefactor.core.errors import UserError
from orefactor.core.evaluation.commit_tests import CommitTestsCheck
from orefactor.core.evaluation.commits import candidates, task_text
from orefactor.core.evaluation.history import Mining, load_history
from orefactor.core.evaluation.paths_of_tests import is_test
from orefactor.core.messages import RunFacts
from orefactor.sandbox.repository import find_repository

PYTHON = Path(sys.executable)
FIRST = {
    "calc.py": "def add(a, b):\n    return a + b\n",
    "other.py": "x = 1\n",
    "CHANGES": "First.\n",
    "tests/test_calc.py": "import calc\n\ndef test_add():\n    assert calc.add(1, 2) == 3\n",
    "pytest.ini": PYTEST_INI,
}
BETTER = "def add(*numbers):\n    return sum(numbers)\n"
TEST = "import calc\n\ndef test_add():\n    assert calc.add(1, 2, 3) == 6\n"
MESSAGE = "Add any count of numbers\n\nCloses #3.\n\nCo-authored-by: A <a@example.com>\n"


def commit(repository: Path, files: Files, message: str = MESSAGE) -> str:
    write_files(repository, files)
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "--allow-empty-message", "-F", "-", stdin=message.encode())
    return git(repository, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Add any count\n\nWhy.\n\nSigned-off-by: A <a@b>\nCo-Authored-By: x\n", "Add any count\n\nWhy."),
        ("Add it now\n(cherry picked from commit 123)", "Add it now"),
        ("fix", ""),
        ("", ""),
        ("Merge branch 'x' of y", ""),
        ("Bump x from 1 to 2", ""),
        ("Release version 2.0 now", ""),
        ("Merging is now possible", "Merging is now possible"),
        ("Add \x1b[2J escapes\tnow", "Add \ufffd[2J escapes\ufffdnow"),
        ("a b c" * 9999, ("a b c" * 9999)[:4000]),
    ],
)
def test_messages(message: str, text: str) -> None:
    assert task_text(message) == text


@pytest.mark.parametrize(
    ("path", "is_one"),
    [("tests/x.txt", True), ("src/test_x.py", True), ("x_test.py", True), ("conftest.py", True),
     ("src/x/testing/y", True), ("src/testing.py", False), ("contest.py", False), ("latest/x.py", False)],
)  # fmt: skip
def test_which_files_are_tests(path: str, is_one: bool) -> None:
    assert is_test(path) is is_one


def link(repository: Path) -> None:
    (repository / "tests/link").symlink_to("/etc")


def move_source(repository: Path) -> None:
    (repository / "calc.py").rename(repository / "calculator.py")


def move_test(repository: Path) -> None:
    (repository / "tests/test_calc.py").rename(repository / "tests/test_calculator.py")


def drop_test(repository: Path) -> None:
    (repository / "tests/test_calc.py").unlink()


def nothing(_repository: Path) -> None:
    pass


GOOD = {"calc.py": BETTER, "tests/test_calc.py": TEST}


@pytest.mark.parametrize(
    ("files", "change", "paths"),
    [
        pytest.param(GOOD, nothing, ["calc.py"], id="good"),
        pytest.param({**GOOD, "CHANGES": "More.\n", "news/1.txt": "x"}, nothing, ["CHANGES", "calc.py"], id="notes"),
        pytest.param({**GOOD, "tests/data.txt": "1"}, nothing, ["calc.py"], id="data-of-tests"),
        pytest.param({"calc.py": BETTER, "tests/test_more.py": TEST}, nothing, ["calc.py"], id="new-test"),
        pytest.param({"calc.py": BETTER}, nothing, None, id="no-test"),
        pytest.param({"calc.py": BETTER, "tests/helper.py": "x"}, nothing, None, id="no-test-module"),
        pytest.param({"tests/test_calc.py": TEST}, nothing, None, id="only-tests"),
        pytest.param({**GOOD, "new.py": "x = 1\n"}, nothing, None, id="new-source"),
        pytest.param({"CHANGES": "x", "tests/test_calc.py": TEST}, nothing, None, id="no-code"),
        pytest.param({**GOOD, "calc.py": BETTER * 200}, nothing, None, id="large"),
        pytest.param({**GOOD, **{f"tests/{number}": "" for number in range(30)}}, nothing, None, id="many"),
        pytest.param({**GOOD, "tests/a\nb": ""}, nothing, None, id="odd-name"),
        pytest.param({**GOOD, "tests/a\\b": ""}, nothing, None, id="name-that-can-not-be-said"),
        pytest.param(GOOD, link, None, id="link"),
        pytest.param({"tests/test_calc.py": TEST}, move_source, None, id="source-moved"),
        pytest.param({"calc.py": BETTER}, move_test, None, id="test-moved"),
        pytest.param({"calc.py": BETTER}, drop_test, None, id="test-dropped"),
    ],
)
def test_which_commits_may_become_tasks(
    make_repository: MakeRepository, files: Files, change: Callable[[Path], None], paths: list[str] | None
) -> None:
    repository = make_repository(FIRST)
    base = git(repository, "rev-parse", "HEAD")
    change(repository)
    made = commit(repository, files)
    found = list(candidates(find_repository(repository).git, "HEAD", 10))
    assert [(each.commit, each.parent, list(each.paths)) for each in found] == (
        [] if paths is None else [(made, base, paths)]
    )
    if paths is not None:
        assert found[0].text == "Add any count of numbers\n\nCloses #3."
        assert found[0].lines == 4 + (2 if "CHANGES" in paths else 0)


@pytest.mark.sandbox
def test_mining(make_repository: MakeRepository, tmp_path: Path) -> None:
    repository = make_repository(FIRST)
    # One test can't pass here, with or without the change.
    good = commit(repository, {**GOOD, "tests/test_calc.py": TEST + "\ndef test_net():\n    raise OSError\n"})
    commit(repository, {"other.py": "x = 2\n", "tests/test_calc.py": TEST}, "Change what nobody tests")
    commit(repository, {"calc.py": BETTER + "#\n", "tests/test_calc.py": "import nowhere\n"}, "Break the tests here")
    into = tmp_path / "into"
    mining = Mining(tasks=2, python=PYTHON)
    suite = load_history(repository, into=into, mining=mining)
    (task,) = suite.tasks
    assert (suite.name, task.name, task.paths) == ("history-repo", f"commit-{good[:12]}", ("calc.py",))
    assert (task.source.repository, task.source.revision) == (repository, f"{git(repository, 'rev-parse', good + '^')}")
    check = task.success["tests"]
    assert isinstance(check, CommitTestsCheck) and check.required == {"tests/test_calc.py::test_add"}
    before, after, spoilt = tmp_path / "before", tmp_path / "after", tmp_path / "spoilt"
    write_files(before, FIRST)
    write_files(after, {**FIRST, "calc.py": BETTER, "tests/test_calc.py": "def test_add(): pass\n"})
    failed, passed = check(before, before), check(before, after)
    assert (failed.passed, failed.detail) == (False, "1 of 1 tests don't pass: tests/test_calc.py::test_add")
    assert (passed.passed, passed.detail, passed.needed_lines) == (True, "", 4)
    write_files(spoilt, {"calc.py": BETTER, "elsewhere/x": ""})
    (spoilt / "tests").symlink_to("elsewhere")
    refused = check(before, spoilt)
    assert refused.passed is False and refused.detail.startswith("the tests can't be put over it")
    assert [path.name for path in (spoilt / "elsewhere").iterdir()] == ["x"]
    assert task.oracle is not None and task.oracle(RunFacts(task.text, task.paths), before).has_changed is False

    # What was found is kept, for the same question.
    (kept,) = into.iterdir()
    kept.write_text(kept.read_text().replace("test_add", "test_other"))
    (again,) = load_history(repository, into=into, mining=mining).tasks
    assert isinstance(again.success["tests"], CommitTestsCheck)
    assert again.success["tests"].required == {"tests/test_calc.py::test_other"}


@pytest.mark.sandbox
def test_tests_that_can_not_be_run(make_repository: MakeRepository, tmp_path: Path, bare_python: Path) -> None:
    repository = make_repository({**FIRST, "tests/test_calc.py": "import time\n\ndef test_add():\n    time.sleep(9)\n"})
    commit(repository, GOOD)
    for mining in (
        Mining(python=bare_python),
        Mining(python=PYTHON, seconds=0),
        Mining(python=PYTHON, tries=0),
        Mining(python=PYTHON, commits=0),
        Mining(python=PYTHON, seconds_a_run=0.01),
    ):
        with pytest.raises(UserError, match=r"no commit of .* has tests that fail before it and pass with it"):
            load_history(repository, into=tmp_path / "into", mining=mining)
    with pytest.raises(UserError, match="`nowhere` is no commit"):
        load_history(repository, into=tmp_path / "into", mining=Mining(revision="nowhere"))
    with pytest.raises(UserError, match="no git repository"):
        load_history(tmp_path, into=tmp_path / "into")


@pytest.fixture
def bare_python(tmp_path: Path) -> Path:
    """An interpreter whose environment has no packages at all."""
    folder = tmp_path / "bare"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/python").symlink_to(PYTHON.resolve())
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    (folder / f"lib/python{version}/site-packages").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = {PYTHON.resolve().parent}\nversion = {version}\n")
    return folder / "bin/python"
