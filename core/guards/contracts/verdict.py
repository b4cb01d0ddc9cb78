"""Judges a whole change by a contract: what holds for every file, and which comparison each one gets.

Files that aren't Python stay as they are to the byte, save that names may be renamed in them. No file comes, goes or
changes its mode, save as `rename` and `move` allow.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..change import FileChange
from . import docstrings, imports, move, rename
from .annotations import TypeComparison
from .annotations import judge as judge_types
from .annotations import taken_out as types_taken_out
from .compare import Comparison
from .contract import Breach, Contract, Fault, quoted
from .encoding import differing_encoding, is_python
from .file_names import FileNames, names_in
from .import_rules import ImportComparison
from .move import MovedFile
from .remainder import Remainder, remainder
from .renamed_names import Pair, Renamed, differing_words
from .renamed_paths import as_renamed, module_words
from .source import Source, read

_MODULE = "module.py"
"""The name under which a file is read, so that its coding cookie counts, whatever it is called."""


def judge(contract: Contract, changes: Sequence[FileChange]) -> Breach | None:
    """Find the first difference that a contract doesn't allow.

    Takes time in proportion to the files, whatever they hold.

    Args:
        contract: what may differ.
        changes: the changed files in the order of the change.

    Returns:
        The first difference by file and line; None where the contract is kept.
    """
    if contract.is_open:
        return None
    if contract.allows("rename"):
        changes = as_renamed(changes, contract.renames)
    moved: list[MovedFile] = []
    named: list[FileNames] = []
    for change in changes:
        fault = _whole_file(contract, change)
        read_as = _moved if contract.allows("move") else _compared
        match fault or read_as(contract, change):
            case Fault() as found:
                return found.breach(contract, change.path)
            case MovedFile() as found:
                moved.append(found)
            case FileNames() as found:
                named.append(found)
            case None:
                pass
    return move.judge(moved, contract) or (rename.judge(named, contract) if contract.allows("rename") else None)


def _whole_file(contract: Contract, change: FileChange) -> Fault | None:
    """What is wrong with a change without looking into the file."""
    may_come = contract.allows("move") and is_python(change.path, change.after or change.before or b"")
    is_regular = {change.old_mode, change.new_mode} - {"000000"} <= {"100644", "100755"}
    if change.kind == "type" or (not is_regular and change.before != change.after):
        return Fault(0, "", "it became another type of file, or is no regular one")
    if change.kind in ("added", "deleted"):
        return None if may_come else Fault(0, "", f"the file was {change.kind}")
    if change.old_mode != change.new_mode:
        return Fault(0, "", f"the file's mode changed from {change.old_mode} to {change.new_mode}")
    if change.kind == "renamed" and not contract.allows("move"):
        return _renamed(contract, change)
    return None


def _renamed(contract: Contract, change: FileChange) -> Fault | None:
    old = change.old_path or change.path
    if contract.allows("rename") and module_words(old, change.path):
        return None
    return Fault(0, "", f"the file was renamed from {quoted(old.encode('utf-8', 'replace'))}")


def _moved(_contract: Contract, change: FileChange) -> MovedFile | Fault | None:
    before, after = change.before, change.after
    if not is_python(change.path, after or before or b""):
        return _same_bytes(before or b"", after or b"")
    if before is not None and after is not None and (fault := differing_encoding(before, after, may_end_lines=False)):
        return fault
    sides = (read(data, _MODULE) if data is not None else None for data in (before, after))
    return MovedFile(change.path, *sides)


def _compared(contract: Contract, change: FileChange) -> Fault | FileNames | None:
    before, after = change.before or b"", change.after or b""
    modules = frozenset[Pair]()
    if contract.allows("rename"):
        modules = module_words(change.old_path or change.path, change.path) or modules
    if not is_python(change.path, before):
        return _renamed_text(contract, change.path, modules, before, after)
    if fault := differing_encoding(before, after, may_end_lines=contract.allows("formatting")):
        return fault
    return _python(contract, change.path, modules, read(before, _MODULE), read(after, _MODULE))


def _python(
    contract: Contract, path: str, modules: frozenset[Pair], before: Source, after: Source
) -> Fault | FileNames | None:
    old, new = _remainder(contract, before), _remainder(contract, after)
    types = TypeComparison(before, after) if contract.allows("annotations") else None
    renamed = Renamed() if contract.allows("rename") else None
    comparison = Comparison(old, new, contract, types, renamed)
    same = comparison.same_items()
    faults = [comparison.fault(same)]
    if contract.allows("docstrings"):
        faults.append(docstrings.judge(old, new, same))
    if contract.allows("annotations"):
        faults.append(judge_types(old, new))
    if contract.allows("annotations") or contract.allows("imports"):
        faults.append(ImportComparison(old, new, contract, path).fault(same))
    first = min(filter(None, faults), key=lambda fault: fault.line, default=None)
    return first or (names_in(path, modules, comparison, renamed) if renamed is not None else None)


def _remainder(contract: Contract, source: Source) -> Remainder:
    """What may not differ of a file."""
    taken: set[int] = set()
    if contract.allows("docstrings"):
        taken.update(docstrings.taken_out(source))
    if contract.allows("annotations"):
        taken.update(types_taken_out(source))
    if contract.allows("imports") or contract.allows("rename"):
        taken.update(imports.taken_out(source))
    return remainder(source, taken)


def _renamed_text(
    contract: Contract, path: str, modules: frozenset[Pair], before: bytes, after: bytes
) -> Fault | FileNames | None:
    words = differing_words(before, after) if contract.allows("rename") else None
    if words is None:
        return _same_bytes(before, after)
    return FileNames(path, words=frozenset(words), modules=modules)


def _same_bytes(before: bytes, after: bytes) -> Fault | None:
    if before == after:
        return None
    then, now = before.split(b"\n"), after.split(b"\n")
    at = next((at for at, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), min(len(then), len(now)))
    detail = "a file that isn't Python changed"
    if at < len(then) and at < len(now):
        detail += f": {quoted(then[at], now[at])} became {quoted(now[at], then[at])}"
    return Fault(at + 1, "", detail, at + 1)
