"""Complaints and their causes."""

from __future__ import annotations

import pytest

from orefactor.sandbox.diagnosis import MISSING, diagnose


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        ("bwrap: setting up uid map: Permission denied", "AppArmor"),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "AppArmor"),
        ("bwrap: No permissions to create new namespace, likely because ...", "user namespaces are off"),
        (
            "bwrap: Creating new namespace failed: nesting depth or ... exceeded (ENOSPC)",
            "max_user_namespaces",
        ),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "masks /proc"),
        ("bwrap: Unknown option --disable-userns", "too old"),
        ("bwrap: execvp /usr/bin/setpriv: No such file or directory", "setpriv"),
        ("bwrap: execvp /usr/bin/prlimit: No such file or directory", "prlimit"),
        ("the sandbox starts, but did not isolate: tree: can be written", "doesn't hold"),
        ("the sandbox starts, but did not isolate: readable: [Errno 13]", "closed to the sandbox's user"),
        ("something else", "unknown"),
    ],
)
def test_each_complaint_has_a_cause_and_a_fix(error: str, cause: str) -> None:
    failure = diagnose("/usr/bin/bwrap", error)
    assert cause in failure.cause
    assert failure.fix
    assert (failure.tried, failure.error) == ("/usr/bin/bwrap", error)


def test_the_message_for_none_at_all_says_what_to_install() -> None:
    assert "install bubblewrap" in MISSING.fix
