"""`read_file`: a file's text, without line numbers, so that any part can be copied into an edit."""

from __future__ import annotations

from ..code.text import decode, shown
from ..errors import ToolError
from ..result_limits import LONG_RESULT_LIMIT, RESULT_LIMIT
from .base import Arguments, Tool, Workspace
from .paging import cut_text, fitting_lines, note


class ReadFile(Arguments):
    """Read a file's exact text; of a long file give lines."""

    path: str
    start_line: int | None = None
    end_line: int | None = None


def run(arguments: ReadFile, workspace: Workspace) -> str:
    """The text from `start_line` to `end_line` (1-based, inclusive), as much of it as fits."""
    path = workspace.root.normalize(arguments.path)
    text = shown(decode(workspace.root.read(path).data, path).text)
    workspace.mark_seen(path)
    lines = _split(text)
    if not lines:
        return note("the file is empty")
    first, last = _range(arguments, len(lines))
    limit = RESULT_LIMIT if arguments.start_line is None and arguments.end_line is None else LONG_RESULT_LIMIT
    return _excerpt(lines, first, last, limit)


def _split(text: str) -> list[str]:
    # Not `splitlines`: form feeds and Unicode separators end no line for grep, checks and editors.
    *whole, last = text.split("\n")
    return [line + "\n" for line in whole] + ([last] if last else [])


def _range(arguments: ReadFile, count: int) -> tuple[int, int]:
    first = 1 if arguments.start_line is None else arguments.start_line
    last = count if arguments.end_line is None else min(arguments.end_line, count)
    if first < 1 or first > count or last < first:
        raise ToolError(f"the file has lines 1 to {count}; ask for lines in that range")
    return first, last


def _excerpt(lines: list[str], first: int, last: int, limit: int) -> str:
    wanted = lines[first - 1 : last]
    if sum(len(line.encode("utf-8", "surrogatepass")) for line in wanted) <= limit:
        return "".join(wanted)
    count = fitting_lines(wanted, limit)
    if count == 0:
        start = cut_text(wanted[0], limit - 200)
        rest = f"; go on with start_line={first + 1}" if first < len(lines) else ""
        return f"{start}\n{note(f'line {first} of {len(lines)} is longer than an answer can be and was cut{rest}')}"
    until = first + count - 1
    return "".join(wanted[:count]) + note(
        f"lines {first}-{until} of {len(lines)} shown; go on with start_line={until + 1}"
    )


TOOL = Tool("read_file", "observe", ReadFile, run, result_limit=LONG_RESULT_LIMIT)
