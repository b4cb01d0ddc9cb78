"""Looks at the words of a hook's command line, where names of files follow that somebody else has chosen.

The pre-commit tool appends the staged files to what the user has configured, without a `--` in between. A file that is
called `--sandbox=none` must not become an option, and a file must not become the task. That a file isn't taken for the
range of a review is seen to by `review`, where with `--staged` every word is a path.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence

from orefactor.core.errors import UserError

STAGED = "--staged"
"""The option that hooks use."""
_END = "--"
"""What ends the options; the tool passes a file of that name as it is."""


def require_plain_files(words: Sequence[str]) -> None:
    """Make sure that no option of a hook's command line may be meant as a file.

    Raises:
        UserError: one is a file's name as well.
    """
    options = list(itertools.takewhile(lambda word: word != _END, words))
    if STAGED not in options:
        return
    # Where there are two, the first one is the user's.
    ends = [_END] if words.count(_END) == 1 else []
    for word in [*options, *ends]:
        if word.startswith("-") and word != "-" and os.path.lexists(word):
            raise UserError(
                f"`{word}` may be an option, and it is a file here",
                hint="rename the file, or end the hook's options with `--`: `args: [..., --]`",
            )


def require_task(task: str | None) -> None:
    """Make sure that a hook has a task.

    Raises:
        UserError: it has none, or a file has taken its place.
    """
    if not task or os.path.lexists(task):
        raise UserError(
            "there is no task" + (f"; `{task}` is a file" if task else ""),
            hint='say it in front of the files; in a hook of pre-commit: `args: ["add docstrings"]`',
        )
