"""The changes: each file with its hunks, and beside each hunk the call, the round and the model's words that made it.

A long change is cut, so that a browser can show the page: hunks beyond the limits are named with their numbers, and can
be chosen, but their lines are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...patch_hunks import PatchFile, PatchHunk
from ...reporting import ReportedRun
from ...trace_model import RoundPart
from ..graph_text import markup
from .calls import anchors, call_markup, round_link, said_in
from .colours import Painter
from .lines import Redact, section_markup
from .text import block, count, line, path_markup

MOST_LINES, MOST_IN_ONE, MOST_CHARACTERS = 8_000, 1_500, 2_500_000
"""Of the lines that are shown: in all, in one hunk; the characters that they may take on the page."""
MOST_HUNKS, MOST_FILES = 2_000, 1_000
_MOST_ORIGINS = 6
_LONGEST_SAID = 1_500


@dataclass(slots=True)
class _Room:
    """What may still be shown, and what each hunk is told with."""

    lines: int = MOST_LINES
    characters: int = MOST_CHARACTERS
    hunks: int = MOST_HUNKS
    left_out: int = 0
    painter: Painter = field(default_factory=Painter)
    anchors: Mapping[int, str] = field(default_factory=dict[int, str])
    rounds: Mapping[int, RoundPart] = field(default_factory=dict[int, RoundPart])


def changes_markup(run: ReportedRun, redact: Redact) -> str:
    """The section."""
    if not run.files:
        return '<section id="changes"><h2>Changes</h2><p>No file was changed.</p></section>\n'
    room = _Room(anchors=anchors(run.trace), rounds=said_in(run.trace))
    shown = [_file(number, file, run, redact, room) for number, file in enumerate(run.files[:MOST_FILES], 1)]
    return (
        f'<section id="changes"><h2>Changes</h2>{_fate(run)}{_files(run.files)}{"".join(shown)}'
        f"{_cut(run, room)}</section>\n"
    )


def _fate(run: ReportedRun) -> str:
    if run.fate == "rejected":
        return '<p class="note">This change was not delivered. It is shown as it was when the run ended.</p>'
    return ""


def _files(files: Sequence[PatchFile]) -> str:
    rows = "".join(
        f'<tr><th scope="row"><a href="#file-{number}"><code>{_path(file)}</code></a></th><td>{_what(file)}</td>'
        f'<td class="number added">{_signed("+", file, file.added)}</td>'
        f'<td class="number removed">{_signed("−", file, file.removed)}</td></tr>\n'
        for number, file in enumerate(files[:MOST_FILES], 1)
    )
    more = f"<p>… and {count(len(files) - MOST_FILES, 'more file')}.</p>" if len(files) > MOST_FILES else ""
    added, removed = sum(file.added for file in files), sum(file.removed for file in files)
    caption = f"{count(len(files), 'file')}, {count(sum(len(f.hunks) for f in files), 'hunk')}, +{added:,} −{removed:,}"
    heads = '<th scope="col">file</th><th scope="col">what</th><th scope="col" class="number">added</th>'
    return (
        f'<div class="wide-table"><table class="files"><caption>{caption}</caption><thead><tr>{heads}'
        f'<th scope="col" class="number">removed</th></tr></thead><tbody>{rows}</tbody></table></div>{more}'
    )


def _path(file: PatchFile) -> str:
    return (
        f"{path_markup(file.old_path)} → {path_markup(file.path)}"
        if file.old_path != file.path
        else path_markup(file.path)
    )


def _what(file: PatchFile) -> str:
    words = [file.kind if file.kind != "mode" else "changed", "binary" if file.is_binary else ""]
    words += [f"mode {line(file.modes[0], 10)} → {line(file.modes[1], 10)}"] if file.modes else []
    return ", ".join(word for word in words if word)


def _signed(sign: str, file: PatchFile, number: int) -> str:
    return "" if file.is_binary else f"{sign}{number:,}"


def _file(number: int, file: PatchFile, run: ReportedRun, redact: Redact, room: _Room) -> str:
    hunks = "".join(_hunk(file, hunk, run, redact, room) for hunk in file.hunks)
    if not hunks:
        return ""
    counts = f'<span class="counts">{_what(file)} {_signed("+", file, file.added)} {_signed("−", file, file.removed)}'
    head = f"<h3><code>{_path(file)}</code> {counts}</span></h3>"
    return f'<article class="file" id="file-{number}">{head}{hunks}</article>\n'


def _hunk(file: PatchFile, hunk: PatchHunk, run: ReportedRun, redact: Redact, room: _Room) -> str:
    if room.hunks <= 0:
        room.left_out += 1
        return ""
    room.hunks -= 1
    name = f"hunk {hunk.number}"
    if run.can_be_applied:
        box = f'<input type="checkbox" class="pick" value="{hunk.number}" autocomplete="off"/>'
        name = f"<label>{box} {name}</label>"
    head = f'<h4>{name} <span class="place">{_place(hunk)}</span></h4>'
    lines = _lines(file, hunk, redact, room)
    return (
        f'<section class="hunk" id="hunk-{hunk.number}">{head}{_origins(hunk, run, room)}'
        f'<div class="lines">{lines}</div></section>\n'
    )


def _place(hunk: PatchHunk) -> str:
    if hunk.is_whole:
        return "the whole file"
    section = hunk.sections[0]
    last = section.new_start + max(sum(entry.kind != "-" for entry in section.lines) - 1, 0)
    heading = f" · <code>{line(section.heading, 80)}</code>" if section.heading.strip() else ""
    return f"lines {section.new_start}–{last}{heading}"


def _origins(hunk: PatchHunk, run: ReportedRun, room: _Room) -> str:
    """The calls that made it, one after the other, with what the model said in their rounds."""
    said = room.rounds
    places = run.origins.get(hunk.number, ())
    parts: list[str] = []
    told: set[int] = set()
    for place in places[:_MOST_ORIGINS]:
        call = run.trace.tool_calls[place]
        words = said[call.round].text.strip() if call.round in said and call.round not in told else ""
        told.add(call.round)
        quote = f"<blockquote>{block(words, _LONGEST_SAID)}</blockquote>" if words else ""
        parts.append(f"<p>{round_link(call.round, room.anchors)}: {call_markup(call)}</p>{quote}")
    if len(places) > _MOST_ORIGINS:
        parts.append(f"<p>… and {count(len(places) - _MOST_ORIGINS, 'more call')}</p>")
    return f'<div class="origin">{"".join(parts) or "<p>made by no call that was recorded</p>"}</div>'


def _lines(file: PatchFile, hunk: PatchHunk, redact: Redact, room: _Room) -> str:
    if file.is_binary:
        return '<p class="gap">A binary file; its content is not shown.</p>'
    number = sum(len(section.lines) for section in hunk.sections)
    if number > min(room.lines, MOST_IN_ONE) or room.characters <= 0:
        return f'<p class="gap">{count(number, "line")} left out, as there are too many for a page.</p>'
    beside = file.kind not in ("new", "deleted")
    shown = [section_markup(file.path, section, redact, room.painter, beside=beside) for section in hunk.sections]
    text = '<p class="gap">⋯</p>'.join(shown) or '<p class="gap">No line is changed.</p>'
    if len(text) > room.characters:
        room.characters = 0
        return f'<p class="gap">{count(number, "line")} left out, as there are too many for a page.</p>'
    room.lines -= number
    room.characters -= len(text)
    return text


def _cut(run: ReportedRun, room: _Room) -> str:
    unshown = sum(len(file.hunks) for file in run.files[MOST_FILES:]) + room.left_out
    if not unshown:
        return ""
    command = f"git orefactor show --diff {markup(run.trace.run_id)}"
    return f'<p class="note">{count(unshown, "more hunk")} left out. All of it: <code>{command}</code></p>'
