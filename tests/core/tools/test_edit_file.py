"""`edit_file` at the level of a call: inputs that made tools of this kind fail, and what stays to the byte."""

from __future__ import annotations

import codecs
import os
import stat
import time
from pathlib import Path

import pytest
from conftest import Files, write_files

from orefactor.core import RefactorTools

TWINS = "class A:\n    def run(self):\n        return 1\n\n\nclass B:\n    def run(self):\n        return 1\n"
THRICE = "def f():\n    x = 1\n\n\ndef g():\n    x = 1\n\n\nx = 1\n"


def edit(folder: Path, files: Files, path: str, old: str, new: str) -> str:
    write_files(folder, files)
    tools = RefactorTools(folder)
    tools.read_file(path)
    tools.ast_outline(path)
    return tools.edit_file(path, old, new)


@pytest.mark.traces("REQ-103-014", "TST-103-001")
@pytest.mark.parametrize(
    ("files", "old", "new", "words"),
    [
        pytest.param({"x.py": "if a:\n\treturn_ = 1\n"}, "if a:\n    return_ = 1", "if a:\n    return_ = 2",
                     ["only white space differs", "→return_ = 1", "····return_ = 1"], id="tabs"),
        pytest.param({"x.py": THRICE}, "x = 1", "x = 2",
                     ["occurs 3 times", "2", "f", "6", "g", "9", "until old_string occurs once"], id="three-times"),
        pytest.param({"x.py": TWINS}, "    def run(self):\n        return 1", "    def run(self):\n        return 2",
                     ["occurs 2 times", "A", "B"], id="twins"),
        pytest.param({"x.py": "a = 1\n", "pkg/y.py": "def only_here():\n    pass\n"}, "def only_here():\n    pass",
                     "def only_here():\n    return", ["isn't in 'x.py'", "stands in: pkg/y.py"], id="other-file"),
        pytest.param({"x.py": "def f():\n    a = 1\n    b = 2\n"}, "    a = 1\n    b = 2",
                     "    a = 2\n    # ... existing code ...",
                     ["taken literally", "# ... existing code ..."], id="elided"),
        pytest.param({"x.py": "def f():\n    a = 1\n"}, "    a = 1", "    a = 2\n    # rest unchanged",
                     ["taken literally"], id="rest-unchanged"),
        pytest.param({"x.py": "def f():\n    return 2\n"}, "return 1", "return 2", ["already applied"], id="applied"),
        pytest.param({"x.py": "def f():\n    a = 1\n    b = 2\n    return a\n"},
                     "def f():\n    made = up\n    return a", "def f():\n    return a",
                     ["the first and the last line match, the middle differs"], id="middle-made-up"),
        pytest.param({"x.py": "def f():\n    return 1\n"}, "return 1", "return (1",
                     ["couldn't be parsed", "line 2"], id="unparsable"),
        pytest.param({"x.py": "a = 1\n"}, "", "b", ["old_string is empty"], id="empty"),
        pytest.param({"x.py": "a = 1\n"}, "a = 1", "a = 1", ["are the same"], id="same"),
        pytest.param({"x.py": "a = 1\n"}, "b = 1", "c", ["old_string isn't in 'x.py'"], id="absent"),
        pytest.param({"x.py": "key = 1\n"}, "key = 1", 'key = "[REDACTED:environment]"',
                     ["redaction mark"], id="mark-in-the-new-text"),
        pytest.param({"x.py": "key = 1\n"}, "[REDACTED:github-token]", "key", ["redaction mark"], id="mark-in-the-old"),
        pytest.param({"x.py": b"\x89PNG\0\0"}, "PNG", "JPG", ["binary file"], id="binary"),
        pytest.param({"x.py": b"a = '\xe9'\n"}, "a", "b", ["can't be read as text"], id="no-encoding"),
        pytest.param({"x.py": "# -*- coding: latin-1 -*-\na = 1\n"}, "a = 1", "a = '漢'",
                     ["can't be written in iso-8859-1"], id="not-in-the-encoding"),
        pytest.param({"x.py": "a = 1\n"}, "a = 1", "a = '\ud83d'", ["can't be written"], id="half-a-character"),
    ],
)  # fmt: skip
def test_refuses(tmp_path: Path, files: Files, old: str, new: str, words: list[str]) -> None:
    write_files(tmp_path, files)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.py")}
    answer = edit(tmp_path, files, "x.py", old, new)
    assert answer.startswith("ERROR: ")
    assert [word for word in words if word not in answer] == [], answer
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.py")} == before


LATIN = b"# -*- coding: latin-1 -*-\n# caf\xe9\nx = 1\n"


