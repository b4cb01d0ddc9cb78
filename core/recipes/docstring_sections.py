"""Describes what the sections of a Google-style docstring list: arguments, results and exceptions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .docstring_facts import ClassFacts, FunctionFacts, Parameter, Raised
from .magic_methods import SUMMARIES
from .summaries import class_summary, function_summary, owner_noun, question
from .wording import is_plural, noun, sentence, spell_out, verb_phrase, with_article, words_of

_MAX_DEFAULT = 30
_ADJECTIVES = frozenset({"async", "interactive", "lazy", "quiet", "recursive", "silent", "strict", "verbose"})
_FIELD_HOLDERS = re.compile(r"dataclass|define|frozen|attrs|NamedTuple|TypedDict|BaseModel")
_REASONS = {
    "AttributeError": "If an attribute is missing.",
    "FileExistsError": "If the file exists already.",
    "FileNotFoundError": "If the file doesn't exist.",
    "IndexError": "If the index is out of range.",
    "KeyError": "If the key is missing.",
    "KeyboardInterrupt": "If the user interrupts.",
    "NotImplementedError": "If this isn't implemented.",
    "OSError": "If the operating system reports a failure.",
    "OverflowError": "If the result is too large.",
    "PermissionError": "If access isn't permitted.",
    "RuntimeError": "If the operation isn't possible.",
    "StopAsyncIteration": "If there are no more items.",
    "StopIteration": "If there are no more items.",
    "SystemExit": "If the program has to end.",
    "TimeoutError": "If it takes too long.",
    "TypeError": "If an argument has the wrong type.",
    "ValueError": "If a value isn't valid.",
    "ZeroDivisionError": "If the divisor is zero.",
}
_CLASS_NAME = re.compile(r"(?:\w+\.)*(?!Any\b|Self\b)[A-Z][a-z]\w+")
_MESSAGES = (
    (re.compile(r"(.+?) (?:must|should) not be (.+)"), r"\1 is \2"),
    (re.compile(r"(.+?) (?:must|should) be (.+)"), r"\1 is not \2"),
    (re.compile(r"(unknown|invalid|unsupported|missing|unexpected) ((?!or\b|and\b)[\w ]+)"), r"the \2 is \1"),
    (re.compile(r"(.+?) (not found|not supported|not allowed|already exists)"), r"\1 is \2"),
    (re.compile(r"(no such .+)"), r"there is \1"),
)


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its title without colon, and its entries as (name, text); plain text has an empty name."""

    title: str
    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Docstring:
    """What a docstring says, before it is laid out."""

    summary: str
    sections: tuple[Section, ...] = ()


def describe_function(facts: FunctionFacts) -> Docstring:
    """Tell a function or method.

    Special methods, tests and properties get neither arguments nor results: the language gives their form.
    """
    summary = function_summary(facts)
    is_given = facts.name in SUMMARIES or facts.kind in ("property", "setter", "deleter")
    plain = is_given or facts.name.startswith("test")
    sections = [] if plain else [*_arguments(facts), *_results(facts)]
    if facts.raises:
        sections.append(Section("Raises", tuple((raised.name, _reason(raised)) for raised in facts.raises)))
    return Docstring(summary, tuple(sections))


def describe_class(facts: ClassFacts) -> Docstring:
    """Summary of a class, and its attributes where its fields are its constructor's arguments."""
    shown = tuple(field for field in facts.fields if not field.name.startswith("_"))
    holds_fields = any(map(_FIELD_HOLDERS.search, (*facts.bases, *facts.decorators)))
    sections = (Section("Attributes", tuple(map(_entry, shown))),) if shown and holds_fields else ()
    return Docstring(class_summary(facts), sections)


def _arguments(facts: FunctionFacts) -> Iterator[Section]:
    if facts.parameters:
        yield Section("Args", tuple(map(_entry, facts.parameters)))


def _entry(parameter: Parameter) -> tuple[str, str]:
    text = _parameter(parameter)
    default = parameter.default
    shown = default.isprintable() and len(default) <= _MAX_DEFAULT and '"""' not in default and "lambda" not in default
    if default and shown and not default.startswith("_"):
        text = f"{text} Defaults to {default}."
    return parameter.stars + parameter.name, text


