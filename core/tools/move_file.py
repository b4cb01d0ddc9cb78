"""`move_file`: renames one file, content and mode as they are."""

from __future__ import annotations

from orefactor.sandbox.errors import Refused

from ..code.edits import Edit
from ..code.text import decode
from .base import Arguments, Tool, Workspace


class MoveFile(Arguments):
    """Move a file; its references are yours to update."""

    path: str
    new_path: str


def run(arguments: MoveFile, workspace: Workspace) -> str:
    """Move it; both paths must be in the scope, and the new one must be free."""
    path = workspace.root.normalize(arguments.path)
    new_path = workspace.root.normalize(arguments.new_path)
    workspace.require_changeable(path)
    workspace.require_changeable(new_path)
    content = workspace.root.read(path)
    workspace.require_seen(path)
    workspace.root.move(path, new_path, expected=content.digest)
    workspace.note_touched(path, content.data)
    workspace.note_touched(new_path, None, _as_it_is(content.data, path))
    return f"moved {path} to {new_path}"


def _as_it_is(data: bytes, path: str) -> Edit | None:
    """The content as if it were written at the new place, for a move that the patch shows as two files."""
    try:
        return Edit(None, decode(data, path).text)
    except Refused:
        return None


TOOL = Tool("move_file", "mutate", MoveFile, run)
