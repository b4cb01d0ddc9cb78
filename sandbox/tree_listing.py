"""Lists the regular files of a tree of git's, with the id of each one's content.

Symbolic links, submodules and folders are no content of their own and are left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from .git import Git


@dataclass(frozen=True, slots=True)
class TreeListing:
    """The files of one tree.

    Attributes:
        blobs: the blob id of each path, in git's order, which is that of the bytes. A name that isn't UTF-8 holds
            surrogate escapes.
        digest: SHA-256 over all names, modes and ids; whatever names the same tree gives the same one.
    """

    blobs: Mapping[str, str]
    digest: bytes


def list_tree(git: Git, tree: str) -> TreeListing:
    """The regular files of a tree, executable ones included.

    Args:
        tree: the id of a tree or of a commit.

    Raises:
        GitFailed: there is no such tree.
    """
    # At 100,000 files a second call that asks for the tree's own id costs as much as the digest here.
    output = git.run("ls-tree", "-r", "-z", "--full-tree", "--", tree)
    entries = output.decode("utf-8", "surrogateescape").split("\0")
    # `100644 blob ID\tPATH`; 120000 is a link, 160000 a submodule.
    start, end = 12, entries[0].find("\t")
    blobs = {entry[end + 1 :]: entry[start:end] for entry in entries if entry.startswith("100")}
    return TreeListing(blobs, hashlib.sha256(output).digest())
