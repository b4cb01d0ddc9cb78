"""What `action.yml` does with its inputs: each is a value and never a command; a release is installed by its number."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest
from conftest import MakeRepository
from e2e.github_runner import HOSTILE, TOOL, Runner, commands
from e2e.scenes import FILES

pytestmark = pytest.mark.untraced

ACTION = Path(__file__).parents[2] / "action.yml"
HOSTILE_INPUTS = {
    "quote": '"; touch pwned; "',
    "command": "$(touch pwned)",
    "backticks": "`touch pwned`",
    "option": "--help",
    "signs": "'\\\"$IFS{0,1}* ~ \\\\ é",
    "output": "a<<b",
}


@pytest.mark.parametrize("text", HOSTILE_INPUTS.values(), ids=HOSTILE_INPUTS.keys())
def test_an_input_reaches_the_command_as_it_is(make_repository: MakeRepository, tmp_path: Path, text: str) -> None:
    repository = make_repository({"a b/x.py": "X = 1\n"})
    runner = Runner(tmp_path / "runner", repository, {})
    said = "\n".join(f"echo '{line}' >&2" for line in HOSTILE.split("\n"))
    record = f'{said}\nprintf \'%s\\0\' "$@" > "$RUNNER_TEMP/words"'
    runner.install_stand_ins(git_orefactor=record, python="echo mark")
    lines = f"{text}\nsecond line"
    plain = dict.fromkeys(("model", "provider", "base-url", "base", "contract", "max-cost", "sandbox"), text)
    inputs = {**plain, "task": lines, "paths": lines, "checks": lines, "mode": "branch", "branch": text}
    job = runner.run(ACTION, {**inputs, "working-directory": "a b"})
    assert not job.failed, job.output
    assert len(commands(HOSTILE)) == 4 and [name for name, _, _ in job.commands] == ["group", "endgroup"]
    words = (runner.temp / "words").read_text().split("\0")
    assert words[0] == "run" and f"--branch={text}" in words
    assert {f"--{name}={text}" for name in plain} < set(words)
    assert [word for word in words if word.startswith("--check=")] == [f"--check={text}", "--check=second line"]
    assert words[words.index("--") :] == ["--", lines, text, "second line", ""]
    assert not list(tmp_path.rglob("pwned"))


def test_what_can_t_even_begin_is_said(make_repository: MakeRepository, tmp_path: Path) -> None:
    runner = Runner(tmp_path / "runner", make_repository(FILES), {})
    runner.install_stand_ins(**TOOL)
    text = "$(touch pwned)\n::error::mine"
    job = runner.run(ACTION, {"task": text, "paths": text, "checks": text, "provider": text})
    assert job.failed and job.outputs["status"] == "error", job.output
    assert int(job.outputs["exit-code"]) == job.exit_code != 0
    assert job.summary.startswith("## ✗ git orefactor: ") and job.outputs["trace"] == ""
    assert [command[:2] for command in job.commands if command[0] not in ("group", "endgroup")] == [
        ("error", f"title=git orefactor%3A {job.outputs['reason']}")
    ]


@pytest.mark.parametrize(
    ("inputs", "ran"),
    [({"mode": "push"}, ["Install git-orefactor", "Install bubblewrap, which isolates checks", "Run the task"]),
     ({"version": "1 --index-url=http://localhost"}, ["Install git-orefactor"])],
    ids=["mode", "version"],
)  # fmt: skip
def test_an_input_that_is_none(
    make_repository: MakeRepository, tmp_path: Path, inputs: dict[str, str], ran: list[str]
) -> None:
    runner = Runner(tmp_path / "runner", make_repository(FILES), {})
    if "version" not in inputs:
        runner.install_stand_ins(git_orefactor="true")
    job = runner.run(ACTION, {"task": "add docstrings", **inputs})
    assert (job.failed, job.exit_code, job.ran) == (True, 2, ran)
    (name,) = inputs
    assert job.commands == [("error", "title=git orefactor", job.commands[0][2])]
    assert f"the input {name} is none" in job.commands[0][2]


def test_a_release_is_installed(tmp_path: Path, make_repository: MakeRepository) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    _write_wheel(wheels)
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    runner = Runner(tmp_path / "runner", make_repository(FILES), offline)
    job = runner.run(ACTION, {"task": "add docstrings", "version": "0.0.9", "fail": "false"})
    installed = runner.temp / "orefactor-tool" / "bin" / "git-orefactor"
    assert subprocess.run([installed], capture_output=True, check=True).stdout == b"a stand-in\n"
    # It isn't the tool, so there is nothing to hand over, and that is no success.
    assert job.failed and "Open the pull request" not in job.ran


def _write_wheel(folder: Path) -> None:
    info = "git_orefactor-0.0.9.dist-info"
    files = {
        "stand_in.py": "def main():\n    print('a stand-in')\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: git-orefactor\nVersion: 0.0.9\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\ngit-orefactor = stand_in:main\n",
        f"{info}/RECORD": "",
    }
    with zipfile.ZipFile(folder / "git_orefactor-0.0.9-py3-none-any.whl", "w") as wheel:
        for name, content in files.items():
            wheel.writestr(name, content)
