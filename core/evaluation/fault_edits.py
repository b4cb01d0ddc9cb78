"""Mistakes in the text of an edit: each is a function from the right reply to the wrong one.

Whether a mistake is one is looked up in the file: an `old_string` that is wrong by chance in no way would be no fault.
"""

from __future__ import annotations

import ast
import textwrap
import warnings
from collections.abc import Callable, Sequence

from ..messages import ProviderResponse
from .fault_moment import Moment

_SHORTEST_ELIDED = 5
"""Lines of a text that a model is tempted to leave something out of."""
PLACEHOLDERS = (
    "# ... rest unchanged",
    "# ... existing code ...",
    "# ...",
    "# … (rest of the function)",
    "# rest of the code remains the same",
    "# (rest of the method unchanged)",
    "# ... same as before ...",
    "# remaining code omitted for brevity",
    "# ... keep the existing logic here ...",
    "# TODO: rest of the code",
    "# Rest of the original method body goes here",
    "# ---- rest of the code ----",
    "# copy the rest of the code from the original method",
    "# (snip)",
    "... (rest of the code) ...",
    "...",
)


def whitespace(moment: Moment) -> ProviderResponse | None:
    """An `old_string` with other white space than the file."""
    for edit in moment.edits():
        wrong = [way(edit.old) for way in _SPACINGS]
        wrong = [old for old in wrong if old and old not in moment.text(edit.path)]
        if wrong:
            return moment.with_edit(edit, old=moment.pick(wrong))
    return None


_SPACINGS: Sequence[Callable[[str], str]] = (
    textwrap.dedent,
    lambda old: textwrap.indent(old, " "),
    lambda old: old.replace("    ", "\t"),
    lambda old: old.replace("\n", " \n", 1) if "\n" in old else f"{old} ",
    lambda old: old.replace("\n", "\n\n", 1),
    lambda old: " ".join(old.split()),
    lambda old: old.replace(", ", ","),
)


def stale(moment: Moment) -> ProviderResponse | None:
    """An `old_string` from before an earlier edit of the same file."""
    for edit in moment.edits():
        text = moment.text(edit.path)
        before = [each.old for each in moment.oracle.mirror.edits.get(edit.path, ()) if each.old]
        gone = [old for old in before if old not in text]
        if gone:
            return moment.with_edit(edit, old=moment.pick(gone))
    return None


def several(moment: Moment) -> ProviderResponse | None:
    """An `old_string` that is too short: one line that stands in the file several times."""
    for edit in moment.edits():
        text = moment.text(edit.path)
        lines = [line for line in (*edit.old.split("\n"), *edit.old.split()) if line.strip()]
        common = [line for line in lines if text.count(line) > 1]
        if common:
            return moment.with_edit(edit, old=moment.pick(common))
    return None


def elided(moment: Moment) -> ProviderResponse | None:
    """A `new_string` with a comment in place of its middle."""
    for edit in moment.edits():
        lines = edit.new.split("\n")
        if len(lines) < _SHORTEST_ELIDED or any(placeholder in edit.old for placeholder in PLACEHOLDERS):
            continue
        cut = 2 + int(moment.draw() * (len(lines) - 4))
        margin = lines[cut][: len(lines[cut]) - len(lines[cut].lstrip())] or "    "
        # Alone in a block or among arguments, `...` is code that somebody may want; only the task tells it from a gap.
        is_alone = lines[cut - 1].rstrip().endswith((":", "(", "[", "{", ","))
        placeholder = moment.pick(PLACEHOLDERS[: -1 if is_alone else None])
        return moment.with_edit(edit, new="\n".join([*lines[:cut], f"{margin}{placeholder}", lines[-1]]))
    return None


def unparsable(moment: Moment) -> ProviderResponse | None:
    """A `new_string` after which the file can't be parsed."""
    for edit in moment.edits():
        text = moment.text(edit.path)
        ways = _BREAKS if edit.path.endswith(".py") else ()
        start = int(moment.draw() * len(_BREAKS))
        for way in (*ways[start:], *ways[:start]):
            new = way(edit.new)
            if not _can_be_parsed(text.replace(edit.old, new, 1)):
                return moment.with_edit(edit, new=new)
    return None


_BREAKS: Sequence[Callable[[str], str]] = (
    lambda new: f"```python\n{new}\n```",
    lambda new: f"<<<<<<< SEARCH\n{new}\n=======",
    lambda new: new.replace("(", "((", 1),
    lambda new: new.replace(":", "", 1),
    lambda new: "\n".join(f"{number:>4} | {line}" for number, line in enumerate(new.split("\n"), 1)),
    lambda new: f"{new}\n\t  x = (",
    lambda new: f'{new}\n"""',
    lambda new: f"{new}}}",
)


def _can_be_parsed(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True
