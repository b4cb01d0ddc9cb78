"""The offline engine through the command: no key, no network, the same tool calls that a model would make."""

from __future__ import annotations

import os
import subprocess

import pytest
from conftest import MakeRepository, git, user_state
from e2e.processes import PATH, run_here
from e2e.scenes import FILES, applied_tree, leftovers, run_folders, trace

pytestmark = pytest.mark.untraced

Capture = pytest.CaptureFixture[bytes]


def test_docstrings_by_the_same_tools(
    make_repository: MakeRepository, capfdbinary: Capture, tmp_path_factory: pytest.TempPathFactory
) -> None:
    repository = make_repository(FILES)
    before = user_state(repository)
    words = ["add docstrings", "src", "--provider", "recipes", "-q"]
    done = run_here(capfdbinary, repository, *words)
    assert (done.returncode, done.stderr) == (0, b"")
    kept = trace(repository)
    assert kept["verified"]
    assert {"read_file", "edit_file"} <= {entry["name"] for entry in kept["tool_calls"]}
    assert all(entry["status"] == "executed" for entry in kept["tool_calls"])
    index = tmp_path_factory.mktemp("index") / "index"
    assert applied_tree(repository, done.stdout, "HEAD", index) == kept["tree"]
    assert user_state(repository) == before
    git(repository, "apply", stdin=done.stdout)
    assert run_here(capfdbinary, repository, *words).stdout == b""


@pytest.mark.parametrize(
    ("task", "known"), [("write a web server", "docstrings"), ("do not add docstrings", "docstrings")]
)
def test_an_unknown_task_names_the_known_ones(
    make_repository: MakeRepository, capfdbinary: Capture, task: str, known: str
) -> None:
    repository = make_repository(FILES)
    done = run_here(capfdbinary, repository, task, "--provider", "recipes", "-q")
    lines = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (5, b"")
    assert [line.partition(":")[0] for line in lines] == ["error", "hint"]
    assert known in lines[0] + lines[1]
    assert "--model" in lines[1] or "API_KEY" in lines[1]
    assert not run_folders(repository) + leftovers(repository)


def test_in_a_real_pre_commit_hook(make_repository: MakeRepository) -> None:
    repository = make_repository(FILES)
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.write_text(
        '#!/bin/sh\nexec git-orefactor "add docstrings" --provider recipes --base index --exit-code --quiet '
        "$(git diff --cached --name-only --diff-filter=AM)\n"
    )
    hook.chmod(0o755)
    (repository / "src/shapes.py").write_text("def area(a, b):\n    return b * a\n")

    def commit() -> subprocess.CompletedProcess[str]:

        command = ["git", "commit", "-m", "swap"]
        environment = {**os.environ, "PATH": PATH}
        git(repository, "add", "-A")
        return subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True)

    refused = commit()
    assert refused.returncode == 1
    patch = (run_folders(repository)[-1] / "result.patch").read_bytes()
    git(repository, "apply", stdin=patch)
    assert commit().returncode == 0
    assert '"""' in git(repository, "show", "HEAD:src/shapes.py")
