"""The folder format of suites: what it takes, what it refuses, and checks that run something."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Files, MakeRepository, write_files

from orefactor.core.errors import UserError
from orefactor.core.evaluation.command_check import CommandCheck, one_line
from orefactor.core.evaluation.suite import load_suite

HEAD = 'name = "mine"\nlicence = "MIT"\nsource = "made up"\n'
TASK = 'text = "Do it."\npaths = ["x.py"]\nsuccess.command = ["true"]\nsource.files = "files"\n'
SUITE = {"suite.toml": HEAD, "tasks/one/task.toml": TASK, "tasks/one/files/x.py": "x = 1\n"}

MakeSuite = Callable[..., Path]


@pytest.fixture
def suite(tmp_path: Path) -> MakeSuite:
    """Make the folder of a suite."""

    def make(files: Files) -> Path:
        folder = tmp_path / "suite"
        write_files(folder, {**SUITE, **files})
        return folder

    return make


def test_all_keys(suite: MakeSuite, make_repository: MakeRepository) -> None:
    make_repository({"y.py": "y = 1\n"}, name="other")
    full = """
text = "Do this."
paths = ["a/b.py", "./c.py"]
contract = ["docstrings", "comments"]
checks = ["ruff"]
licence = "ISC"
[success]
python = "check.py"
seconds = 5
[source]
repository = "../other"
revision = "main"
"""
    folder = suite({"tasks/two/task.toml": full, "tasks/two/check.py": "raise SystemExit(1)\n"})
    loaded = load_suite(folder, python=Path("/usr/bin/python3"))
    one, two = loaded.tasks
    assert (loaded.name, one.name, two.name) == ("mine", "one", "two")
    assert (one.text, one.paths, one.contract, one.checks, one.licence) == ("Do it.", ("x.py",), (), None, "MIT")
    assert one.source.files == folder / "tasks/one/files" and one.oracle is None
    assert one.success == {"own": CommandCheck(("true",), python=Path("/usr/bin/python3"))}
    assert (two.paths, two.contract, two.checks) == (("a/b.py", "c.py"), ("docstrings", "comments"), ("ruff",))
    assert (two.licence, two.source.repository, two.source.revision) == ("ISC", folder.parent / "other", "main")
    check = two.success["own"]
    assert isinstance(check, CommandCheck)
    assert (check.seconds, check.place, check.argv[0]) == (5, folder.parent / "other", "python3")
    assert check.argv[-1].endswith("raise SystemExit(1)\n")


def changed(old: str, new: str) -> dict[str, str]:
    assert old in TASK
    return {"tasks/one/task.toml": TASK.replace(old, new)}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        pytest.param({"suite.toml": HEAD + 'licens = "x"\n'}, "`licens` isn't known; did you mean `licence`?",
                     id="near"),
        pytest.param({"suite.toml": HEAD + "q = 1\n"}, "known are `name`, `licence`, `source`", id="unknown"),
        pytest.param({"suite.toml": 'name = "x"\n'}, "`suite.toml` of the suite: `licence` is missing", id="missing"),
        pytest.param({"suite.toml": HEAD.replace("mine", "a/b")}, "`name` is wrong", id="name"),
        pytest.param({"suite.toml": "name = \x00"}, "is no TOML", id="no-toml"),
        pytest.param({"suite.toml": b"name = '\xff'"}, "is no TOML", id="no-utf-8"),
        pytest.param({"suite.toml": "a = " + "[" * 10_000}, "is no TOML", id="nested"),
        pytest.param({"suite.toml": "a" + ".a" * 10_000 + " = 1"}, "is no TOML", id="dotted"),
        pytest.param({"suite.toml": "#" * (1 << 21)}, "can't be read", id="large"),
        pytest.param(changed("success.command", "success.comand"), "did you mean `command`?", id="near-inside"),
        pytest.param(changed('["true"]', "true"), "`success.command` is wrong", id="type"),
        pytest.param(changed('["true"]', "[]"), "`success.command` is wrong", id="empty-command"),
        pytest.param(changed('["true"]', '["true", 3]'), "`success.command.1` is wrong", id="type-inside"),
        pytest.param(changed('success.command = ["true"]', "success.seconds = 3"),
                     "needs either `command` or `python`", id="no-check"),
        pytest.param(changed('["true"]', '["true"]\nsuccess.python = "x.py"'), "not both", id="two-checks"),
        pytest.param(changed('["true"]', '["true"]\nsuccess.seconds = inf'), "`success.seconds` is wrong",
                     id="seconds"),
        pytest.param(changed('command = ["true"]', 'python = "check.py"'), "no file `tasks/one/check.py`",
                     id="no-script"),
        pytest.param(changed('command = ["true"]', 'python = "../../suite.toml"'), "holds '..'", id="script-outside"),
        pytest.param(changed('"files"', '"fils"'), "no folder `tasks/one/fils`", id="no-files"),
        pytest.param(changed('"files"', '"files/x.py"'), "no folder", id="files-are-a-file"),
        pytest.param(changed('"files"', '"files/x.py/y"'), "can't be used", id="files-below-a-file"),
        pytest.param(changed('"files"', '"../.."'), "holds '..'", id="files-outside"),
        pytest.param(changed('"files"', '"/etc"'), "absolute path", id="files-absolute"),
        pytest.param(changed('"files"', '"files"\nsource.revision = "x"'), "without a `repository`", id="revision"),
        pytest.param(changed('source.files = "files"', 'source.revision = "x"'), "needs either `files`",
                     id="no-source"),
        pytest.param(changed('files = "files"', 'repository = "nowhere"'), "which isn't there", id="no-repository"),
        pytest.param(changed('files = "files"', 'repository = "https://example.com/x"'), "no path on this disk",
                     id="url"),
        pytest.param(changed('files = "files"', 'repository = "git@host:x"'), "no path on this disk", id="scp"),
        pytest.param(changed('files = "files"', 'repository = "."\nsource.revision = "-x"'), "is none", id="option"),
        pytest.param(changed('["x.py"]', '["../x.py"]'), "`paths` of `tasks/one/task.toml`", id="path-outside"),
        pytest.param(changed('["x.py"]', '[".git/config"]'), "git's own folder", id="path-in-git"),
        pytest.param({"tasks/o ne/task.toml": TASK}, "is no folder of a task", id="task-name"),
        pytest.param({"tasks/\x1b[31m/x": ""}, "is no folder of a task", id="task-name-with-escape"),
        pytest.param({"tasks/README": ""}, "`tasks/README` is no folder", id="file-among-tasks"),
        pytest.param({"tasks/two/x": ""}, "no file `tasks/two/task.toml`", id="no-task-file"),
    ],
)  # fmt: skip
def test_what_is_refused(suite: MakeSuite, files: Files, words: str) -> None:
    with pytest.raises(UserError) as raised:
        load_suite(suite(files))
    assert words in raised.value.message
    assert raised.value.message.isprintable() and len(raised.value.message) <= 300 and raised.value.hint


def _script_with(data: bytes) -> Files:
    return {**changed('command = ["true"]', 'python = "check.py"'), "tasks/one/check.py": data}


@pytest.mark.parametrize("data", [b"\xff", b"x = '\0'", b"#" * 200_000], ids=["encoding", "nul", "large"])
def test_scripts_that_are_none(suite: MakeSuite, data: bytes) -> None:
    with pytest.raises(UserError, match=r"script `tasks/one/check\.py`"):
        load_suite(suite(_script_with(data)))


@pytest.mark.parametrize(
    "place", ["suite.toml", "tasks", "tasks/one", "tasks/one/task.toml", "tasks/one/files", "tasks/one/files/x.py"]
)
def test_links_are_refused(suite: MakeSuite, tmp_path: Path, place: str) -> None:
    folder = suite({})
    os.rename(folder / place, tmp_path / "moved")
    (folder / place).symlink_to(tmp_path / "moved")
    with pytest.raises(UserError):
        load_suite(folder)


def test_folders_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't be opened as a folder"):
        load_suite(tmp_path / "nowhere")
    write_files(tmp_path, {"suite.toml": HEAD})
    with pytest.raises(UserError, match="folder `tasks` of the suite can't be read"):
        load_suite(tmp_path)
    (tmp_path / "tasks").mkdir()
    with pytest.raises(UserError, match="has 0 tasks"):
        load_suite(tmp_path)
    write_files(tmp_path, {"tasks/one/task.toml": TASK, "tasks/one/files/a/x.py": ""})
    os.mkfifo(tmp_path / "tasks/one/files/a/pipe")
    with pytest.raises(UserError, match="is a link or no file"):
        load_suite(tmp_path)


@pytest.mark.sandbox
def test_own_checks_run_isolated_at_the_tree_after(suite: MakeSuite, tmp_path: Path) -> None:
    script = f"""
