"""The git note that tells where a result's commit came from: `git log --notes=orefactor` shows it below the message.

The commit's trailers name the run; the note adds what is known only when the run has ended, its trace's digest, and
leaves the commit as it is. Notes aren't pushed unless somebody asks for it.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from orefactor.sandbox.notes import append_note
from orefactor.sandbox.repository import Repository

from ..redact import printable
from ..trace import TRACE, RunFolder
from ..trace_model import CheckPart, Trace
from .branch import Identities

NOTES_REF = "refs/notes/orefactor"
_MOST_CHECKS, _LONGEST = 30, 100


def write_note(
    repository: Repository, commit: str, folder: RunFolder, trace: Trace, identities: Identities, when: datetime
) -> bool:
    """Add the run's note to its commit; a note that is there stays, and the same one is not written twice.

    Args:
        folder: of the run, with its trace as it was written last.
        when: the date of the notes' commit.

    Returns:
        Whether something was written.

    Raises:
        UserError: the notes' ref is something else, or can't be written to.
    """
    author, committer = identities.author, identities.committer
    date = f"@{int(when.timestamp())} +0000"
    identity = {
        "GIT_AUTHOR_NAME": author.name,
        "GIT_AUTHOR_EMAIL": author.email,
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": committer.name,
        "GIT_COMMITTER_EMAIL": committer.email,
        "GIT_COMMITTER_DATE": date,
    }
    text = note_text(trace, hashlib.sha256(folder.read(TRACE) or b"").hexdigest())
    return append_note(repository, NOTES_REF, commit, text, identity)


def note_text(trace: Trace, digest: str) -> str:
    """The note: lines like trailers.

    Args:
        trace: the run's.
        digest: sha256 (hex) of `trace.json`.
    """
    models = list(dict.fromkeys(entry.model for entry in trace.rounds if entry.model))
    last = {check.name: check for check in trace.checks if check.when == "final" and check.required}
    checks = ", ".join(map(_check, list(last.values())[:_MOST_CHECKS]))
    lines = [
        ("Run", trace.run_id),
        ("Trace", f"sha256:{digest}"),
        ("Model", ", ".join(models) or trace.provider),
        ("Base", trace.base.commit if trace.base else ""),
        ("Tree", trace.tree or ""),
        ("Checks", checks or "none"),
    ]
    return "".join(f"Orefactor-{name}: {_line(value)}\n" for name, value in lines if value)


def _check(check: CheckPart) -> str:
    return f"{_line(check.name)[:_LONGEST]} {check.outcome.replace('_', ' ')}"


def _line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in printable(text)).split())[:3000]
