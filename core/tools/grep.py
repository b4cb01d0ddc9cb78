"""`grep`: searches the tree with git's own grep."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root
from orefactor.sandbox.grep import Match, search

from ..code.text import decode, shown
from ..errors import ToolError
from ..result_limits import RESULT_LIMIT
from .base import Arguments, Tool, Workspace
from .paging import cut_text, fitting_lines, note

_SECONDS = 10.0
_PATTERN_LIMIT = 4000
"""Bytes; the system limits what one argument of a program may hold."""
_LINE_LIMIT = 300
"""Bytes shown of one matching line; minified files have lines of megabytes."""


class Grep(Arguments):
    """Search by regular expression, in *.py unless glob is given."""

    pattern: str
    path: str = "."
    glob: str = "*.py"


def run(arguments: Grep, workspace: Workspace) -> str:
    """Matches as `path:line:text`, as many as fit."""
    path = workspace.root.normalize(arguments.path)
    if not _is_searchable(arguments.pattern) or not _is_searchable(arguments.glob):
        raise ToolError(f"give a pattern and a glob of one line of text, at most {_PATTERN_LIMIT} bytes each")
    if workspace.root.kind(path) in ("missing", "other"):
        # Reading it words the refusal, near names included.
        workspace.root.read(path)
    found = search(
        workspace.root.path,
        arguments.pattern,
        [_pathspec(workspace.root, path, arguments.glob)],
        seconds=_SECONDS,
        skip_ignored=workspace.skip_ignored,
        cancelled=workspace.cancelled,
    )
    if not found.matches:
        return note(f"no match in {_where(path, arguments.glob)}; a wider glob such as '*' searches other files")
    return _render(found.matches, found.complete)


def _is_searchable(text: str) -> bool:
    """Whether git can be asked for it; what a model sends may hold line breaks, NUL or halves of characters."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return False
    return 0 < size <= _PATTERN_LIMIT and "\n" not in text and "\0" not in text


def _pathspec(root: Root, path: str, glob: str) -> str:
    if root.kind(path) == "file":
        return f":(literal){path}"
    if glob.startswith("/") or ".." in PurePosixPath(glob).parts:
        raise ToolError("the glob is relative to the path, such as '*.py' or 'tests/*.toml'")
    folder = "" if path == "." else re.sub(r"([*?\[\]\\])", r"\\\1", path) + "/"
    return f":(glob){folder}**/{glob}"


def _where(path: str, glob: str) -> str:
    return f"`{glob}` files of the tree" if path == "." else f"`{path}` ({glob})"


def _render(matches: tuple[Match, ...], complete: bool) -> str:
    lines = [f"{match.path}:{match.line}:{cut_text(match.text, _LINE_LIMIT)}\n" for match in matches]
    size = sum(len(line.encode("utf-8", "surrogatepass")) for line in lines)
    if complete and size <= RESULT_LIMIT:
        return "".join(lines).rstrip("\n")
    count = fitting_lines(lines, RESULT_LIMIT)
    total = f"{len(matches)}" if complete else f"more than {len(matches)}"
    return "".join(lines[:count]) + note(f"{count} of {total} matches shown; narrow the pattern, the path or the glob")


def files_with_text(root: Root, text: str) -> list[str]:
    """Files below the root that hold `text` exactly (line ends folded); at most a few, for a hint."""
    longest = max(text.splitlines(), key=len, default="")
    if not longest.strip() or not _is_searchable(longest):
        return []
    try:
        found = search(root.path, longest, [":(glob)**/*"], kind="fixed", seconds=2.0)
    except Refused:
        return []
    names = list(dict.fromkeys(match.path for match in found.matches))[:20]
    return [name for name in names if _holds(root, name, text)]


def _holds(root: Root, name: str, text: str) -> bool:
    try:
        return text in shown(decode(root.read(name).data, name).text)
    except Refused:
        return False


TOOL = Tool("grep", "observe", Grep, run)
