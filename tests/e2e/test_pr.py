"""`pr`: a run's result pushed to a real remote, and the request at a server with the forges' documented answers."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, git, user_state, write_files
from e2e.processes import run_here
from e2e.publishing import BRANCH, RUN, SECRET, TITLE, TOKENS, Command, Scene, at_forge, make_scene
from e2e.scenes import REPLIES, TASK
from forge_server import Answer, ForgeServer, serving

Capture = pytest.CaptureFixture[bytes]
BODY = {"github": "body", "gitlab": "description", "gitea": "body"}


@pytest.fixture
def scene(make_repository: MakeRepository) -> Scene:
    return make_scene(make_repository)


@pytest.fixture
def command(scene: Scene, capfdbinary: Capture) -> Command:
    return Command(capfdbinary, scene)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Generator[ForgeServer]:
    """A forge, and a token for it in the environment."""
    for variable in TOKENS.values():
        monkeypatch.setenv(variable, SECRET)
    with serving() as forge:
        yield forge


STATUS: dict[str, dict[str, str]] = {
    "github": {"state": "success", "context": "orefactor/gate", "description": "verified: ruff, pytest"},
    "gitlab": {"state": "success", "name": "orefactor/gate", "description": "verified: ruff, pytest"},
    "gitea": {"state": "success", "context": "orefactor/gate", "description": "verified: ruff, pytest"},
}
LABELS: dict[str, tuple[str, dict[str, Any]]] = {
    "github": ("issues/1/labels", {"labels": ["refactoring", "shared"]}),
    "gitlab": ("PUT .*merge_requests/1", {"add_labels": "refactoring,shared"}),
    "gitea": ("issues/1/labels", {"labels": [31, 32]}),
}
REVIEWERS: dict[str, tuple[str, dict[str, Any]]] = {
    "github": ("requested_reviewers", {"reviewers": ["ann"], "team_reviewers": ["core"]}),
    "gitlab": ("PUT .*merge_requests/1", {"reviewer_ids": [10, 11, 12]}),
    "gitea": ("requested_reviewers", {"reviewers": ["ann"], "team_reviewers": ["core"]}),
}


@pytest.mark.parametrize("kind", ["github", "gitlab", "gitea"])
def test_a_request_is_opened_and_then_updated(scene: Scene, command: Command, server: ForgeServer, kind: str) -> None:
    commit = scene.branch()
    words = at_forge(scene, server, kind)
    before = user_state(scene.folder)
    first = command.run(*words, "--label", "refactoring", "--label", "shared")
    (pull,) = server.pulls
    url = pull["web_url" if kind == "gitlab" else "html_url"]
    assert (first.returncode, first.stdout.decode()) == (0, f"{url}\n"), first.stderr
    assert f"1 to main created, a draft: {TITLE}" in first.stderr.decode()
    assert scene.remote_refs() == {"refs/heads/main": scene.base, f"refs/heads/{BRANCH}": commit}
    git(scene.folder, "update-ref", "-d", f"refs/remotes/origin/{BRANCH}")
    assert user_state(scene.folder) == before
    assert "| `src/shapes.py` | +1 | −0 |" in pull[BODY[kind]]
    pattern, body = LABELS[kind]
    assert server.last(pattern) == body
    told = server.last(f"statuses/{commit}")
    assert {name: told[name] for name in STATUS[kind]} == STATUS[kind]
    assert told["target_url"] == url

    pull[BODY[kind]] = "Mine.\n\n" + pull[BODY[kind]].replace("function", "thing") + "\n\nMine too."
    people = ("--reviewer", "@ann", "--reviewer", "bob" if kind == "gitlab" else "group/core")
    second = command.json(*words, "--ready", "--title", "Better words", *people)
    assert (second["action"], second["pushed"], second["number"], second["draft"]) == ("updated", False, 1, False)
    assert (second["url"], second["base"], second["status_set"], second["notes"]) == (url, "main", True, [])
    assert len(server.pulls) == 1
    assert pull["title"] == "Better words"
    assert pull[BODY[kind]].startswith("Mine.\n\n<!-- orefactor:begin -->\n\nIt says what the function does.")
    assert pull[BODY[kind]].endswith("<!-- orefactor:end -->\n\nMine too.")
    pattern, body = REVIEWERS[kind]
    assert server.last(pattern) == body
    third = command.json(*words, RUN[:10])
    assert (third["action"], pull["title"]) == ("updated", "Better words")


def test_the_token_goes_in_the_forges_header_and_is_never_shown(
    scene: Scene, command: Command, server: ForgeServer
) -> None:
    scene.branch()
    server.instead.append(("POST .*/pulls$", Answer(403, {"message": f"no {SECRET}\x1b[2J"})))
    code, said = command.fail(*at_forge(scene, server, "github"))
    assert code == 5
    assert "does not allow that (HTTP 403): no [REDACTED:environment] [2J" in said
    assert SECRET not in said
    assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {SECRET}"}


def test_a_patch_becomes_a_branch_with_a_note(scene: Scene, command: Command, server: ForgeServer) -> None:
    words = at_forge(scene, server, "github")
    planned = command.run(*words, "--dry-run").stdout.decode()
    assert f"branch   {BRANCH} (would be made from the run's patch)" in planned
    assert (server.asked, git(scene.folder, "branch", "--list", "orefactor/*")) == ([], "")
    done = command.json(*words)
    commit = git(scene.folder, "rev-parse", BRANCH)
    assert (done["branch"], done["commit"], done["pushed"]) == (BRANCH, commit, True)
    assert git(scene.folder, "rev-parse", f"{BRANCH}^", f"{BRANCH}^{{tree}}").split() == [scene.base, scene.tree]
    assert f"Orefactor-Run: {RUN}" in git(scene.folder, "log", "-1", "--format=%B", BRANCH)
    assert "Orefactor-Checks: ruff passed, pytest passed" in git(
        scene.folder, "log", "-1", "--notes=orefactor", "--format=%N", BRANCH
    )
    again = command.json(*words)
    assert (again["action"], again["commit"], again["pushed"]) == ("updated", commit, False)


def test_without_a_known_forge_it_pushes_and_says_where(scene: Scene, command: Command) -> None:
    commit = scene.branch()
    hook = scene.bare / "hooks" / "post-receive"
    hook.write_text("#!/bin/sh\necho 'Open it: https://git.example.com/new' >&2\n")
    hook.chmod(0o755)
    git(scene.folder, "remote", "set-url", "origin", "https://ann:hidden@git.example.com/group/project.git")
    git(scene.folder, "remote", "set-url", "--push", "origin", str(scene.bare))
    done = command.run()
    assert (done.returncode, done.stdout.decode()) == (0, f"{BRANCH}\nhttps://git.example.com/group/project\n")
    assert b"origin says: Open it: https://git.example.com/new" in done.stderr
    assert b"hidden" not in done.stderr
    assert scene.remote_refs()[f"refs/heads/{BRANCH}"] == commit
    told = command.json()
    assert (told["forge"], told["action"], told["pushed"], told["base"]) == (None, "none", False, "main")


def test_a_dry_run_asks_nobody(scene: Scene, command: Command, server: ForgeServer) -> None:
    commit = scene.branch()
    before = scene.remote_refs()
    words = at_forge(scene, server, "gitlab")
    shown = command.run("--dry-run", *words, "--base", "next").stdout.decode()
    assert f"branch   {BRANCH} {commit[:12]}\n" in shown
    assert "forge    gitlab, group/sub/project\nbase     next, as a draft\n" in shown
    assert f"git orefactor verify --checks {commit}" in shown
    told = command.json("--dry-run", *words, "--ready")
    assert (told["dry_run"], told["pushed"], told["base"], told["draft"]) == (True, False, None, False)
    assert told["body"].startswith("<!-- orefactor:begin -->")
    assert "not known; the branch would be pushed" in command.run("--dry-run", "--remote", "origin").stdout.decode()
    assert (server.asked, scene.remote_refs()) == ([], before)


def test_the_branch_moves_forward_over_what_it_holds(scene: Scene, command: Command) -> None:
    commit = scene.branch()
    git(scene.bare, "branch", BRANCH, "main")
    assert command.json()["pushed"] is True
    git(scene.folder, "switch", "-q", BRANCH)
    git(scene.folder, "commit", "-q", "--allow-empty", "-m", "Mine")
    told = command.json()
    assert scene.remote_refs()[f"refs/heads/{BRANCH}"] == git(scene.folder, "rev-parse", "HEAD")
    assert (told["commit"], told["pushed"]) == (commit, True)
    assert told["notes"] == ["1 commit(s) on top of the run's are published too; they were not checked by it"]


def test_unpublished_work_below_the_run_is_said(scene: Scene, command: Command) -> None:
    scene.branch()
    root = git(scene.folder, "commit-tree", "-m", "root", f"{scene.base}^{{tree}}")
    git(scene.folder, "push", "-q", "--force", "origin", f"{root}:refs/heads/main")
    (note,) = command.json()["notes"]
    assert note == "1 commit(s) below the run's are published too, which the request's base does not have yet"
    unknown = git(scene.bare, "commit-tree", "-m", "unknown here", "main^{tree}")
    git(scene.bare, "update-ref", "refs/heads/main", unknown)
    assert command.json()["notes"] == []


def test_hooks_and_programs_of_the_repository_are_named_and_not_run(scene: Scene, command: Command) -> None:
    scene.branch()
    for name in ("pre-push", "reference-transaction"):
        hook = scene.folder / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch '{scene.folder}/ran'\n")
        hook.chmod(0o755)
    git(scene.folder, "config", "core.sshCommand", f"touch '{scene.folder}/ran'; ssh")
    done = command.run()
    assert done.returncode == 0
    said = done.stderr.decode()
    assert "note: hooks were not run (pre-push); to run them: `git push --dry-run origin" in said
    assert "names don't count (core.sshcommand): `git -c core.sshcommand=VALUE orefactor pr`" in said
    assert not (scene.folder / "ran").exists()


GH = """#!{python}
import json, sys, urllib.error, urllib.request
words = sys.argv[1:]
open(sys.argv[0] + ".asked", "a").write(" ".join(words) + chr(10))
if words[0] == "api":
    data = sys.stdin.buffer.read() or None
    asked = urllib.request.Request("{url}/api/v3/" + words[-1], data, method=words[words.index("--method") + 1])
    try:
        reply = urllib.request.urlopen(asked)
    except urllib.error.HTTPError as error:
        reply = error
    print("HTTP/1.1", reply.status, reply.reason, end="\\r\\n")
    print("content-type: application/json", end="\\r\\n\\r\\n")
    print(reply.read().decode(), end="")
    sys.exit(reply.status >= 400)
