"""A sealed home for every test, and short ways to make repositories and run the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

import pytest

Files = Mapping[str, str | bytes]
MakeRepository = Callable[..., Path]
RunCommand = Callable[..., "subprocess.CompletedProcess[bytes]"]

_IDENTITY = {
    "GIT_AUTHOR_NAME": "A U Thor",
    "GIT_AUTHOR_EMAIL": "author@example.com",
    "GIT_COMMITTER_NAME": "C O Mitter",
    "GIT_COMMITTER_EMAIL": "committer@example.com",
}


@pytest.fixture(autouse=True)
def sealed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees or touches the real home, its configuration, keys or caches."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("GIT_", "OREFACTOR_")) or name.endswith(("_KEY", "_TOKEN")) or name == "VIRTUAL_ENV":
            monkeypatch.delenv(name)
    settings = {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        **_IDENTITY,
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    return home


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


def user_state(folder: Path) -> dict[str, str]:
    """What belongs to the user: files, index, HEAD, refs, stash, worktrees; to compare before and after."""
    index = folder / ".git" / "index"
    return {
        "head": (folder / ".git" / "HEAD").read_text(),
        "refs": git(folder, "for-each-ref"),
        "index": index.read_bytes().hex() if index.exists() else "",
        "stash": git(folder, "stash", "list"),
        "worktrees": git(folder, "worktree", "list", "--porcelain"),
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
