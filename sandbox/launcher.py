"""The small program that starts one command and lets nothing of it outlive the run.

    python -I -S -B launcher.py LIFELINE STATUS LOCALE -- COMMAND...

It runs as a process of its own, because only a child subreaper sees the daemons of a command (double forks,
`setsid`), and making the caller one would mean sweeping children that aren't ours. It imports nothing of this
package and little else, as each check pays for the start.

LIFELINE is the reading end of a pipe whose other end only the caller has; its end of file says that the
caller gave up or was killed. STATUS takes a line, `exited WAIT-STATUS` or `failed ERRNO`. LOCALE is LC_CTYPE
as the command shall have it, or an empty word: the interpreter changes that in its environment (PEP 538).
"""

from __future__ import annotations

import ctypes
import os
import select
import sys
import time

# Numbers in place of the `signal` module: its enums cost 4 ms.
SIGKILL, SIGPIPE, SIGSTOP, SIGXFSZ = 9, 13, 19, 25
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
SECONDS_BETWEEN_REAPS = 0.5
IS_LINUX = sys.platform == "linux"


def main(words: list[str]) -> None:
    """Run the command to its end, or to the lifeline's, and leave none of its processes behind."""
    lifeline, status, locale, command = int(words[0]), int(words[1]), words[2], words[4:]
    for descriptor in (lifeline, status):
        os.set_inheritable(descriptor, False)
    if locale:
        os.environ["LC_CTYPE"] = locale
    else:
        os.environ.pop("LC_CTYPE", None)
    libc = ctypes.CDLL(None)
    if IS_LINUX:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    launcher = os.getpid()
    child = os.fork()
    if child == 0:
        become(command, status, launcher, libc)
    wait_status = watch(child, lifeline)
    end_descendants(child)
    if wait_status is not None:
        say(status, f"exited {wait_status}")


def become(command: list[str], status: int, launcher: int, libc: ctypes.CDLL) -> None:
    """In the child: turn into the command, in a session of its own. Never returns."""
    try:
        os.setsid()
        if IS_LINUX:
            libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
            if os.getppid() != launcher:
                os._exit(127)
        for number in (SIGPIPE, SIGXFSZ):
            libc.signal(number, None)  # the interpreter ignores both, and a command would inherit that
        os.execvp(command[0], command)  # noqa: S606
    except OSError as error:
        say(status, f"failed {error.errno}")
    finally:
        os._exit(127)


def watch(child: int, lifeline: int) -> int | None:
    """Wait for the command's end; returns its wait status, or None where the lifeline ended first."""
    poll = select.poll()
    poll.register(lifeline, select.POLLIN | select.POLLHUP)
    seconds = 0.02
    if IS_LINUX:
        seconds = SECONDS_BETWEEN_REAPS
        poll.register(os.pidfd_open(child), select.POLLIN)
    while True:
        events = poll.poll(seconds * 1000)
        wait_status = reap().get(child)
        if wait_status is not None or any(descriptor == lifeline for descriptor, _ in events):
            return wait_status


def end_descendants(child: int) -> None:
    """Kill and reap until there is no child: orphans of any depth become ours, so none is left."""
    while True:
        try:
            reap(raise_when_childless=True)
        except ChildProcessError:
            return
        if not IS_LINUX:
            deliver(-child, SIGKILL)
        for number in (SIGSTOP, SIGKILL):  # stopped first, or a fork bomb outruns the killing
            for process in descendants(os.getpid()):
                deliver(process, number)
        time.sleep(0.001)


def reap(*, raise_when_childless: bool = False) -> dict[int, int]:
    """Collect the children that have ended: wait status by process id.

    Raises:
        ChildProcessError: there is no child at all, where the caller asks to be told.
    """
    ended: dict[int, int] = {}
    try:
        while True:
            process, wait_status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                return ended
            ended[process] = wait_status
    except ChildProcessError:
        if raise_when_childless:
            raise
        return ended


def descendants(ancestor: int) -> list[int]:
    """All processes below `ancestor`, from one pass over /proc (not every kernel has `task/*/children`)."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if IS_LINUX else []:
        if name.isdecimal():
            children.setdefault(parent(name), []).append(int(name))
    found = list(children.get(ancestor, []))
    for process in found:
        found += children.get(process, [])
    return found


def parent(process: str) -> int:
    """The parent's process id; 0 when the process is gone."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            stat = file.read()
    except OSError:
        return 0
    return int(stat[stat.rindex(b")") + 2 :].split()[1])  # the name before it may hold anything, `)` too


def deliver(process: int, number: int) -> None:
    """Send a signal to a process (a group, when negative) that may be gone."""
    try:
        os.kill(process, number)
    except OSError:
        return


def say(status: int, line: str) -> None:
    """Tell the caller, who may be gone."""
    try:
        os.write(status, f"{line}\n".encode())
    except OSError:
        return


if __name__ == "__main__":
    main(sys.argv[1:])
    os._exit(0)  # nothing is left to tidy up, and that takes a millisecond
