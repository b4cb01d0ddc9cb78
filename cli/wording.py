"""Words for events, shared by the progress view and `show`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

_VERBS = {
    "read_file": "read",
    "list_dir": "list",
    "grep": "grep",
    "ast_outline": "outline",
    "codebase_context": "look around",
    "find_references": "find references of",
    "skill_section": "look up the rule",
    "edit_file": "edit",
    "write_file": "write",
    "delete_file": "delete",
    "move_file": "move",
    "run_check": "check",
}
_CHECK = "check_"
"""What the tools of a review begin with that run one check each."""
_LONGEST = 60
# GitHub's runner skips white space, and compares so that characters without a width count for nothing; the older form
# works anywhere in a line. Azure and TeamCity have forms like it, with a name between.
_COMMAND = re.compile(r"^([^!-~]*:)(?=:)|(#[^!-~]{0,4})(?=#[^!-~]{0,4}[a-z]{0,9}\[)")


def plain(text: str) -> str:
    """Text of a stranger on one line, control characters spelled out, so that it can't drive the terminal."""
    return "".join(
        c if c.isprintable() else ("…" if c in "\r\n" else c.encode("unicode_escape").decode()) for c in text
    )


def inert(line: str) -> str:
    """The line so that no CI that reads it takes a stranger's words in it for a command, such as `::add-mask::`."""
    return _COMMAND.sub(r"\g<0> ", line)


def shortened(text: str, longest: int = _LONGEST) -> str:
    """The start of a text, on one line."""
    line = plain(" ".join(text.split()))
    return line if len(line) <= longest else line[: longest - 1] + "…"


def placed(path: str, longest: int = _LONGEST) -> str:
    """A path on one line; of a long one the end, which tells more than its folders."""
    line = plain(path)
    return line if len(line) <= longest else "…" + line[1 - longest :]


def as_text(value: Any) -> str:  # noqa: ANN401 - JSON
    """A value of a stranger's JSON in a few words; nothing of one that is no plain value, as it may be deep."""
    return shortened(str(value)) if isinstance(value, str | int | float) else ""


def call_words(name: str, arguments: Any) -> str:  # noqa: ANN401 - JSON
    """A call in a few words, such as `read src/x.py:10-20`."""
    values = cast("Mapping[str, Any]", arguments) if isinstance(arguments, dict) else dict[str, Any]()
    verb = _VERBS.get(name, shortened(name))

    def value(key: str) -> str:
        return as_text(values.get(key, ""))

    def path(key: str) -> str:
        found = values.get(key, "")
        return placed(" ".join(found.split())) if isinstance(found, str) else as_text(found)

    match name:
        case "grep":
            return f"{verb} {shortened(value('pattern'), 40)!r} in {path('path') or '.'}"
        case "run_check":
            return f"{verb} {value('command')}"
        case "codebase_context" | "find_references" | "skill_section":
            return f"{verb} {shortened(value('target') or value('symbol') or value('rule_id'), 80)}"
        case "move_file":
            return f"{verb} {path('path')} to {path('new_path')}"
        case _ if name.startswith(_CHECK) and not values:
            return f"check {shortened(name.removeprefix(_CHECK))}"
        case _:
            return f"{verb} {path('path') or '.'}{_lines(value('start_line'), value('end_line'))}"


def _lines(first: str, last: str) -> str:
    return f":{first or 1}-{last}" if first or last else ""


def tokens(count: int) -> str:
    """A count of tokens for people, such as `12.3k`."""
    return str(count) if count < 1000 else f"{count / 1000:.1f}k"


def money(usd: float) -> str:
    """A cost for people: cents where it has some, else as many places as it takes."""
    if usd == 0:
        return "nothing"
    return f"${usd:.2f}" if usd >= 1 else f"${usd:.4f}" if usd >= 0.0001 else "less than $0.0001"


def seconds(milliseconds: int) -> str:
    """A duration for people."""
    return (
        f"{milliseconds / 1000:.1f} s"
        if milliseconds < 60_000
        else f"{milliseconds // 60_000} min {milliseconds // 1000 % 60} s"
    )
