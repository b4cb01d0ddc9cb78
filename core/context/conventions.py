"""The project's own rules for people and agents who change it, cut into sections that can be asked for one by one.

They stand in documents of well-known names (`AGENTS.md`, `CONTRIBUTING.rst`), at the top and in every folder on the way
to what is changed, and in the settings of the tools that check the code.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..code.documents import extract_document, is_document
from .settings_tables import ini_tables, toml_tables

if TYPE_CHECKING:
    from ..index.symbol_index import SymbolIndex

MOST_SECTIONS = 40
"""Sections that are told of at once."""
MOST_TEXT = 16_000
"""Characters of a section that are given."""
_MOST_OF_FILE = 20
_MOST_FILES = 24
_MAX_BYTES = 1 << 18
_MAX_NAME = 100
_DOCUMENT = re.compile(
    r"(?:agents|claude|gemini|copilot-instructions|conventions|contributing|hacking"
    r"|(?:(?:code|coding)[-_]?)?style(?:[-_]?guide(?:lines)?)?)(?:\.(?:md|markdown|rst|txt))?"
    r"|\.(?:cursor|windsurf|cline)rules",
    re.IGNORECASE,
)
_DOCUMENT_FOLDERS = ("", ".github", "docs", "doc")
"""Below each folder on the way; people keep these files there too."""
_ANYWHERE = re.compile(r"(?:agents|claude|gemini)\.md", re.IGNORECASE)
_SETTINGS = (
    "pyproject.toml",
    "ruff.toml",
    ".ruff.toml",
    "setup.cfg",
    "tox.ini",
    ".flake8",
    "mypy.ini",
    ".mypy.ini",
    "pytest.ini",
    ".pylintrc",
    ".editorconfig",
)
_MIXED = frozenset(["pyproject.toml", "setup.cfg"])
"""Settings files that hold other things too, so that only some tables are rules."""
_NO_RULE = ("#", ";", "<", "..")
"""How lines begin that are comments, or pictures above a title."""
_NO_RULES = re.compile(
    r"metadata|options(?:\..*)?|build_ext|bdist_wheel|egg_info|upload|aliases|files|tox(?::.*)?|(?:test|pkg)env(?::.*)?"
    r"|tool\.(?:setuptools|setuptools_scm|hatch|flit|poetry|pdm|uv|pixi|maturin|scikit-build|meson-python|cibuildwheel"
    r"|tox|nox|hatch-vcs|versioneer|bumpversion|bumpver|semantic_release|check-wheel-contents|check-manifest|briefcase"
    r"|cython|dynamic|distutils)(?:\..*)?"
)
"""Tables that say how a package is made, or where its tests run."""


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a conventions file.

    Attributes:
        rule_id: unique in the tree: `AGENTS.md#testing`, `pyproject.toml#tool.ruff`; of a whole file its path.
        title: its heading, with no markup.
        path: of its file.
        lines: first and last line, from 1, subsections included.
    """

    rule_id: str
    title: str
    path: str
    lines: tuple[int, int]


def sections_of(index: SymbolIndex, targets: Collection[str]) -> tuple[Section, ...]:
    """The sections that hold for some targets: documents before settings, the nearest file first.

    Args:
        index: of the tree.
        targets: paths of files or folders; with none of them the rules at the top hold.

    Returns:
        At most 40, of a file at most 20; where there are more, those that lie in others are left out first. How a
        package is built and which environments run its tests is no rule; `section_text` gives such tables too.
    """
    files = conventions_files(index.paths, targets)[:_MOST_FILES]
    told = [found for path in files for found in _outermost(_told(index, path), _MOST_OF_FILE)]
    return tuple(found.section for found in _outermost(told, MOST_SECTIONS))


def conventions_files(paths: Sequence[str], targets: Collection[str]) -> tuple[str, ...]:
    """The files with rules that hold for some targets: documents before settings, the nearest first."""
    folders = _folders(targets)
    # Most files lie elsewhere, and a tree may hold a hundred thousand of them.
    near = {f"{folder}/{below}".strip("/") for folder in folders for below in _DOCUMENT_FOLDERS}
    found = (path for path in paths if path.rpartition("/")[0] in near and _place(path) in folders)
    return tuple(sorted(found, key=_nearest_first))


def section_text(index: SymbolIndex, rule_id: str) -> str | None:
    """The text of one section of any conventions file; None where there is none of this id.

    Returns:
        At most 16,000 characters of whole lines, and in the last line where the rest stands.
    """
    path = rule_id if _place(rule_id) is not None else rule_id.rpartition("#")[0]
    if _place(path) is None or index.source(path) is None:
        return None
    own = [_whole(path, _text(index, path)), *(found.section for found in _of_file(index, path))]
    section = next((section for section in own if section.rule_id == rule_id), None)
    return None if section is None else _cut(_text(index, path), section)


