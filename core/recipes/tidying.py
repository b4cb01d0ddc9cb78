"""Takes back what a recipe made untidy by the project's own lint rules: nothing that was untidy before.

A docstring makes a `pass` needless, and a new import may stand out of order. Whether that matters is for the
project's configuration to say.
"""

from __future__ import annotations

import json
from collections import Counter

from .base import Options
from .ruff_process import fix, run_ruff

_RULES = ("PIE790", "I001")


def tidied(before: str, after: str, options: Options) -> str:
    """The new text with what `_RULES` find in it mended, where they found nothing in the old one.

    Raises:
        ProviderFailed: ruff took too long.
    """
    if after == before or not options.ruff_config:
        return after
    found, known = _count(after, options), _count(before, options)
    rules = [rule for rule in _RULES if found[rule] and not known[rule]]
    return fix(after, options, rules) if rules else after


def _count(text: str, options: Options) -> Counter[str]:
    output = run_ruff(["check", "--exit-zero", "--output-format", "json"], text, options)
    return Counter(str(finding["code"]) for finding in json.loads(output or "[]"))