"""


def test_gh_with_its_own_login_serves_as_well(
    scene: Scene, command: Command, server: ForgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.branch()
    program = scene.folder.parent / "bin" / "gh"
    write_files(program.parent, {"gh": GH.format(python=sys.executable, url=server.url)})
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    words = at_forge(scene, server, "github")
    told = command.json(*words)
    assert (told["action"], told["status_set"], told["url"]) == ("created", True, server.pulls[0]["html_url"])
    assert command.json(*words)["action"] == "updated"
    assert all("authorization" not in asked.headers for asked in server.asked)
    host = server.url.removeprefix("http://")
    asked = program.with_name("gh.asked").read_text().splitlines()
    assert asked[0] == f"auth status --hostname {host}"
    assert asked[1] == f"api --hostname {host} --method GET --include repos/group/project"
    server.instead.append(("GET", Answer(404, {"message": "Not Found"})))
    code, said = command.fail(*words)
    assert (code, f"{host} (asked by `gh`) knows no such project" in said) == (5, True), said


def test_a_fork_is_asked_for_at_the_project(scene: Scene, command: Command, server: ForgeServer) -> None:
    scene.branch()
    git(scene.folder, "remote", "set-url", "origin", "git@forge.example:group/project.git")
    git(scene.folder, "remote", "set-url", "--push", "origin", "git@forge.example:me/project.git")
    git(scene.folder, "config", f"url.{scene.bare}.pushInsteadOf", "nothing")
    git(scene.folder, "config", "--global", "orefactor.forge.example", "github")
    told = json.loads(command.run("--dry-run", "--json").stdout)
    assert told["forge"] is None
    git(scene.folder, "config", "--global", "orefactor.forge.forge.example", f"github={server.url}")
    told = json.loads(command.run("--dry-run", "--json").stdout)
    assert (told["forge"], told["project"], server.asked) == ("github", "group/project", [])


def test_a_real_run_from_the_task_to_the_request(
    make_repository: MakeRepository,
    fixture_file: Any,
    capfdbinary: Capture,
    server: ForgeServer,
) -> None:
    scene = make_scene(make_repository)
    script = str(fixture_file(*REPLIES))
    done = run_here(capfdbinary, scene.folder, TASK, "--branch", "auto", "--check", "ruff", "--fixture", script)
    branch = done.stdout.decode().strip()
    told = Command(capfdbinary, scene).json(*at_forge(scene, server, "github"))
    assert (told["branch"], told["action"], told["draft"]) == (branch, "created", True)
    body = server.pulls[0]["body"]
    assert "| `ruff` | " in body
    assert "✓ passed" in body
    commit = git(scene.bare, "rev-parse", branch)
    assert f"git orefactor verify --checks {commit}" in body
    verified = run_here(capfdbinary, scene.folder, "verify", branch)
    assert verified.returncode == 0
    folder = Path(git(scene.folder, "rev-parse", "--absolute-git-dir"))
    assert (folder / "orefactor").is_dir()


@pytest.mark.parametrize("as_json", [False, True])
def test_the_main_job_publishes_what_it_made(
    scene: Scene, server: ForgeServer, capfdbinary: Capture, fixture_file: Callable[..., Path], as_json: bool
) -> None:
    at_forge(scene, server, "github")
    git(scene.folder, "config", "--global", "orefactor.127.0.0.1.forge", f"github={server.url}")
    before = user_state(scene.folder)
    words = [TASK, "src", "--provider", "fixture", "--fixture", str(fixture_file(*REPLIES)), "--pr"]
    done = run_here(capfdbinary, scene.folder, *words, *(["--json"] if as_json else []))
    assert done.returncode == 0, done.stderr
    branch = next(ref for ref in scene.remote_refs() if ref.startswith("refs/heads/orefactor/"))
    if as_json:
        told = json.loads(done.stdout)
        assert (f"refs/heads/{told['branch']}", told["pull_request"]["action"]) == (branch, "created")
    else:
        assert done.stdout.decode().startswith(f"{server.url}/")
    assert user_state(scene.folder)["files"] == before["files"]


def test_the_branch_stands_where_the_request_fails(
    scene: Scene, capfdbinary: Capture, fixture_file: Callable[..., Path]
) -> None:
    git(scene.folder, "remote", "remove", "origin")
    words = [TASK, "src", "--provider", "fixture", "--fixture", str(fixture_file(*REPLIES)), "--pr"]
    done = run_here(capfdbinary, scene.folder, *words)
    assert done.returncode == 6
    assert done.stdout.startswith(b"orefactor/document-area-")
    told = json.loads(run_here(capfdbinary, scene.folder, *words, "--fresh", "--json").stdout)
    assert told["branch"] and told["pull_request"]["error"]
