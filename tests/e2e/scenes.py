"""The small repository and the scripted model that most end-to-end tests use, and a look at what a run left."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
from conftest import call, calls, git
from jsonschema.protocols import Validator

import orefactor.core

SHAPES = "def area(a, b):\n    return a * b\n\n\ndef twice(a):\n    return 2 * a\n"
FILES = {"src/shapes.py": SHAPES, "README.md": "shapes\n"}
DOCUMENTED = SHAPES.replace("b):\n", 'b):\n    """Multiply."""\n')
ANSWER = "Document area\n\nIt says what the function does."
TASK = "document area"


def read(path: str = "src/shapes.py") -> dict[str, Any]:
    """The model reads a file."""
    return calls(call("read_file", path=path))


def edit(old: str, new: str, path: str = "src/shapes.py") -> dict[str, Any]:
    """The model replaces some text."""
    return calls(call("edit_file", path=path, old_string=old, new_string=new))


DOCUMENT = edit("def area(a, b):\n", 'def area(a, b):\n    """Multiply."""\n')
REPLIES = (read(), DOCUMENT, {"content": ANSWER})
"""Reads, documents one function, and says so."""


def run_folders(repository: Path) -> list[Path]:
    """The folders of the runs kept in a repository, oldest first."""
    runs = Path(git(repository, "rev-parse", "--path-format=absolute", "--git-common-dir")) / "orefactor" / "runs"
    return sorted(runs.iterdir()) if runs.is_dir() else []


def trace(repository: Path) -> dict[str, Any]:
    """The newest run's trace, after it has been found valid by the schema that ships with the product."""
    read_trace: dict[str, Any] = json.loads((run_folders(repository)[-1] / "trace.json").read_bytes())
    require_valid(read_trace)
    return read_trace


def require_valid(read_trace: dict[str, Any]) -> None:
    """Hold a trace against the schema that ships with the product.

    Raises:
        jsonschema.ValidationError: it has another form.
    """
    for error in _validator().iter_errors(read_trace):
        raise error


@functools.cache
def _validator() -> Validator:
    """Made once, since `jsonschema.validate` judges the schema itself each time; `test_trace` does that for all."""
    schema = Path(orefactor.core.__file__).parent / "trace.schema.json"
    return jsonschema.Draft202012Validator(json.loads(schema.read_bytes()))


def events(repository: Path) -> list[dict[str, Any]]:
    """The newest run's events; each line must be whole."""
    return [json.loads(line) for line in (run_folders(repository)[-1] / "events.jsonl").read_text().splitlines()]


def leftovers(repository: Path) -> list[Path]:
    """What a run should have taken away: worktrees of ours and their folders in the cache."""
    cache = Path(os.environ["XDG_CACHE_HOME"], "git-orefactor")
    in_cache = [path for folder in cache.glob("*-*") if folder.is_dir() for path in folder.iterdir()]
    common = Path(git(repository, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    worktrees = common / "worktrees"
    return in_cache + (list(worktrees.iterdir()) if worktrees.is_dir() else [])


def applied_tree(repository: Path, patch: bytes, base: str, index: Path) -> str:
    """The tree that plain `git apply` makes of the patch on the base, in an index of its own."""
    environment = {**os.environ, "GIT_INDEX_FILE": str(index)}

    def run(*words: str, stdin: bytes = b"") -> bytes:
        done = subprocess.run(
            ["git", *words], cwd=repository, env=environment, input=stdin, capture_output=True, check=True
        )
        return done.stdout

    run("read-tree", base)
    run("apply", "--cached", "--binary", "--whitespace=nowarn", stdin=patch)
    return run("write-tree").decode().strip()
