"""Random edits of real files: those that keep a contract pass, those that break it fail."""

from __future__ import annotations

import ast
import functools
import io
import re
import sysconfig
import token
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import orefactor.core.guards.contracts
from orefactor.core.guards.change import FileChange
from orefactor.core.guards.contracts.contract import Breach
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.guards.contracts.verdict import judge

Edit = tuple[int, int, str]
"""Start and end of what is replaced, and the text in its place."""
_NAMES = "bisect calendar cmd codeop colorsys contextlib copy fnmatch fractions getopt heapq keyword linecache mailcap"
_MORE_NAMES = "numbers operator pprint queue reprlib sched shlex stat string textwrap this timeit types weakref zipapp"
CONTRACTS = ("docstrings", "comments", "annotations", "imports", "formatting", "rename", "move")
ONE = settings(max_examples=20, deadline=None)


def _files() -> Iterator[Path]:
    library = Path(sysconfig.get_paths()["stdlib"])
    yield from (library / f"{name}.py" for name in f"{_NAMES} {_MORE_NAMES}".split())
    yield from sorted(Path(orefactor.core.guards.contracts.__file__).parent.glob("*.py"))


@functools.cache
def _texts() -> list[str]:
    texts = [path.read_bytes().decode() for path in _files() if path.exists()]
    return [text for text in texts if text.isascii() and "\r" not in text and text.endswith("\n")]


