"""The attacks of the escape suite, each with the honest neighbour that must still work.

Code runs in the tree with `os` and `sys` imported; names in braces are filled in by the test.
"""

from __future__ import annotations

from typing import NamedTuple

# Folders of the host that an attack might write to or read from; nothing there may know of us afterwards.
HOST = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/etc", "/usr", "/home", "/var", "/")


class Attack(NamedTuple):
    """What is tried, what the sandbox answers (a regular expression), and a name of `NEIGHBOURS`."""

    code: str
    said: str
    neighbour: str


NEIGHBOURS = {
    "tree": "import pkg; assert pkg.VALUE == 2 and open('a.py').read() == '' and os.listdir('pkg')",
    "writable tree": """
        import pathlib
        pathlib.Path('pkg/new.txt').write_text('x')
        pathlib.Path('a.py').write_text('changed')
        os.makedirs('deep/er'); os.symlink('a.py', 'link'); os.chmod('a.py', 0o700); os.rename('a.py', 'b.py')
        assert open('link-free' if os.path.exists('link-free') else 'b.py').read() == 'changed'
    """,
    "home": """
        import getpass, pathlib, tempfile
        (pathlib.Path.home() / 'x').write_text('x'); tempfile.mkdtemp(); assert getpass.getuser()
        with tempfile.TemporaryFile() as file: file.write(b'x')
    """,
    "environment": "assert sys.prefix == {prefix!r} and os.environ['HOME'] and 'CI' in os.environ",
    "network": """
        import socket
        for family, address in ((socket.AF_INET, ('localhost', 0)), (socket.AF_UNIX, '/tmp/socket')):
            with socket.socket(family) as server:
                server.bind(address); server.listen()
                with socket.socket(family) as client:
                    client.settimeout(5); client.connect(server.getsockname())
                    server.accept()[0].send(b'hello'); assert client.recv(9) == b'hello'
        socket.socketpair()
    """,
    "processes": """
        import multiprocessing, subprocess, threading
        with multiprocessing.get_context('fork').Pool(2) as pool:
            assert pool.map(abs, [-3]) == [3] and multiprocessing.Lock()
        assert subprocess.run(['sh', '-c', 'echo $((1 + 1))'], capture_output=True).stdout == b'2\\n'
        thread = threading.Thread(target=print); thread.start(); thread.join()
        child = os.fork()
        if child == 0: os._exit(3)
        os.kill(os.getpid(), 0); assert os.waitpid(child, 0)[1] == 3 << 8
    """,
    "files": """
        os.mkfifo('/tmp/pipe'); os.link('/tmp/pipe', '/tmp/other')
        assert os.stat('/dev/null') and len(os.urandom(3)) == 3 and open('/proc/self/status').read()
    """,
}

