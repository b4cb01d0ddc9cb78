"""One changed file with both contents: what guards and contracts judge, so that none of them needs git or a disk."""

from __future__ import annotations

from dataclasses import dataclass

from orefactor.sandbox.patch import ChangeKind


@dataclass(frozen=True, slots=True)
class FileChange:
    """One changed path and what it held before and after.

    Attributes:
        path: the path after the change, or before it where it is deleted.
        old_path: the path before it, where that differs.
        before: the content before; None where the path is new. A symbolic link's content is its target.
        after: the content after; None where the path is deleted.
        old_mode: git's mode before, such as `100644`; zeros where the path is new.
        new_mode: git's mode after; zeros where the path is deleted.
    """

    path: str
    old_path: str | None
    kind: ChangeKind
    before: bytes | None
    after: bytes | None
    old_mode: str
    new_mode: str
