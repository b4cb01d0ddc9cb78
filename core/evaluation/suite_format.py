"""The two kinds of files in a suite's folder, read strictly: what isn't known here is refused with the nearest name.

suite.toml               name, licence, source
tasks/NAME/task.toml     text, paths, contract, checks, licence, [success], [source]
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root
from orefactor.sandbox.toml_text import read_toml

from ..errors import UserError
from .command_check import refuse

HINT = "the format of suites is described in `docs/evaluation.md`"
NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_LIMIT = 1 << 20
"""Bytes of one file."""

_Text = Annotated[str, Field(min_length=1, max_length=20_000)]
_Word = Annotated[str, Field(min_length=1, max_length=1000)]
_Seconds = Annotated[float, Field(gt=0, le=86_400, strict=False)]
_Part = TypeVar("_Part", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SuiteTable(_Strict):
    """`suite.toml`."""

    name: Annotated[str, Field(pattern=f"^{NAME.pattern}$")]
    """Of the suite."""
    licence: _Word
    """Of the material, as an SPDX expression; a task may have its own."""
    source: _Word
    """Where the material comes from, in words."""


class SuccessTable(_Strict):
    """`[success]`: one of the two, and a time limit."""

    command: Annotated[list[_Word], Field(min_length=1, max_length=1000)] | None = None
    """Program and arguments."""
    python: _Word | None = None
    """A script in the task's folder."""
    seconds: _Seconds = 300.0
    """Its time limit."""


class SourceTable(_Strict):
    """`[source]`: a folder in the task's folder, or a repository on this disk."""

    files: _Word | None = None
    """The folder."""
    repository: _Word | None = None
    """A path, relative to the suite's folder where it isn't absolute."""
    revision: _Word | None = None
    """The commit that the task begins at; HEAD where none is named."""


class TaskTable(_Strict):
    """`task.toml`."""

    text: _Text
    """What is asked for."""
    paths: Annotated[list[_Word], Field(max_length=10_000)]
    """That may change; none for all."""
    success: SuccessTable
    """What decides."""
    source: SourceTable
    """What is worked on."""
    contract: list[_Word] = []
    """As `--contract` takes it; none for `auto`."""
    checks: list[_Word] | None = None
    """The required checks of the run; left out for the usual ones."""
    licence: _Word | None = None
    """Where it isn't the suite's."""


def read_table(root: Root, path: str, model: type[_Part]) -> _Part:
    """Read one of the files.

    Args:
        root: the suite's folder.
        path: relative to it; no link may lie on the way.

    Raises:
        UserError: it isn't there, can't be read, or holds what it may not; names the file and the place in it.
    """
    try:
        if root.kind(path) != "file":
            raise refuse(f"the suite has no file `{path}`", HINT)
        return model.model_validate(read_toml(root.read(path, limit=_LIMIT).data))
    except Refused as error:
        raise refuse(f"`{path}` of the suite can't be read: {error}", HINT) from None
    except ValidationError as error:
        # The values are a stranger's, of any length.
        faults = error.errors(include_url=False, include_context=False)
        raise refuse(f"`{path}` of the suite: {_fault(model, cast('dict[str, Any]', faults[0]))}", HINT) from None
    except (ValueError, RecursionError) as error:
        raise refuse(f"`{path}` of the suite is no TOML: {str(error)[:300]}", HINT) from None


def _fault(model: type[BaseModel], fault: dict[str, Any]) -> str:
    place: tuple[str | int, ...] = fault["loc"]
    name = ".".join(str(part) for part in place)[:200]
    match fault["type"]:
        case "missing":
            return f"`{name}` is missing"
        case "extra_forbidden":
            known = _known(model, place[:-1])
            near = difflib.get_close_matches(str(place[-1])[:60], known, n=1)
            said = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(f'`{each}`' for each in known)}"
            return f"`{name}` isn't known; {said}"
        case _:
            return f"`{name}` is wrong: {str(fault['msg']).removeprefix('Input ')}"


def _known(model: type[BaseModel], place: Sequence[str | int]) -> list[str]:
    """The keys of the table at a place; only tables lie above one of them."""
    for part in place:
        model = cast("type[BaseModel]", model.model_fields[str(part)].annotation)
    return list(model.model_fields)


def require_one(table: SuccessTable | SourceTable, first: str, second: str, where: str) -> UserError | None:
    """The error where not exactly one of two keys is there."""
    has = [getattr(table, name) is not None for name in (first, second)]
    if sum(has) == 1:
        return None
    return refuse(f"{where} needs either `{first}` or `{second}`{', not both' if all(has) else ''}", HINT)
