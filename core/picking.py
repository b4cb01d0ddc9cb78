"""A choice of a run's hunks: what it gives on the run's base, as a tree and a patch, and whether that passes too.

What passed as a whole need not pass in part: a hunk may use what another one defines. So a choice is judged as the run
was, by guards, contract and required checks, in throwaway worktrees; only the whole change needs no second look. A
choice that has passed is kept with its run, so that `verify` knows its tree.

Here nothing is asked and the working tree isn't touched; that is the command's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from orefactor.sandbox.patch import Change, list_changes, write_patch
from orefactor.sandbox.repository import Repository
from orefactor.sandbox.tree_entries import GONE, TreeEntry, tree_with, write_blob

from .changed_files import read_changes
from .errors import ExitCode, UserError
from .guards.change import FileChange
from .hunk_pieces import Piece, combine, divide
from .outputs.patch import with_header
from .patch_hunks import read_patch
from .proof import Proof, prove_patch
from .redact import printable
from .trace import RunFolder, picked_file
from .trace_model import Trace


@dataclass(frozen=True, slots=True)
class Pickable:
    """A run's change, ready to choose from.

    Attributes:
        trace: of the kept run.
        proof: that the patch gives the tree which the trace names.
        changes: what differs, and `files` with the contents, in the same order.
    """

    repository: Repository
    trace: Trace
    proof: Proof
    changes: tuple[Change, ...]
    files: tuple[FileChange, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Picked:
    """A choice.

    Attributes:
        patch: with the head that names run, base and tree.
        proof: what it gives on the run's base.
        is_all: whether it is the run's whole change, which has been judged.
    """

    patch: bytes
    proof: Proof
    is_all: bool


def open_picking(repository: Repository, folder: RunFolder, patch: bytes) -> Pickable:
    """Read a kept run's patch as pieces.

    Args:
        folder: the run's.

    Raises:
        UserError: it isn't what the run delivered (exit 3), or its base isn't here (6).
    """
    proof = prove_patch(repository, patch)
    if proof.trace is None or proof.run_id != folder.run_id:
        raise UserError(
            f"the patch that is kept with the run {folder.run_id} is another run's",
            hint="it was changed after the run; see `git orefactor runs` for the others",
            exit_code=ExitCode.GATE,
        )
    files = read_changes(repository.git, proof.changes)
    return Pickable(repository, proof.trace, proof, proof.changes, files, divide(read_patch(patch), files))


def build(pickable: Pickable, taken: Sequence[Piece]) -> Picked:
    """Put a choice on the run's base, in git's store alone.

    Raises:
        UserError: a piece can't be without another one.
    """
    git, proof = pickable.repository.git, pickable.proof
    by_file: dict[int, list[Piece]] = {}
    for piece in taken:
        by_file.setdefault(piece.place, []).append(piece)
    entries = [entry for place, pieces in by_file.items() for entry in _entries(pickable, place, pieces)]
    tree = tree_with(git, proof.start, entries)
    changes = list_changes(git, proof.start, tree)
    _require_only({entry.path for entry in entries}, changes)
    patch = with_header(write_patch(git, proof.start, tree), proof.run_id, proof.base, tree)
    chosen = replace(proof, tree=tree, changes=changes, commit=None, same_bytes=None)
    return Picked(patch, chosen, is_all=tree == proof.tree)


def _entries(pickable: Pickable, place: int, taken: Sequence[Piece]) -> list[TreeEntry]:
    change, file = pickable.changes[place], pickable.files[place]
    if taken[0].section is not None:
        content = combine(file, taken)
        name = change.new_id if content == file.after else write_blob(pickable.repository.git, content)
        return [TreeEntry(change.path, change.new_mode, name)]
    none = "0" * len(change.new_id)
    gone = [TreeEntry(change.old_path, GONE, none)] if change.old_path is not None else []
    return [*gone, TreeEntry(change.path, change.new_mode, change.new_id)]


def _require_only(wanted: set[str], changes: Sequence[Change]) -> None:
    """A new file may take the place of a folder, or a folder that of a file, whose going was not chosen."""
    for change in changes:
        for path in (change.path, change.old_path):
            if path is not None and path not in wanted:
                raise UserError(
                    f"the chosen hunks can't be without the one that removes `{printable(path)}`",
                    hint="choose that one too, or leave out what stands in its place",
                )


def keep(folder: RunFolder, picked: Picked) -> Path | None:
    """Keep a choice that has passed with its run; the file, where it wasn't there before.

    Its tree says which one it is, so that the same choice is kept once.
    """
    name = picked_file(picked.proof.tree)
    if picked.is_all or folder.read(name) == picked.patch:
        return None
    return folder.write(name, picked.patch)
