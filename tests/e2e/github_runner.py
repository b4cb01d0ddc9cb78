"""Runs a composite action as GitHub's runner does, as far as `action.yml` needs it.

Expressions are evaluated, `run:` steps run with bash and the runner's files, `uses:` steps are only listed, and the
output is read for workflow commands by the runner's own rules (actions/runner, `ActionCommand.cs`).
"""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOSTILE = "::warning::mine\n##[error]mine\n::add-mask::a\n::set-output name=status::mine"
"""Lines that a runner would carry out, in both forms that it knows."""
TOOL = {"git_orefactor": f'exec {sys.executable} -P -m orefactor "$@"', "python": f'exec {sys.executable} "$@"'}
"""The tool as it is here, without an installation."""

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")
_TERM = re.compile(r"\s*(?:(?P<text>'[^']*')|(?P<name>[\w.-]+)(?P<call>\(\))?)\s*")
_COMMAND = re.compile(r"^\s*::([\w-]+)(?: ([^:]*(?::(?!:)[^:]*)*))?::(.*)$")
_OLD_COMMAND = re.compile(r"##\[([\w-]+)[^\]]*\](.*)$")
_SETTING = re.compile(r"^([\w-]+)<<(.+)\n((?:.*\n)*?)\2\n", re.MULTILINE)


def read_yaml(path: Path) -> Any:
    """A YAML file's content."""
    return yaml_of(path.read_text())


def yaml_of(text: str) -> Any:
    """The content of a text that is YAML."""
    # It has no types of its own, and those that others wrote need not be there.
    yaml: Any = importlib.import_module("yaml")
    return yaml.safe_load(text)


@dataclass
class Used:
    """A step that uses another action."""

    action: str
    inputs: dict[str, str]


@dataclass
class Job:
    """What became of an action's steps.

    Attributes:
        commands: those that the runner would have carried out: name, properties, data.
        ran: the names of the steps that ran.
    """

    failed: bool = False
    exit_code: int = 0
    output: str = ""
    summary: str = ""
    commands: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    used: list[Used] = field(default_factory=list[Used])
    ran: list[str] = field(default_factory=list[str])
    steps: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    outputs: dict[str, str] = field(default_factory=dict[str, str])


class Runner:
    """One machine of GitHub's."""

    def __init__(self, folder: Path, workspace: Path, environment: Mapping[str, str]) -> None:
        self.temp = folder / "temp"
        self.temp.mkdir(parents=True)
        self._folder, self._workspace = folder, workspace
        self._environment = {
            **os.environ,
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(workspace),
            "RUNNER_TEMP": str(self.temp),
            "RUNNER_OS": "Linux",
            **environment,
        }

    def install_stand_ins(self, **scripts: str) -> None:
        """Put shell scripts where an earlier step would have installed the tool."""
        tool = self.temp / "orefactor-tool" / "bin"
        tool.mkdir(parents=True)
        for name, script in scripts.items():
            file = tool / name.replace("_", "-")
            file.write_text(f"#!/bin/sh\n{script}\n")
            file.chmod(0o755)

    def run(self, action: Path, inputs: Mapping[str, str]) -> Job:
        """Run the action's steps with what a workflow's `with:` says."""
        described = read_yaml(action)
        known = {name: str(value.get("default", "")) for name, value in described["inputs"].items()}
        assert set(inputs) <= set(known)
        context = {f"inputs.{name}": value for name, value in {**known, **inputs}.items()}
        context = {name: _expand(value, {"github.token": "token-of-the-job"}) for name, value in context.items()}
        self._environment["GITHUB_ACTION_PATH"] = str(action.parent)
        job = Job()
        for step in described["runs"]["steps"]:
            self._step(step, context, job)
        job.outputs = {name: _expand(value["value"], context) for name, value in described["outputs"].items()}
        return job

    def _step(self, step: dict[str, Any], context: dict[str, str], job: Job) -> None:
        condition = str(step.get("if", "true"))
        if (job.failed and "always()" not in condition) or not _holds(condition, context):
            return
        job.ran.append(step["name"])
        if "uses" in step:
            given = {name: _expand(str(value), context) for name, value in step["with"].items()}
            job.used.append(Used(step["uses"], given))
            return
        assert step["shell"] == "bash" and "${{" not in step["run"]
        code = self._script(step, context, job)
        if code != 0:
            job.failed, job.exit_code = True, code

    def _script(self, step: dict[str, Any], context: dict[str, str], job: Job) -> int:
        names = ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH", "GITHUB_ENV")
        files = {name: self._folder / name for name in names}
        for file in files.values():
            file.write_text("")
        script = self._folder / "script.sh"
        script.write_text(step["run"])
        own = {name: _expand(str(value), context) for name, value in step.get("env", {}).items()}
        where = self._workspace / _expand(str(step.get("working-directory", ".")), context)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=where,
            env={**self._environment, **own, **{name: str(file) for name, file in files.items()}},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        output = done.stdout.decode()
        job.output += output
        job.commands += commands(output)
        job.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        assert files["GITHUB_ENV"].read_text() == ""
        self._take(step, files, context, job)
        return done.returncode

    def _take(self, step: dict[str, Any], files: Mapping[str, Path], context: dict[str, str], job: Job) -> None:
        said = files["GITHUB_OUTPUT"].read_text()
        set_here = {name: value.removesuffix("\n") for name, _, value in _SETTING.findall(said)}
        assert _SETTING.sub("", said) == ""
        if "id" in step:
            job.steps[step["id"]] = set_here
            context.update({f"steps.{step['id']}.outputs.{name}": value for name, value in set_here.items()})
        folders = files["GITHUB_PATH"].read_text().split("\n")
        path = os.pathsep.join([*filter(None, reversed(folders)), self._environment["PATH"]])
        self._environment["PATH"] = path


def commands(output: str) -> list[tuple[str, str, str]]:
    """The workflow commands that a step's output holds; between `stop-commands` and its mark there are none."""
    found: list[tuple[str, str, str]] = []
    mark: str | None = None
    for line in re.split(r"\r\n|\r|\n", output):
        match = _COMMAND.match(line)
        if mark is not None:
            mark = None if match and match[1] == mark else mark
        elif match and match[1] == "stop-commands":
            mark = match[3]
        elif match:
            found.append((match[1], match[2] or "", match[3]))
        elif old := _OLD_COMMAND.search(line):
            found.append((old[1], "", old[2]))
    assert mark is None, "commands are never taken up again"
    return found


def _expand(text: str, context: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda match: _term(match[1], context), text)


def _holds(condition: str, context: Mapping[str, str]) -> bool:
    return all(_compare(part, context) for part in condition.split("&&"))


def _compare(text: str, context: Mapping[str, str]) -> bool:
    for sign in ("==", "!="):
        left, found, right = text.partition(sign)
        if found:
            return (_term(left, context) == _term(right, context)) == (sign == "==")
    return _term(text, context) == "true"


def _term(text: str, context: Mapping[str, str]) -> str:
    match = _TERM.fullmatch(text)
    assert match is not None, f"an expression that is not known here: {text}"
    if match["text"]:
        return match["text"][1:-1]
    if match["call"]:
        assert match["name"] == "always"
        return "true"
    known = match["name"].startswith(("inputs.", "steps.")) or match["name"] in context or match["name"] == "true"
    assert known, f"a name that is not known here: {text}"
    return "true" if match["name"] == "true" else context.get(match["name"], "")
