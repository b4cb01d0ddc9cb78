"""Lists the text files below a folder that need be no repository, without those that git would ignore there."""

from __future__ import annotations

import os
from pathlib import Path

from .git import git_program, neutral_environment
from .program import run_program

_CONFIG = (("core.fsmonitor", "false"), ("grep.fullName", "false"), ("submodule.recurse", "false"))


def list_text_files(top: Path, *, seconds: float) -> tuple[str, ...]:
    """The paths of the files below a folder that are text and not empty, sorted; links aren't followed.

    Args:
        top: any folder; ignore files below it count, and so do those above it where it lies in a repository.
        seconds: limit of wall time.

    Raises:
        UserError: time is over.
    """
    command = [git_program(), "grep", "--no-index", "--exclude-standard", "-I", "-l", "-z", "-e", "", "--", "."]
    done = run_program(command, environment=neutral_environment(_CONFIG), folder=top, seconds=seconds)
    return tuple(sorted(os.fsdecode(path) for path in done.stdout.split(b"\0") if path))
