"""Repositories, fixtures and replies of strangers: nothing of theirs runs, and nothing of theirs drives a terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, call, calls, git, write_files
from e2e.processes import run_here
from e2e.scenes import DOCUMENT, FILES, REPLIES, TASK, leftovers, run_folders, trace

FixtureFile = Callable[..., Path]
ODD = ["a\x1b]0;pwned\x07.py", "b\nerror: forged.py", "c\u202egnp.py", "d\x9b31m.py", "e\x7f\r.py"]


@pytest.mark.parametrize("options", [["-v"], ["--log-json"], ["--json"], []])
def test_names_with_control_characters_are_spelled_out(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    options: list[str],
) -> None:
    repository = make_repository({**FILES, **{f"src/{name}": "x = 1\n" for name in ODD}})
    write_files(repository, {f"src/new{name}": "y = 1\n" for name in ODD})
    looks = calls(
        call("list_dir", path="src"), call("grep", pattern="x = 1", path="src"),
        *(call("read_file", path=f"src/{name}") for name in ODD), call(ODD[0], path=ODD[1]),
    )  # fmt: skip
    told = {"content": f"Document {ODD[0]}\n\n{ODD[3]}"}
    fixture = fixture_file(looks, *REPLIES[:-1], told)
    done = run_here(capfdbinary, repository, TASK, "src", *options, "--fixture", str(fixture))
    assert done.returncode == 0, done.stderr
    (run,) = run_folders(repository)
    said = [done.stdout, done.stderr, (run / "trace.json").read_bytes(), (run / "events.jsonl").read_bytes()]
    for words in (["show"], ["runs"], ["runs", "--json"]):
        shown = run_here(capfdbinary, repository, *words)
        said += [shown.stdout, shown.stderr]
    for text in said:
        assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text.decode()) == []
        assert b"\nerror: forged" not in text


MODULES = """[submodule "../../../../evil"]
\tpath = sub
\turl = ext::sh -c touch%20{canary}
\tupdate = !touch {canary}
[submodule "x"]
\tpath = ../outside
\turl = -u./{canary}
\tignore = all
"""
ATTRIBUTES = "* filter=evil diff=evil merge=evil ident export-subst\n*.md working-tree-encoding=UTF-16 eol=crlf\n"


def test_a_hostile_repository_is_worked_on_without_harm(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    canary = tmp_path / "canary"
    repository = make_repository({**FILES, ".gitmodules": MODULES.format(canary=canary), "sub/x": "x"})
    head = git(repository, "rev-parse", "HEAD")
    git(repository, "rm", "-rq", "--cached", "sub")
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    write_files(repository, {".gitattributes": ATTRIBUTES.replace("*.md", "*.txt").replace("filter=evil ", "")})
    git(repository, "add", ".gitattributes")
    git(repository, "commit", "-qm", "hostile")
    for key in (
        "filter.evil.clean",
        "filter.evil.smudge",
        "diff.evil.command",
        "diff.evil.textconv",
        "merge.evil.driver",
    ):
        git(repository, "config", key, f"touch {canary}; cat")
    fixture = fixture_file(*REPLIES)
    done = run_here(capfdbinary, repository, TASK, "src", "--branch", "auto", "--fixture", str(fixture))
    assert done.returncode == 0, done.stderr
    assert not canary.exists()
    assert git(repository, "ls-tree", done.stdout.decode().strip(), "sub").startswith("160000")


DEEP = "[" * 50_000
FIXTURES: dict[str, str | bytes] = {
    "deep": '{"replies": ' + DEEP, "numbers": '{"replies": ' + "9" * 9999 + "}", "no text": b"\xff\xfe\0\xd8",
    "a list": "[]", "odd types": '{"replies": [{"tool_calls": {"name": 1}}]}', "not a number": '{"replies": NaN}',
    "large usage": '{"replies": [{"content": "x", "usage": {"prompt_tokens": ' + "9" * 40 + "}}]}",
    "control characters": '{"replies": [{"\\u001b]0;x\\u0007": 1}]}',
}  # fmt: skip


@pytest.mark.parametrize("name", FIXTURES)
def test_a_hostile_fixture_is_bad_input(
    make_repository: MakeRepository, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, name: str
) -> None:
    repository = make_repository(FILES)
    write_files(tmp_path, {"f.json": FIXTURES[name]})
    done = run_here(capfdbinary, repository, TASK, "--json", "--fixture", str(tmp_path / "f.json"))
    assert done.returncode == 2, done.stderr
    lines = done.stderr.decode().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["error", "hint"]
    assert "\x1b" not in lines[0]
    assert json.loads(done.stdout)["patch"] is None
    assert run_folders(repository) == []


ODD_REPLIES = {
    "control characters": calls(call("read_file", path="\x1b[2J\x9b\ud800", extra="\u202e")),
    "deep arguments": calls({"name": "read_file", "arguments": '{"path": ' + DEEP}),
    "long numbers": calls({"name": "read_file", "arguments": '{"start_line": ' + "9" * 5000 + "}"}),
    "a name": calls({"name": "\x1b]0;x\x07" * 50, "arguments": {}}),
}


@pytest.mark.parametrize("name", ODD_REPLIES)
def test_a_hostile_reply_is_refused_and_shown(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: pytest.CaptureFixture[bytes], name: str
) -> None:
    repository = make_repository(FILES)
    fixture = fixture_file(ODD_REPLIES[name], *REPLIES[:1], DOCUMENT, {"content": "Document"})
    done = run_here(capfdbinary, repository, TASK, "-v", "--fixture", str(fixture))
    assert done.returncode == 0, done.stderr
    assert trace(repository)["tool_calls"][0]["status"] in ("refused", "failed")
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", done.stderr.decode()) == []


@pytest.mark.parametrize("check", [[], ["--check", "ruff", "--sandbox", "none"]])
def test_a_commit_with_folders_deeper_than_python_recurses(
    make_repository: MakeRepository,
    fixture_file: FixtureFile,
    capfdbinary: pytest.CaptureFixture[bytes],
    check: list[str],
) -> None:
    repository = make_repository(FILES)
    blob = git(repository, "rev-parse", "HEAD:README.md")
    git(repository, "update-index", "--add", "--cacheinfo", f"100644,{blob},{'d/' * 1500}f")
    git(repository, "commit", "-qm", "deep")
    fixture = fixture_file(calls(call("list_dir", path="."), call("grep", pattern="shapes", path=".")), *REPLIES)
    words = [TASK, "src", "--base", "HEAD", *check, "--fixture", str(fixture)]
    done = run_here(capfdbinary, repository, *words)
    assert done.returncode == 0, done.stderr
    assert b'+    """Multiply."""' in done.stdout
    assert leftovers(repository) == []
