"""Tries to get out of the sandbox, with the command line that checks get, before a check is trusted to it.

The attempts run in the project's Python (`probe_inside.py`, given as text because nothing of ours is visible
inside); this side sets up what must not be reached and reads the answers.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .bwrap import Layout
from .probe_inside import ATTEMPTS
from .process import ProcessResult

INSIDE = Path(__file__).with_name("probe_inside.py")
SYSTEM_PYTHON = Path("/usr/bin/python3")
# Set by bwrap and by the C library's start-up, not by us.
HARMLESS = ("PWD", "LC_CTYPE")


@dataclass(frozen=True, slots=True)
class ProbeLine:
    """One assertion of the probe.

    Attributes:
        name: what it is about, a key of `probe_inside.ATTEMPTS`.
        ok: whether it holds.
        detail: what was found wrong; empty when it holds.
    """

    name: str
    ok: bool
    detail: str


class ProbeError(Exception):
    """The sandbox didn't get as far as answering; the text is what it said."""


def run_probe(
    run: Callable[[Sequence[str]], ProcessResult],
    layout: Layout,
    variables: Iterable[str],
    *,
    in_place: bool = False,
) -> tuple[ProbeLine, ...]:
    """Make all attempts.

    Args:
        run: runs a command as a check that may not write.
        layout: what `run` shows.
        variables: the names of the variables that checks get.
        in_place: whether the tree stands at its own path, where the command starts, and not at the repository's.

    Raises:
        ProbeError: the command didn't start or didn't answer.
    """
    python = layout.environment.python if layout.environment else SYSTEM_PYTHON
    with _traps(layout, "." if in_place else str(layout.repository)) as questions:
        questions["variables"] = [*variables, *HARMLESS]
        text = INSIDE.read_text(encoding="utf-8")
        result = run([str(python), "-I", "-S", "-B", "-c", text, json.dumps(questions)])
    try:
        answers: dict[str, str] = json.loads(result.stdout)
    except ValueError:
        said = result.stderr.decode(errors="replace").strip()
        raise ProbeError(said or f"no answer ({result.ended_by or result.returncode})") from None
    return tuple(ProbeLine(name, not answers[name], answers[name]) for name in ATTEMPTS)


@contextmanager
def _traps(layout: Layout, place: str) -> Generator[dict[str, Any]]:
    """A secret, a server on loopback and two sockets, while the block lasts; and where they are."""
    with ExitStack() as stack:
        secret = stack.enter_context(tempfile.NamedTemporaryFile(prefix="secret-", dir=layout.scratch))
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        name = f"orefactor-{secrets.token_hex(8)}"
        if sys.platform == "linux":
            unix = stack.enter_context(socket.socket(socket.AF_UNIX))
            unix.bind(f"\0{name}")
            unix.listen()
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="orefactor-"))
        place_of_socket = os.path.join(folder, "socket")
        with_file = stack.enter_context(socket.socket(socket.AF_UNIX))
        with contextlib.suppress(OSError):  # the temporary folder's path may be too long for a socket
            with_file.bind(place_of_socket)
            with_file.listen()
        home = Path.home()
        environment = layout.environment
        yield {
            "secret": secret.name,
            "home": str(home),
            "home_identity": [home.stat().st_dev, home.stat().st_ino] if home.exists() else [],
            "repository": place,
            "sample": _sample(layout, place),
            "read_only": [
                place,
                *([str(environment.prefix)] if environment and environment.prefix else []),
            ],
            "git": _git_folders(layout),
            "port": server.getsockname()[1],
            "abstract": name,
            "socket": place_of_socket,
        }


def _sample(layout: Layout, place: str) -> str:
    """A file of the tree, as it is named inside; empty where the top folder has none."""
    files = sorted(path for path in layout.tree.iterdir() if path.is_file() and not path.is_symlink())
    visible = [path.name for path in files if path.name != ".git"]
    return f"{place}/{visible[0]}" if visible else ""


def _git_folders(layout: Layout) -> list[str]:
    """The git directories that belong to the tree and to the repository."""
    folders = [str(layout.repository / ".git"), str(layout.tree / ".git")]
    pointer = layout.tree / ".git"
    if pointer.is_file():
        folders.append(pointer.read_text(errors="surrogateescape").partition(":")[2].strip())
    return folders
