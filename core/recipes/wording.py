"""Turns names into English: words, acronyms, articles, plurals, and the verbs that names begin with.

A name outside of the word lists still gives a correct, plainer phrase.
"""

from __future__ import annotations

import re

from .word_lists import ACRONYMS, LONG_FORMS, NO_ARTICLE, PREPOSITIONS, VERB_FORMS, VERBS

_WORD = re.compile(r"[A-Z]+s?(?![a-z])|[A-Z]?[^\W\dA-Z_]+|\d+\w*?(?=[A-Z_]|$)|[^\W_]+")
_SINGULAR_S = ("ss", "us", "is", "as", "os", "ics", "news")


def words_of(name: str) -> list[str]:
    """Split a snake_case or CamelCase name into lower-case words; acronyms stay in capitals."""
    found = _WORD.findall(name)
    if name.upper() == name:
        found = [word.lower() for word in found]
    return [_word(word) for word in found]


def spell_out(words: list[str]) -> list[str]:
    """Replace the usual abbreviations by the words that they stand for."""
    return " ".join(LONG_FORMS.get(word, word) for word in words).split()


def verb_phrase(words: list[str]) -> list[str] | None:
    """The verb that the words begin with, in the imperative, or None."""
    first: str = VERB_FORMS.get(words[0], words[0]) if words else ""
    if first in VERB_FORMS.values() or first in VERBS or re.fullmatch(r"[a-z]{3,}(?:ize|ise|ify)", first):
        return list[str](first.split())
    return None


def noun(words: list[str]) -> str:
    """The words with `the` in front and behind prepositions, where English wants it."""
    parts = spell_out(words)
    text: list[str] = []
    for word, before in zip(parts, ["", *parts], strict=False):
        opens = not before or (before in PREPOSITIONS and not (before == "and" and word in VERBS))
        if opens and word not in NO_ARTICLE | PREPOSITIONS and not (before and word.isupper()):
            text.append("the")
        text.append(word)
    return " ".join(text)


def with_article(words: list[str]) -> str:
    """The words with `a` or `an` in front, or `the` for a plural."""
    phrase = " ".join(words)
    if not words or is_plural(words[-1]):
        return f"the {phrase}".strip()
    return f"{'an' if _sounds_open(words[0]) else 'a'} {phrase}"


def is_plural(word: str) -> bool:
    """Whether an English noun looks like a plural."""
    lower = word.lower()
    return len(lower) > 3 and lower.endswith("s") and not lower.endswith(_SINGULAR_S)


def sentence(text: str) -> str:
    """The text with a capital first letter and a final full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _word(word: str) -> str:
    lower = word.lower()
    if lower in ACRONYMS:
        return lower.upper()
    if lower.endswith("s") and lower[:-1] in ACRONYMS:
        return lower[:-1].upper() + "s"
    return word if len(word) > 1 and word.isupper() else lower


def _sounds_open(word: str) -> bool:
    if word.isupper() and len(word) > 1:
        return word[0] in "AEFHILMNORSX"
    lower = word.lower()
    if re.match(r"uni(?!n)|us[ei]|ut[ei]|one|eu", lower):
        return False
    return lower[:1] in "aeiou" or lower.startswith(("hour", "honest"))
