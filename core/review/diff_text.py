"""The diff as the model is shown it: each line with its number in the new file, so that nobody has to count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..context.rendering import fenced, one_line
from ..patch_hunks import PatchFile, Section

_WORDS = {"new": "new file", "deleted": "deleted", "renamed": "renamed", "mode": "mode changed", "changed": ""}


def diff_text(files: Sequence[PatchFile]) -> str:
    """All files of a change, each under a heading, its hunks between fences."""
    return "\n".join(_file(file) for file in files)


def _file(file: PatchFile) -> str:
    facts = [_WORDS[file.kind]]
    if file.kind == "renamed" and file.old_path != file.path:
        facts = [f"renamed from {one_line(file.old_path)}"]
    if file.modes is not None:
        facts.append(f"mode {file.modes[0]} to {file.modes[1]}")
    if file.is_binary:
        facts.append("binary, not shown")
    told = ", ".join(filter(None, facts))
    head = f"### {one_line(file.path)}" + (f" ({told})" if told else "") + "\n"
    sections = [section for hunk in file.hunks for section in hunk.sections]
    if file.is_binary or not sections:
        return head
    text = "...\n".join("".join(_lines(section)) for section in sections)
    return head + "\n" + fenced(text, "diff")


def _lines(section: Section) -> Iterator[str]:
    number = section.new_start
    for line in section.lines:
        place = "" if line.kind == "-" else str(number)
        yield f"{place:>5} {line.kind} {line.text}\n"
        number += line.kind != "-"
