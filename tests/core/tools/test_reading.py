"""The tools that observe: `read_file`, `list_dir`, `grep`, `ast_outline`, and how their answers are cut."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from conftest import write_files

from orefactor.core import RefactorTools
from orefactor.core.tools.paging import cap, fitting_lines, page

SOURCE = '''import os


@decorated(1)
class Shape(Base):
    """A shape."""

    @property
    def area(self) -> float:
        """The area.

        More.
        """
        return 1.0

    async def draw(self, *, on: str = "x") -> None: ...


def make(kind: str) -> Shape:
    def inner(): ...
    return Shape()
'''


@pytest.mark.traces("REQ-103-011", "TST-103-001")
@pytest.mark.parametrize(
    ("data", "arguments", "text"),
    [
        pytest.param(b"x = 1\n", {}, "x = 1\n", id="as-it-is"),
        pytest.param(b"a\n\tb\n", {}, "a\n\tb\n", id="white-space"),
        pytest.param(b"a\r\nb\r\n", {}, "a\nb\n", id="crlf"),
        pytest.param(b"\xef\xbb\xbfa\n", {}, "a\n", id="bom"),
        pytest.param(b"# coding: latin-1\n# caf\xe9\n", {}, "# coding: latin-1\n# café\n", id="latin-1"),
        pytest.param(b"a\nb", {}, "a\nb", id="no-last-newline"),
        pytest.param(b"", {}, "[orefactor: the file is empty]", id="empty"),
        pytest.param(b"a\nb\nc\n", {"start_line": 2}, "b\nc\n", id="from"),
        pytest.param(b"a\nb\nc\n", {"end_line": 2}, "a\nb\n", id="to"),
        pytest.param(b"a\nb\nc\n", {"start_line": 2, "end_line": 2}, "b\n", id="one"),
        pytest.param(b"a\nb\nc\n", {"start_line": 2, "end_line": 99}, "b\nc\n", id="past-the-end"),
        pytest.param(b"a\x0cb\nc\x0c", {"start_line": 2}, "c\x0c", id="form-feed-ends-no-line"),
        pytest.param(b"a\x0cb\nc\n", {"end_line": 1}, "a\x0cb\n", id="form-feed-first-line"),
        pytest.param("a\u2028b\nc\n".encode(), {"start_line": 2}, "c\n", id="separator-ends-no-line"),
    ],
)
def test_reads(tmp_path: Path, data: bytes, arguments: dict[str, int], text: str) -> None:
    write_files(tmp_path, {"x.py": data})
    assert RefactorTools(tmp_path).dispatch("read_file", {"path": "x.py", **arguments}) == text


@pytest.mark.traces("REQ-103-008", "SEC-103-001", "TST-103-001", "TST-103-005")
@pytest.mark.parametrize("tool", ["read_file", "list_dir", "ast_outline", "grep"])
@pytest.mark.parametrize(
    "path",
    ["../secret.py", "a/../../secret.py", "/etc/passwd", "~/x.py", ".git/config", "C:/x.py", "a\\x.py", "out.py",
     "up/secret.py", "a\nb", "x" * 5000],
)  # fmt: skip
def test_nothing_outside_the_root_is_read(tmp_path: Path, tool: str, path: str) -> None:
    root = tmp_path / "root"
    write_files(root, {"a/x.py": "x = 1\n", ".git/config": "token = hush\n"})
    write_files(tmp_path, {"secret.py": "hush = 1\n"})
    (root / "out.py").symlink_to("../secret.py")
    (root / "up").symlink_to("..")
    arguments = {"path": path} | ({"pattern": "."} if tool == "grep" else {})
    answer = RefactorTools(root).dispatch(tool, arguments)
    if not (tool == "grep" and path == "out.py"):
        assert answer.startswith("ERROR: "), answer
    assert "hush" not in answer and "root:" not in answer


@pytest.mark.traces("SEC-103-001", "TST-103-005")
def test_the_users_own_checkout_is_out_of_bounds(tmp_path: Path) -> None:
    write_files(tmp_path, {"mine/x.py": "x = 1\n", "tree/x.py": "x = 1\n"})
    tools = RefactorTools(tmp_path / "tree")
    absolute = str(tmp_path / "mine/x.py")
    for tool, arguments in {
        "read_file": {"path": absolute},
        "write_file": {"path": absolute, "content": "x = 2\n"},
        "edit_file": {"path": absolute, "old_string": "1", "new_string": "2"},
        "delete_file": {"path": absolute},
        "move_file": {"path": absolute, "new_path": "y.py"},
    }.items():
        answer = tools.dispatch(tool, arguments)
        assert answer.startswith("ERROR: ") and "is an absolute path" in answer
    assert (tmp_path / "mine/x.py").read_text() == "x = 1\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"path": "lost.py"}, "'lost.py' doesn't exist; use list_dir on '.'"),
        ({"path": "xx.py"}, "did you mean 'x.py'?"),
        ({"path": "a"}, "'a' is a directory; use list_dir"),
        ({"path": "pipe"}, "no regular file"),
        ({"path": "x.py", "start_line": 4}, "the file has lines 1 to 3"),
        ({"path": "x.py", "start_line": 0}, "the file has lines 1 to 3"),
        ({"path": "x.py", "start_line": 3, "end_line": 2}, "the file has lines 1 to 3"),
        ({"path": "big.txt"}, "more than the 4,194,304 that can be read; use grep"),
    ],
)
def test_what_can_not_be_read(tmp_path: Path, arguments: dict[str, Any], words: str) -> None:
    write_files(tmp_path, {"x.py": "1\n2\n3\n", "a/y.py": "", "big.txt": b"x" * (4 * 1024 * 1024 + 1)})
    os.mkfifo(tmp_path / "pipe")
    answer = RefactorTools(tmp_path).dispatch("read_file", arguments)
    assert answer.startswith("ERROR: ") and words in answer


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        pytest.param(["x" * 50_000], "line 1 of 1 is longer than an answer can be and was cut]", id="only"),
        pytest.param(["x" * 50_000, "y"], "was cut; go on with start_line=2]", id="first"),
    ],
)
def test_a_line_that_is_longer_than_an_answer(tmp_path: Path, lines: list[str], told: str) -> None:
    write_files(tmp_path, {"x.txt": "\n".join(lines)})
    for start in (None, 1):
        answer = RefactorTools(tmp_path).read_file("x.txt", start)
        assert answer.endswith(told)
        assert len(answer.encode()) <= (8192 if start is None else 32768)


@pytest.mark.traces("REQ-103-012", "TST-103-001")
def test_lists_a_folder(tmp_path: Path) -> None:
    write_files(tmp_path, {"b.py": "", "a/x.py": "", ".git/config": "", ".env": "", "é.txt": ""})
    (tmp_path / "link").symlink_to("b.py")
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    tools = RefactorTools(tmp_path)
    assert tools.list_dir().splitlines() == [".env", "a/", "b.py", "empty/", "link@", "pipe?", "é.txt"]
    assert tools.list_dir("a/") == "x.py"
    assert tools.list_dir("empty") == "[orefactor: the folder is empty]"
    assert tools.list_dir("b.py").startswith("ERROR: 'b.py' is a file")
    assert tools.list_dir(".", 5).splitlines() == ["pipe?", "é.txt"]
    assert tools.list_dir(".", -5) == tools.list_dir()
    assert tools.list_dir(".", 9) == "[orefactor: there are only 7 entries, counted from 0]"


def test_lists_a_large_folder_in_parts(tmp_path: Path) -> None:
    names = [f"{'n' * 60}{number:04}.py" for number in range(300)]
    write_files(tmp_path, dict.fromkeys(names, ""))
    tools, found, offset = RefactorTools(tmp_path), list[str](), 0
    while offset < 300:
        *shown, told = tools.list_dir(".", offset).splitlines()
        done = not told.startswith("[orefactor: ")
        found += [*shown, told] if done else shown
        offset = 300 if done else int(told.rpartition("offset=")[2].rstrip("]"))
    assert found == names


NO_MATCH = "[orefactor: no match in `*.py` files of the tree; a wider glob such as '*' searches other files]"


@pytest.mark.traces("REQ-103-012", "TST-103-001")
@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        pytest.param({"pattern": "def "}, ["a/y.py:2:def g(): ...", "x.py:1:def f(): ..."], id="python-files"),
        pytest.param({"pattern": r"def \w\("}, ["a/y.py:2:def g(): ...", "x.py:1:def f(): ..."], id="regex"),
        pytest.param({"pattern": "def ", "path": "a"}, ["a/y.py:2:def g(): ..."], id="folder"),
        pytest.param({"pattern": "def ", "path": "x.py"}, ["x.py:1:def f(): ..."], id="file"),
        pytest.param({"pattern": "def ", "path": "notes.md"}, ["notes.md:1:def here"], id="file-of-another-kind"),
        pytest.param({"pattern": "def", "glob": "*.md"}, ["notes.md:1:def here"], id="glob"),
        pytest.param({"pattern": "def", "glob": "a/*"}, ["a/y.py:2:def g(): ..."], id="glob-with-folder"),
        pytest.param({"pattern": "q", "path": "[odd] *"}, ["[odd] */q.py:1:q = 1"], id="odd-folder"),
        pytest.param({"pattern": "nowhere"},
                     [NO_MATCH], id="no-match"),
        pytest.param({"pattern": "nowhere", "path": "a"},
                     ["[orefactor: no match in `a` (*.py); a wider glob such as '*' searches other files]"],
                     id="no-match-in-a-folder"),
    ],
)  # fmt: skip
def test_grep(tmp_path: Path, arguments: dict[str, str], lines: list[str]) -> None:
    write_files(
        tmp_path,
        {
            "x.py": "def f(): ...\n",
            "a/y.py": "\ndef g(): ...\n",
            "notes.md": "def here\n",
            "[odd] */q.py": "q = 1\n",
            "ignored.py": "def hidden(): ...\n",
            ".gitignore": "ignored.py\n",
        },
    )
    assert RefactorTools(tmp_path).dispatch("grep", arguments).splitlines() == lines


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"pattern": ""}, "give a pattern and a glob of one line"),
        ({"pattern": "a\nb"}, "give a pattern and a glob of one line"),
        ({"pattern": "a\0"}, "give a pattern and a glob of one line"),
        ({"pattern": "\ud83d"}, "give a pattern and a glob of one line"),
        ({"pattern": "a" * 4001}, "at most 4000 bytes"),
        ({"pattern": "a", "glob": ""}, "give a pattern and a glob of one line"),
        ({"pattern": "a", "glob": "\0"}, "give a pattern and a glob of one line"),
        ({"pattern": "("}, "check the regular expression"),
        ({"pattern": "a", "path": "lost"}, "'lost' doesn't exist"),
        ({"pattern": "a", "path": "pipe"}, "no regular file"),
        ({"pattern": "a", "glob": "/etc/*"}, "the glob is relative"),
        ({"pattern": "a", "glob": "../*"}, "the glob is relative"),
    ],
)
def test_grep_refuses(tmp_path: Path, arguments: dict[str, str], words: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    answer = RefactorTools(tmp_path).dispatch("grep", arguments)
    assert answer.startswith("ERROR: ") and words in answer


@pytest.mark.parametrize(
    ("count", "told"), [(2000, " of 2000 matches shown; narrow"), (200_000, " of more than ")], ids=["many", "endless"]
)
def test_grep_shows_as_many_matches_as_fit(tmp_path: Path, count: int, told: str) -> None:
    write_files(tmp_path, {"x.py": "match = 1\n" * (count - 1), "wide.py": "match = " + "9" * 5000 + "\n"})
    answer = RefactorTools(tmp_path).grep("match")
    *shown, last = answer.splitlines()
    assert len(answer.encode()) <= 8192
    assert len(shown[0]) < 320 and shown[0].startswith("wide.py:1:match = 999")
    assert f"[orefactor: {len(shown)}" in last and told in last


@pytest.mark.traces("REQ-103-013", "TST-103-001")
def test_outlines_a_file(tmp_path: Path) -> None:
    write_files(tmp_path, {"x.py": SOURCE, "empty.py": "", "broken.py": "def f(:\n\n\nclass Fine:\n    x = 1\n"})
    tools = RefactorTools(tmp_path)
    outline = tools.ast_outline("x.py")
    for part in (
        "@decorated(1)", "class Shape(Base)", "A shape.", "@property", "def area(self) -> float", "The area.",
        'async def draw(self, *, on: str = "x") -> None', "def make(kind: str) -> Shape", "L19-21",
    ):  # fmt: skip
        assert part in outline
    assert "class Fine" in tools.ast_outline("broken.py")
    assert tools.ast_outline("empty.py") == "empty.py: no classes or functions"


def test_outlines_a_large_file_in_parts(tmp_path: Path) -> None:
    write_files(tmp_path, {"x.py": "".join(f"def function_{number}(): ...\n" for number in range(900))})
    first = RefactorTools(tmp_path).ast_outline("x.py")
    offset = int(first.rpartition("offset=")[2].rstrip("]"))
    # The first entry is the file's name, so function 0 is entry 1.
    assert first.splitlines()[-2].endswith(f" function_{offset - 2}()")
    second = RefactorTools(tmp_path).ast_outline("x.py", offset)
    assert second.splitlines()[0].endswith(f" function_{offset - 1}()")
    assert len(first.encode()) <= 8192


LONG = ["x" * 100] * 100


def test_pages_end_with_what_follows() -> None:
    assert page(["a", "b"], 0) == "a\nb"
    first = page(LONG, 0, 2000)
    shown = first.count("x\n")
    assert first.endswith(f"[orefactor: entries 0-{shown - 1} of 100 shown; go on with offset={shown}]")
    assert len(first.encode()) <= 2000
    assert page(["y" * 5000, "b"], 0, 2000).endswith("entries 0-0 of 2 shown; go on with offset=1]")


def test_what_fits() -> None:
    assert fitting_lines(["ab"] * 3, 160 + 5) == 2
    assert fitting_lines(["ab"] * 3, 160 + 6) == 3
    assert cap("short", 100, "ask") == "short"
