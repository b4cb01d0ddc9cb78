"""The recipes that ruff's own rules and formatter do completely."""

from __future__ import annotations

from .base import Options, Phrase, Recipe
from .ruff_process import fix, format_text, unused_imports

_FORMAT_OBJECT = r"(?:\s+(?:the\s+)?(?:code|source(?:\s+code)?|files?|everything))?"


def tidy_imports(text: str, options: Options) -> str:
    """Sort imports, remove unused ones, or both, as the options say."""
    return fix(text, options, options.import_rules)


def modernize(text: str, options: Options) -> str:
    """Rewrite what the target version has a newer form for, with ruff's safe fixes only.

    Imports that nothing uses any more are removed; those that nothing used before stay.
    """
    after = fix(text, options, ("UP",))
    if after == text:
        return text
    kept = unused_imports(text, options)
    if any(name.startswith(".") for name in kept):
        return after  # ruff has no way to keep relative imports
    return fix(after, options, ("F401",), allowed=kept)


IMPORTS = Recipe(
    name="imports",
    phrases=(
        Phrase(r"(?:isort|(?:sort|order|reorder|re-order)\s+(?:the\s+|all\s+)?imports)", "Sort imports", ("I",)),
        Phrase(
            r"(?:remove|delete|drop)\s+(?:the\s+|all\s+|any\s+)?unused\s+imports",
            "Remove unused imports",
            ("F401",),
        ),
        Phrase(r"(?:clean(?:\s+up)?|tidy(?:\s+up)?|organi[sz]e|fix)\s+(?:the\s+|all\s+)?imports", "Tidy imports"),
    ),
    examples=("sort imports", "remove unused imports"),
    description="sorts imports and removes unused ones (ruff's I and F401)",
    apply=tidy_imports,
)

FORMATTING = Recipe(
    name="formatting",
    phrases=(Phrase(rf"(?:(?:re|auto)?-?format|run\s+ruff\s+format){_FORMAT_OBJECT}", "Format code"),),
    examples=("format",),
    description="formats the code (`ruff format`)",
    apply=format_text,
)

MODERNIZE = Recipe(
    name="modernize",
    phrases=(
        Phrase(
            r"(?:(?:use|adopt|upgrade\s+to|switch\s+to)\s+(?:the\s+|a\s+)?(?:newer|newest|modern)\s+(?:python\s+)?syntax"
            r"|(?:upgrade|moderni[sz]e)\s+(?:the\s+)?(?:python\s+)?(?:syntax|code)"
            r"|moderni[sz]e|pyupgrade|run\s+pyupgrade)",
            "Modernize syntax",
        ),
    ),
    examples=("modernize",),
    description="uses the newer syntax that the target version has (ruff's UP)",
    apply=modernize,
)
