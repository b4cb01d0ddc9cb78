"""Puts an import in order that a recipe added, where the project holds its imports to an order and they were in it."""

from __future__ import annotations

import json

from .base import Options
from .ruff_process import fix, run_ruff


def tidied(before: str, after: str, options: Options) -> str:
    """The new text with its imports sorted, where the old one's were.

    Raises:
        ProviderFailed: ruff took too long.
    """
    if after == before or "I001" not in options.lint_rules or _is_unsorted(before, options):
        return after
    return fix(after, options, ["I001"])


def _is_unsorted(text: str, options: Options) -> bool:
    arguments = ["check", "--exit-zero", "--output-format", "json", "--select", "I001"]
    return bool(json.loads(run_ruff(arguments, text, options) or "[]"))
