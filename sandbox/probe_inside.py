"""The probe's attempts, run inside the sandbox as a program of their own: they import nothing of ours.

Each attempt returns what it found wrong, or an empty text. One JSON object, text by name, goes to stdout.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

Questions = dict[str, Any]


def secret(questions: Questions) -> str:
    """A file of the user's that isn't part of the tree."""
    return "can be read" if _opens(questions["secret"], os.O_RDONLY) else ""


def home(questions: Questions) -> str:
    """The user's home: its path may exist, with other content."""
    try:
        status = os.stat(questions["home"])
    except OSError:
        return ""
    return "is the user's own" if [status.st_dev, status.st_ino] == questions["home_identity"] else ""


def environment(questions: Questions) -> str:
    """Variables of ours in any process that can be seen, bwrap's own too."""
    for process in os.listdir("/proc"):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                names = {pair.partition(b"=")[0].decode() for pair in file.read().split(b"\0") if pair}
        except OSError:
            continue
        if foreign := names - set(questions["variables"]):
            return f"process {process} shows {', '.join(sorted(foreign))}"
    return ""


def readable(questions: Questions) -> str:
    """The tree is there and can be read."""
    try:
        os.listdir(questions["repository"])
        if questions["sample"]:
            os.close(os.open(questions["sample"], os.O_RDONLY))
    except OSError as error:
        return str(error)
    return ""


def tree(questions: Questions) -> str:
    """The tree and the environment can't be written."""
    for folder in questions["read_only"]:
        if _opens(f"{folder}/.orefactor-probe", os.O_WRONLY | os.O_CREAT):
            return f"`{folder}` can be written"
    if questions["sample"] and _opens(questions["sample"], os.O_WRONLY):
        return f"`{questions['sample']}` can be written"
    return ""


def git(questions: Questions) -> str:
    """No git directory, neither the tree's nor the repository's."""
    for path in questions["git"]:
        if os.path.isdir(path):
            return f"`{path}` is visible"
    return ""


def sysctl(questions: Questions) -> str:
    """The kernel's settings, which root may write even in a namespace without any right."""
    return "can be written" if _opens("/proc/sys/kernel/core_pattern", os.O_WRONLY) else ""


def tcp(questions: Questions) -> str:
    """A server on the host's loopback."""
    return _connects(socket.AF_INET, ("127.0.0.1", questions["port"]))


def abstract_socket(questions: Questions) -> str:
    """A socket without a file, which only the network namespace separates."""
    return _connects(socket.AF_UNIX, "\0" + questions["abstract"])


def vsock(questions: Questions) -> str:
    """The way to the hypervisor, which no namespace separates; the system call filter has to."""
    try:
        socket.socket(40, socket.SOCK_STREAM).close()
    except OSError:
        return ""
    return "can be made"


def privileges(questions: Questions) -> str:
    """No right, and no way to a new one."""
    with open("/proc/self/status") as file:
        status = dict(line.split(":", 1) for line in file)
    if status["NoNewPrivs"].strip() != "1":
        return "a setuid program would give new ones"
    return "" if int(status["CapEff"], 16) == 0 else f"holds {status['CapEff'].strip()}"


def tmp(questions: Questions) -> str:
    """A place to write, without which most checks fail."""
    file = "/tmp/.orefactor-probe"  # noqa: S108
    return "" if _opens(file, os.O_WRONLY | os.O_CREAT) else "can't be written"


ATTEMPTS: dict[str, Callable[[Questions], str]] = {
    "secret": secret,
    "home": home,
    "environment": environment,
    "readable": readable,
    "tree": tree,
    "git": git,
    "sysctl": sysctl,
    "tcp": tcp,
    "abstract socket": abstract_socket,
    "vsock": vsock,
    "privileges": privileges,
    "tmp": tmp,
}


def main(words: list[str]) -> None:
    """Make all attempts and print what each found wrong."""
    questions: Questions = json.loads(words[0])
    json.dump({name: attempt(questions) for name, attempt in ATTEMPTS.items()}, sys.stdout)


def _opens(path: str, flags: int) -> bool:
    try:
        os.close(os.open(path, flags, 0o600))
    except OSError:
        return False
    return True


def _connects(family: int, address: str | tuple[str, int]) -> str:
    with socket.socket(family) as connection:
        connection.settimeout(1)
        try:
            connection.connect(address)
        except OSError:
            return ""
    return "can be reached"


if __name__ == "__main__":
    main(sys.argv[1:])
