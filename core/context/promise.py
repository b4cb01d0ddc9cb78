"""Reads which contract a task's text promises: only where the whole text is understood.

A contract that is too tight refuses good work, and one that is too loose only proves less. So a text that says
anything more than these phrases, however harmless, promises nothing; `--contract` says it better.

    task   = phrase {("," | "and" | "&") phrase} [scope] ["without changing the code"]
    phrase = "add docstrings" | "rename A to B" | "sort imports" | …
    scope  = ("to" | "in" | "for" | …) words that only say where
"""

from __future__ import annotations

import re

ANY = ("any",)
"""The contract that promises nothing."""

_MAX_TEXT = 1000
"""Characters; a longer text says more than one thing."""
_NAME = r"`?(?P<{}>(?:[^\W\d]\w*\.)*[^\W\d]\w*)(?:\(\))?`?"
_ANY_NAME = r"`?[^\W\d][\w.]*(?:\(\))?`?"
_ADD = r"(?:add|write|complete|improve|update|extend|rewrite|insert|provide|fix)"
_MANY = (
    r"(?:(?:the|all|any|some|missing|google|numpy|sphinx|style|better|full|short|pep ?257|existing) |google-style )*"
)
_THING = (
    r"(?:(?:the|local|global|private|public) )*"
    r"(?:(?:function|method|class|variable|parameter|argument|attribute|constant|module) )?"
)
_DOCSTRINGS = rf"{_MANY}doc ?strings?"
_TYPES = rf"{_MANY}(?:type ?(?:hints?|annotations?)|annotations)"
_COMMENTS = rf"{_MANY}comments"
_PHRASES = (
    (("docstrings",), rf"{_ADD} {_DOCSTRINGS}|remove {_DOCSTRINGS}"),
    (("annotations",), rf"{_ADD} {_TYPES}|annotate"),
    (("comments",), rf"{_ADD} {_COMMENTS}"),
    (("docstrings", "comments"), r"document"),
    (("imports",), rf"(?:sort|organi[sz]e|group|reorder|remove unused) {_MANY}imports"),
    (
        ("formatting",),
        rf"(?:re)?format(?: {_MANY}(?:code|source|sources))?(?: with (?:black|ruff))?|fix {_MANY}formatting",
    ),
)
_BARE = ((("docstrings",), _DOCSTRINGS), (("annotations",), _TYPES), (("comments",), _COMMENTS))
_PATTERNS = [(kinds, re.compile(phrase, re.IGNORECASE)) for kinds, phrase in _PHRASES]
_BARE_PATTERNS = [(kinds, re.compile(phrase, re.IGNORECASE)) for kinds, phrase in _BARE]
_RENAME = re.compile(
    rf"(?P<verb>rename )?{_THING}{_NAME.format('old')} (?:to|into|as) {_NAME.format('new')}(?![\w/.-])", re.IGNORECASE
)
_MOVE = re.compile(
    rf"move {_THING}(?:(?:functions|methods|classes|constants) )?{_ANY_NAME}(?:(?:, and|,| and) {_ANY_NAME})*"
    r"(?: (?:function|method|class|functions|methods|classes))?"
    r"(?P<origin> (?:from|out of) .+?)?(?P<target> (?:in)?to .+)",
    re.IGNORECASE,
)
_POLITE = re.compile(r"^(?:please|kindly|can you|could you) |[ ,]+please$|[.! ]+$", re.IGNORECASE)
_SAME = re.compile(
    r"[,;.]? (?:but )?(?:and )?(?:do not|don't|without) chang(?:e|ing) "
    r"(?:(?:the|any|its|their|function) )*(?:code|behaviou?r|anything else|bodies|logic|implementation)$",
    re.IGNORECASE,
)
_JOINT = re.compile(r",? (?:and|&) |, ")
_SCOPE_TEXT = """
a all and argument arguments attribute attributes class classes code codebase constructor constructors each every
everywhere file files folder for from function functions global in into its local magic method methods module modules
my new of on own package packages parameter parameters private project public repo repository return returns source
sources the this those to top-level under value values variable variables whole within
"""
_SCOPE = frozenset(_SCOPE_TEXT.split())
_PLACE = re.compile(r"`?(?:[\w.+-]+/)*(?:[\w+-]+\.pyi?|(?:[\w.+-]+/)[\w.+-]*)`?|`[\w.]+(?:\(\))?`")
_NO_NAMES_TEXT = """
anything avoid be better camelcase clearer consistent descriptive english everything identifiers lowercase match more
name names pascalcase plural singular snake_case something symbols test tests thing things uppercase
"""
_NO_NAMES = _SCOPE | frozenset(_NO_NAMES_TEXT.split())
"""Words that stand where a name could, and say what kind of name is meant."""


def promised(text: str) -> tuple[str, ...]:
    """The contract that a text promises, as `--contract` takes it; `ANY` where it isn't wholly understood."""
    if len(text) > _MAX_TEXT:
        return ANY
    bare = " ".join(text.split())
    before = ""
    while before != bare:
        before, bare = bare, _SAME.sub("", _POLITE.sub("", bare))
    if (found := _MOVE.fullmatch(bare)) and _is_scope(found["origin"] or "") and _is_scope(found["target"]):
        return ("move",)
    kinds: list[str] = []
    for piece in _JOINT.split(bare):
        more = _kinds(piece, kinds)
        if more is None:
            return ANY
        kinds += more
    return tuple(dict.fromkeys(kinds)) or ANY


def _kinds(piece: str, before: list[str]) -> list[str] | None:
    """The kinds of one phrase; none where it is more of a scope, None where it isn't understood."""
    if found := _RENAME.match(piece):
        return _renaming(found, piece[found.end() :], before)
    for kinds, pattern in [*_PATTERNS, *(_BARE_PATTERNS if before else [])]:
        found = pattern.match(piece)
        if found and _is_scope(piece[found.end() :]):
            return list(kinds)
    return [] if before and _is_scope(f" {piece}") else None


def _renaming(found: re.Match[str], rest: str, before: list[str]) -> list[str] | None:
    known = [re.split("[:=]", kind) for kind in before if kind.startswith("rename:")]
    old, new = found["old"].rpartition(".")[2], found["new"].rpartition(".")[2]
    used = {name for pair in known for name in pair[1:]}
    is_name = not {found["old"].lower(), found["new"].lower()} & _NO_NAMES and "py" not in (old, new)
    if not (found["verb"] or known) or not is_name or {old, new} & used or old == new or not _is_scope(rest):
        return None
    return [f"rename:{old}={new}"]


def _is_scope(text: str) -> bool:
    """Whether a text only says where: known words and paths, with a space before them."""
    words = text.split(" ")
    return not words[0] and all(word.lower() in _SCOPE or _PLACE.fullmatch(word) for word in words[1:])
