"""The few files of /etc that checks see: without them `getpass.getuser()` and the name `localhost` fail."""

from __future__ import annotations

from pathlib import Path


def write_etc(folder: Path, uid: int, gid: int) -> None:
    """Write passwd, group, hosts and nsswitch.conf for a sandbox whose user is `uid`."""
    own = uid != 0
    texts = {
        "passwd": "root:x:0:0:root:/:/bin/sh\n" + f"sandbox:x:{uid}:{gid}:sandbox:/tmp/home:/bin/sh\n" * own,
        "group": "root:x:0:\n" + f"sandbox:x:{gid}:\n" * own,
        "hosts": "127.0.0.1 localhost orefactor\n::1 localhost\n",
        "nsswitch.conf": "".join(f"{name}: files\n" for name in ("passwd", "group", "hosts", "services", "protocols")),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        file = folder / name
        file.write_text(text, encoding="ascii")
        file.chmod(0o644)
