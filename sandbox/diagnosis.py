"""Says why isolation doesn't work here and what to do: complaints, their causes, and one thing that mends each.

All but `this_machine` is pure: what the machine is like comes as a value.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

INSTALLERS = {
    "apt": "sudo apt install",
    "dnf": "sudo dnf install",
    "pacman": "sudo pacman -S",
    "apk": "sudo apk add",
    "zypper": "sudo zypper install",
}
SYSCTLS = Path("/proc/sys")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why isolation isn't there.

    Attributes:
        tried: what was started.
        error: what it said, word for word.
        cause: what that means.
        fix: what the person can do.
    """

    tried: str
    error: str
    cause: str
    fix: str

    @property
    def line(self) -> str:
        """All but the fix in one line."""
        return f"{self.tried}: {' '.join(self.error.split())} ({self.cause})"


@dataclass(frozen=True, slots=True)
class Machine:
    """What the causes depend on.

    Attributes:
        apparmor: whether AppArmor restricts user namespaces (Ubuntu since 23.10).
        namespaces_off: whether user namespaces are off for ordinary users.
        no_namespaces: whether none at all may be made.
        installer: the words that install a package.
    """

    apparmor: bool = False
    namespaces_off: bool = False
    no_namespaces: bool = False
    installer: str = INSTALLERS["apt"]


def this_machine() -> Machine:
    """Look at the kernel's settings and for the package manager."""
    return Machine(
        apparmor=_sysctl("kernel/apparmor_restrict_unprivileged_userns") == "1",
        namespaces_off=_sysctl("kernel/unprivileged_userns_clone") == "0",
        no_namespaces=_sysctl("user/max_user_namespaces") == "0",
        installer=next((words for name, words in INSTALLERS.items() if shutil.which(name)), INSTALLERS["apt"]),
    )


def missing(machine: Machine) -> Failure:
    """There is no bubblewrap."""
    return Failure(
        tried="/usr/bin/bwrap",
        error="no such program that only root can write and that isn't setuid",
        cause="bubblewrap isn't installed",
        fix=f"`{machine.installer} bubblewrap`",
    )


NO_FILTER = Failure(
    tried="Landlock",
    error="no system call filter for this machine",
    cause="Landlock alone doesn't hold sockets and modes",
    fix="install bubblewrap",
)
NO_SEATBELT = Failure(
    tried="/usr/bin/sandbox-exec",
    error="no such program",
    cause="this macOS has no sandbox for programs",
    fix="run in a container of your own with `--sandbox external`",
)
_APPARMOR = (
    "AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns = 1)",
    (
        "`sudo apt install apparmor-profiles && sudo install -m 0644 "
        "/usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && "
        "sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict`"
    ),
)
_CONTAINER = (
    "the container that this runs in forbids namespaces",
    "run the container with `--security-opt seccomp=unconfined`",
)
_SWITCHED_OFF = ("user namespaces are off", "`sudo sysctl kernel.unprivileged_userns_clone=1`")
_NONE_ALLOWED = ("`user.max_user_namespaces` is 0", "`sudo sysctl user.max_user_namespaces=15000`")
_NESTED = ("no more namespaces may be made: this is a sandbox already", "run outside of the sandbox")
_TOO_OLD_KERNEL = ("this kernel's Landlock can't do it (6.12 can)", "install bubblewrap")

Diagnosis = Callable[[Machine], tuple[str, str]]


def _always(cause: str, fix: str) -> Diagnosis:
    return lambda machine: (cause, fix)


# The first row whose text stands in the error counts: what it means, and what mends it.
ROWS: dict[str, Diagnosis] = {
    "setting up uid map": lambda machine: _APPARMOR if machine.apparmor else _CONTAINER,
    "RTM_NEWADDR": lambda machine: _APPARMOR if machine.apparmor else _CONTAINER,
    "No permissions to create": lambda machine: _SWITCHED_OFF if machine.namespaces_off else _CONTAINER,
    "Creating new namespace failed": lambda machine: _NONE_ALLOWED if machine.no_namespaces else _NESTED,
    "mount proc": _always("the container masks /proc", "run it with `--security-opt systempaths=unconfined`"),
    "Unknown option": lambda machine: (
        "this bubblewrap is too old, 0.8 is needed",
        f"`{machine.installer} bubblewrap` from a newer release",
    ),
    "setpriv": lambda machine: ("/usr/bin/setpriv is missing", f"`{machine.installer} util-linux`"),
    "prlimit": lambda machine: ("/usr/bin/prlimit is missing", f"`{machine.installer} util-linux`"),
    "readable:": _always("the worktree's files are closed to the sandbox's user", "`umask 022`"),
    "did not isolate": _always("the sandbox starts, but what it promises doesn't hold here", "please report this"),
    "orefactor-landlock:": _always(*_TOO_OLD_KERNEL),
}
UNKNOWN = _always("unknown", "run the command that was tried by hand")


def diagnose(tried: str, error: str, machine: Machine) -> Failure:
    """Find the cause of what a sandbox or the probe said.

    Args:
        tried: what was started, to be shown.
        error: its message.
        machine: what it was started on.
    """
    row = next((row for says, row in ROWS.items() if says in error), UNKNOWN)
    return Failure(tried, error, *row(machine))


def _sysctl(name: str) -> str:
    try:
        return (SYSCTLS / name).read_text().strip()
    except OSError:
        return ""