class Code:
    """A file with its places, as Python's own modules see them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))

    def at(self, place: tuple[int, int]) -> int:
        return self.starts[place[0] - 1] + place[1]

    def bodies(self) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
        for node in ast.walk(self.tree):
            if (
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                and node.body[0].lineno > node.lineno
            ):
                yield node, node.body

    def whole_lines(self, node: ast.stmt) -> tuple[int, int] | None:
        """The lines of a statement that shares them with no other."""
        start, end = self.starts[node.lineno - 1], self.starts[node.end_lineno or node.lineno]
        ends = self.at((node.end_lineno or 0, node.end_col_offset or 0))
        is_alone = not self.text[start : start + node.col_offset].strip() and not self.text[ends:end].strip()
        return (start, end) if is_alone else None

    def logical_starts(self) -> Iterator[int]:
        """Where logical lines begin, before their indentation."""
        fresh = True
        for tok in self.tokens:
            if tok.type in (token.NEWLINE, token.INDENT, token.DEDENT):
                fresh = fresh or tok.type == token.NEWLINE
            elif tok.type not in (tokenize.NL, tokenize.COMMENT, token.ENDMARKER) and fresh:
                fresh = False
                yield self.starts[tok.start[0] - 1]


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def docstring_edits(code: Code) -> Iterator[Edit]:
    for _, body in code.bodies():
        if not _is_docstring(body[0]):
            start = code.starts[_first_line(body[0]) - 1]
            indent = " " * body[0].col_offset
            yield start, start, f'{indent}"""New\n\n  text."""\n'
            if len(body) == 1 and isinstance(body[0], ast.Pass) and (lines := code.whole_lines(body[0])):
                yield *lines, f'{indent}"""New."""\n'
        elif lines := code.whole_lines(body[0]):
            yield *lines, f"{' ' * body[0].col_offset}'''Other.'''\n\n"
            if len(body) > 1 and not _is_docstring(body[1]):
                yield *lines, ""


def comment_edits(code: Code) -> Iterator[Edit]:
    yield from ((start, start, "    # new\n") for start in code.logical_starts() if start)
    commented = {tok.start[0] for tok in code.tokens if tok.type == tokenize.COMMENT}
    for tok in code.tokens:
        if tok.type == token.NEWLINE and tok.start[0] not in commented:
            yield code.at(tok.start), code.at(tok.start), "  # new"
        elif tok.type == tokenize.COMMENT and re.fullmatch(r"# [a-z ,.]+", tok.string) and tok.start[0] > 2:
            yield code.at(tok.start), code.at(tok.end), "# other words"


def annotation_edits(code: Code) -> Iterator[Edit]:
    for node in ast.walk(code.tree):
        if isinstance(node, ast.FunctionDef):
            for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
                if argument.annotation is None:
                    end = code.at((argument.end_lineno or 0, argument.end_col_offset or 0))
                    yield end, end, ": list[int | None]"
    for node in code.tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            end = code.at((node.targets[0].end_lineno or 0, node.targets[0].end_col_offset or 0))
            yield end, end, ": 'object'"


def formatting_edits(code: Code) -> Iterator[Edit]:
    yield from ((start, start, "\n\n") for start in code.logical_starts())
    for tok in code.tokens:
        if tok.type == token.OP and tok.string in (",", "+", "==", "("):
            yield code.at(tok.end), code.at(tok.end), "  "
        elif tok.type == token.STRING and re.fullmatch(r"'[a-z ]*'", tok.string):
            yield code.at(tok.start), code.at(tok.end), f'"{tok.string[1:-1]}"'


def import_edits(code: Code) -> Iterator[Edit]:
    for first, second in zip(code.tree.body, code.tree.body[1:], strict=False):
        if _is_plain_import(first) and _is_plain_import(second):
            one, other = code.whole_lines(first), code.whole_lines(second)
            if one and other and one[1] == other[0]:
                yield one[0], other[1], code.text[slice(*other)] + code.text[slice(*one)]
                yield one[0], other[1], code.text[slice(*one)]


def _is_plain_import(node: ast.stmt) -> bool:
    is_plain = isinstance(node, ast.Import | ast.ImportFrom) and node.names[0].name != "*"
    return is_plain and getattr(node, "module", "") != "__future__"


def move_edits(code: Code) -> Iterator[Edit]:
    functions = [node for node in code.tree.body if isinstance(node, ast.FunctionDef)]
    names = [node.name for node in functions]
    for node in functions:
        lines = code.whole_lines(node)
        if lines and not node.decorator_list and names.count(node.name) == 1:
            # To the end of the file.
            yield lines[0], len(code.text), code.text[lines[1] :] + code.text[slice(*lines)]


KEEPING: dict[str, Callable[[Code], Iterator[Edit]]] = {
    "docstrings": docstring_edits,
    "comments": comment_edits,
    "annotations": annotation_edits,
    "formatting": formatting_edits,
    "imports": import_edits,
    "move": move_edits,
}


def operator_edits(code: Code) -> Iterator[Edit]:
    others = {"+": "-", "==": "!=", "<": ">=", "and": "or", "is": "==", "True": "False", "+=": "-="}
    for tok in code.tokens:
        if tok.type in (token.OP, token.NAME) and tok.string in others:
            yield code.at(tok.start), code.at(tok.end), others[tok.string]


def constant_edits(code: Code) -> Iterator[Edit]:
    return ((code.at(tok.start), code.at(tok.end), "98765") for tok in code.tokens if tok.type == token.NUMBER)


def deletions(code: Code) -> Iterator[Edit]:
    for _, body in code.bodies():
        for node in body[1:]:
            lines = code.whole_lines(node)
            if lines and isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Raise | ast.If | ast.For):
                yield *lines, ""


def moved_docstrings(code: Code) -> Iterator[Edit]:
    for node, body in code.bodies():
        if len(body) > 1 and _is_docstring(body[0]) and not isinstance(node, ast.ClassDef):
            one, other = code.whole_lines(body[0]), code.whole_lines(body[1])
            if one and other and _first_line(body[1]) == body[1].lineno:
                between = code.text[one[1] : other[0]]
                yield one[0], other[1], between + code.text[slice(*other)] + code.text[slice(*one)]


def single_renames(code: Code) -> Iterator[Edit]:
    """One use of a parameter, and of nothing else."""
    for node in ast.walk(code.tree):
        if isinstance(node, ast.FunctionDef):
            parameters = {argument.arg for argument in node.args.args}
            uses = [each for stmt in node.body for each in ast.walk(stmt) if isinstance(each, ast.Name)]
            for use in uses:
                start = code.at((use.lineno, use.col_offset))
                if use.id in parameters and code.text[start : start + len(use.id)] == use.id:
                    yield start, start + len(use.id), f"{use.id}_renamed"


BREAKING: dict[str, Callable[[Code], Iterator[Edit]]] = {
    "operator": operator_edits,
    "constant": constant_edits,
    "deletion": deletions,
    "docstring into code": moved_docstrings,
    "single rename": single_renames,
}


def breach(contract: str, before: str, after: str) -> Breach | None:
    change = FileChange("a.py", None, "modified", before.encode(), after.encode(), "100644", "100644")
    return judge(parse_contract([contract]), [change])


@functools.cache
def _code(text: str) -> Code:
    return Code(text)


@functools.cache
def _edits_of(code: Code, edits: Callable[[Code], Iterator[Edit]]) -> list[Edit]:
    return sorted(set(edits(code)))


def edited(data: st.DataObject, edits: Callable[[Code], Iterator[Edit]], *, most: int) -> tuple[str, str]:
    """A real file before and after some edits that don't touch each other."""
    code = _code(data.draw(st.sampled_from(_texts())))
    found = _edits_of(code, edits)
    assume(found)
    chosen = data.draw(st.lists(st.sampled_from(found), min_size=1, max_size=most, unique=True))
    text, stop = code.text, len(code.text) + 1
    for start, end, new in sorted(chosen, reverse=True):
        if end < stop:
            text, stop = text[:start] + new + text[end:], start
    return code.text, text


