"""A repository with a kept run whose result is to be published, a bare remote beside it, a forge on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import git, write_files
from e2e.processes import Done, run_here
from e2e.scenes import DOCUMENTED, FILES
from forge_server import ForgeServer

PROJECTS = {"github": "group/project", "gitlab": "group/sub/project", "gitea": "group/project"}
TOKENS = {"github": "GH_TOKEN", "gitlab": "GITLAB_TOKEN", "gitea": "GITEA_TOKEN"}
SECRET = "token-of-nobody-12345"
RUN = "20261130T101500-4f2a9c"
BRANCH = f"orefactor/document-area-{RUN}"
TITLE = "Document area"


@dataclass(frozen=True, slots=True)
class Scene:
    """What a test works with.

    Attributes:
        folder: the user's repository.
        bare: what is pushed to.
        base: the commit that the run started from.
        tree: what it gave.
    """

    folder: Path
    bare: Path
    base: str
    tree: str

    def trace(self, **changed: Any) -> dict[str, Any]:
        """The run's trace, with some fields changed."""
        made: dict[str, Any] = {
            "schema": "orefactor.trace/1",
            "version": "1",
            "run_id": RUN,
            "task": "document area",
            "paths": [],
            "settings": {},
            "status": "completed",
            "reason": "delivered",
            "exit_code": 0,
            "message": "the change passed the gate",
            "verified": True,
            "files_changed": ["src/shapes.py"],
            "iterations": 3,
            "summary": {"title": TITLE, "body": "It says what the function does.", "follow_ups": []},
            "tree": self.tree,
            "base": {
                "source": "HEAD",
                "commit": self.base,
                "tree": git(self.folder, "rev-parse", f"{self.base}^{{tree}}"),
                "head": self.base,
            },
            "usage": {"prompt_tokens": 10, "cached_tokens": 0, "completion_tokens": 5, "requests": 1},
            "provider": "fixture",
            "checks": [
                {
                    "name": name,
                    "required": True,
                    "when": "final",
                    "outcome": "passed",
                    "findings_new": 0,
                    "findings_old": 2,
                }
                for name in ("ruff", "pytest")
            ],
        }
        return {**made, **changed}

    def keep(self, **changed: Any) -> Path:
        """Keep the run with this trace, in place of what was kept."""
        folder = self.folder / ".git" / "orefactor" / "runs" / RUN
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "trace.json").write_text(json.dumps(self.trace(**changed)))
        (folder / "result.patch").write_bytes(self.head(self.base, self.tree) + self.difference(self.base, self.tree))
        return folder

    @staticmethod
    def head(base: str, tree: str) -> bytes:
        """The head of a patch of the run."""
        return f"Orefactor-Run: {RUN}\nOrefactor-Base: {base}\nOrefactor-Tree: {tree}\n\n".encode()

    def difference(self, before: str, after: str) -> bytes:
        """A patch without a head."""
        file = self.folder.parent / "difference"
        git(self.folder, "diff-tree", "-r", "-p", "--full-index", f"--output={file}", before, after)
        return file.read_bytes()

    def branch(self, name: str = BRANCH) -> str:
        """Make the run's branch and let the trace name it; gives its commit."""
        message = f"{TITLE}\n\nOrefactor-Run: {RUN}\nOrefactor-Model: fixture"
        commit = git(self.folder, "commit-tree", self.tree, "-p", self.base, "-m", message)
        git(self.folder, "branch", name, commit)
        self.keep(branch=name, commit=commit)
        return commit

    def remote_refs(self) -> dict[str, str]:
        """What the remote has."""
        lines = git(self.bare, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        return dict(line.split(" ") for line in lines)


def make_scene(make: Callable[..., Path]) -> Scene:
    """A kept run that gave a patch, and a remote that has the base."""
    folder = make(FILES)
    base = git(folder, "rev-parse", "HEAD")
    write_files(folder, {"src/shapes.py": DOCUMENTED})
    git(folder, "add", "-A")
    tree = git(folder, "write-tree")
    git(folder, "reset", "-q", "--hard", base)
    bare = folder.parent / "bare.git"
    git(folder, "clone", "-q", "--bare", str(folder), str(bare))
    git(folder, "remote", "add", "origin", str(bare))
    scene = Scene(folder, bare, base, tree)
    scene.keep()
    return scene


def at_forge(scene: Scene, server: ForgeServer, kind: str) -> tuple[str, str]:
    """Let the remote be at the server, and give the words that say which forge it is; pushes go to the bare one."""
    git(scene.folder, "remote", "set-url", "origin", f"{server.url}/{PROJECTS[kind]}.git")
    git(scene.folder, "remote", "set-url", "--push", "origin", str(scene.bare))
    return "--forge", kind


class Command:
    """Calls `pr` in a scene's repository."""

    def __init__(self, capture: pytest.CaptureFixture[bytes], scene: Scene) -> None:
        self._capture = capture
        self._scene = scene

    def run(self, *words: str) -> Done:
        """Call it."""
        return run_here(self._capture, self._scene.folder, "pr", *words)

    def json(self, *words: str) -> dict[str, Any]:
        """Call it, which has to succeed, and read what it prints."""
        done = self.run("--json", *words)
        assert done.returncode == 0, done.stderr
        read: dict[str, Any] = json.loads(done.stdout)
        return read

    def fail(self, *words: str) -> tuple[int, str]:
        """Call it, which has to fail; gives the exit code and what it says."""
        done = self.run(*words)
        assert (done.returncode != 0, done.stdout) == (True, b"")
        return done.returncode, done.stderr.decode()