import json, os, pathlib, socket
assert json.__file__.startswith(os.path.dirname(os.__file__)), "the tree's own module"
from x import x
pathlib.Path("written").touch()
assert not os.path.exists({str(tmp_path / "suite/suite.toml")!r}), "the machine's files"
raise SystemExit(0 if x == 2 else "x is \\x1b[31m%d" % x)
"""
    task = load_suite(suite(_script_with(script.encode()))).tasks[0]
    before, after = tmp_path / "before", tmp_path / "after"
    write_files(before, {"x.py": "x = 1\n"})
    write_files(after, {"x.py": "x = 2\n", "json.py": "boom\n"})
    check = task.success["own"]
    passed, failed = check(before, after), check(before, before)
    assert (passed.passed, passed.detail) == (True, "")
    assert failed.passed is False and failed.detail.startswith("x is") and failed.detail.isprintable()
    assert sorted(os.listdir(after)) == ["json.py", "x.py"]


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("check", "passed", "words"),
    [
        pytest.param(CommandCheck(("test", "-f", "x.py")), True, "", id="passed"),
        pytest.param(CommandCheck(("false",)), False, "it failed and said nothing", id="failed"),
        pytest.param(CommandCheck(("sleep", "9"), seconds=0.3), False, "ran out of time", id="time"),
        pytest.param(CommandCheck(("no-such-program",)), None, "not installed", id="not-there"),
        pytest.param(CommandCheck(("true",), mode="none"), None, "no isolation", id="no-isolation"),
    ],
)
def test_commands(tmp_path: Path, check: CommandCheck, passed: bool | None, words: str) -> None:
    write_files(tmp_path, {"x.py": ""})
    verdict = check(tmp_path, tmp_path)
    assert verdict.passed is passed and words in verdict.detail


def test_strangers_words_are_one_line() -> None:
    assert one_line("a\x1b[2J\n\tb \ud800") == "a\ufffd[2J b \\ud800"
    assert len(one_line("x" * 10_000)) == 300
