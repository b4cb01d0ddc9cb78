"""`write_file`: makes a new file, or writes one anew that the model has read."""

from __future__ import annotations

from ..code.edits import Edit, whole_file
from .base import Arguments, Tool, Workspace
from .edit_file import refuse_marks


class WriteFile(Arguments):
    """Create or overwrite a file; prefer edit_file."""

    path: str
    content: str


def run(arguments: WriteFile, workspace: Workspace) -> str:
    """Write the whole file; an overwritten one keeps its encoding, line ends and mode."""
    path = workspace.root.normalize(arguments.path)
    workspace.require_changeable(path)
    refuse_marks(arguments.content)
    lines = len(arguments.content.splitlines())
    if workspace.root.kind(path) == "missing":
        workspace.root.create(path, whole_file(None, path, arguments.content))
        workspace.note_touched(path, None, Edit(None, arguments.content))
        return f"created {path}: {lines} line(s)"
    content = workspace.root.read(path)
    workspace.require_seen(path)
    workspace.root.replace(path, whole_file(content.data, path, arguments.content), expected=content.digest)
    workspace.note_touched(path, content.data, Edit(None, arguments.content))
    return f"overwrote {path}: {lines} line(s)"


TOOL = Tool("write_file", "mutate", WriteFile, run)
