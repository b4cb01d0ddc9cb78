"""One file a command. A new command is one file and one line here."""

from __future__ import annotations

from collections.abc import Callable

from . import (
    apply,
    completion,
    config,
    context,
    doctor,
    install_hook,
    pr,
    replay,
    review,
    run,
    runs,
    show,
    verify,
)
from . import (
    eval as evaluate,
)
from .help import help_command

COMMANDS: dict[str, Callable[..., None]] = {
    "run": run.run_command,
    "review": review.review_command,
    "show": show.show_command,
    "runs": runs.runs_command,
    "apply": apply.apply_command,
    "verify": verify.verify_command,
    "replay": replay.replay_command,
    "pr": pr.pr_command,
    "context": context.context_command,
    "eval": evaluate.eval_command,
    "config": config.config_command,
    "install-hook": install_hook.install_hook_command,
    "completion": completion.completion_command,
    "doctor": doctor.doctor_command,
    "help": help_command,
}
