"""Chooses the first line of a docstring from a name and what is known about it."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from .docstring_facts import ClassFacts, FunctionFacts
from .magic_methods import SUMMARIES
from .word_lists import OWN_WORK, PREPOSITIONS, QUESTIONS, UNCOUNTED
from .wording import is_plural, noun, sentence, spell_out, verb_phrase, with_article, words_of

_ERROR_WORDS = ("error", "exception", "warning")
_SPECIAL = {
    "main": "Run the program.",
    "setUp": "Prepare each test.",
    "tearDown": "Clean up after each test.",
    "setUpClass": "Prepare the tests of the class.",
    "tearDownClass": "Clean up after the tests of the class.",
    "setUpModule": "Prepare the tests of the module.",
    "tearDownModule": "Clean up after the tests of the module.",
}


def function_summary(facts: FunctionFacts) -> str:
    """The summary of a function or method, in the imperative mood; of a property, as a noun."""
    words = words_of(facts.name) or ["value"]
    if facts.kind in ("property", "setter", "deleter"):
        return sentence(_property(facts, words))
    if facts.name == "__init__" and facts.owner:
        return sentence(f"initialize {owner_noun(facts)}")
    fixed = {**_SPECIAL, **(SUMMARIES if facts.owner else {})}
    return fixed.get(facts.name) or sentence(_spoken(facts, words))


def class_summary(facts: ClassFacts) -> str:
    """The summary of a class: what one of its instances is."""
    words = spell_out(words_of(facts.name)) or ["value"]
    bases = " ".join(facts.bases)
    if words[0] == "test" and len(words) > 1:
        return sentence(f"tests of {noun(words[1:])}")
    if "TestCase" in bases:
        rest = [word for word in words if word not in ("test", "tests", "case")]
        return sentence(f"tests of {noun(rest or ['module'])}")
    if words[-1] == "mixin" and len(words) > 1:
        return sentence(f"a mixin for {noun(words[:-1])}")
    if re.search(r"(?:Error|Exception|Warning)\b", bases) and words[-1] not in _ERROR_WORDS:
        words = [*words, "error"]
    if words in (["configuration"], ["meta"]):
        words = [{"meta": "metadata"}.get(words[0], words[0])]
        return sentence(f"the {words[0]} of the class")
    return sentence(with_article(words))


def module_summary(path: str, *, has_classes: bool, has_functions: bool) -> str:
    """The summary of a module or package, from its path and what it defines."""
    pure = PurePosixPath(path)
    words = " ".join(spell_out(words_of(pure.stem)))
    if pure.stem in ("__init__", "__main__"):
        package = " ".join(spell_out(words_of(pure.parent.name)))
        named = f"the {package} package".replace("  ", " ")
        return sentence(named if pure.stem == "__init__" else f"run {named} as a program")
    if pure.stem == "conftest":
        return "Fixtures for the tests."
    if words.startswith("test ") or words.endswith(" test"):
        return sentence(f"tests of {noun(words.removeprefix('test ').removesuffix(' test').split())}")
    kinds = [kind for kind, wanted in (("classes", has_classes), ("functions", has_functions)) if wanted]
    return sentence(f"{' and '.join(kinds) or 'definitions'} for {words or 'this package'}")


def owner_noun(facts: FunctionFacts) -> str:
    """The class as a thing: `the HTTP client`; `the instance` where its name is long."""
    words = spell_out(words_of(facts.owner))
    return f"the {' '.join(words)}" if 0 < len(words) <= 3 else "the instance"


def question(words: list[str], subject: str) -> str | None:
    """What a yes-or-no name asks: `is_empty` asks `whether the list is empty`. None for other names."""
    if not words or words[0] not in QUESTIONS:
        return None
    rest = spell_out(words[1:])
    if words[0] in ("has", "contains", "have") and rest and not _stands_alone(rest[-1]):
        rest = with_article(rest).split()
    return " ".join(["whether", subject, words[0], *rest])


def target_noun(words: list[str]) -> str:
    """What something is converted to: `JSON`, `bytes`, `a string`."""
    rest = spell_out(words)
    return " ".join(rest) if rest[-1].isupper() or _stands_alone(rest[-1]) else with_article(rest)


def _stands_alone(word: str) -> bool:
    return is_plural(word) or word in UNCOUNTED or word.endswith(("ed", "ing"))


def _property(facts: FunctionFacts, words: list[str]) -> str:
    if facts.kind != "property":
        return f"{'set' if facts.kind == 'setter' else 'delete'} {noun(words)}"
    asked = question(words, owner_noun(facts))
    if asked is None and facts.annotation == "bool" and len(words) == 1:
        asked = f"whether {owner_noun(facts)} is {words[0]}"
    return asked or noun(words)


def _spoken(facts: FunctionFacts, words: list[str]) -> str:
    if words[0] in ("test", "tests") and len(words) > 1:
        return f"test {' '.join(spell_out(words[1:]))}"
    if (asked := question(words, _subject(facts))) is not None:
        return f"return {asked}"
    if facts.kind == "method" and not facts.parameters and re.fullmatch(r"[a-z]+ed", facts.name):
        return (
            f"return whether {owner_noun(facts)} is {facts.name}" if facts.result != "nothing" else _plain(facts, words)
        )
    if {"fixture", "contextmanager", "asynccontextmanager"} & {*facts.decorators} and not verb_phrase(words):
        return f"provide {noun(words)}"
    return _preposition(facts, words) or _action(facts, words) or _plain(facts, words)


def _subject(facts: FunctionFacts) -> str:
    if facts.owner:
        return owner_noun(facts)
    return noun(words_of(facts.parameters[0].name)) if facts.parameters else "it"


def _preposition(facts: FunctionFacts, words: list[str]) -> str | None:
    first, rest = words[0], words[1:]
    if not rest:
        return None
    if first == "from":
        return f"create {'an instance' if facts.owner else 'a value'} {noun(words)}"
    if first in ("to", "as"):
        return f"convert {_subject(facts)} to {target_noun(rest)}"
    if first == "with":
        return f"return a copy with {noun(rest)}"
    if first == "on":
        return f"handle {noun([*rest, 'event'])}"
    if first == "new":
        return f"create a new {' '.join(spell_out(rest))}"
    if "to" in rest[:-1] and verb_phrase(words) is None:
        return f"convert {' '.join(spell_out(words))}"
    return None


def _action(facts: FunctionFacts, words: list[str]) -> str | None:
    verb = verb_phrase(words)
    if verb is None:
        return None
    gives = facts.result != "nothing" or facts.yields
    if words[0] == "get" and gives:
        verb = ["return"]
    if len(words) > 1:
        target = f" {_subject_of_call(facts)}".rstrip() if words[-1] in PREPOSITIONS else ""
        return f"{' '.join(verb)} {noun(words[1:])}{target}"
    if words[0] == "get":
        return f"{verb[0]} the value" + (f" for {_subject_of_call(facts)}" if facts.parameters else "")
    return f"{' '.join(verb)} {_subject_of_call(facts)}".strip()


def _subject_of_call(facts: FunctionFacts) -> str:
    """What a verb alone acts on: the instance itself, or else the first argument."""
    if facts.owner and (not facts.parameters or words_of(facts.name)[0] in OWN_WORK):
        return owner_noun(facts)
    named = [parameter for parameter in facts.parameters if len(parameter.name) > 1 and not parameter.stars]
    if named:
        return noun(words_of(named[0].name) or ["value"])
    return "the arguments" if facts.parameters else ""


def _plain(facts: FunctionFacts, words: list[str]) -> str:
    if facts.yields:
        return f"yield {noun(words)}"
    return f"{'handle' if facts.result == 'nothing' else 'return'} {noun(words)}"
