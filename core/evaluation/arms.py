"""The ways in which every task of a suite is run: from a file, or all combinations of some settings' values."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from orefactor.sandbox.toml_text import read_toml

from ..errors import UserError
from ..redact import printable
from ..settings import NAMED, known_name, option_name
from .faults import FAULTS
from .task import Arm

_OWN = ("name", "system", "oracle", "rate", "seed")
_LARGEST = 1 << 20
MOST_ARMS = 64


def read_arms(path: Path) -> tuple[Arm, ...]:
    """Read `[[arm]]` tables: a name, settings by their names, and perhaps `system` (a file), `oracle`, `rate`, `seed`.

    Raises:
        UserError: it can't be read, or an arm is wrong.
    """
    try:
        told = read_toml(path.read_bytes()[:_LARGEST])
    except OSError as error:
        raise UserError(
            f"can't read the arms in `{path}`: {error.strerror}", hint="name a file: `--arms FILE`"
        ) from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"`{path}` is no TOML: {printable(str(error))[:200]}", hint="mend the file") from None
    tables = _tables(told.get("arm"))
    if set(told) - {"arm"} or not tables:
        raise UserError(f"`{path}` has no arms", hint="write tables `[[arm]]` with a `name` and settings")
    return _distinct([_arm(table, path) for table in tables])


def _tables(found: object) -> list[dict[str, Any]]:
    """The tables of a list of nothing else; none where it is something else."""
    listed = cast("list[object]", found) if isinstance(found, list) else []
    tables = [cast("dict[str, Any]", table) for table in listed if isinstance(table, dict)]
    return tables if len(tables) == len(listed) else []


def varied(options: Mapping[str, Any], axes: Sequence[str]) -> tuple[Arm, ...]:
    """All combinations of some settings' values.

    Args:
        options: what all arms have in common.
        axes: each as `NAME=VALUE,VALUE`; none for one arm.

    Raises:
        UserError: an axis is wrong, or there would be too many arms.
    """
    parsed = [_axis(axis) for axis in axes]
    arms: list[Arm] = []
    for values in itertools.product(*(values for _, values in parsed)):
        if len(arms) == MOST_ARMS:
            raise UserError(f"there would be more than {MOST_ARMS} arms", hint="vary fewer settings at once")
        chosen = list(zip([name for name, _ in parsed], values, strict=True))
        name = " ".join(f"{option_name(key)}={value}" for key, value in chosen) or "usual"
        own = {key: value for key, value in chosen if key in _OWN}
        rest = {key: value for key, value in chosen if key not in _OWN}
        arms.append(_made(name, {**options, **rest}, own))
    return _distinct(arms)


def _axis(text: str) -> tuple[str, list[str]]:
    name, mark, values = text.partition("=")
    if not mark or not values.strip():
        raise UserError(f"`--vary {printable(text)}` is wrong", hint="write `--vary NAME=VALUE,VALUE`")
    found = [value.strip() for value in values.split(",")]
    return _known(name.strip()), found


def _known(name: str) -> str:
    if name in _OWN[1:]:
        return name
    return known_name(name, name, "{}", option_name, NAMED)


def _arm(table: Mapping[str, Any], path: Path) -> Arm:
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        raise UserError(f"an arm in `{path}` has no name", hint='write `name = "…"` in each `[[arm]]`')
    own = {key: value for key, value in table.items() if key in _OWN}
    if "system" in own:
        own["system"] = _text(path.parent / str(own["system"]))
    return _made(name.strip(), {_known(key): value for key, value in table.items() if key not in _OWN}, own)


def _made(name: str, options: Mapping[str, Any], own: Mapping[str, Any]) -> Arm:
    oracle = own.get("oracle")
    if oracle is not None and oracle not in ("", *FAULTS):
        raise UserError(f"there is no fault `{printable(str(oracle))}`", hint=f"name one of {', '.join(FAULTS)}")
    try:
        return Arm(
            printable(name),
            dict(options),
            own.get("system"),
            oracle,
            float(own.get("rate", 0.0)),
            int(own.get("seed", 0)),
        )
    except (TypeError, ValueError):
        raise UserError(f"`rate` or `seed` of the arm `{printable(name)}` is no number", hint="write numbers") from None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise UserError(
            f"can't read the system text in `{path}`: {error}", hint="name a file beside the arms"
        ) from None


def _distinct(arms: Sequence[Arm]) -> tuple[Arm, ...]:
    names = [arm.name for arm in arms]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UserError(f"two arms are called `{twice}`", hint="give each its own name")
    return tuple(arms)
