"""Reads which recipes a task asks for, by a small grammar over the whole text.

    task  = ["please"] part {("and" | "," | "then" | "&") part} ["please"] ["."]
    part  = phrase [tail]
    tail  = ("in" | "to" | "for" | …) words

Strict on purpose: a task that says anything more, or the opposite, is not for a program without
understanding. Of a tail's words, paths narrow the task, `public` keeps private definitions out, and `Python
3.N` is the version to write for. Words that may mean a choice, a style or a second task are refused; others
describe the scope.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from . import RECIPES
from .base import IMPORT_RULES, Phrase, Recipe

_JOINT = re.compile(r"\s*(?:,\s*(?:and\s+)?(?:then\s+)?|;\s*|\s&\s|\s(?:and\s+)(?:then\s+)?|\sthen\s+)", re.IGNORECASE)
_TAIL = re.compile(r"(?:in|to|for|of|on|across|within|throughout|where|from)\s+(.+)", re.IGNORECASE | re.DOTALL)
_POLITE = re.compile(r"^\s*(?:please|kindly|can you|could you)\s+|[\s,]+please(?=\W*$)|[.!?\s]+$", re.IGNORECASE)
_PATH = re.compile(r"[`'\"]?((?:[\w.@+-]+/)+[\w.@+-]*|[\w.@+/-]+\.pyi?)[`'\"]?")
_GENERAL = re.compile(
    r"(?:all\s+|the\s+)*(?:functions|methods|classes|modules|packages|files|tests)(?:\s+(?:in|of|from|under)\s.+)?",
    re.IGNORECASE,
)
_VERSION = re.compile(r"\bpython\s*3\.(\d{1,2})\b", re.IGNORECASE)
_MAX_TAIL_WORDS = 15

# Words that turn a tail into a second task, an exception, or a choice of single definitions.
_REFUSED_TEXT = """
add after also annotate any be before but change chinese class convert delete describe doc docstring don't
dont english except excluding fix following french function german instead italian japanese keep leave make
method must never no not numpy only or private remove rename replace rest restructuredtext rewrite should
skip so spanish sphinx style that unless update use using when which with without write
"""
_REFUSED_WORDS = frozenset(_REFUSED_TEXT.split())
_SINGLE_AFTER = frozenset({"each", "every"})


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a task asks for.

    Attributes:
        recipes: in the order in which they are applied.
        title: what the change does, as the start of a commit's subject.
        import_rules: the import rules that the phrases name; all where they name none.
        public_only: whether private definitions stay as they are.
        target_version: the Python that the task names, as ruff writes it; empty for the project's.
        paths: files and folders that the task names.
    """

    recipes: tuple[Recipe, ...]
    title: str
    import_rules: tuple[str, ...] = IMPORT_RULES
    public_only: bool = False
    target_version: str = ""
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    recipe: Recipe
    phrase: Phrase
    tail: str = ""


def choose(task: str) -> Chosen | None:
    """Read a task; None where it isn't made of known phrases alone."""
    parts = _parts(_bare(task))
    if not parts or not all(_is_plain(part.tail) for part in parts):
        return None
    tails = " ".join(part.tail for part in parts)
    rules = tuple(dict.fromkeys(rule for part in parts for rule in part.phrase.import_rules))
    titles = list(dict.fromkeys(part.phrase.title for part in parts))
    asked = {part.recipe.name for part in parts}
    return Chosen(
        recipes=tuple(recipe for name, recipe in RECIPES.items() if name in asked),
        title=_joined(titles),
        import_rules=rules or IMPORT_RULES,
        public_only="public" in tails.lower().split(),
        target_version=f"py3{version[1]}" if (version := _VERSION.search(tails)) else "",
        paths=tuple(dict.fromkeys(_paths(tails))),
    )


def _joined(titles: list[str]) -> str:
    """The titles as one; a verb isn't said twice in a row."""
    text = titles[0]
    for before, title in itertools.pairwise(titles):
        again = title.partition(" ")[0] == before.partition(" ")[0]
        text += " and " + (title.partition(" ")[2] if again else title[0].lower() + title[1:])
    return text


def _bare(task: str) -> str:
    before = ""
    while before != task:
        before, task = task, _POLITE.sub("", task)
    return " ".join(task.split())


def _parts(text: str) -> list[_Part]:
    """The parts of the text, or nothing where a piece of it is neither a phrase nor the rest of a tail."""
    found: list[_Part] = []
    for piece in _JOINT.split(text):
        part = _part(piece) or (_part(f"add {piece}") if found and found[-1].phrase.title.startswith("Add") else None)
        if part is not None:
            found.append(part)
        elif found and found[-1].tail and _continues(piece):
            last = found[-1]
            found[-1] = _Part(last.recipe, last.phrase, f"{last.tail} {piece}")
        else:
            return []
    return found


def _part(piece: str) -> _Part | None:
    for recipe in RECIPES.values():
        for phrase in recipe.phrases:
            found = re.match(rf"{phrase.pattern}(?=\s|$)", piece, re.IGNORECASE)
            if found is None:
                continue
            rest = re.sub(r"^everywhere\b", "", piece[found.end() :].strip(), flags=re.IGNORECASE).strip()
            tail = _TAIL.fullmatch(rest)
            if not rest or tail:
                return _Part(recipe, phrase, tail[1] if tail else "")
    return None


def _continues(piece: str) -> bool:
    """Whether a piece behind `and` is one more thing of a list: a path, or a general noun."""
    return bool(_PATH.fullmatch(piece) or _GENERAL.fullmatch(piece))


def _is_plain(tail: str) -> bool:
    words = re.findall(r"[\w'./-]+", tail.lower())
    if len(words) > _MAX_TAIL_WORDS or re.search(r"[.!?:;]\s|\n", tail):
        return False
    for place, word in enumerate(words):
        if word in _REFUSED_WORDS and not (place and words[place - 1] in _SINGLE_AFTER):
            return False
    return True


def _paths(tails: str) -> Iterator[str]:
    for word in tails.split():
        if found := _PATH.fullmatch(word.rstrip(",")):
            yield found[1].removeprefix("./").rstrip("/")
