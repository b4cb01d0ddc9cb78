"""Makes throwaway repositories: of a folder's files, or at a revision of another one, whose objects it borrows.

They belong to whoever makes them and lie in a folder of their own; the repository that objects are borrowed from is
only read.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from .cache import private_folder
from .errors import ExitCode, UserError
from .git import Git
from .repository import Repository, ask_git, find_repository

_IDENTITY: Mapping[str, str] = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "git-orefactor"), ("EMAIL", "orefactor@localhost"), ("DATE", "@0 +0000"))
}


def repository_of_files(folder: Path, files: Path) -> Repository:
    """A new repository whose one commit holds a copy of a folder's files, links and ignored ones as they are.

    Raises:
        UserError: git can't make it there.
    """
    shutil.copytree(files, folder, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    repository = _begun(folder)
    repository.git.run("add", "--all", "--force")
    tree = repository.git.line("write-tree")
    made = repository.git.result("commit-tree", tree, stdin=b"begin\n", identity=_IDENTITY)
    repository.git.run("update-ref", "HEAD", made.stdout.decode().strip())
    return repository


def repository_at(folder: Path, source: Path, revision: str) -> Repository:
    """A new repository whose branch begins at a revision of another one.

    Raises:
        UserError: there is no such repository or revision.
    """
    other = find_repository(source)
    found = other.git.result(
        "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}", ok=(0, 1, 128)
    )
    if found.returncode != 0 or "\0" in revision:
        raise UserError(f"`{revision}` is no commit of `{source}`", hint="see `git log --oneline` there")
    folder.mkdir()
    repository = _begun(folder, other.object_format)
    alternates = repository.common_dir / "objects" / "info" / "alternates"
    alternates.write_bytes(bytes(other.common_dir.resolve() / "objects") + b"\n")
    repository.git.run("update-ref", "HEAD", found.stdout.decode().strip())
    repository.git.run("read-tree", "-u", "--reset", "HEAD")
    return repository


def write_tree_to(git: Git, tree: str, folder: Path) -> None:
    """Write a tree's files into a folder, which is made.

    Raises:
        GitFailed: there is no such tree.
    """
    folder.mkdir()
    with private_folder("tree-") as place:
        reader = Git(git.git_dir, git.environment, folder, place / "index")
        reader.run("read-tree", tree)
        reader.run("checkout-index", "--all", "--force")


def _begun(folder: Path, object_format: str = "sha1") -> Repository:
    done = ask_git(folder, "init", "--quiet", "--template=", f"--object-format={object_format}", "-b", "main")
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise UserError(
            f"git can't make a repository in `{folder}`: {said[-1] if said else done.returncode}",
            hint="check the folder's permissions and the free space",
            exit_code=ExitCode.ENVIRONMENT,
        )
    return find_repository(folder)
