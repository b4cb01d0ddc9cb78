"""Contracts: what kind of change is promised, told to the model at the start and proven of the result.

A new kind is one file and one line here.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import comments, docstrings, formatting, imports, move, rename
from .annotations import TOLD as TYPES_TOLD
from .contract import Breach as Breach
from .contract import Contract as Contract
from .contract import KindName
from .parsing import parse_contract as parse_contract
from .verdict import judge as judge

CONTRACTS: Mapping[KindName, str] = {
    "docstrings": docstrings.TOLD,
    "comments": comments.TOLD,
    "annotations": TYPES_TOLD,
    "imports": imports.TOLD,
    "formatting": formatting.TOLD,
    "rename": rename.TOLD,
    "move": move.TOLD,
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
