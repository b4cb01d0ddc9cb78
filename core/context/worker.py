"""The program that builds the context of a run; see `beside.py`, which starts it and reads its answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from orefactor.sandbox.errors import UserError
from orefactor.sandbox.git import Git
from orefactor.sandbox.repository import ConfigEntry, Repository

from ..index.stored_index import open_index
from .build import build_context, to_json


def main() -> int:
    """Read a request from standard input, and write the context to standard output.

    Returns:
        The exit code; on failure the last line of standard error says why.
    """
    asked: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    try:
        index = open_index(_repository(asked), asked["tree"])
        context = build_context(asked["task"], targets=asked["targets"], index=index, budget=asked["budget"])
    except UserError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a program of its own
        return 1
    sys.stdout.write(json.dumps(to_json(context)))
    return 0


def _repository(asked: dict[str, Any]) -> Repository:
    """The repository as the run has found it, so that git isn't asked again."""
    git_dir = Path(asked["git_dir"])
    top = None if asked["top"] is None else Path(asked["top"])
    config = tuple(ConfigEntry(**entry) for entry in asked["config"])
    git = Git(git_dir, asked["environment"], top)
    return Repository(Path(asked["common_dir"]), git_dir, top, asked["object_format"], config, git)


if __name__ == "__main__":
    sys.exit(main())
