"""A sealed home for every test, and short ways to make repositories and run the command."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as of_hypothesis

# How long one example takes says nothing on a machine where others work too.
of_hypothesis.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
of_hypothesis.load_profile("here")

Files = Mapping[str, str | bytes]
MakeRepository = Callable[..., Path]
CopyOf = Callable[[str, Callable[[], Path]], Path]
RunCommand = Callable[..., "subprocess.CompletedProcess[bytes]"]

PYTEST_INI = "[pytest]\naddopts = --disable-plugin-autoload\n"
"""For a project whose tests a check runs: the plugins that are installed beside us take a second to load."""

_NUMBERS = itertools.count()
_OTHERS = ("VIRTUAL_ENV", "CI", "GITHUB_ACTIONS", "GITLAB_CI")
_IDENTITY = {
    "GIT_AUTHOR_NAME": "A U Thor",
    "GIT_AUTHOR_EMAIL": "author@example.com",
    "GIT_COMMITTER_NAME": "C O Mitter",
    "GIT_COMMITTER_EMAIL": "committer@example.com",
}


@pytest.fixture(autouse=True)
def sealed(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    """No test sees or touches the real home, its configuration, keys or caches."""
    home = _new_folder(tmp_path_factory, "home")
    for name in list(os.environ):
        if name.startswith(("GIT_", "OREFACTOR_")) or name.endswith(("_KEY", "_TOKEN")) or name in _OTHERS:
            monkeypatch.delenv(name)
    settings = {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        # The process that builds the pack takes longer than most runs here; `context_on` is for tests that want it.
        "OREFACTOR_CONTEXT_TOKENS": "0",
        **_IDENTITY,
    }
    if request.node.get_closest_marker("servers") is None:
        # Nobody is trusted: the system's certificates take longer to read than most tests.
        settings["SSL_CERT_DIR"] = str(home)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    if request.node.get_closest_marker("untraced") is not None:
        for name in ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG"):
            monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def context_on(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The context pack as users have it."""
    monkeypatch.delenv("OREFACTOR_CONTEXT_TOKENS")


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """As pytest's own, which lists all that were there before it to find a name: thousands, for thousands of tests."""
    return _new_folder(tmp_path_factory, re.sub(r"\W", "_", request.node.name)[:30])


def _new_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    folder = factory.getbasetemp() / f"{name}-{next(_NUMBERS)}"
    folder.mkdir(mode=0o700)
    return folder


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Run plain git, as a user would, and give its output."""
    done = subprocess.run(["git", *arguments], cwd=folder, input=stdin, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def write_files(folder: Path, files: Files) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.fixture
def make_repository(tmp_path: Path) -> MakeRepository:
    """Make a repository with one commit that holds the files."""

    def make(files: Files, name: str = "repo", *options: str) -> Path:
        folder = tmp_path / name
        folder.mkdir(parents=True)
        git(folder, "init", "-q", "-b", "main", *options)
        write_files(folder, files)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "first")
        return folder

    return make


@pytest.fixture(scope="session")
def kept_repositories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where repositories wait for the next test that begins with the same."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def copy_of(kept_repositories: Path, tmp_path: Path) -> CopyOf:
    """Give a copy of a repository that takes long to make, a run's for instance; it is made once, under a name."""

    def give(name: str, make: Callable[[], Path]) -> Path:
        kept = kept_repositories / name
        if not kept.exists():
            make().rename(kept)
        copy = tmp_path / "repo"
        shutil.copytree(kept, copy, symlinks=True)
        git(copy, "status")  # Its index knows the new files from here on.
        return copy

    return give


@pytest.fixture
def fixture_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of scripted replies for the `fixture` provider."""

    def write(*replies: dict[str, Any], name: str = "fixture.json") -> Path:
        path = tmp_path / name
        path.write_text(json.dumps({"replies": list(replies)}))
        return path

    return write


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """One scripted tool call."""
    return {"name": name, "arguments": arguments}


def calls(*scripted: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """One scripted reply with tool calls."""
    return {"tool_calls": list(scripted), **fields}


@pytest.fixture
def run_command() -> RunCommand:
    """Run the command as its own process in a folder."""

    def run(
        folder: Path, *arguments: str, environment: Mapping[str, str] | None = None, seconds: float = 120
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "orefactor", *arguments],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )

    return run


_USERS = ("HEAD", "index", "packed-refs", "refs/**/*", "reftable/*", "logs/refs/stash", "worktrees/*/*")


def user_state(folder: Path) -> dict[str, str]:
    """What belongs to the user: files, index, HEAD, refs, stash, worktrees; to compare before and after.

    Git's own files are read, since asking git three times is the half of what a small test takes.
    """
    own = folder / ".git"
    assert own.is_dir()
    return {
        **{
            str(path.relative_to(own)): path.read_bytes().hex()
            for pattern in _USERS
            for path in own.glob(pattern)
            if path.is_file()
        },
        "files": "\n".join(
            _fingerprint(folder, path)
            for path in sorted(folder.rglob("*"))
            if ".git" not in path.relative_to(folder).parts
        ),
    }


def _fingerprint(folder: Path, path: Path) -> str:
    content = path.read_bytes().hex() if path.is_file() and not path.is_symlink() else ""
    return f"{path.relative_to(folder)} {path.lstat().st_mode:o} {content}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--forbid-sandbox-skips", action="store_true", help="a skipped test marked `sandbox` counts as failed"
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """A test of the product's time must not measure coverage's tracer, which makes it several times slower.

    Where coverage has none (Python 3.14 tells it what runs), there is nothing to take away.
    """
    tracer = sys.gettrace() if item.get_closest_marker("untraced") else None
    if tracer is None:
        return (yield)
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """CI must not be green because the isolation could not be tried."""
    report = yield
    forbidden = item.config.getoption("--forbid-sandbox-skips") and item.get_closest_marker("sandbox") is not None
    if forbidden and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} needs a working bubblewrap and was skipped: {report.longrepr}"
    return report
