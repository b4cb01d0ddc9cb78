"""Writes chosen things as text for a model: compact, and so that nothing in a file can pass for anything around it.

A file's own text stands between fences longer than any in it; everything else is one line a thing, in which whatever
drives a terminal or ends a line is escaped. What is chosen, and how much of it fits, is told elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from orefactor.sandbox.errors import Refused

from ..code.symbols import Definition, FileSymbols
from ..code.text import decode, shown
from ..code.words import fold
from ..index.symbol_index import SymbolIndex
from ..redact import printable
from .conventions import Section

_MOST_LINE = 160
"""Characters of a signature or of reasons in a line."""
_MOST_DOCSTRING = 80
_MOST_DECORATOR = 32
"""Characters of a decorator that is shown; longer ones hold settings."""
_LEAST_FENCE = 3
_TICKS = re.compile("`+")
_LANGUAGES = {"py": "python", "pyi": "python", "js": "javascript", "ts": "typescript", "rs": "rust", "md": "markdown"}
_LANGUAGE = re.compile(r"[a-z0-9+]{1,12}")
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def one_line(text: str, most: int = _MOST_LINE) -> str:
    """A text as part of a line: what can't be seen is escaped, and a long one is cut."""
    plain = _UNSEEN.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", printable(text[:most]))
    return f"{plain}\u2026" if len(text) > most else plain


def shown_text(index: SymbolIndex, path: str) -> str | None:
    """A file's text as `read_file` shows it; None where it is missing or no text."""
    data = index.source(path)
    try:
        return None if data is None else shown(decode(data, path).text)
    except Refused:
        return None


def lines_of(text: str, lines: tuple[int, int]) -> str:
    """The lines of a text from one to another, both included and counted from 1, with their ends."""
    return "".join(line + "\n" for line in text.split("\n")[lines[0] - 1 : lines[1]])


def heading(path: str, why: Sequence[str], note: str = "") -> str:
    """The line above what is shown of a file, with why it is."""
    reason = one_line("; ".join([*why, *([note] if note else [])]))
    return f"## {one_line(path, 500)}" + (f" ({reason})\n" if reason else "\n")


def fenced(text: str, path: str) -> str:
    """A text between fences that can't be closed from the inside; its last line ends before the fence."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(_LEAST_FENCE, longest + 1)
    suffix = path.rpartition(".")[2].lower() if "." in path else ""
    language = _LANGUAGES.get(suffix, suffix if _LANGUAGE.fullmatch(suffix) else "")
    return f"{fence}{language}\n{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{fence}\n"


def signature(definition: Definition, why: Sequence[str] = ()) -> str:
    """One line for a symbol or a section, with its lines and what is first said of it.

    Args:
        definition: what is shown.
        why: why it is; left out where nothing is given.
    """
    text = f"L{definition.start_line}-{definition.end_line} "
    if definition.kind == "heading":
        text += f"# {one_line(definition.name)}"
    else:
        short = [decorator for decorator in definition.decorators if len(decorator) <= _MOST_DECORATOR]
        decorators = "".join(f"@{decorator} " for decorator in short)
        text += one_line(f"{decorators}{definition.signature or definition.name}")
        text += f'  "{one_line(definition.docstring, _MOST_DOCSTRING)}"' if definition.docstring else ""
    return text + (f"  \u2014 {one_line('; '.join(why))}\n" if why else "\n")


def named_line(definition: Definition, why: Sequence[str]) -> str:
    """One line for a test: where it stands, its name, and what it tests."""
    name = one_line(definition.qualified_name)
    return f"L{definition.start_line}-{definition.end_line} {name}  \u2014 {one_line('; '.join(why))}\n"


@dataclass(frozen=True, slots=True)
class Level:
    """How much of an outline is shown.

    Attributes:
        deepest: levels below the outermost.
        constants: whether constants are shown.
        most: lines; where there are more on deeper levels, it is no outline, else what is left out is counted.
    """

    deepest: int
    constants: bool
    most: int


def outline(file: FileSymbols, within: str, level: Level) -> str:
    """The symbols of a file, or of one of them, one a line, indented as they lie in each other; empty where it is none.

    Args:
        file: that is outlined.
        within: the qualified name of the symbol that alone is outlined, without itself; empty for the whole file.
        level: how much is shown.
    """
    inside = [each for each in file.definitions if not within or each.qualified_name.startswith(f"{within}.")]
    kept = [
        (each, depth)
        for each, depth in zip(inside, _depths(inside), strict=True)
        if depth <= level.deepest and (level.constants or each.kind != "constant")
    ]
    if not kept or (level.deepest and len(kept) > level.most):
        return ""
    rows = [f"{'  ' * depth}{signature(each)}" for each, depth in kept[: level.most]]
    left = len(inside) - len(rows)
    return "".join(rows) + (f"and {left} more; `ast_outline` gives all\n" if left else "")


def _depths(definitions: Iterable[Definition]) -> list[int]:
    """How deep each lies in the others, which come in file order."""
    ends: list[int] = []
    depths: list[int] = []
    for each in definitions:
        while ends and ends[-1] < each.start_line:
            ends.pop()
        depths.append(len(ends))
        ends.append(each.end_line)
    return depths


def conventions_line(sections: Sequence[Section]) -> str:
    """The last line: the rules that can be asked for, by id and title."""
    told = "; ".join(_rule(section) for section in sections)
    return f"Conventions, by `skill_section`: {told}\n"


def _rule(section: Section) -> str:
    rule, title = one_line(section.rule_id), one_line(section.title, 80)
    # Most ids are made of the title.
    return rule if fold(title).replace(" ", "") in fold(rule) else f"{rule} ({title})"