@pytest.mark.traces("REQ-103-014", "TST-103-001")
@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        pytest.param(b"def f():\r\n    return 1\r\n\r\nx = f()\r\n", "def f():\n    return 1",
                     'def f():\n    """One."""\n    return 1',
                     b'def f():\r\n    """One."""\r\n    return 1\r\n\r\nx = f()\r\n', id="crlf"),
        pytest.param(codecs.BOM_UTF8 + b"x = 1\ny = 2\n", "x = 1", "x = 3",
                     codecs.BOM_UTF8 + b"x = 3\ny = 2\n", id="bom"),
        pytest.param(LATIN, "x = 1", "x = 2", LATIN.replace(b"x = 1", b"x = 2"), id="latin-1"),
        pytest.param(LATIN, "# café", "# thé", LATIN.replace(b"caf\xe9", b"th\xe9"), id="latin-1-letter"),
        pytest.param(b"x = 1\ny = 2", "x = 1", "x = 3", b"x = 3\ny = 2", id="no-last-newline"),
        pytest.param(b"x = 1", "x = 1", "x = 1\ny = 2", b"x = 1\ny = 2", id="no-last-newline-appended"),
        pytest.param(b"a\r\nb\nc\r\n", "b", "b = 1", b"a\r\nb = 1\nc\r\n", id="mixed-line-ends"),
        pytest.param(b"x = 1  \n\n\n", "x = 1", "x = 2", b"x = 2  \n\n\n", id="white-space-at-the-end"),
    ],
)  # fmt: skip
def test_all_other_bytes_stay(tmp_path: Path, before: bytes, old: str, new: str, after: bytes) -> None:
    answer = edit(tmp_path, {"x.py": before}, "x.py", old, new)
    assert answer.startswith("edited x.py:")
    assert (tmp_path / "x.py").read_bytes() == after


@pytest.mark.parametrize("mode", [0o755, 0o644, 0o600, 0o4755])
def test_the_mode_stays(tmp_path: Path, mode: int) -> None:
    write_files(tmp_path, {"x.py": "x = 1\n"})
    (tmp_path / "x.py").chmod(mode)
    edit(tmp_path, {}, "x.py", "x = 1", "x = 2")
    assert (tmp_path / "x.py").read_text() == "x = 2\n"
    assert stat.S_IMODE((tmp_path / "x.py").stat().st_mode) == mode & 0o777


def test_a_link_is_read_but_not_written_through(tmp_path: Path) -> None:
    write_files(tmp_path, {"real.py": "x = 1\n"})
    (tmp_path / "link.py").symlink_to("real.py")
    tools = RefactorTools(tmp_path)
    assert tools.read_file("link.py") == "x = 1\n"
    for answer in (tools.edit_file("link.py", "x = 1", "x = 2"), tools.write_file("link.py", "x = 2\n")):
        assert answer.startswith("ERROR: ")
        assert "use the target's own path, 'real.py'" in answer
    assert (tmp_path / "real.py").read_text() == "x = 1\n"
    assert os.readlink(tmp_path / "link.py") == "real.py"


def test_a_very_long_old_string_takes_linear_time(tmp_path: Path) -> None:
    body = "".join(f"value_{number} = {number}\n" for number in range(3000))
    started = time.monotonic()
    answer = edit(tmp_path, {"x.py": body}, "x.py", body.replace("value_2999 ", "value_x "), "x = 1")
    assert answer.startswith("ERROR: ")
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("observe", ["read_file", "ast_outline"])
def test_reading_comes_before_editing(tmp_path: Path, observe: str) -> None:
    write_files(tmp_path, {"x.py": "x = 1\n"})
    tools = RefactorTools(tmp_path)
    assert "x.py:1:x = 1" in tools.grep("x")
    answer = tools.edit_file("x.py", "x = 1", "x = 2")
    assert answer == "ERROR: read `x.py` before you change it: call read_file or ast_outline on it first"
    assert (tmp_path / "x.py").read_text() == "x = 1\n"
    tools.dispatch(observe, {"path": "./x.py"})
    assert tools.edit_file("x.py", "x = 1", "x = 2").startswith("edited")


def test_what_was_written_may_be_edited(tmp_path: Path) -> None:
    tools = RefactorTools(tmp_path)
    tools.write_file("x.py", "x = 1\n")
    assert tools.edit_file("x.py", "x = 1", "x = 2").startswith("edited")


def test_files_that_hold_the_text_are_named_although_another_is_no_text(tmp_path: Path) -> None:
    files: Files = {"x.py": "x = 1\n", "a.py": b"def lost(): ...  # \xe9\n", "b.py": "def lost(): ...\n"}
    assert "stands in: b.py" in edit(tmp_path, files, "x.py", "def lost(): ...", "def found(): ...")


@pytest.mark.parametrize(
    "old", ["half \ud83d", "nul \0", "b" * 300_000, "\x1b[31m"], ids=["half", "nul", "long", "escape"]
)
def test_text_that_git_can_not_be_asked_for(tmp_path: Path, old: str) -> None:
    answer = edit(tmp_path, {"x.py": "x = 1\n"}, "x.py", old, "y")
    assert answer.startswith("ERROR: old_string isn't in 'x.py'") and "stands in" not in answer


def test_a_file_that_lies_elsewhere_is_not_named_without_text_to_look_for(tmp_path: Path) -> None:
    answer = edit(tmp_path, {"x.py": "x = 1\n", "y.py": "\n\n\n"}, "x.py", "\n\n\n", "y")
    assert "stands in" not in answer
