"""What nobody asked for stays the same to the byte; what the tools do, passes."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

import pytest
from file_changes import FILE, added, deleted, modified, renamed
from hypothesis import assume, given
from hypothesis import strategies as st

from orefactor.core.code.edits import Edit, replace_once, whole_file
from orefactor.core.guards import bytes_kept
from orefactor.core.guards.change import FileChange
from orefactor.sandbox.errors import Refused

BOM = codecs.BOM_UTF8
LATIN = b"# coding: latin-1\n# caf\xe9\nx = 1\n"


def mode(old: str, new: str, before: bytes = b"a\n", after: bytes = b"a\n") -> FileChange:
    return FileChange("x", None, "modified", before, after, old, new)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(modified("a\nb\n", "a\nB\n"), id="lf"),
        pytest.param(modified("a\r\nb\r\n", "a\r\nx\r\nb\r\n"), id="crlf"),
        pytest.param(modified("a\rb\r", "a\rc\r"), id="cr"),
        pytest.param(modified("a\r\nb\nc\r\n", "a\r\nx\r\nb\nc\r\n"), id="mixed-neighbour"),
        pytest.param(modified("a\r\nb\nc\n", "a\r\nx\nb\nc\n"), id="mixed-most"),
        pytest.param(modified("a\nb", "a\nc"), id="no-last-line-break"),
        pytest.param(modified("a\nb", "a\nb\nc\n"), id="other-last-line"),
        pytest.param(modified("a", "a\r\nb"), id="one-line-has-no-end-to-keep"),
        pytest.param(modified("", "a\nb\n"), id="empty-before"),
        pytest.param(modified("a\n", ""), id="emptied"),
        pytest.param(modified(BOM + b"a\nb\n", BOM + b"a\nc\n"), id="bom"),
        pytest.param(modified(LATIN, LATIN.replace(b"= 1", b"= 2")), id="latin-1"),
        pytest.param(modified(b"# coding: latin-1\nx\n", b"x\n"), id="plain-ascii-needs-no-declaration"),
        pytest.param(modified("é\x0c\u2028x\n", "é\x0c\u2028y\n"), id="other-separators"),
        pytest.param(renamed(b"\xff\0", b"\xff\0", "a.bin", "b.bin"), id="binary-renamed"),
        pytest.param(added(b"\xff\0"), id="added"),
        pytest.param(added("#!/bin/sh\n", mode="100755"), id="added-executable"),
        pytest.param(deleted(b"\xff\0"), id="deleted"),
        pytest.param(mode("100755", "100755", b"a\n", b"b\n"), id="executable"),
        pytest.param(mode("120000", "120000"), id="link"),
    ],
)
def test_passes(change: FileChange) -> None:
    found = bytes_kept.judge([change])
    assert (found.name, found.ok) == ("bytes", True), found.detail


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        pytest.param(modified("a\r\nb\r\n", "a\nb\n"), "`x.py:1`: the line ends in LF, the file's lines in CRLF (and 1",
                     id="all-ends"),
        pytest.param(modified("a\r\nb\r\n", "a\r\nx\nb\r\n"), "`x.py:2`: the line ends in LF", id="added-line-lf"),
        pytest.param(modified("a\nb\n", "a\nx\r\nb\n"), "`x.py:2`: the line ends in CRLF", id="added-line-crlf"),
        pytest.param(modified("a\r\nb\nc\r\nd\n", "a\r\nb\r\nc\r\nd\n"), "`x.py:2`: the line's end LF became CRLF",
                     id="mixed-evened"),
        pytest.param(modified("a\r\nb\nc\nd\n", "a\r\nb\r\nC\nd\n"), "`x.py:2`: the line's end LF became CRLF",
                     id="mixed-beside-a-changed-line"),
        pytest.param(modified("a\r\nb\nc\nd\n", "a\r\nb\nc\nx\r\nd\n"),
                     "`x.py:4`: the new line ends in CRLF, unlike the lines around", id="mixed-new"),
        pytest.param(modified("", "a\nb\r\n"), "`x.py:2`: the line ends in CRLF, the file's lines in LF",
                     id="new-mixed"),
        pytest.param(modified("a\nb\n", "A\nb"), "`x.py:2`: the line break at the end of the file is gone",
                     id="last-gone"),
        pytest.param(modified("a\nb", "A\nb\n"), "`x.py:2`: the line break at the end of the file is new",
                     id="last-new"),
        pytest.param(modified(BOM + b"a\n", b"b\n"), "`x.py:1`: the byte order mark is gone", id="bom-gone"),
        pytest.param(modified(b"a\n", BOM + b"b\n"), "`x.py:1`: another byte order mark", id="bom-new"),
        pytest.param(modified(LATIN, LATIN[18:].decode("latin-1").encode()),
                     "`x.py:1`: the encoding iso-8859-1 became utf-8", id="encoding"),
        pytest.param(modified("x = 1\n", b"x = '\xe9'\n"), "`x.py`: it can't be read as text any more (it was utf-8)",
                     id="undecodable"),
        pytest.param(modified(b"\xe9\0", b"\xe8\0"), "`x.py`: a file that is no readable text changed", id="binary"),
        pytest.param(mode("100644", "100755"), "`x`: the mode 100644 became 100755", id="mode"),
        pytest.param(mode(FILE, "120000", after=b"y"), "`x`: the mode 100644 became 120000", id="became-a-link"),
        pytest.param(mode("120000", "120000", after=b"y"), "`x`: the target of a link", id="target"),
        pytest.param(added(b"y", mode="120000"), "`x.py`: a new file of git's mode 120000", id="new-link"),
    ],
)  # fmt: skip
def test_fails(change: FileChange, detail: str) -> None:
    found = bytes_kept.judge([change])
    assert (found.ok, found.detail[: len(detail)]) == (False, detail)


@pytest.mark.parametrize(
    ("change", "edits"),
    [
        pytest.param(modified("a\nb\n", "a\nB\n"), [Edit("b", "B")], id="edit"),
        pytest.param(modified("a\r\nb\r\n", "a\r\nB\r\n"), [Edit("a\nb", "a\nB")], id="shown-with-plain-ends"),
        pytest.param(modified("a\nb\n", "c\nb\n"), [Edit("a", "b\nx"), Edit("b\nx", "c")], id="one-after-the-other"),
        pytest.param(modified("a\nb\n", "c\nd\n"), [Edit("a", "x"), Edit(None, "c\nd\n")], id="written"),
        pytest.param(modified("a", "a\n"), [Edit("a", "a\n")], id="last-line-break-asked-for"),
        pytest.param(added("a\nb\n"), [Edit(None, "a\n"), Edit("a\n", "a\nb\n")], id="new"),
        pytest.param(modified(BOM + b"a\n", BOM + b"b\n"), [Edit(None, "\ufeffb\n")], id="bom-sent-along"),
    ],
)
def test_edits_that_account_for_all(change: FileChange, edits: Sequence[Edit]) -> None:
    found = bytes_kept.judge([change], {"x.py": edits})
    assert found.ok, found.detail


@pytest.mark.parametrize(
    ("change", "edits", "detail"),
    [
        pytest.param(modified("a\nb\nc\n", "a\nB\nC\n"), [Edit("b", "B")],
                     "`x.py:3`: line 3 changed although no edit asked for it", id="one-more-line"),
        pytest.param(modified("a\nb\n", "a\n"), [], "`x.py:2`: line 2 changed", id="no-edit"),
        pytest.param(modified("a\n", "b\n"), [Edit("x", "b")], "`x.py`: edit 1 of 1 doesn't fit", id="unfit"),
        pytest.param(modified("a\n", "a"), [], "`x.py:1`: line 1 changed", id="last-line-break"),
        pytest.param(added("a\nb\n"), [Edit(None, "a\n")], "`x.py:2`: line 2 changed", id="new"),
        pytest.param(added("a\n"), [], "`x.py:1`: line 1 changed", id="new-without-edit"),
        pytest.param(added(b"\xff\0"), [], "`x.py`: it can't be read as text", id="new-binary"),
    ],
)  # fmt: skip
def test_changes_that_no_edit_asked_for(change: FileChange, edits: Sequence[Edit], detail: str) -> None:
    found = bytes_kept.judge([change], {"x.py": edits} if edits else {})
    assert (found.ok, found.detail[: len(detail)]) == (False, detail)


@pytest.mark.parametrize("name", ["a.py", "b.py"])
def test_edits_of_a_renamed_file_stand_under_either_name(name: str) -> None:
    change = renamed("x\ny\n", "x\nz\n", "a.py", "b.py")
    assert bytes_kept.judge([change], {name: [Edit("y", "z")]}).ok
    assert not bytes_kept.judge([change], {name: []}).ok


LINE = st.sampled_from(["a", "b", "c", "d = 1", "", "}"])
END = st.sampled_from(["\n", "\r\n", "\r"])


@given(st.lists(st.tuples(LINE, END), min_size=1, max_size=12), st.data())
def test_what_the_tools_do_passes(lines: list[tuple[str, str]], data: st.DataObject) -> None:
    before = "".join(line + end for line, end in lines)
    shown = before.replace("\r\n", "\n").replace("\r", "\n")
    start = data.draw(st.integers(0, len(shown)))
    old = shown[start : data.draw(st.integers(start, len(shown)))]
    new = data.draw(st.text("ab}\n", max_size=8))
    try:
        after = replace_once(before.encode(), "x.txt", old, new)
    except Refused:
        assume(False)
        return
    found = bytes_kept.judge([modified(before, after, "x.txt")], {"x.txt": [Edit(old, new)]})
    assert found.ok, (before, after, found.detail)


@given(st.lists(st.tuples(LINE, END), min_size=1, max_size=12), st.text("ab}\n", max_size=20))
def test_whole_files_pass(lines: list[tuple[str, str]], content: str) -> None:
    before = "".join(line + end for line, end in lines).encode()
    after = whole_file(before, "x.txt", content)
    found = bytes_kept.judge([modified(before, after, "x.txt")], {"x.txt": [Edit(None, content)]})
    assert found.ok, (before, after, found.detail)


@given(st.lists(END, min_size=2, max_size=12), st.data())
def test_an_end_that_changed_is_seen(ends: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(ends) - 1))
    other = data.draw(END.filter(lambda end: end != ends[at]))
    before = "".join(f"line {n}{end}" for n, end in enumerate(ends))
    after = "".join(f"line {n}{other if n == at else end}" for n, end in enumerate(ends))
    found = bytes_kept.judge([modified(before, after, "x.txt")])
    assert not found.ok
    assert f":{at + 1}`" in found.detail
