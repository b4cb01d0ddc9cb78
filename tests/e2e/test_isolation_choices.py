"""Who may choose the isolation, what a run says of it, and what checks see besides tracked files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PYTEST_INI, MakeRepository, calls, git, user_state, write_files
from conftest import call as tool_call
from e2e.processes import run_here
from e2e.scenes import ANSWER, DOCUMENT, FILES, REPLIES, TASK, leftovers, read, run_folders, trace

FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]

TESTED = {
    **FILES,
    "pytest.ini": PYTEST_INI,
    ".gitignore": "_version.py\n.env\n",
    "src/test_shapes.py": (
        "import os\nfrom _version import version\nfrom shapes import area\n\n\n"
        "def test_area():\n    assert area(2, 3) == 6 and version == 7 and not os.path.exists('.env')\n"
    ),
}
IGNORED = {"src/_version.py": "version = 7\n", ".env": "KEY=secret\n"}


@pytest.fixture
def repository(make_repository: MakeRepository) -> Path:
    made = make_repository(TESTED)
    write_files(made, IGNORED)
    return made


def words(script: Path, *options: str) -> list[str]:
    return [TASK, "--check", "pytest", "--python", sys.executable, "--fixture", str(script), *options]


@pytest.mark.sandbox
def test_tests_see_what_was_built(repository: Path, fixture_file: FixtureFile, capfdbinary: Capture) -> None:
    before = user_state(repository)
    script = fixture_file(
        calls(tool_call("write_file", path="src/_version.py", content="version = 8\n")),
        calls(tool_call("read_file", path="src/_version.py")),
        calls(tool_call("delete_file", path="src/_version.py")),
        *REPLIES,
    )
    done = run_here(capfdbinary, repository, *words(script))
    assert done.returncode == 0, done.stderr
    kept = trace(repository)
    assert kept["build_products"] == {"paths": ["src/_version.py"], "bytes": 12, "left_out": 0}
    assert [call["status"] for call in kept["tool_calls"]] == ["failed", "executed", "failed", "executed", "executed"]
    assert "change what it is built from" in kept["tool_calls"][0]["summary"]
    assert kept["files_changed"] == ["src/shapes.py"]
    assert b"_version" not in done.stdout
    assert b"copied 1 build product(s)" in done.stderr
    assert kept["isolation"]["tier"] == "bwrap"
    assert user_state(repository) == before
    assert not leftovers(repository)


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("options", "environment", "tier", "said"),
    [
        (["--sandbox", "landlock"], {}, "landlock", b"ran in landlock"),
        (["--sandbox", "external"], {}, "external", b"a container of yours"),
        ([], {"OREFACTOR_SANDBOX": "external"}, "external", b"a container of yours"),
        (["--sandbox", "bwrap"], {"OREFACTOR_SANDBOX": "external"}, "bwrap", b""),
    ],
)
def test_the_tier_is_named(
    repository: Path,
    fixture_file: FixtureFile,
    capfdbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    environment: dict[str, str],
    tier: str,
    said: bytes,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    done = run_here(capfdbinary, repository, *words(fixture_file(*REPLIES), *options))
    assert done.returncode == 0, done.stderr
    kept = trace(repository)
    assert (kept["isolation"]["tier"], kept["verified"]) == (tier, True)
    assert said in done.stderr
    assert (f"its checks ran in {tier}" in kept["message"]) == (tier != "bwrap")


def test_the_users_global_configuration_may_choose(
    repository: Path, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    git(repository, "config", "--global", "orefactor.sandbox", "external")
    done = run_here(capfdbinary, repository, *words(fixture_file(*REPLIES)))
    assert done.returncode == 0, done.stderr
    assert trace(repository)["isolation"]["tier"] == "external"


@pytest.mark.parametrize("mode", ["none", "external", "landlock", "bwrap"])
@pytest.mark.parametrize("place", ["pyproject.toml", ".git/config"])
def test_nothing_in_the_repository_may(
    repository: Path, fixture_file: FixtureFile, capfdbinary: Capture, place: str, mode: str
) -> None:
    if place == ".git/config":
        git(repository, "config", "--local", "orefactor.sandbox", mode)
    else:
        write_files(repository, {place: f'[tool.orefactor]\nsandbox = "{mode}"\n'})
        git(repository, "add", place)
    done = run_here(capfdbinary, repository, *words(fixture_file(read(), DOCUMENT, {"content": ANSWER})))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"may not be set" in done.stderr
    assert not run_folders(repository)


def test_a_required_check_without_isolation_is_one_error_and_one_hint(
    repository: Path, fixture_file: FixtureFile, capfdbinary: Capture
) -> None:
    done = run_here(capfdbinary, repository, *words(fixture_file(*REPLIES), "--sandbox", "none", "-q"))
    assert (done.returncode, done.stdout) == (6, b"")
    lines = done.stderr.decode().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["error", "hint"]
    assert "isolation was turned off" in lines[0]
    assert "leave out `--sandbox none`" in lines[1]
    assert "py_compile and ruff work" in lines[1]
    assert not run_folders(repository)
