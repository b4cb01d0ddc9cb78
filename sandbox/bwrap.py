"""The command line of bubblewrap: values in, a list of words out.

What a check sees: the system's /usr, a synthesized /etc, the project's Python at its own place, and the tree
over the repository's path, so that an environment with an editable install tests the tree. Nothing else of
the user's files, no network, no other process. `mounts.py` decides about the tree and the environment by
looking at the disk.

Two rules learnt from others' holes: bwrap is started with an empty environment, because what it is started
with can be read in `/proc/1/environ` inside; and no mount point lies below a folder whose content a model may
have written, because bwrap before 0.12 makes mount points through symbolic links on the host
(CVE-2026-87766).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .environment import PythonEnvironment
from .limits import MEBIBYTE, Limits, sandbox_words

# Only where root alone can put a file; PATH may begin with a project's own folder.
PLACES = (Path("/usr/bin/bwrap"), Path("/bin/bwrap"), Path("/usr/local/bin/bwrap"))
SYSTEM_LINKS = ("bin", "sbin", "lib", "lib64", "lib32", "libx32")
SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/mime.types",
    "/etc/python3",
    "/etc/python3.11",
    "/etc/ssl/openssl.cnf",
    "/etc/protocols",
    "/etc/services",
)
NOBODY = 65534
# Inside it is the sandbox's own.
TEMPORARY = "/tmp"  # noqa: S108
SHARED = "/dev/shm"  # noqa: S108

MountKind = Literal["bind", "ro-bind", "tmpfs", "tmp-overlay", "dir", "symlink", "remount-ro"]


@dataclass(frozen=True, slots=True)
class Layout:
    """What a run's checks work on. All paths are absolute.

    Attributes:
        repository: where the tree stands for the checks: the top folder of the user's repository.
        tree: the throwaway worktree.
        environment: the project's Python, or None.
        scratch: the run's own folder (0700), for what is made up for the checks.
        tools: further programs that must be visible, such as our own ruff.
    """

    repository: Path
    tree: Path
    environment: PythonEnvironment | None
    scratch: Path
    tools: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Mount:
    """One step in building the file system that a check sees.

    Attributes:
        kind: as bwrap's option is named.
        target: the place inside.
        source: the place outside, or a symbolic link's text; empty for the other kinds.
        layers: the places outside that a `tmp-overlay` shows in one; the first lies on top.
        size: bytes that a `tmpfs` may hold.
        mode: permission bits of what is made, in octal.
    """

    kind: MountKind
    target: str
    source: str = ""
    layers: tuple[str, ...] = ()
    size: int = MEBIBYTE
    mode: str = "0755"

    def words(self) -> list[str]:
        """Its part of the command line."""
        option = f"--{self.kind}"
        if self.kind == "dir":
            return ["--perms", self.mode, option, self.target]
        if self.kind == "tmpfs":
            return ["--size", str(self.size), "--perms", self.mode, option, self.target]
        if self.kind == "tmp-overlay":  # bwrap puts the last source on top
            return [word for layer in reversed(self.layers) for word in ("--overlay-src", layer)] + [
                option,
                self.target,
            ]
        return [option, *([self.source] if self.source else []), self.target]


def find_bwrap(places: Sequence[Path] = PLACES) -> Path | None:
    """The system's bubblewrap; None where none is trustworthy."""
    for place in places:
        try:
            status = place.lstat()
        except OSError:
            continue
        if is_trustworthy(status):
            return place
    return None


def is_trustworthy(status: os.stat_result) -> bool:
    """Whether a file is root's, only root's to write, and gives no rights away.

    A setuid bwrap makes mounts with root's rights out of arguments that aren't all ours (CVE-2026-41163).
    """
    mode = status.st_mode
    return stat.S_ISREG(mode) and status.st_uid == 0 and not mode & (stat.S_IWGRP | stat.S_IWOTH | stat.S_ISUID)


def command_line(
    bwrap: Path,
    layout: Layout,
    command: Sequence[str],
    *,
    mounts: Sequence[Mount],
    limits: Limits,
    environ: Mapping[str, str],
    root: bool,
    seccomp_fd: int | None,
) -> list[str]:
    """The words that start `command` in isolation; to be run with an empty environment.

    Args:
        bwrap: the program.
        layout: what is worked on.
        command: what to run inside, from the repository's folder.
        mounts: the tree and the environment, in order.
        limits: what it may use.
        environ: the variables inside.
        root: whether we are root: then no user namespace is made, because root in one is still the global
            root for `/proc/sys`, and the command runs as nobody.
        seccomp_fd: an inherited descriptor of the filter, or None.
    """
    words = [str(bwrap), *_namespaces(root), *_system(layout.scratch), *_kernel(limits), *_temporary(limits)]
    for mount in mounts:
        words += mount.words()
    words += ["--remount-ro", "/", "--chdir", str(layout.repository), "--clearenv"]
    for name, value in environ.items():
        words += ["--setenv", name, value]
    if seccomp_fd is not None:
        words += ["--seccomp", str(seccomp_fd)]
    return [*words, "--", *(_as_nobody() if root else ()), *sandbox_words(limits), *command]


def etc_folder(scratch: Path) -> Path:
    """Where the files lie that are shown in /etc."""
    return scratch / "etc"


def _namespaces(root: bool) -> list[str]:
    common = ["--die-with-parent", "--new-session", "--hostname", "orefactor", "--cap-drop", "ALL"]
    if root:
        names = ("ipc", "pid", "net", "uts", "cgroup-try")
        kept = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        return [*(f"--unshare-{name}" for name in names), *common, *kept]
    return ["--unshare-all", "--unshare-user", "--disable-userns", *common]


def _system(scratch: Path) -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in SYSTEM_LINKS:
        path = f"/{name}"
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        else:
            yield from ("--ro-bind-try", path, path)
    for path in ("/etc", "/etc/ssl"):  # a folder that a mount makes on its way may be closed to nobody
        yield from ("--perms", "0755", "--dir", path)
    for path in SYSTEM_FILES:
        yield from ("--ro-bind-try", path, path)
    for name in ("passwd", "group", "hosts", "nsswitch.conf"):
        yield from ("--ro-bind", str(etc_folder(scratch) / name), f"/etc/{name}")


def _kernel(limits: Limits) -> list[str]:
    return [
        *("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"),
        *("--dev", "/dev", "--size", str(limits.shared), "--perms", "1777", "--tmpfs", SHARED),
        *("--remount-ro", "/dev"),
    ]


def _temporary(limits: Limits) -> list[str]:
    return [
        *("--size", str(limits.temporary), "--perms", "1777", "--tmpfs", TEMPORARY),
        *("--perms", "1777", "--dir", f"{TEMPORARY}/home", "--perms", "1777", "--dir", f"{TEMPORARY}/cache"),
        *("--perms", "0755", "--dir", "/var", "--perms", "0755", "--dir", "/run"),
    ]


def _as_nobody() -> list[str]:
    ids = ["--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
    return ["/usr/bin/setpriv", *ids, "--inh-caps", "-all", "--no-new-privs", "--"]
