"""The table of contracts: a new kind is one file and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from .contract import Contract, KindName

CONTRACTS: Mapping[KindName, str] = {
    "docstrings": (
        "Change nothing but docstrings: add, reword or remove them. A `pass` or `...` that a docstring makes needless "
        "may go. Leave code, comments and layout as they are."
    ),
    "comments": (
        "Change nothing but comments. Comments that tools act upon (`# type:`, `# noqa`, `# pragma`, `# fmt:`, "
        "`# pylint:`, coding cookies, `#!` lines and their like) stay as they are."
    ),
    "annotations": (
        "Change nothing but annotations of parameters, results and variables, and the imports that they need: from "
        "`typing`, `typing_extensions`, `collections.abc`, `types` and `__future__`, or of anything in an "
        "`if TYPE_CHECKING:` block. Names, order, defaults and bodies stay as they are. Don't annotate the variables "
        "of a class that reads its annotations (a dataclass, a model) unless they are annotated already."
    ),
    "imports": (
        "Change nothing but import statements: sort, group, split or remove them. A name keeps coming from the same "
        "module; imports inside functions, `if` and `try` stay there; `import *` and `__future__` imports stay."
    ),
    "formatting": (
        "Change nothing but the layout: white space, line breaks, needless parentheses, last commas, quotes. "
        "Comments, docstrings and code keep their meaning and their order."
    ),
    "rename": (
        "Change nothing but names: rename each everywhere it is the same name, in definitions, uses, keyword arguments "
        "and imports. In comments and texts it may be renamed too. No new name may be in use already."
    ),
    "move": (
        "Only move functions, classes and assignments, to another file or place: their code stays the same. A method "
        "may become a function without `self`, or with it as the first parameter. Adapt the imports and "
        "change nothing else."
    ),
}
"""What the model is told of each kind; `auto` and `any` promise nothing."""


def explain(contract: Contract) -> str:
    """What the model is told at the start; empty where every change is allowed."""
    if contract.is_open:
        return ""
    told = [CONTRACTS[kind] for kind in contract.kinds]
    if contract.renames:
        told.append(f"Rename {', '.join(f'`{old}` to `{new}`' for old, new in contract.renames.items())}.")
    if len(told) > 1 and len(contract.kinds) > 1:
        told.insert(0, "The change may hold these kinds of edits and no others.")
    told.append("The result is compared with the state before, and refused at the first other difference.")
    return " ".join(told)
