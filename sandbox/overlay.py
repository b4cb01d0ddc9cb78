"""The small program that starts bubblewrap beside a writable view of the tree, whose changes live in memory.

    python -I -S -B overlay.py STAGE SIZE OWNER LAYER... -- COMMAND...

STAGE is an empty folder; the command finds the view at STAGE/tree, nobody else sees it, and it is gone with the
command's last process. SIZE caps in bytes what is written there. OWNER is the user and group that may write. The
first LAYER lies on top. The command's environment is empty.

An ordinary user needs a user namespace for that. Root must not make one (see `bwrap.py`): there the layers' files,
which are root's, are mapped to OWNER by the mount, so that none has to be given away. bubblewrap itself can do
this from 0.11 on, but without a cap and not for root.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

# Numbers in place of modules: each check that writes pays for their import.
SIGKILL, SIGPIPE, SIGXFSZ, PR_SET_PDEATHSIG = 9, 13, 25, 1
CLONE_NEWNS, CLONE_NEWUSER = 0x0002_0000, 0x1000_0000
MS_NOSUID, MS_NODEV, MS_REC, MS_PRIVATE = 0x2, 0x4, 0x4000, 0x4_0000
# The same on every machine, as all system calls since 5.2 are.
SYS_OPEN_TREE, SYS_MOVE_MOUNT, SYS_MOUNT_SETATTR = 428, 429, 442
AT_FDCWD, AT_EMPTY_PATH, OPEN_TREE_CLONE, OPEN_TREE_CLOEXEC = -100, 0x1000, 0x1, 0x8_0000
MOUNT_ATTR_IDMAP, MOVE_MOUNT_F_EMPTY_PATH = 0x10_0000, 0x4
ROOT = 0

libc = ctypes.CDLL(None, use_errno=True)


def main(words: list[str]) -> None:
    """Prepare the view and become the command. Never returns."""
    split = words.index("--")
    stage, size, owner, *layers = words[:split]
    parent = os.getppid()
    try:
        prepare(stage, int(size), int(owner), layers)
        become(words[split + 1 :], parent)
    except OSError as error:
        sys.exit(f"orefactor-overlay: {error}")


def prepare(stage: str, size: int, owner: int, layers: list[str]) -> None:
    """Mount the view, in a mount namespace of our own."""
    if os.geteuid() == ROOT:
        check("unshare", libc.unshare(CLONE_NEWNS))
    else:
        user, group = os.geteuid(), os.getegid()
        check("unshare", libc.unshare(CLONE_NEWNS | CLONE_NEWUSER))
        write("/proc/self/setgroups", "deny")
        write_maps("self", f"{user} {user} 1", f"{group} {group} 1")
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    opened = [os.open(layer, os.O_PATH | os.O_DIRECTORY) for layer in layers]
    mount("tmpfs", stage, "tmpfs", MS_NOSUID | MS_NODEV, f"size={size},mode=0755")
    for name in ("upper", "work", "tree"):
        os.mkdir(f"{stage}/{name}")
    # Named by descriptor: a path with a comma or a colon would have to be escaped.
    lower, extra = [f"/proc/self/fd/{descriptor}" for descriptor in opened], ",userxattr"
    if os.geteuid() == ROOT:
        os.chown(f"{stage}/upper", owner, owner)
        lower, extra = map_layers(lower, stage, owner), ""
    os.chdir(stage)  # and for the same reason these are named from there
    options = f"lowerdir={':'.join(lower)},upperdir=upper,workdir=work{extra}"
    mount("overlay", "tree", "overlay", MS_NOSUID | MS_NODEV, options)
    os.chdir("/")


def map_layers(layers: list[str], stage: str, owner: int) -> list[str]:
    """Mount each layer once more with root's files shown as the owner's; returns where."""
    namespace = owner_namespace(owner)
    mapped: list[str] = []
    for number, layer in enumerate(layers):
        place = f"{stage}/layer{number}"
        os.mkdir(place)
        flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC
        tree = check("open_tree", libc.syscall(SYS_OPEN_TREE, AT_FDCWD, os.fsencode(layer), flags))
        attributes = struct.pack("<QQQQ", MOUNT_ATTR_IDMAP, 0, 0, namespace)
        size = ctypes.c_size_t(len(attributes))
        check("mount_setattr", libc.syscall(SYS_MOUNT_SETATTR, tree, b"", AT_EMPTY_PATH, attributes, size))
        target = os.fsencode(place)
        check("move_mount", libc.syscall(SYS_MOVE_MOUNT, tree, b"", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH))
        mapped.append(f"layer{number}")
    return mapped


def owner_namespace(owner: int) -> int:
    """A descriptor of a user namespace in which root's number means the owner; nothing ever runs in it."""
    made, done = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        code = libc.unshare(CLONE_NEWUSER)
        os.write(made[1], b"x")
        os.read(done[0], 1)
        os._exit(abs(code))
    try:
        os.read(made[0], 1)
        write_maps(str(child), f"0 {owner} 1", f"0 {owner} 1")
        return os.open(f"/proc/{child}/ns/user", os.O_RDONLY)
    finally:
        os.write(done[1], b"x")
        os.waitpid(child, 0)


def write_maps(process: str, users: str, groups: str) -> None:
    """Say which numbers of users and groups a process's user namespace knows."""
    write(f"/proc/{process}/uid_map", users)
    write(f"/proc/{process}/gid_map", groups)


def write(path: str, text: str) -> None:
    """Write a file of the kernel's, which wants one write."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Mount something; None where the kind of mount takes no such word."""
    words = [os.fsencode(word) if word is not None else None for word in (source, target, kind)]
    check(f"mount {target}", libc.mount(*words, ctypes.c_ulong(flags), os.fsencode(options)))


def check(what: str, returned: int) -> int:
    """The value of a call.

    Raises:
        OSError: it failed.
    """
    if returned < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return returned


def become(command: list[str], parent: int) -> None:
    """Turn into the command, which must not outlive the launcher: changing namespaces has undone that."""
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(127)
    for number in (SIGPIPE, SIGXFSZ):
        libc.signal(number, None)  # the interpreter ignores both, and a command would inherit that
    os.execve(command[0], command, {})  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1:])
