"""The environment that a check runs in, built from nothing: what isn't written here doesn't reach it."""

from __future__ import annotations

import os

from .environment import PythonEnvironment

SYSTEM_FOLDERS = "/usr/local/bin:/usr/bin:/bin"

CONSTANT = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "NO_COLOR": "1",
    "COLUMNS": "120",
    "CI": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONFAULTHANDLER": "1",
    "RUFF_NO_CACHE": "true",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_TERMINAL_PROMPT": "0",
    "PIP_NO_INDEX": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "MPLBACKEND": "Agg",
}


def check_variables(environment: PythonEnvironment | None, *, folder: str) -> dict[str, str]:
    """All variables of a check.

    Args:
        environment: the project's Python, whose programs come first on PATH.
        folder: a private folder for what programs write beside their work; `home` and `cache` are in it.
    """
    programs = f"{environment.python.parent}{os.pathsep}" if environment else ""
    variables = {
        **CONSTANT,
        "PATH": programs + SYSTEM_FOLDERS,
        "HOME": f"{folder}/home",
        "TMPDIR": folder,
        "XDG_CACHE_HOME": f"{folder}/cache",
        "XDG_CONFIG_HOME": f"{folder}/home/.config",
        "RUFF_CACHE_DIR": f"{folder}/cache/ruff",
        "MYPY_CACHE_DIR": f"{folder}/cache/mypy",
        "COVERAGE_FILE": f"{folder}/cache/coverage",
        "HYPOTHESIS_STORAGE_DIRECTORY": f"{folder}/cache/hypothesis",
    }
    if environment and environment.prefix:
        variables["VIRTUAL_ENV"] = str(environment.prefix)
    return variables