def _parameter(parameter: Parameter) -> str:
    words = words_of(parameter.name)
    if parameter.stars and words in (["args"], ["kwargs"], ["kw"], ["kwds"]):
        return "The positional arguments." if parameter.stars == "*" else "The keyword arguments."
    if not words or len(parameter.name.strip("_")) == 1:
        return f"The value of `{parameter.name}`."
    if parameter.annotation == "bool" or parameter.default in ("True", "False"):
        return sentence(_flag(words))
    phrase = " ".join(spell_out(words))
    rest = " ".join(spell_out(words[1:]))
    if words[0] in ("n", "num", "nb") and rest:
        return f"The number of {rest}."
    if words[0] in ("max", "min") and is_plural(words[-1]):
        return f"The {words[0]}imum number of {rest}."
    return sentence(phrase if words[0] in ("the", "a", "an") else f"the {phrase}")


def _flag(words: list[str]) -> str:
    if len(words) == 1 and words[0] in _ADJECTIVES:
        return f"whether to be {words[0]}"
    verb = verb_phrase(words)
    if verb is not None:
        return " ".join(["whether to", *verb, *spell_out(words[1:])])
    return question(words, "it") or f"the {' '.join(spell_out(words))} flag"


def _results(facts: FunctionFacts) -> Iterator[Section]:
    if facts.yields:
        words = words_of(facts.result_name)
        each = "the next item" if len(facts.result_name) < 2 else f"the next {' '.join(spell_out(words))}"
        yield Section("Yields", (("", sentence(each)),))
    elif facts.result != "nothing" and facts.name != "__init__":
        yield Section("Returns", (("", sentence(_result(facts))),))


def _result(facts: FunctionFacts) -> str:
    if facts.result == "yes_or_no" or question(words_of(facts.name), "it"):
        return _truth(facts)
    if facts.result == "itself":
        return f"{owner_noun(facts)} itself" if facts.owner else "the object itself"
    if facts.result == "new_instance":
        return with_article(["new", *words_of(facts.owner)])
    return _value(facts)


def _truth(facts: FunctionFacts) -> str:
    summary = function_summary(facts)
    asked = summary.removeprefix("Return whether ").rstrip(".")
    return "True on success, False otherwise" if summary.startswith(asked) else f"True if {asked}, False otherwise"


def _value(facts: FunctionFacts) -> str:
    bare = facts.annotation.strip("\"'")
    optional = re.fullmatch(r"(?:\w+\.)?Optional\[(.+)\]|(.+?) ?\| ?None", bare)
    annotation = (optional[1] or optional[2]) if optional else bare
    return f"{_thing(facts, annotation)}, or None" if optional else _thing(facts, annotation)


def _thing(facts: FunctionFacts, annotation: str) -> str:
    """What is returned, by the best name at hand: of a variable, in the function's name, of a class."""
    words = words_of(facts.name)
    if "to" in words[:-1] or words[:1] == ["as"]:
        return noun(words[words.index("to" if "to" in words else "as") + 1 :] or ["result"])
    if len(facts.result_name) > 1 and facts.result_name != "cls":
        return noun(words_of(facts.result_name) or ["result"])
    if len(words) > 1 and verb_phrase(words) is not None:
        return _object(words)
    if _CLASS_NAME.fullmatch(annotation):
        return noun(words_of(annotation.rpartition(".")[2]))
    return noun(words) if words and verb_phrase(words) is None else "the result"


def _object(words: list[str]) -> str:
    """The noun phrase behind a name's verb, marked as new or changed where the verb says so."""
    if words[0] in ("make", "create", "build", "generate", "construct", "new"):
        return noun(["new", *words[1:]]).replace("new", "the new", 1)
    found = noun(words[1:])
    return found if found.startswith("the ") else "the result"


def _reason(raised: Raised) -> str:
    first, *rest = raised.message.strip().rstrip(".!").split() or [""]
    message = " ".join([first.lower() if first[1:].islower() else first, *rest])
    if re.fullmatch(r"[\w ,'-]{1,60}", message):
        for pattern, template in _MESSAGES:
            if found := pattern.fullmatch(message):
                return sentence(f"If {found.expand(template)}")
    name = raised.name.rpartition(".")[2]
    if name in _REASONS:
        return _REASONS[name]
    words = [word for word in words_of(name) if word not in ("error", "exception")]
    return sentence(f"if {with_article([*spell_out(words), 'error'])} occurs") if words else "If it fails."