@dataclass(frozen=True, slots=True)
class _Found:
    """A section of a file, and how many others hold it."""

    section: Section
    depth: int


def _place(path: str) -> str | None:
    """The folder for which a file's rules hold; None where it holds none."""
    folder, base = posixpath.split(path)
    if base in _SETTINGS or _ANYWHERE.fullmatch(base):
        return folder
    if not _DOCUMENT.fullmatch(base):
        return None
    above, last = posixpath.split(folder)
    return above if last in _DOCUMENT_FOLDERS else folder


def _folders(targets: Collection[str]) -> frozenset[str]:
    """Every folder above the targets, themselves included, since they may be folders."""
    found = {""}
    for target in targets:
        place = target.strip("/")
        while place not in found:
            found.add(place)
            place = posixpath.dirname(place)
    return frozenset(found)


def _nearest_first(path: str) -> tuple[bool, int, int, str]:
    place, base = _place(path) or "", posixpath.basename(path)
    is_settings = base in _SETTINGS
    rank = _SETTINGS.index(base) if is_settings else not _ANYWHERE.fullmatch(base)
    return (is_settings, -len(place.split("/")) if place else 0, int(rank), path)


def _of_file(index: SymbolIndex, path: str) -> list[_Found]:
    """The sections of a file, in order; the file itself too where rules stand before them, or where it has none."""
    base, text = posixpath.basename(path), _text(index, path)
    found = list(_in_settings(path, text) if base in _SETTINGS else _in_document(index, path))
    before = text.split("\n")[: found[0].section.lines[0] - 1 if found else None]
    if base not in _MIXED and any(line.strip() and not line.lstrip().startswith(_NO_RULE) for line in before):
        found.insert(0, _Found(_whole(path, text), 0))
    return found


def _in_document(index: SymbolIndex, path: str) -> Iterator[_Found]:
    if is_document(path):
        symbols = index.symbols([path]).get(path)
    else:
        symbols = extract_document(index.source(path) or b"", f"{path}.md")
    ends: list[int] = []
    for each in symbols.definitions if symbols else ():
        while ends and ends[-1] < each.start_line:
            ends.pop()
        yield _Found(
            Section(f"{path}#{each.qualified_name}", each.name, path, (each.start_line, each.end_line)), len(ends)
        )
        ends.append(each.end_line)


def _in_settings(path: str, text: str) -> Iterator[_Found]:
    base = posixpath.basename(path)
    used: Counter[str] = Counter()
    for table in toml_tables(text) if base.endswith(".toml") else ini_tables(text):
        if base == "pyproject.toml" and not table.name.startswith("tool."):
            continue
        name = "".join(filter(str.isprintable, table.name))[:_MAX_NAME].replace("#", "-")
        number = f"-{used[name]}" if used[name] else ""
        used[name] += 1
        yield _Found(Section(f"{path}#{name}{number}", name, path, table.lines), table.depth)


def _told(index: SymbolIndex, path: str) -> list[_Found]:
    is_settings = posixpath.basename(path) in _SETTINGS
    found = _of_file(index, path)
    return [each for each in found if not (is_settings and _NO_RULES.fullmatch(each.section.title))]


def _outermost(found: Sequence[_Found], most: int) -> list[_Found]:
    """So many: those that lie in the fewest others first, and of those the first; in their order."""
    ranked = sorted(range(len(found)), key=lambda position: (found[position].depth, position))
    return [found[position] for position in sorted(ranked[:most])]


def _whole(path: str, text: str) -> Section:
    return Section(path, posixpath.basename(path), path, (1, max(text.removesuffix("\n").count("\n") + 1, 1)))


def _text(index: SymbolIndex, path: str) -> str:
    text = (index.source(path) or b"")[:_MAX_BYTES].decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _cut(text: str, section: Section) -> str:
    first, last = section.lines
    lines = text.split("\n")[first - 1 : last]
    kept, size = 0, 0
    while kept < len(lines) and size + len(lines[kept]) < MOST_TEXT:
        size += len(lines[kept]) + 1
        kept += 1
    if kept == len(lines):
        return "\n".join(lines).rstrip("\n") + "\n"
    return "\n".join([*lines[:kept], f"[cut here; lines {first + kept}-{last} of {section.path} hold the rest]", ""])
