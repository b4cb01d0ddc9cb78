"""`edit_file`: replaces one exact, unique occurrence; nothing is guessed."""

from __future__ import annotations

from itertools import zip_longest

from pydantic import Field

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root

from ..code.edits import Edit, TextNotFound, replace_once
from ..errors import ToolError
from ..redact import has_mark
from .base import Arguments, Tool, Workspace
from .grep import files_with_text


class EditFile(Arguments):
    """Replace ONE exact, unique occurrence of old_string with new_string."""

    path: str
    old_string: str = Field(description="With enough lines to be unique.")
    new_string: str


def run(arguments: EditFile, workspace: Workspace) -> str:
    """Apply the edit and say where, and how many lines it changed."""
    path = workspace.root.normalize(arguments.path)
    workspace.require_changeable(path)
    refuse_marks(arguments.old_string + arguments.new_string)
    content = workspace.root.read(path)
    workspace.require_seen(path)
    try:
        after = replace_once(content.data, path, arguments.old_string, arguments.new_string)
    except TextNotFound as error:
        raise Refused(f"{error}{_elsewhere(workspace.root, path, arguments.old_string)}") from None
    workspace.root.replace(path, after, expected=content.digest)
    workspace.note_touched(path, content.data, Edit(arguments.old_string, arguments.new_string))
    return f"edited {path}:{_line(content.data, after)}: {_counts(arguments.old_string, arguments.new_string)}"


def refuse_marks(text: str) -> None:
    """Refuse text with a redaction mark.

    Raises:
        ToolError: it would write the mark where a secret stands.
    """
    if has_mark(text):
        raise ToolError("the text holds a redaction mark such as [REDACTED:…]; leave those lines out of the edit")


def _elsewhere(root: Root, path: str, old: str) -> str:
    found = [other for other in files_with_text(root, old) if other != path]
    return f"\nThat exact text stands in: {', '.join(found[:5])}" if found else ""


def _line(before: bytes, after: bytes) -> int:
    """The first line that differs, counted from 1."""
    lines = enumerate(zip_longest(before.split(b"\n"), after.split(b"\n")), 1)
    return next((number for number, (old, new) in lines if old != new), 1)


def _counts(old: str, new: str) -> str:
    return f"{len(old.splitlines())} line(s) replaced by {len(new.splitlines())}"


TOOL = Tool("edit_file", "mutate", EditFile, run)
