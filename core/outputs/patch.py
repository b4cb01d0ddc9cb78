"""The patch as it is delivered: a few lines of proof at its head, then git's own diff."""

from __future__ import annotations


def with_header(patch: bytes, run_id: str, base: str, tree: str) -> bytes:
    """Put the lines in front that `git apply` skips and that a verification reads.

    Args:
        base: the commit that the patch applies to.
        tree: the tree that it gives there.
    """
    if not patch:
        return b""
    return f"Orefactor-Run: {run_id}\nOrefactor-Base: {base}\nOrefactor-Tree: {tree}\n\n".encode() + patch
