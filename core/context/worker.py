"""The program that builds the context of a run; see `beside.py`, which starts it and reads its answer."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from orefactor.sandbox.errors import UserError
from orefactor.sandbox.git import Git
from orefactor.sandbox.repository import ConfigEntry, Repository

from ..index.stored_index import open_index
from ..index.symbol_index import SymbolIndex
from .build import build_context, to_json

FAILURE = "failure"
"""What an answer holds alone that has no context, with the reason."""


def main(arguments: Sequence[str]) -> int:
    """Read a request from standard input, and write the context to standard output.

    Args:
        arguments: `--many` for one request a line, each with an answer of one line.

    Returns:
        The exit code; on failure the last line of standard error says why.
    """
    gc.set_threshold(200_000)  # hardly anything here lies in cycles, and a collector would look for them all the time
    if "--many" in arguments:
        return _serve()
    try:
        context = _build(json.loads(sys.stdin.buffer.read()), {})
    except UserError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a program of its own
        return 1
    sys.stdout.write(json.dumps(context))
    return 0


def _serve() -> int:
    known: dict[str, SymbolIndex] = {}
    for line in sys.stdin.buffer:
        try:
            told = _build(json.loads(line), known)
        except UserError as error:
            told = {FAILURE: str(error)}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
    return 0


def _build(asked: dict[str, Any], known: dict[str, SymbolIndex]) -> dict[str, Any]:
    """The context; `known` holds the indexes of trees, which are kept for the next one."""
    tree = asked["tree"]
    if tree not in known:
        known[tree] = open_index(_repository(asked), tree)
    index = known[tree]
    return to_json(build_context(asked["task"], targets=asked["targets"], index=index, budget=asked["budget"]))


def _repository(asked: dict[str, Any]) -> Repository:
    """The repository as the run has found it, so that git isn't asked again."""
    git_dir = Path(asked["git_dir"])
    top = None if asked["top"] is None else Path(asked["top"])
    config = tuple(ConfigEntry(**entry) for entry in asked["config"])
    git = Git(git_dir, asked["environment"], top)
    return Repository(Path(asked["common_dir"]), git_dir, top, asked["object_format"], config, git)


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # all is said and kept, and taking the interpreter down takes a tenth of the time