@pytest.mark.parametrize("kind", KEEPING)
@ONE
@given(data=st.data())
def test_keeping(kind: str, data: st.DataObject) -> None:
    before, after = edited(data, KEEPING[kind], most=1 if kind == "move" else 6)
    assert breach(kind, before, after) is None
    others = [other for other in CONTRACTS if other != kind]
    combined = f"{kind},docstrings" if kind != "docstrings" else "docstrings,comments"
    assert breach(combined, before, after) is None
    assert before == after or any(breach(other, before, after) for other in others)


@pytest.mark.untraced
@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("kind", BREAKING)
@ONE
@given(data=st.data())
def test_breaking(kind: str, contract: str, data: st.DataObject) -> None:
    before, after = edited(data, BREAKING[kind], most=1)
    assert breach(contract, before, after) is not None


@ONE
@given(data=st.data())
def test_renaming(data: st.DataObject) -> None:
    """A name that no text may hide, renamed everywhere."""
    code = _code(data.draw(st.sampled_from(_texts())))
    texts = " ".join(tok.string for tok in code.tokens if tok.type == token.STRING and "{" in tok.string)
    names = {node.name for node in code.tree.body if isinstance(node, ast.FunctionDef)} - set(re.findall(r"\w+", texts))
    assume(names)
    name = data.draw(st.sampled_from(sorted(names)))
    text = code.text
    for tok in reversed(code.tokens):
        if tok.type == token.NAME and tok.string == name:
            text = text[: code.at(tok.start)] + "quite_new" + text[code.at(tok.end) :]
    assert breach("rename", code.text, text) is None
    assert breach(f"rename:{name}=quite_new", code.text, text) is None
    assert breach(f"rename:{name}=other", code.text, text) is not None


@ONE
@given(data=st.data())
def test_any_two_files(data: st.DataObject) -> None:
    """Whatever stands there, a judgement comes, and a file keeps every contract with itself."""
    before, after = (data.draw(st.binary(max_size=60) | st.text(max_size=60).map(str.encode)) for _ in "ab")
    for contract in (*CONTRACTS, "docstrings,comments,annotations,imports,formatting", "docstrings,move"):
        change = FileChange("a.py", None, "modified", before, after, "100644", "100644")
        found = judge(parse_contract([contract]), [change])
        assert found is None or "\n" not in str(found)
        same = FileChange("a.py", None, "modified", before, before, "100644", "100644")
        assert judge(parse_contract([contract]), [same]) is None
