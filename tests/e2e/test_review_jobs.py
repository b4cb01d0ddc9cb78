"""The review jobs that docs/ci.md and docs/gitlab-ci.yml show, run as the runners of both forges run them."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, git, write_files
from e2e.github_runner import HOSTILE, commands, yaml_of
from e2e.processes import PATH
from e2e.publishing import PROJECTS
from e2e.scenes import SHAPES
from e2e.test_gitlab_job import run_job
from forge_server import ForgeServer, serving

pytestmark = pytest.mark.untraced

FixtureFile = Callable[..., Path]
CI_PAGE = Path(__file__).parents[2] / "docs" / "ci.md"
CHANGED = SHAPES.replace("2 * a", "a + a")


def answer(verdict: str, *messages: str) -> dict[str, Any]:
    """The model answers with an error for each message."""
    place = {"path": "src/shapes.py", "start_line": 6, "end_line": 6}
    findings = [{"rule": "bug", "severity": "error", "message": message, **place} for message in messages]
    return {"content": json.dumps({"verdict": verdict, "summary": HOSTILE, "findings": findings}), "every_round": True}


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    """A branch that has left main, which went on."""
    folder = make_repository({"src/shapes.py": SHAPES})
    git(folder, "switch", "-qc", "topic")
    write_files(folder, {"src/shapes.py": CHANGED})
    git(folder, "commit", "-qam", "second")
    git(folder, "switch", "-q", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "other")
    git(folder, "switch", "-q", "--detach", "topic")
    return folder


def at(folder: Path, forge: ForgeServer, kind: str) -> None:
    """Let the remote be at the server."""
    git(folder, "remote", "add", "origin", f"{forge.url}/{PROJECTS[kind]}.git")


def settings(fixture: Path) -> dict[str, str]:
    """What the user's own settings say in place of a key."""
    return {"OREFACTOR_PROVIDER": "fixture", "OREFACTOR_FIXTURE": str(fixture)}


def github_step() -> dict[str, Any]:
    """The workflow's step that reviews."""
    blocks: list[str] = re.findall(r"^```yaml\n(.*?)^```$", CI_PAGE.read_text(), re.MULTILINE | re.DOTALL)
    (shown,) = [block for block in blocks if block.startswith("name: review\n")]
    workflow: dict[str, Any] = yaml_of(shown)
    assert set(workflow["permissions"]) == {"contents", "statuses"}
    steps: list[dict[str, Any]] = workflow["jobs"]["review"]["steps"]
    (step,) = [step for step in steps if step.get("name") == "Review"]
    # A value reaches the script through its environment only.
    assert "${{" not in step["run"]
    return step


def run_github(repository: Path, folder: Path, **environment: str) -> tuple[int, str, str]:
    """The exit code, what was printed, and the job's summary."""
    summary = folder / "summary"
    summary.touch()
    of_runner = {
        "PATH": PATH,
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_STEP_SUMMARY": str(summary),
        "GH_TOKEN": "token-of-the-job",
        "BASE": git(repository, "rev-parse", "main"),
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", github_step()["run"]],
        cwd=repository,
        env={**os.environ, **of_runner, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout.decode(), summary.read_text()


def test_the_workflow_of_the_page(repository: Path, fixture_file: FixtureFile, tmp_path: Path) -> None:
    blocks = settings(fixture_file(answer("request_changes", HOSTILE)))
    head = git(repository, "rev-parse", "HEAD")
    with serving() as forge:
        at(repository, forge, "github")
        code, output, summary = run_github(repository, tmp_path, GITHUB_SERVER_URL=forge.url, **blocks)
        told = {asked.body["context"]: asked.body["state"] for asked in forge.asked}
        lines = set(forge.lines())
    assert (code, told) == (1, {"orefactor/review": "failure", "orefactor/gate": "failure"}), output
    assert lines == {f"POST /api/v3/repos/group/project/statuses/{head}"}
    kinds = [(name, properties.split(",title")[0]) for name, properties, _ in commands(output)]
    assert ("error", "file=src/shapes.py,line=6") in kinds
    # Nothing of what the model wrote became a command.
    assert {name for name, _ in kinds} <= {"error", "group", "endgroup", "notice"}, kinds
    assert "request" in summary and "src/shapes.py" in summary

    # Where the review can't begin there are no files, and the job says why.
    with serving() as forge:
        git(repository, "remote", "remove", "origin")
        at(repository, forge, "github")
        code, output, _ = run_github(repository, tmp_path, GITHUB_SERVER_URL=forge.url, OREFACTOR_PROVIDER="deepseek")
        states = [asked.body["state"] for asked in forge.asked]
    assert (code, states, "error: " in output) == (5, ["error", "error"], True), output


def test_the_job_of_gitlab(repository: Path, fixture_file: FixtureFile) -> None:
    passes = settings(fixture_file(answer("approve")))
    head = git(repository, "rev-parse", "HEAD")
    known = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": git(repository, "merge-base", "main", "HEAD"), "CI_COMMIT_SHA": head}
    with serving() as forge:
        at(repository, forge, "gitlab")
        known |= {"CI_SERVER_URL": forge.url, "GITLAB_TOKEN": "token-of-nobody"}
        code, output, job = run_job(repository, "git-orefactor-review", **known, **passes)
        told = {asked.body["name"]: asked.body["state"] for asked in forge.asked}
    assert (code, told) == (0, {"orefactor/review": "success", "orefactor/gate": "success"}), output
    files = {path.name for path in (repository / "orefactor").iterdir()}
    assert files == {"trace.json", "review.html", "junit.xml", "review.sarif", "summary.md"}
    assert job["artifacts"]["reports"]["junit"] == "orefactor/junit.xml"
    # A value is only ever a value.
    hostile = {"REVIEW_PROVIDER": "`touch pwned`", "REVIEW_FAIL_ON": "$(touch pwned)", "CI_COMMIT_SHA": "--help"}
    code, output, _ = run_job(repository, "git-orefactor-review", **{**known, **hostile, "GITLAB_TOKEN": ""})
    assert code != 0 and "error: " in output and "Usage" not in output, output
    assert not (repository / "pwned").exists()
