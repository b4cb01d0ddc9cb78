"""Reads `--contract LIST`: names of kinds, separated by commas or given several times."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from .contract import ALONE, KIND_NAMES, Contract, KindName

_MAX_SHOWN = 60
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def parse_contract(items: Sequence[str]) -> Contract:
    """Read a contract.

    Args:
        items: each a comma-separated list of kinds; `rename` may say which names, as `rename:OLD=NEW`. A dotted name
            stands for its last part, so that both sides may be written as they are known.

    Returns:
        The contract; `auto` where nothing is given.

    Raises:
        ValueError: an unknown kind, a renaming that makes no sense, or kinds that don't go together; the text is for
            people.
    """
    kinds: dict[KindName, None] = {}
    renames: dict[str, str] = {}
    is_any_rename = False
    for word in _words(items):
        name, colon, pair = word.partition(":")
        kinds[_kind(name.strip())] = None
        if name.strip() == "rename" and colon:
            _add(renames, *_pair(pair))
        elif colon:
            raise ValueError(f"only `rename` says more than its name, as in `rename:OLD=NEW`; not {_shown(word)}")
        is_any_rename = is_any_rename or word.strip() == "rename"
    _check(kinds, renames, is_any_rename=is_any_rename)
    return Contract(tuple(kind for kind in KIND_NAMES if kind in (kinds or ("auto",))), renames)


def _words(items: Sequence[str]) -> Iterator[str]:
    return (word.strip() for item in items for word in item.split(",") if word.strip())


def _kind(name: str) -> KindName:
    for kind in KIND_NAMES:
        if name == kind:
            return kind
    near = difflib.get_close_matches(name[:_MAX_SHOWN], KIND_NAMES, n=1)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(KIND_NAMES)}"
    raise ValueError(f"there is no contract {_shown(name)}; {hint}")


def _pair(text: str) -> tuple[str, str]:
    old, equals, new = (part.strip() for part in text.partition("="))
    if not equals or not _NAME.fullmatch(old) or not _NAME.fullmatch(new):
        raise ValueError(f"a renaming is written `rename:OLD=NEW`, with two names; not {_shown(text)}")
    return old.rpartition(".")[2], new.rpartition(".")[2]


def _add(renames: dict[str, str], old: str, new: str) -> None:
    if old == new:
        raise ValueError(f"`rename:{old}={new}` changes nothing")
    if renames.get(old, new) != new:
        raise ValueError(f"`{old}` can't become both `{renames[old]}` and `{new}`")
    if any(other != old and renames[other] == new for other in renames):
        raise ValueError(f"two names can't both become `{new}`")
    renames[old] = new


def _check(kinds: dict[KindName, None], renames: dict[str, str], *, is_any_rename: bool) -> None:
    alone = [kind for kind in kinds if kind in ALONE]
    if alone and len(kinds) > 1:
        raise ValueError(f"the contract `{alone[0]}` stands alone; it doesn't go with others")
    if renames and is_any_rename:
        raise ValueError("`rename` allows any names; give it alone, or only with names, as `rename:OLD=NEW`")
    if "move" in kinds and is_any_rename:
        raise ValueError("with `move`, say which names change, as `rename:OLD=NEW`")


def _shown(text: str) -> str:
    cut = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}\u2026"
    return f"`{''.join(character if character.isprintable() else '?' for character in cut)}`"
