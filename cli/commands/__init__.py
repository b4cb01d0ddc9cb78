"""One file a command. A new command is one file and one line here."""

from __future__ import annotations

from collections.abc import Callable

from . import apply, doctor, run, runs, show, verify

COMMANDS: dict[str, Callable[..., None]] = {
    "run": run.run_command,
    "show": show.show_command,
    "runs": runs.runs_command,
    "apply": apply.apply_command,
    "verify": verify.verify_command,
    "doctor": doctor.doctor_command,
}
