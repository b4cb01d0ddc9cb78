"""What a recipe is: a pure function from source text to source text, and the words that ask for it.

A recipe never opens a file. What it may know of the project arrives as `Options`, made by whoever has read
it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

PEP8_WIDTH = 79
CONSERVATIVE_VERSION = "py39"
IMPORT_RULES = ("I", "F401")
LINT_RULES = ("PIE790", "I001")
"""What a recipe's own change may break: a `pass` beside a new docstring, a new import out of order."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a recipe may know besides the text.

    Attributes:
        path: the file relative to the repository's top, with forward slashes.
        line_length: columns that a docstring may fill, indentation included.
        target_version: the oldest Python that the project supports, as ruff writes it (`py39`).
        ruff_config: text of a `ruff.toml` made for this project; empty for ruff's defaults.
        ignored_rules: codes of ruff's rules that the project doesn't want.
        import_rules: which of ruff's import rules to apply.
        public_only: leave private definitions as they are.
        lint_rules: those of `LINT_RULES` that the project holds its code to.
    """

    path: str = "module.py"
    line_length: int = PEP8_WIDTH
    target_version: str = CONSERVATIVE_VERSION
    ruff_config: str = ""
    ignored_rules: tuple[str, ...] = ()
    import_rules: tuple[str, ...] = IMPORT_RULES
    public_only: bool = False
    lint_rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way to ask for a recipe.

    Attributes:
        pattern: a regular expression that the whole phrase has to match, without regard to case.
        title: what the change does, as the start of a commit's subject.
        import_rules: narrows the import rules to these; empty for no narrowing.
    """

    pattern: str
    title: str
    import_rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """One mechanical change of a source file.

    Attributes:
        name: as in the table.
        phrases: the ways to ask for it.
        examples: the phrases that messages show.
        description: what it does, one line.
        apply: gives the new text; the same text where nothing is to change or the text can't be parsed. Lines
            end in a line feed on both sides.
    """

    name: str
    phrases: tuple[Phrase, ...]
    examples: tuple[str, ...]
    description: str
    apply: Callable[[str, Options], str]
