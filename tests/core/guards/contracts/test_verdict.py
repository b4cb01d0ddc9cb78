"""What holds for whole files under every contract, and that time stays in proportion to their size."""

from __future__ import annotations

import time

import pytest

from orefactor.core.guards.change import FileChange
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.guards.contracts.verdict import judge
from orefactor.sandbox.patch import ChangeKind

CLOSED = ("docstrings", "comments", "annotations", "imports", "formatting", "rename", "move")


def changed(before: bytes | None, after: bytes | None, path: str = "a.py", kind: ChangeKind = "modified") -> FileChange:
    return FileChange(path, "old.py" if kind == "renamed" else None, kind, before, after, "100644", "100644")


FILES: dict[str, tuple[FileChange, str]] = {
    "data": (changed(b"a\nb\n", b"a\nc\n", "a.txt"), "a.txt:2: a file that isn't Python changed: `b` became `c`"),
    "binary": (changed(b"\0\xff", b"\0\xfe", "a.bin"), "a.bin:1: a file that isn't Python changed"),
    "new data": (changed(None, b"a\n", "a.txt", "added"), "a.txt: the file was added"),
    "gone data": (changed(b"a\n", None, "a.txt", "deleted"), "a.txt: the file was deleted"),
    "type": (changed(b"a", b"a", "a.py", "type"), "a.py: it became another type of file"),
    "link": (FileChange("a", None, "modified", b"x", b"y", "120000", "120000"), "a: it became another type of file"),
    "mode": (
        FileChange("a.py", None, "modified", b"x", b"x", "100644", "100755"),
        "a.py: the file's mode changed from 100644 to 100755",
    ),
    "encoding": (
        changed(b"# coding: latin-1\nx = '\xe9'\n", b"# coding: utf-8\nx = '\xc3\xa9'\n"),
        "a.py: the file's encoding changed from iso-8859-1 to utf-8",
    ),
    "no encoding": (changed(b"x = '\xe9'\n", b"x = '\xc3\xa9'\n"), "a.py: the file's encoding changed"),
    "undecodable": (changed(b"x = '\xe9'\n", b"x = '\xea'\n"), "a.py:1: "),
    "statement": (changed(b"x + y\n", b"x - y\n"), "a.py:1: `x + y` became `x - y`"),
    "long statement": (
        changed(b"x" + b" + x" * 80 + b" + y\n", b"x" + b" + x" * 80 + b" - y\n"),
        "a.py:1: `\u2026",
    ),
    "script": (
        changed(b"#!/usr/bin/env python3\nx\n", b"#!/usr/bin/env python3\nx - y\n", "run"),
        "run:2: `x` became `x - y`",
    ),
    "odd name": (changed(b"a", None, "\udcff", "deleted"), "\\udcff: the file was deleted"),
    "control characters": (changed(b"x\n", b"'\x1b[m\xe2\x80\xae' - 1\n"), "a.py:1: `x` became `'\ufffd[m\ufffd' - 1`"),
}


@pytest.mark.parametrize("contract", CLOSED)
@pytest.mark.parametrize(("change", "words"), FILES.values(), ids=FILES)
def test_refused(contract: str, change: FileChange, words: str) -> None:
    found = judge(parse_contract([contract]), [change])
    assert found is not None
    assert str(found).startswith(words if contract != "rename" or change.path[-3:] == ".py" else words[:4])
    assert judge(parse_contract(["any"]), [change]) is None
    assert judge(parse_contract([]), [change]) is None


@pytest.mark.parametrize("contract", [kind for kind in CLOSED if kind != "move"])
def test_files_stay(contract: str) -> None:
    for change in (changed(None, b"'d'\n", kind="added"), changed(b"'d'\n", None, kind="deleted")):
        assert judge(parse_contract([contract]), [change]) is not None
    renamed = changed(b"x\n", b"x\n", kind="renamed")
    assert (judge(parse_contract([contract]), [renamed]) is None) == (contract == "rename")


def test_script_without_suffix() -> None:
    change = changed(b"#!/usr/bin/python\ndef f(): x\n", b"#!/usr/bin/python\ndef f():\n  'd'\n  x\n", "bin/run")
    assert judge(parse_contract(["docstrings"]), [change]) is None


def test_same_undecodable_text() -> None:
    change = changed(b"# coding: nope\nx = '\xe9'\ndef f(): y\n", b"# coding: nope\nx = '\xe9'\ndef f(): 'd'; y\n")
    assert judge(parse_contract(["docstrings"]), [change]) is None


def test_first_file_counts() -> None:
    changes = [changed(b"x\n", b"y\n", "b.py"), changed(b"x\n", b"y\n", "a.py")]
    for contract in CLOSED[:5]:
        found = judge(parse_contract([contract]), changes)
        assert found is not None
        assert (found.path, found.contract) == ("b.py", contract)


HUGE = {
    "nested": (b"x = " + b"(" * 5000 + b"1" + b")" * 5000, b"x = " + b"(" * 5000 + b"2" + b")" * 5000),
    "attributes": (b"a" + b".a" * 2_500, b"a" + b".a" * 2_500 + b".b"),
    "one line": (b"x = '" + b"a" * 1_000_000 + b"'", b"x = '" + b"a" * 1_000_000 + b"b'"),
    "list": (b"x = [" + b"1," * 5_000 + b"]", b"x = [" + b"1," * 5_000 + b"2]"),
    "imports in a line": (b"import a;" * 5_000 + b"x", b"import a;" * 5_000 + b"y"),
    "blocks": (
        b"".join(b" " * i + b"if a:\n" for i in range(300)),
        b"".join(b" " * i + b"if b:\n" for i in range(300)),
    ),
    "comments": (b"#a\n" * 50_000 + b"x", b"#a\n" * 50_000 + b"y"),
    "unread": (b"( " * 5_000, b"( " * 5_000 + b"a"),
    "other lines": (b"".join(b"a%d\n" % i for i in range(5_000)), b"".join(b"b%d\n" % i for i in range(5_000))),
}


@pytest.mark.untraced
@pytest.mark.parametrize(("before", "after"), HUGE.values(), ids=HUGE)
def test_hostile_sizes(before: bytes, after: bytes) -> None:
    start = time.process_time()
    for contract in (*CLOSED[:5], "rename:p=q", "move"):
        found = judge(parse_contract([contract]), [changed(before, after)])
        assert found is not None
        assert len(str(found)) < 500
    # Seven judgements, of about a second together; what is quadratic takes many times that.
    assert time.process_time() - start < 5
