"""The probe's attempts, run inside the sandbox as a program of their own: they import nothing of ours.

Each attempt returns what it found wrong, or an empty text. One JSON object, text by name, goes to stdout.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

Questions = dict[str, Any]
PR_GET_NO_NEW_PRIVS, CAPABILITY_VERSION_3, CLONE_NEWUSER = 39, 0x2008_0522, 0x1000_0000


def secret(questions: Questions) -> str:
    """A file of the user's that isn't part of the tree."""
    return "can be read" if _opens(questions["secret"], os.O_RDONLY) else ""


def home(questions: Questions) -> str:
    """The user's home: its path may exist, with other content, or closed."""
    try:
        status = os.stat(questions["home"])
        os.listdir(questions["home"])
    except OSError:
        return ""
    return "is the user's own" if [status.st_dev, status.st_ino] == questions["home_identity"] else ""


def environment(questions: Questions) -> str:
    """Variables of ours in any process that can be seen, bwrap's own too."""
    found = {"self": set(os.environ)}
    try:
        processes = os.listdir("/proc")
    except OSError:
        processes = []
    for process in processes:
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                found[process] = {pair.partition(b"=")[0].decode() for pair in file.read().split(b"\0") if pair}
        except OSError:
            continue
    for process, names in found.items():
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
        try:
            os.listdir(path)
        except OSError:
            continue
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


def unix_socket(questions: Questions) -> str:
    """A socket with a file, such as a container engine's or a key agent's."""
    return _connects(socket.AF_UNIX, questions["socket"])


def vsock(questions: Questions) -> str:
    """The way to the hypervisor, which no namespace separates; the system call filter has to."""
    try:
        socket.socket(40, socket.SOCK_STREAM).close()
    except OSError:
        return ""
    return "can be made"


def privileges(questions: Questions) -> str:
    """No right, and no way to a new one; asked by calls, since /proc may be closed."""
    if sys.platform != "linux":
        return ""
    libc = ctypes.CDLL(None)
    if libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1:
        return "a setuid program would give new ones"
    held = (ctypes.c_uint32 * 6)()
    if libc.capget((ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0), held) != 0:
        return "can't be told"
    return f"holds {held[3]:08x}{held[0]:08x}" if held[0] or held[3] else ""


def namespaces(questions: Questions) -> str:
    """A user namespace gives rights over the kernel that no check needs; tried in a child, which it would change."""
    unshare = getattr(ctypes.CDLL(None), "unshare", None)
    if unshare is None:
        return ""
    child = os.fork()
    if child == 0:
        os._exit(0 if unshare(CLONE_NEWUSER) == 0 else 1)
    return "can be made" if os.waitpid(child, 0)[1] == 0 else ""


def tmp(questions: Questions) -> str:
    """A place to write, without which most checks fail."""
    file = os.path.join(os.environ.get("TMPDIR", "/tmp"), ".orefactor-probe")  # noqa: S108
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
    "unix socket": unix_socket,
    "vsock": vsock,
    "privileges": privileges,
    "namespaces": namespaces,
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
    try:
        with socket.socket(family) as connection:
            connection.settimeout(1)
            connection.connect(address)
    except OSError:
        return ""
    return "can be reached"


if __name__ == "__main__":
    main(sys.argv[1:])
