"""`docs/gitlab-ci.yml`: its lines run as GitLab's runner runs them, in one shell that stops at the first failure."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import MakeRepository, git, user_state
from e2e.github_runner import read_yaml
from e2e.processes import PATH
from e2e.scenes import FILES

pytestmark = pytest.mark.untraced

JOB = Path(__file__).parents[2] / "docs" / "gitlab-ci.yml"


def run_job(repository: Path, name: str = "git-orefactor", **variables: str) -> tuple[int, str, dict[str, Any]]:
    """The exit code, what was printed, and the job as it is written."""
    job = read_yaml(JOB)[name]
    lines = "\n".join([*job["before_script"], *job["script"]])
    done = subprocess.run(
        ["sh", "-e", "-c", lines],
        cwd=repository,
        env={**os.environ, "PATH": PATH, "CI": "true", **job["variables"], **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout.decode(), job


def test_a_change_is_kept_with_the_job(make_repository: MakeRepository) -> None:
    repository = make_repository(FILES)
    code, output, job = run_job(repository, REFACTOR_PATH="src/shapes.py")
    assert code == 0, output
    folder = repository / "orefactor"
    assert sorted(path.name for path in folder.iterdir()) == [
        "junit.xml", "report.html", "result.patch", "result.sarif", "summary.md", "trace.json",
    ]  # fmt: skip
    assert job["artifacts"]["paths"] == ["orefactor/"] and job["artifacts"]["when"] == "always"
    junit = repository / job["artifacts"]["reports"]["junit"]
    assert ElementTree.parse(junit).getroot().get("failures") == "0"
    git(repository, "apply", "--check", str(folder / "result.patch"))


@pytest.mark.parametrize(
    "variables",
    [
        {"REFACTOR_TASK": '"; touch pwned; "', "REFACTOR_PATH": "$(touch pwned)"},
        {"REFACTOR_TASK": "--help", "REFACTOR_PATH": "-x"},
        {"REFACTOR_PROVIDER": "`touch pwned`", "REFACTOR_SANDBOX": "a\ntouch pwned"},
    ],
    ids=["quotes", "options", "lines"],
)
def test_a_variable_is_only_a_value(make_repository: MakeRepository, variables: dict[str, str]) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    code, output, _ = run_job(repository, **variables)
    assert code != 0 and "error: " in output and "Usage" not in output, output
    (repository / "orefactor").rmdir()
    assert user_state(repository) == before
