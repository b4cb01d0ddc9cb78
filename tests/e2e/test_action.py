"""`action.yml`: its steps run as GitHub's runner would run them, with hostile inputs and a hostile model."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import MakeRepository, git, user_state
from e2e.github_runner import HOSTILE, TOOL, Job, Runner, read_yaml, yaml_of
from e2e.publishing import PROJECTS, Scene, make_scene
from e2e.scenes import ANSWER, DOCUMENT, DOCUMENTED, FILES, REPLIES, read
from forge_server import serving

pytestmark = pytest.mark.untraced

TOP = Path(__file__).parents[2]
ACTION = TOP / "action.yml"
PINNED = {"actions/setup-python", "actions/upload-artifact"}

FixtureFile = Callable[..., Path]
MakeRunner = Callable[..., Runner]


@pytest.fixture
def make_runner(tmp_path: Path) -> MakeRunner:
    """A machine on which the tool is installed already, as by an earlier step of the same job."""

    def make(workspace: Path, **environment: str) -> Runner:
        runner = Runner(tmp_path / "runner", workspace, environment)
        runner.install_stand_ins(**TOOL)
        return runner

    return make


def replies(fixture: Path, **inputs: str) -> dict[str, str]:
    return {"task": "document area", "provider": "fixture", "options": f"--fixture={fixture}", **inputs}


def test_other_actions_are_pinned_and_no_input_stands_in_a_script() -> None:
    described = read_yaml(ACTION)
    steps: list[dict[str, Any]] = described["runs"]["steps"]
    for step in steps:
        assert "${{" not in step.get("run", "")
        if "uses" in step:
            name, _, commit = step["uses"].partition("@")
            assert name in PINNED and len(bytes.fromhex(commit)) == 20
    used = ACTION.read_text()
    assert all(f"inputs.{name} " in used or f"inputs.{name}\n" in used for name in described["inputs"])
    assert all("description" in part for part in (*described["inputs"].values(), *described["outputs"].values()))


def test_the_documentation_uses_what_there_is() -> None:
    described, page = read_yaml(ACTION), (TOP / "docs" / "ci.md").read_text()
    used = [step for step in _steps(page) if step.get("uses") == "OWNER/git-orefactor@COMMIT"]
    assert len(used) == 2 and all(set(step["with"]) <= set(described["inputs"]) for step in used)
    outputs = page.partition("Its outputs are ")[2].partition(".\n")[0]
    assert set(re.findall(r"`([\w-]+)`", outputs)) == set(described["outputs"])


def _steps(page: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for block in re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        content: Any = yaml_of(block)
        jobs: list[Any] = [{"steps": content}] if isinstance(content, list) else [*content.get("jobs", {}).values()]
        found += [step for job in jobs for step in job["steps"]]
    return found


def test_a_change_is_handed_over(make_repository: MakeRepository, make_runner: MakeRunner) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    # Modules in the repository, which must not be taken for those of the tool.
    (repository / "secrets.py").write_text("raise SystemExit('taken from the repository')\n")
    (repository / "json.py").write_text("raise SystemExit('taken from the repository')\n")
    (repository / ".git" / "info" / "exclude").write_text("secrets.py\njson.py\n")
    inputs = {"task": "add docstrings", "provider": "recipes", "paths": "src/shapes.py\n", "python-version": "3.13"}
    job = make_runner(repository).run(ACTION, inputs)
    assert (job.failed, job.exit_code) == (False, 0), job.output
    assert [(used.action.partition("@")[0], used.inputs) for used in job.used] == [
        ("actions/setup-python", {"python-version": "3.13"}),
        (
            "actions/upload-artifact",
            {"name": "git-orefactor", "path": job.outputs["folder"], "if-no-files-found": "ignore"},
        ),
    ]
    told = {name: job.outputs[name] for name in ("status", "reason", "verified", "exit-code", "changed", "files")}
    assert told == {
        "status": "completed",
        "reason": "delivered",
        "verified": "true",
        "exit-code": "0",
        "changed": "true",
        "files": '["src/shapes.py"]',
    }
    assert (job.outputs["cost"], job.outputs["request"]) == ("0.0", "")
    _check_files(job)
    for name in ("secrets.py", "json.py"):
        (repository / name).unlink()
    assert user_state(repository) == before
    git(repository, "apply", job.outputs["patch"])
    assert job.summary.startswith("## ✓ git orefactor: ") and "```diff\ndiff --git" in job.summary
    (notice,) = [command for command in job.commands if command[0] not in ("group", "endgroup")]
    assert notice[:2] == ("notice", "title=git orefactor")


def _check_files(job: Job) -> None:
    """All that is uploaded is whole."""
    outputs = job.outputs
    assert json.loads(Path(outputs["trace"]).read_bytes())["run_id"] == outputs["run-id"]
    assert json.loads(Path(outputs["sarif"]).read_bytes())["version"] == "2.1.0"
    assert ElementTree.parse(outputs["junit"]).getroot().tag == "testsuites"
    assert Path(outputs["report"]).read_bytes().lower().startswith(b"<!doctype html>")
    assert Path(outputs["patch"]).parent == Path(outputs["folder"])


def test_a_hostile_model_and_a_failing_gate(
    make_repository: MakeRepository, make_runner: MakeRunner, fixture_file: FixtureFile
) -> None:
    repository = make_repository({**FILES, "::error::x.py": "X = 1\n"})
    bad = {"tool_calls": [{"name": "edit_file", "arguments": {
        "path": "src/shapes.py", "old_string": "def area(a, b):\n", "new_string": "def area(a, b):\n    import os\n",
    }}], "content": HOSTILE}  # fmt: skip
    fixture = fixture_file(read(), bad, {"content": f"{HOSTILE}\n\n@all <b>", "every_round": True})
    job = make_runner(repository).run(
        ACTION, replies(fixture, contract="docstrings", options=f"--fixture={fixture}\n-v")
    )
    assert (job.failed, job.exit_code, job.outputs["exit-code"]) == (True, 3, "3")
    assert "mine" in job.output
    told = [command for command in job.commands if command[0] not in ("group", "endgroup")]
    assert [(name, properties) for name, properties, _ in told] == [
        ("error", "file=src/shapes.py,line=2,title=contract/docstrings (in the change)"),
        ("error", "file=src/shapes.py,line=2,title=ruff/F401 (in the change)"),
    ]
    assert (job.outputs["status"], job.outputs["changed"], job.outputs["patch"]) == ("gate", "false", "")
    assert job.outputs["reason"] == "contract:docstrings"
    assert [used.action.partition("@")[0] for used in job.used] == ["actions/upload-artifact"]
    assert (Path(job.outputs["folder"]) / "rejected.patch").is_file()
    assert job.summary.startswith("## ✗ git orefactor: `contract:docstrings`")


@pytest.mark.parametrize("mode", ["apply", "branch"])
def test_where_the_result_goes(
    make_repository: MakeRepository, make_runner: MakeRunner, fixture_file: FixtureFile, mode: str
) -> None:
    repository = make_repository(FILES)
    nobody = {name: "" for name in os.environ if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER"))}
    inputs = replies(fixture_file(*REPLIES), mode=mode, artifact="", fail="false")
    runner = make_runner(repository, **nobody, EMAIL="")
    job = runner.run(ACTION, {**inputs, "working-directory": "src", "checks": "none", "paths": "shapes.py"})
    assert (job.failed, job.outputs["exit-code"]) == (False, "0"), job.output
    assert (job.used, job.outputs["verified"]) == ([], "unknown")
    if mode == "apply":
        assert (repository / "src" / "shapes.py").read_text() == DOCUMENTED
        return
    branch = job.outputs["branch"]
    assert git(repository, "log", "-1", "--format=%an <%ae>", branch).startswith("github-actions[bot] <41898282+")
    assert git(repository, "rev-parse", branch) == job.outputs["commit"]


def test_a_pull_request_is_opened(
    make_repository: MakeRepository, make_runner: MakeRunner, fixture_file: FixtureFile
) -> None:
    scene: Scene = make_scene(make_repository)
    hostile = fixture_file(read(), DOCUMENT, {"content": f"{ANSWER}\n\n{HOSTILE}"})
    with serving() as forge:
        git(scene.folder, "remote", "set-url", "origin", f"{forge.url}/{PROJECTS['github']}.git")
        git(scene.folder, "remote", "set-url", "--push", "origin", str(scene.bare))
        runner = make_runner(scene.folder, GITHUB_SERVER_URL=forge.url)
        job = runner.run(ACTION, replies(hostile, mode="pr", artifact=""))
        assert not job.failed, job.output
        (pull,) = forge.pulls
    assert (job.outputs["request"], pull["draft"]) == (pull["html_url"], True)
    assert len(scene.remote_refs()) == 2
    assert {command[0] for command in job.commands} == {"group", "endgroup", "notice"}
