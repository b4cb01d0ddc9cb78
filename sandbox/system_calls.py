"""Which system calls checks may not make, and their numbers on each machine. Data only; `seccomp.py` reads it.

What reaches other processes, keys, the kernel's own tables, mounts, or the host. EPERM where a caller should hear no;
ENOSYS where libraries ask first and have another way (clone3, io_uring).
"""

from __future__ import annotations

from typing import NamedTuple


class Numbers(NamedTuple):
    """A system call's number on each machine; None where it doesn't exist."""

    x86_64: int | None
    aarch64: int | None


AUDIT_ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

NOT_PERMITTED = {
    "ptrace": Numbers(101, 117),
    "process_vm_readv": Numbers(310, 270),
    "process_vm_writev": Numbers(311, 271),
    "kcmp": Numbers(312, 272),
    "pidfd_getfd": Numbers(438, 438),
    "add_key": Numbers(248, 217),
    "request_key": Numbers(249, 218),
    "keyctl": Numbers(250, 219),
    "bpf": Numbers(321, 280),
    "perf_event_open": Numbers(298, 241),
    "userfaultfd": Numbers(323, 282),
    "mount": Numbers(165, 40),
    "umount2": Numbers(166, 39),
    "pivot_root": Numbers(155, 41),
    "chroot": Numbers(161, 51),
    "unshare": Numbers(272, 97),
    "setns": Numbers(308, 268),
    "open_by_handle_at": Numbers(304, 265),
    "name_to_handle_at": Numbers(303, 264),
    "init_module": Numbers(175, 105),
    "finit_module": Numbers(313, 273),
    "delete_module": Numbers(176, 106),
    "kexec_load": Numbers(246, 104),
    "kexec_file_load": Numbers(320, 294),
    "acct": Numbers(163, 89),
    "quotactl": Numbers(179, 60),
    "quotactl_fd": Numbers(443, 443),
    "syslog": Numbers(103, 116),
    "swapon": Numbers(167, 224),
    "swapoff": Numbers(168, 225),
    "reboot": Numbers(169, 142),
    "settimeofday": Numbers(164, 170),
    "clock_settime": Numbers(227, 112),
    "clock_adjtime": Numbers(305, 266),
    "adjtimex": Numbers(159, 171),
    "sethostname": Numbers(170, 161),
    "setdomainname": Numbers(171, 162),
    "iopl": Numbers(172, None),
    "ioperm": Numbers(173, None),
    "modify_ldt": Numbers(154, None),
    "uselib": Numbers(134, None),
    "_sysctl": Numbers(156, None),
    "lookup_dcookie": Numbers(212, 18),
    "vhangup": Numbers(153, 58),
    "fanotify_init": Numbers(300, 262),
    "mbind": Numbers(237, 235),
    "migrate_pages": Numbers(256, 238),
    "move_pages": Numbers(279, 239),
    "set_mempolicy": Numbers(238, 237),
}

NOT_THERE = {
    "clone3": Numbers(435, 435),
    "io_uring_setup": Numbers(425, 425),
    "io_uring_enter": Numbers(426, 426),
    "io_uring_register": Numbers(427, 427),
    "open_tree": Numbers(428, 428),
    "move_mount": Numbers(429, 429),
    "fsopen": Numbers(430, 430),
    "fsconfig": Numbers(431, 431),
    "fsmount": Numbers(432, 432),
    "fspick": Numbers(433, 433),
    "mount_setattr": Numbers(442, 442),
    "memfd_secret": Numbers(447, 447),
    "open_tree_attr": Numbers(467, 467),
}

# Where no mount or network namespace stands between a check and the host: what Landlock doesn't hold. Modes, owners and
# attributes are changed by path or descriptor without any right to write, also of files that can't be opened; System V
# and POSIX message objects belong to the whole host.
CONFINED_NOT_PERMITTED = {
    "chmod": Numbers(90, None),
    "fchmod": Numbers(91, 52),
    "fchmodat": Numbers(268, 53),
    "fchmodat2": Numbers(452, 452),
    "chown": Numbers(92, None),
    "fchown": Numbers(93, 55),
    "lchown": Numbers(94, None),
    "fchownat": Numbers(260, 54),
    "setxattr": Numbers(188, 5),
    "lsetxattr": Numbers(189, 6),
    "fsetxattr": Numbers(190, 7),
    "setxattrat": Numbers(463, 463),
    "removexattr": Numbers(197, 14),
    "lremovexattr": Numbers(198, 15),
    "fremovexattr": Numbers(199, 16),
    "removexattrat": Numbers(466, 466),
    "file_setattr": Numbers(469, 469),
    "shmget": Numbers(29, 194),
    "shmat": Numbers(30, 196),
    "shmctl": Numbers(31, 195),
    "semget": Numbers(64, 190),
    "semop": Numbers(65, 193),
    "semctl": Numbers(66, 191),
    "semtimedop": Numbers(220, 192),
    "msgget": Numbers(68, 186),
    "msgsnd": Numbers(69, 189),
    "msgrcv": Numbers(70, 188),
    "msgctl": Numbers(71, 187),
    "mq_open": Numbers(240, 180),
    "mq_unlink": Numbers(241, 181),
    "socket": Numbers(41, 198),
}

# Denied by their arguments.
CLONE = Numbers(56, 220)
IOCTL = Numbers(16, 29)
PERSONALITY = Numbers(135, 92)
SOCKET = Numbers(41, 198)
SOCKETPAIR = Numbers(53, 199)
PRLIMIT = Numbers(302, 261)