ATTACKS: dict[str, Attack] = {
    "read the home": Attack("print(open('{home}/secret').read())", "No such file", "home"),
    "list the home": Attack("print(sorted(os.listdir('{home}')))", r"\['répo with space'\]", "home"),
    "read the home by another name": Attack(
        "for path in ('/proc/1/root{home}/secret', '/proc/self/cwd/../secret', '/oldroot{home}/secret',"
        " '/newroot{home}/secret', '/proc/self/root/..{home}/secret'):\n"
        "    try: print('READ', open(path).read())\n"
        "    except OSError: pass\nprint('done')",
        "^done$", "home",
    ),
    "read an ignored file": Attack("print(open('.env').read())", "No such file", "tree"),
    "read the git pointer": Attack("print(open('.git').read())", "No such file|^$", "tree"),
    "read the git directory": Attack("print(os.listdir('{git}'))", "No such file", "tree"),
    "look around in the git directory": Attack(
        "print(os.path.exists('{git}'), os.path.exists('{repository}/.git/worktrees'))", "False False", "tree",
    ),
    "read the environment of every process": Attack(
        "import glob\nfor path in glob.glob('/proc/*/environ'):\n"
        "    try: print(path, open(path, 'rb').read())\n"
        "    except OSError as error: print(path, error)",
        "/proc/1/environ", "environment",
    ),
    "read the command line of every process": Attack(
        "import glob\nfor path in glob.glob('/proc/*/cmdline'): print(open(path, 'rb').read())", "bwrap", "processes",
    ),
    "read the memory of the first process": Attack(
        "open('/proc/1/mem', 'rb').read(1); open('/proc/1/maps').read()", "Permission|Input/output", "processes",
    ),
    "see the host's processes": Attack(
        "print(len([p for p in os.listdir('/proc') if p.isdigit()]) < 6)", "True", "processes",
    ),
    "read the kernel's secrets": Attack(
        "for path in ('/proc/kcore', '/proc/kmsg', '/proc/keys', '/proc/sysvipc/shm', '/sys/kernel', '/dev/mem'):\n"
        "    try: print('READ', path, len(open(path, 'rb').read(64)))\n"
        "    except OSError: pass\nprint('done')",
        "^(READ /proc/(keys|sysvipc/shm) \\d+\n)*done$", "files",
    ),
    "write the tree": Attack("open('pkg/__init__.py', 'a')", "Read-only|Permission", "tree"),
    "make a file in the tree": Attack("open('pkg/new', 'w')", "Read-only|Permission", "tree"),
    "exchange the tree": Attack("os.rename('pkg', 'gone')", "Read-only|busy|Permission|cross-device", "tree"),
    "change a mode in the tree": Attack("os.chmod('a.py', 0o777)", "Read-only|not permitted", "tree"),
    "change times in the tree": Attack("os.utime('a.py', (0, 0))", "Read-only|not permitted", "tree"),
    "mount over the tree": Attack(
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.mount(b'tmpfs', os.getcwd().encode(), b'tmpfs', 0, None), ctypes.get_errno())",
        r"^-1 (1|38)$", "tree",
    ),
    "remount the tree": Attack(
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.mount(None, b'/', None, 32 | 4096, None), ctypes.get_errno())", r"^-1 (1|38)$", "tree",
    ),
    "make the git directory": Attack("open('.git', 'w')", "Read-only|Permission|denied", "tree"),
    "customize the environment": Attack(
        "open('{prefix}/sitecustomize.py', 'w')", "Read-only|Permission", "environment",
    ),
    "exchange the interpreter": Attack("os.unlink('{prefix}/bin/python')", "Read-only|Permission", "environment"),
    "write elsewhere": Attack(
        "for folder in {host}:\n"
        "    try: os.close(os.open(folder + '/orefactor-escape', os.O_WRONLY | os.O_CREAT)); print('WROTE', folder)\n"
        "    except OSError: pass",
        "^(WROTE (/tmp|/dev/shm)\n?)*$", "home",
    ),
    "write a sysctl": Attack("open('/proc/sys/kernel/core_pattern', 'w')", "Read-only|Permission", "files"),
    "press a key of the kernel": Attack(
        "open('/proc/sysrq-trigger', 'w').write('h')", "Read-only|Permission|No such", "files",
    ),
    "connect to the host's loopback": Attack(
        "import socket; socket.create_connection(('127.0.0.1', {port}), 2)", "refused", "network",
    ),
    "connect to the Internet": Attack(
        "import socket; socket.create_connection(('192.0.2.1', 53), 2)", "unreachable", "network",
    ),
    "ask for a name": Attack("import socket; socket.gethostbyname('example.com')", "gaierror", "network"),
    "send without a connection": Attack(
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
        "unreachable", "network",
    ),
    "connect to an abstract socket": Attack(
        "import socket; socket.socket(socket.AF_UNIX).connect('\\0{abstract}')", "refused", "network",
    ),
    "connect to a socket in /tmp": Attack(
        "import socket; socket.socket(socket.AF_UNIX).connect('{socket}')", "No such file", "network",
    ),
    "connect to docker, the bus or an agent": Attack(
        "places = ('/var/run/docker.sock', '/run/docker.sock', '/run/user', '/run/dbus', '/run/systemd')\n"
        "print([p for p in places if os.path.exists(p)], [n for n in os.environ if 'SOCK' in n or 'DBUS' in n])",
        r"^\[\] \[\]$", "network",
    ),
    "reach the hypervisor": Attack("import socket; socket.socket(40, 1)", "not supported", "network"),
    "use a raw socket": Attack(
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)", "not permitted", "network",
    ),
    "use a packet socket": Attack(
        "import socket; socket.socket(17, socket.SOCK_RAW, 0)", "not (supported|permitted)", "network",
    ),
    "configure the network": Attack(
        "import subprocess; print(subprocess.run(['ip', 'link', 'add', 'x', 'type', 'dummy'], capture_output=True)"
        ".returncode if os.path.exists('/usr/bin/ip') else 2)", "^[12]$|No such file", "network",
    ),
    "signal everything": Attack(
        "import signal\ntry: os.kill(-1, signal.SIGCONT)\nexcept OSError as error: print(error)\n"
        "print(os.getppid() < 9)",
        "True", "processes",
    ),
    "end the processes around": Attack(
        "for process in (1, os.getppid(), {process}):\n"
        "    try: os.kill(process, 0 if process == 1 else 9); print('hit', process)\n"
        "    except OSError: pass\nprint('alive')",
        "^(hit 1\n)*alive$|^$", "processes",
    ),
    "trace a process": Attack(
        "import ctypes; libc = ctypes.CDLL(None, use_errno=True); print(libc.ptrace(16, {process}, 0, 0))", "^-1$",
        "processes",
    ),
    "push input to a terminal": Attack(
        "import fcntl\nfor number in (0x5412, 0x541c, 0x5412 | 1 << 32):\n"
        "    try: fcntl.ioctl(0, number & 0xffffffff, b'x'); print('PUSHED')\n"
        "    except OSError as error: print(error)\nopen('/dev/tty')",
        "(?s)not permitted.*not permitted.*No such", "processes",
    ),
    "make a device": Attack(
        "os.mkfifo('/tmp/f'); os.mknod('/tmp/d', 0o60600, os.makedev(254, 0))", "not permitted", "files",
    ),
    "become root by a setuid program": Attack(
        "import subprocess, stat\n"
        "done = subprocess.run(['/usr/bin/su', '-c', 'id -u'], stdin=subprocess.DEVNULL, capture_output=True)\n"
        "status = open('/proc/self/status').read().split()\n"
        "print(done.returncode != 0, status[status.index('NoNewPrivs:') + 1], status[status.index('CapEff:') + 1])",
        "^True 1 0{16}$", "processes",
    ),
    "become another user": Attack("os.setuid(0)", "not permitted|Invalid", "processes"),
    "make namespaces": Attack(
        "import subprocess; print(subprocess.run(['unshare', '-Urm', 'true'], capture_output=True).stderr)",
        "not permitted|failed", "processes",
    ),
    "enter namespaces": Attack(
        "import subprocess; print(subprocess.run(['nsenter', '-t', '1', '-m', 'true'], capture_output=True).stderr)",
        "not permitted|Permission|failed", "processes",
    ),
    "run before others": Attack(
        "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(9))", "not permitted", "processes",
    ),
    "use an inherited descriptor": Attack(
        "print([n for n in map(int, os.listdir('/proc/self/fd')) if n > 3])", r"^\[\]$", "processes",
    ),
    "lead the environment's mount elsewhere": Attack("print(os.path.realpath('{prefix}'))", "{prefix}", "environment"),
}  # fmt: skip
WRITING: dict[str, Attack] = {
    "read a secret": Attack(
        "print(open('{home}/secret').read(), open('.env').read())", "No such file", "writable tree",
    ),
    "read git": Attack("print(os.listdir('{git}'))", "No such file", "writable tree"),
    "make a repository whose hooks run later": Attack(
        "os.makedirs('.git/hooks'); open('.git/hooks/pre-commit', 'w').write('x')", "", "writable tree",
    ),
    "link out of the tree": Attack(
        "os.symlink('{home}/secret', 'out'); print(open('out').read())", "No such file", "writable tree",
    ),
    "write through a link": Attack(
        "os.symlink('{home}', 'out'); open('out/written', 'w')", "Read-only|No such|denied|^$", "writable tree",
    ),
    "write the environment": Attack("open('{prefix}/x.py', 'w')", "Read-only|Permission", "writable tree"),
    "exchange the environment": Attack(
        "os.rename('.venv', 'gone')", "Read-only|busy|Permission|cross", "writable tree",
    ),
    "leave closed and odd names": Attack(
        "os.makedirs(b'\\xff/\\n/-rf'); os.chmod(b'\\xff/\\n', 0); os.mkfifo('f')\n"
        "for _ in range(1500): os.mkdir('d'); os.chdir('d')", "", "writable tree",
    ),
    "keep a file for the next check": Attack("open('a.py', 'w').write('kept'); open('kept', 'w')", "", "writable tree"),
}  # fmt: skip

# What the filter forbids, by its numbers on x86-64, with harmless arguments where they would do something.
CALLS = {
    "add_key": 248, "request_key": 249, "keyctl": 250, "io_uring_setup": 425, "io_uring_enter": 426, "bpf": 321,
    "perf_event_open": 298, "userfaultfd": 323, "process_vm_readv": 310, "process_vm_writev": 311, "mount": 165,
    "umount2": 166, "pivot_root": 155, "chroot": 161, "setns": 308, "unshare (user)": 272, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "mount_setattr": 442, "kexec_load": 246, "init_module": 175, "swapon": 167,
    "reboot": 169, "settimeofday": 164, "acct": 163, "quotactl": 179, "syslog": 103, "open_by_handle_at": 304,
    "name_to_handle_at": 303, "lookup_dcookie": 212, "kcmp": 312, "x32 socket": 0x40000000 + 41,
}  # fmt: skip
CALLING = """
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
arguments = [0x10000000] + [0] * 5 if sys.argv[1] == "272" else [-1 & 0xffffffff] * 2 + [0] * 4
print(libc.syscall(int(sys.argv[1]), *map(ctypes.c_ulong, arguments)), ctypes.get_errno())
"""
