"""Says why isolation doesn't work here and what to do: bubblewrap's complaints, their causes and fixes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


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


class _Row(NamedTuple):
    says: str
    cause: str
    fix: str


NAMESPACES = "run the container with `--security-opt seccomp=unconfined`, or set `kernel.unprivileged_userns_clone=1`"
APPARMOR = _Row(
    "",
    "AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns = 1)",
    "install AppArmor's profile for bwrap: `sudo apt install apparmor-profiles && sudo install -m 0644 "
    "/usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && "
    "sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict`",
)
MISSING = Failure(
    tried="/usr/bin/bwrap",
    error="no such program that only root can write and that isn't setuid",
    cause="bubblewrap isn't installed",
    fix="`apt install bubblewrap` (or with dnf, pacman, apk)",
)
# The first row whose text stands in the error counts.
ROWS = (
    _Row("setting up uid map", APPARMOR.cause, APPARMOR.fix),
    _Row("RTM_NEWADDR", APPARMOR.cause, APPARMOR.fix),
    _Row(
        "No permissions to create new namespace",
        "user namespaces are off, or the container forbids them",
        NAMESPACES,
    ),
    _Row(
        "Creating new namespace failed",
        "no more namespaces may be made: `user.max_user_namespaces` is 0, or this is a sandbox already",
        "raise it with sysctl, or run outside of the sandbox",
    ),
    _Row("mount proc", "the container masks /proc", "run it with `--security-opt systempaths=unconfined`"),
    _Row("Unknown option", "this bubblewrap is too old", "upgrade it to 0.8 or newer"),
    _Row("setpriv", "util-linux's setpriv isn't in /usr/bin", "install util-linux"),
    _Row("prlimit", "util-linux's prlimit isn't in /usr/bin", "install util-linux"),
    _Row("readable:", "the worktree's files are closed to the sandbox's user", "use a umask of 022"),
    _Row("did not isolate", "the sandbox starts, but what it promises doesn't hold here", "please report this"),
)
UNKNOWN = _Row("", "unknown", "run the command that was tried by hand")


def diagnose(tried: str, error: str) -> Failure:
    """Find the cause of what bubblewrap or the probe said.

    Args:
        tried: what was started, to be shown.
        error: its message.
    """
    row = next((row for row in ROWS if row.says in error), UNKNOWN)
    return Failure(tried, error, row.cause, row.fix)
