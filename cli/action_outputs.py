"""Hands a run over to GitHub's runner: `python -m orefactor.cli.action_outputs`, which the steps of `action.yml` call.

It writes the step's outputs, its summary and its annotations from what the command left in a folder. No command of the
user's: what it needs are the files that the runner names in the environment. What a model or a server wrote can't end
an output or start a command of the runner's.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from orefactor.core.outputs.annotations import failure_line
from orefactor.core.outputs.markdown_text import code, prose
from orefactor.core.trace import PATCH, REJECTED

RESULT, REQUEST = "result.json", "request.json"
FILES = {
    "patch": PATCH,
    "rejected": REJECTED,
    "trace": "trace.json",
    "report": "report.html",
    "sarif": "result.sarif",
    "junit": "junit.xml",
}
"""The names of the files in the folder, by the names of the outputs that tell their paths."""
_SUMMARY, _ANNOTATIONS = "summary.md", "annotations.txt"


def main(words: list[str]) -> int:
    """Tell the runner of the run (`run FOLDER CODE`), or of the pull request (`request FOLDER`).

    Returns:
        The exit code: 0, as the run's own is an output.
    """
    what, folder = words[0], Path(words[1])
    if what == "request":
        write_outputs({"request": str(read_object(folder / REQUEST).get("url") or "")})
        return 0
    result = read_object(folder / RESULT)
    keep_patches(folder, result)
    outputs = run_outputs(folder, result, int(words[2]))
    write_outputs(outputs)
    tell(folder, outputs)
    return 0


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file; an empty one where there is none, as the command may have been ended."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def keep_patches(folder: Path, result: Mapping[str, Any]) -> None:
    """Put the run's patch beside its trace, and one that was refused as well."""
    trace_path = result.get("trace_path")
    if isinstance(trace_path, str):
        for name in (PATCH, REJECTED):
            kept = Path(trace_path).parent / name
            if kept.is_file() and not kept.is_symlink():
                shutil.copyfile(kept, folder / name)


def run_outputs(folder: Path, result: Mapping[str, Any], exit_code: int) -> dict[str, str]:
    """The step's outputs; what isn't known is empty."""
    files: list[Any] = result.get("files_changed") or []
    verified: Any = result.get("verified")
    delivered = result.get("status") == "completed"
    return {
        "status": _word(result.get("status") or "error"),
        "reason": _word(result.get("reason") or "interrupted"),
        "message": _word(result.get("message") or "the command broke off"),
        "verified": "unknown" if verified is None else "true" if verified else "false",
        "exit-code": str(exit_code),
        "changed": "true" if delivered and files else "false",
        "files": json.dumps(files),
        "run-id": _word(result.get("run_id") or ""),
        "branch": _word(result.get("branch") or ""),
        "commit": _word(result.get("commit") or ""),
        "cost": "" if result.get("cost_usd") is None else str(result["cost_usd"]),
        "folder": str(folder),
        **{name: str(folder / file) if (folder / file).is_file() else "" for name, file in FILES.items()},
    }


def _word(value: object) -> str:
    return " ".join(str(value).split())


def write_outputs(outputs: Mapping[str, str]) -> None:
    """Append to the file that the runner reads, each value between marks that nobody can guess."""
    mark = f"end-{secrets.token_hex(16)}"
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        file.writelines(f"{name}<<{mark}\n{value}\n{mark}\n" for name, value in outputs.items())


def tell(folder: Path, outputs: Mapping[str, str]) -> None:
    """The summary and the annotations; where the run never began, what was said instead."""
    try:
        summary = (folder / _SUMMARY).read_text(encoding="utf-8")
        lines = (folder / _ANNOTATIONS).read_text(encoding="utf-8")
    except OSError:
        summary = f"## ✗ git orefactor: {code(outputs['reason'], 200)}\n\n{prose(outputs['message'], 2000)}\n"
        lines = failure_line(outputs["reason"], outputs["message"])
    with open(os.environ["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8") as file:
        file.write(summary)
    sys.stdout.write(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
