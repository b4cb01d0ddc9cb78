"""Guards look at the whole change after the tools had their say. A new guard is one file and one line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from orefactor.sandbox.patch import Change

from ..gate import GuardResult
from ..tools.base import Scope
from . import scope

Guard = Callable[[Sequence[Change], Scope], GuardResult]

GUARDS: dict[str, Guard] = {
    "scope": scope.judge,
}
