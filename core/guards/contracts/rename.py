"""`rename`: the code is equal after renaming, and each name is renamed wherever it is the same name.

With `rename:OLD=NEW` only these names may change; without, the change itself shows which. What is one name is said in
`scopes.py`. Within it a renaming is complete and keeps names apart. It also has to begin somewhere: what is renamed is
defined in the change. In texts, comments and other files the words may follow, but needn't. A line that a new name
makes longer may be laid out anew. A module's file may be renamed as its name is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .consistency import captures, collisions, incomplete
from .contract import Breach, Contract, Fault, quoted
from .file_names import FileNames
from .occurrences import Occurrence
from .renamed_names import Pair


def judge(files: Sequence[FileNames], contract: Contract) -> Breach | None:
    """The first name that is renamed in part, onto another one, or without being asked.

    Args:
        files: the changed files in their order.
        contract: it may say which names change.
    """
    asked = {(old.encode(), new.encode()) for old, new in contract.renames.items()}
    defined = _Defined.of(files)
    for file in files:
        faults = [*incomplete(file.occurrences), *collisions(file.occurrences), *captures(file.occurrences)]
        faults += _unasked(file, asked) if asked else _undefined(file, defined)
        if faults:
            return min(faults, key=lambda fault: fault.line).breach(contract, file.path)
    return None


@dataclass(frozen=True, slots=True)
class _Defined:
    """The pairs of names that are defined in the change, by what may follow from them."""

    at_top: frozenset[Pair]
    in_classes: frozenset[Pair]
    parameters: frozenset[Pair]
    everything: frozenset[Pair]

    @classmethod
    def of(cls, files: Sequence[FileNames]) -> _Defined:
        modules = {pair for file in files for pair in file.modules}
        found = [each for file in files for each in file.occurrences if each.is_renamed and each.is_defined]
        by_kind = {
            kind: frozenset((each.old, each.new) for each in found if each.scope.kind == kind)
            for kind in ("module", "class", "function")
        }
        parameters = frozenset((each.old, each.new) for each in found if each.role == "parameter")
        at_top = by_kind["module"] | modules
        return cls(at_top, by_kind["class"], parameters, at_top | by_kind["class"] | by_kind["function"])

    def explains(self, occurrence: Occurrence) -> bool:
        """Whether a name that isn't defined where it is used is so elsewhere in the change."""
        pair = (occurrence.old, occurrence.new)
        match occurrence.scope.kind:
            case "module":
                return pair in self.at_top
            case "keyword":
                return pair in self.parameters or pair in self.in_classes
            case _:
                return pair in self.in_classes or pair in self.at_top


def _undefined(file: FileNames, defined: _Defined) -> Iterator[Fault]:
    """Names that change although nothing of that name is defined in the change."""
    for each in file.occurrences:
        if each.is_renamed and not each.is_defined and not defined.explains(each):
            detail = f"{_pair((each.old, each.new))}, but nothing of that name is defined in the change"
            yield Fault(each.line, each.symbol, detail, each.line_before)
    for pair in sorted(file.imported - defined.at_top):
        yield Fault(1, "", f"{_pair(pair)} in an import, but nothing of that name is defined in the change")
    for pair in sorted(file.words - defined.everything):
        yield Fault(1, "", f"{_pair(pair)} in a text or comment, but no name changed so")


def _unasked(file: FileNames, asked: set[Pair]) -> Iterator[Fault]:
    """Names that change in another way than asked."""
    for each in file.occurrences:
        if each.is_renamed and (each.old, each.new) not in asked:
            yield Fault(each.line, each.symbol, _pair((each.old, each.new)), each.line_before)
    for pair in sorted((file.words | file.imported | file.modules) - asked):
        yield Fault(1, "", _pair(pair))


def _pair(pair: Pair) -> str:
    return f"{quoted(pair[0])} became {quoted(pair[1])}"
