"""Complaints and their causes."""

from __future__ import annotations

import pytest

from orefactor.sandbox.diagnosis import Machine, diagnose, missing, this_machine

HERE = Machine()
UBUNTU = Machine(apparmor=True)


@pytest.mark.parametrize(
    ("error", "machine", "cause", "fix"),
    [
        ("bwrap: setting up uid map: Permission denied", UBUNTU, "AppArmor", "apparmor_parser"),
        ("bwrap: setting up uid map: Permission denied", HERE, "container", "seccomp=unconfined"),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", UBUNTU, "AppArmor", "apparmor_parser"),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", HERE, "container", "seccomp=unconfined"),
        (
            "bwrap: No permissions to create new namespace, likely because ...",
            Machine(namespaces_off=True),
            "user namespaces are off",
            "sysctl kernel.unprivileged_userns_clone=1",
        ),
        ("bwrap: No permissions to create new namespace", HERE, "container", "seccomp=unconfined"),
        (
            "bwrap: Creating new namespace failed: nesting depth or ... exceeded (ENOSPC)",
            Machine(no_namespaces=True),
            "max_user_namespaces",
            "sysctl user.max_user_namespaces",
        ),
        ("bwrap: Creating new namespace failed: nesting depth", HERE, "a sandbox already", "outside"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", HERE, "masks /proc", "systempaths"),
        ("bwrap: Unknown option --disable-userns", HERE, "too old", "apt install bubblewrap"),
        ("bwrap: execvp /usr/bin/setpriv: No such file or directory", HERE, "setpriv", "install util-linux"),
        ("bwrap: execvp /usr/bin/prlimit: No such file or directory", HERE, "prlimit", "install util-linux"),
        ("the sandbox starts, but did not isolate: tree: can be written", HERE, "doesn't hold", "report"),
        (
            "the sandbox starts, but did not isolate: readable: [Errno 13]",
            HERE,
            "closed to the sandbox's user",
            "umask",
        ),
        ("orefactor-landlock: [Errno 38] Function not implemented", HERE, "kernel", "bubblewrap"),
        ("something else", HERE, "unknown", "by hand"),
    ],
)
def test_each_complaint_has_a_cause_and_a_fix(error: str, machine: Machine, cause: str, fix: str) -> None:
    failure = diagnose("/usr/bin/bwrap", error, machine)
    assert cause in failure.cause
    assert fix in failure.fix
    assert (failure.tried, failure.error) == ("/usr/bin/bwrap", error)


def test_a_failure_is_one_line() -> None:
    failure = diagnose("/usr/bin/bwrap", "first\nsecond  third", HERE)
    assert failure.line == "/usr/bin/bwrap: first second third (unknown)"


def test_the_message_for_none_at_all_says_what_to_install() -> None:
    assert missing(Machine(installer="sudo dnf install")).fix == "`sudo dnf install bubblewrap`"


def test_this_machine_is_looked_at() -> None:
    assert this_machine().installer.startswith("sudo ")
