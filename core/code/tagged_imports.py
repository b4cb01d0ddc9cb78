"""What a source imports, from a language's query: an `import` with its `module`, and perhaps `imported` and `alias`.

Where one statement names many things, it is tagged `from`, and each of them by itself as a `specifier`, or as `default`
or `whole` where it stands for the module's main export or for all of it: one pattern for both would wait for the end of
the statement with each name. An `import_all` takes everything. A `use` is Rust's tree of names in braces, which is read
from its text. Paths and modules stay as they are written, without quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .spans import spans
from .symbols import Import

if TYPE_CHECKING:
    from tree_sitter import Node

Match = Mapping[str, Sequence["Node"]]

_TAGS = ("import", "import_all", "specifier", "default", "whole")
_PARTS = ("specifier", "default", "whole")
_MAX_NAME = 1000
_MAX_NAMES = 1000
"""Names of one `use`; with their paths they would take quadratic room."""
_MAX_DEPTH = 20
_USE = re.compile(r"[{},]|(?:r#)?[\w:*]+(?:\s+as\s+\w+)?")


def imports_of(matches: Sequence[Match], source: bytes) -> Iterator[Import]:
    """The imports of a source.

    Args:
        matches: the query's matches.
        source: the bytes that were parsed.
    """
    statements = sorted(
        (match["from"][0].start_byte, match["from"][0].end_byte, _text(match["module"], source))
        for match in matches
        if "from" in match
    )
    modules = spans((start, end, position) for position, (start, end, _) in enumerate(statements))
    for match in matches:
        if "use" in match:
            node = match["use"][0]
            text = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
            yield from _used(text, node.start_point[0] + 1)
        for tag in _TAGS:
            if tag not in match:
                continue
            at = modules.at(match[tag][0].start_byte) if tag in _PARTS else -1
            module = statements[at][2] if at >= 0 else _text(match.get("module"), source)
            if 0 < len(module) <= _MAX_NAME:
                yield _import(match, tag, module, source)


def _import(match: Match, tag: str, module: str, source: bytes) -> Import:
    name = {"default": "default", "import_all": "*"}.get(tag, _text(match.get("imported"), source) or None)
    alias = _text(match.get("alias"), source)
    if not alias and name != "*":
        alias = name or module.rstrip("/").rpartition("/")[2]
    return Import(module, name, alias, match[tag][0].start_point[0] + 1)


def _text(nodes: Sequence[Node] | None, source: bytes) -> str:
    if not nodes:
        return ""
    return source[nodes[0].start_byte : nodes[0].end_byte].decode("utf-8", "replace").strip("\"'`<> ")


def _used(text: str, line: int) -> Iterator[Import]:
    paths: list[str] = [""]
    before, count = "", 0
    for found in _USE.finditer(text):
        mark = found[0]
        if mark == "{":
            paths.append(before if len(paths) < _MAX_DEPTH else paths[-1])
        elif mark == "}" and len(paths) > 1:
            paths.pop()
        elif mark not in ("}", ","):
            path, _, alias = (part.strip() for part in mark.partition(" as "))
            before = f"{paths[-1]}{path}"[-_MAX_NAME:]
            if not path.endswith("::") and count < _MAX_NAMES:
                count += 1
                yield _imported(before, alias, line + text.count("\n", 0, found.start()))


def _imported(path: str, alias: str, line: int) -> Import:
    module, _, name = path.rpartition("::")
    if name == "self" and module:  # `use a::b::{self}` takes the module itself
        module, _, name = module.rpartition("::")
    if not module:
        return Import(name, None, alias or name, line)
    return Import(module, name, "" if name == "*" else alias or name, line)
