"""`delete_file`: removes one file that the model has read."""

from __future__ import annotations

from .base import Arguments, Tool, Workspace


class DeleteFile(Arguments):
    """Delete a file."""

    path: str


def run(arguments: DeleteFile, workspace: Workspace) -> str:
    """Delete it, together with folders that become empty."""
    path = workspace.root.normalize(arguments.path)
    workspace.require_changeable(path)
    content = workspace.root.read(path)
    workspace.require_seen(path)
    workspace.root.delete(path, expected=content.digest)
    workspace.note_touched(path, content.data)
    return f"deleted {path}"


TOOL = Tool("delete_file", "mutate", DeleteFile, run)
