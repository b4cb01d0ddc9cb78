"""The confinements of a check that runs where the tree lies, each as a function from a command line to another."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from . import seatbelt, seccomp
from .bwrap import SYSTEM_FILES, SYSTEM_LINKS, Layout
from .execution import Confine, Folders
from .limits import Limits, limit_words
from .mounts import visible

LANDLOCK = Path(__file__).with_name("landlock.py")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
# The host's own, where nothing can be mounted over them; none holds a secret.
NAME_FILES = ("/etc/passwd", "/etc/group", "/etc/hosts", "/etc/nsswitch.conf")


def unconfined(argv: Sequence[str], folders: Folders) -> Sequence[str]:
    """The command as it is."""
    del folders
    return argv


def limited(limits: Limits) -> Confine:
    """Only the limits of each process, for a container of the user's own."""

    def confine(argv: Sequence[str], folders: Folders) -> list[str]:
        del folders
        return [*limit_words(limits), *argv]

    return confine


def by_landlock(layout: Layout, limits: Limits) -> Confine | None:
    """Landlock with a system call filter; None for a machine that the filter doesn't know."""
    program = seccomp.program(confined=True)
    if program is None:
        return None
    read = ["/usr", *(f"/{name}" for name in SYSTEM_LINKS), *SYSTEM_FILES, *NAME_FILES, *map(str, visible(layout))]

    def confine(argv: Sequence[str], folders: Folders) -> list[str]:
        places = [str(folders.temporary), *([str(folders.tree)] if folders.writable else [])]
        rules = {
            "read": [*read, str(folders.tree)],
            "write": places,
            "devices": DEVICES,
            "limits": limits.of_a_process,
            "filter": program.hex(),
        }
        return [sys.executable, "-I", "-S", "-B", str(LANDLOCK), json.dumps(rules), *argv]

    return confine


def by_seatbelt(layout: Layout, program: Path = seatbelt.SANDBOX_EXEC) -> Confine:
    """Apple's, where the system is macOS."""
    # The system resolves links (such as /tmp) before it looks at the profile.
    read = [Path(os.path.realpath(path)) for path in visible(layout)]

    def confine(argv: Sequence[str], folders: Folders) -> list[str]:
        tree, temporary = (Path(os.path.realpath(path)) for path in (folders.tree, folders.temporary))
        write = [temporary, *([tree] if folders.writable else [])]
        return [str(program), "-p", seatbelt.profile([*read, tree], write), *argv]

    return confine
