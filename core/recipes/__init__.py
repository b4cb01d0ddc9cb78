"""The offline engine: mechanical changes that need no model, by name.

The order of the table is the order in which several recipes of one task are applied: syntax first, since it
decides which imports are needed, and layout last.
"""

from __future__ import annotations

from collections.abc import Mapping

from .annotations import ANNOTATIONS
from .base import Options as Options
from .base import Recipe as Recipe
from .docstrings import DOCSTRINGS
from .ruff_rules import FORMATTING, IMPORTS, MODERNIZE

RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe for recipe in (MODERNIZE, ANNOTATIONS, IMPORTS, DOCSTRINGS, FORMATTING)
}
