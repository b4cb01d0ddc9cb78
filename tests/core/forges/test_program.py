"""`gh` and `glab`: called with their own login, found on PATH only, and their output read as HTTP.

They are small programs here that keep what they were asked.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import write_files

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.forges.login import log_in
from orefactor.core.forges.place import Kind, Place
from orefactor.core.forges.program import ProgramApi, find_program
from orefactor.core.forges.rest import RestApi

SCRIPT = """#!/bin/sh
printf '%s\\n' "$@" --- >> "$0.asked"
env > "$0.environment"
pwd >> "$0.asked"
case "$1" in
    auth) exit {logged_in} ;;
esac
cat > "$0.body"
{answer}
"""
REPLY = r"""printf 'HTTP/2.0 201 Created\r\nX-Some: Thing\r\n\r\n{"number": 5}' """


def _program(folder: Path, name: str, *, logged_in: bool = True, answer: str = REPLY) -> Path:
    write_files(folder, {name: SCRIPT.format(logged_in=0 if logged_in else 1, answer=answer)})
    (folder / name).chmod(0o755)
    return folder / name


def _place(kind: Kind) -> Place:
    return Place(kind, "forge.example", "https://forge.example", "https://forge.example/api", "a/b", "a/b")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in front of PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


@pytest.mark.parametrize(("kind", "name"), [("github", "gh"), ("gitlab", "glab")])
def test_a_program_with_a_login_is_used(programs: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind, name: str) -> None:
    program = _program(programs, name)
    for variable in ("GH_TOKEN", "GH_REPO", "GITLAB_HOST", "GIT_DIR", "MY_API_KEY"):
        monkeypatch.setenv(variable, "token-of-nobody")
    api = log_in(_place(kind), {"GH_TOKEN": "token-of-nobody", "GITLAB_TOKEN": "token-of-nobody"})
    assert api.name == f"forge.example (asked by `{name}`)"
    reply = api.call("POST", "repos/a/b/pulls?x=1", {"title": "x; $(touch ran) --flag"})
    assert (reply.status, reply.headers, reply.value()) == (201, {"x-some": "Thing"}, {"number": 5})
    looked, called, folder = (programs / f"{name}.asked").read_text().split("---\n")
    assert looked.split("\n")[:-1] == ["auth", "status", "--hostname", "forge.example"]
    words = called.split("\n")
    assert words[:-1] == [
        "/",
        *("api", "--hostname", "forge.example", "--method", "POST", "--include"),
        *("--header", "Content-Type: application/json", "--input", "-"),
        "repos/a/b/pulls?x=1",
    ]
    assert folder == "/\n"
    assert json.loads(Path(f"{program}.body").read_text()) == {"title": "x; $(touch ran) --flag"}
    environment = Path(f"{program}.environment").read_text()
    assert "token-of-nobody" not in environment
    assert "NO_COLOR=1" in environment


def test_a_call_without_a_body(programs: Path) -> None:
    program = _program(programs, "gh")
    ProgramApi(str(program), "forge.example").call("GET", "repos/a/b")
    assert "--input" not in Path(f"{program}.asked").read_text()


def test_without_a_login_the_token_is_used(programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_program(_place("github")) is None
    _program(programs, "gh", logged_in=False)
    assert isinstance(log_in(_place("github"), {"GITHUB_TOKEN": "token"}), RestApi)
    # A file that can't be run, and one in a folder that depends on where we stand.
    write_files(programs, {"gh": "no program"})
    monkeypatch.chdir(tmp_path)
    _program(tmp_path, "gh")
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    assert find_program(_place("github")) is None
    assert not (tmp_path / "gh.asked").exists()
    (programs / "gh").write_bytes(b"\x7fELF no program")
    assert find_program(_place("github")) is None


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("echo 'gh: no route to host' >&2; exit 1", "gave no reply: gh: no route to host"),
        ("exit 4", "gave no reply: it ended with exit code 4"),
        ("echo '{}'", "gave no reply: it ended with exit code 0"),
    ],
)
def test_no_reply(programs: Path, answer: str, said: str) -> None:
    program = _program(programs, "gh", answer=answer)
    with pytest.raises(UserError, match="gave no reply") as caught:
        ProgramApi(str(program), "forge.example").call("GET", "x")
    assert said in caught.value.message
    assert caught.value.exit_code is ExitCode.PROVIDER


def test_an_error_has_its_status(programs: Path) -> None:
    answer = (
        "printf 'HTTP/1.1 404 Not Found\\nA: b\\n\\n{\"message\": \"x\"}'; echo 'gh: Not Found (HTTP 404)' >&2; exit 1"
    )
    reply = ProgramApi(str(_program(programs, "gh", answer=answer)), "forge.example").call("GET", "x")
    assert (reply.status, reply.value()) == (404, {"message": "x"})


TOKENS: list[tuple[Kind, dict[str, str], Any]] = [
    ("github", {"GH_TOKEN": "one", "GITHUB_TOKEN": "two"}, {"Authorization": "Bearer one"}),
    ("github", {"GH_TOKEN": " ", "GITHUB_TOKEN": "two"}, {"Authorization": "Bearer two"}),
    ("gitlab", {"GITLAB_TOKEN": "one", "CI_JOB_TOKEN": "two"}, {"PRIVATE-TOKEN": "one"}),
    ("gitlab", {"CI_JOB_TOKEN": "two"}, {"JOB-TOKEN": "two"}),
    ("gitea", {"FORGEJO_TOKEN": "two\n"}, {"Authorization": "token two"}),
    ("github", {}, "set GH_TOKEN or GITHUB_TOKEN, or log in: `gh auth login --hostname forge.example`"),
    ("gitea", {"GH_TOKEN": "one"}, "set GITEA_TOKEN or FORGEJO_TOKEN"),
    ("github", {"GH_TOKEN": "t\u00f6ken"}, "copy it once more"),
]


@pytest.mark.parametrize(("kind", "environment", "expected"), TOKENS)
def test_tokens(kind: Kind, environment: dict[str, str], expected: Any) -> None:
    if isinstance(expected, str):
        with pytest.raises(UserError) as caught:
            log_in(_place(kind), environment)
        assert (caught.value.hint, caught.value.exit_code) == (expected, ExitCode.ENVIRONMENT)
        return
    api = log_in(_place(kind), environment)
    assert isinstance(api, RestApi)
    assert expected.items() <= api.headers.items()
