"""`write_file`, `delete_file` and `move_file`: whole files, only after reading, only where it is allowed."""

from __future__ import annotations

import codecs
import stat
from pathlib import Path

import pytest
from conftest import Files, write_files

from orefactor.core import RefactorTools


def tools_at(folder: Path, files: Files, *read: str) -> RefactorTools:
    write_files(folder, files)
    tools = RefactorTools(folder)
    for path in read:
        tools.read_file(path)
    return tools


@pytest.mark.traces("REQ-103-015", "TST-103-001")
@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        pytest.param(None, "x = 1\n", b"x = 1\n", id="new"),
        pytest.param(None, "x = 'é'\n", "x = 'é'\n".encode(), id="new-utf-8"),
        pytest.param(None, "# coding: latin-1\nx = 'é'\n", b"# coding: latin-1\nx = '\xe9'\n", id="new-declared"),
        pytest.param(None, "", b"", id="new-empty"),
        pytest.param(b"a = 1\n", "b = 1\n", b"b = 1\n", id="over"),
        pytest.param(b"a = 1\r\nb = 1\r\n", "a = 2\nc = 3\n", b"a = 2\r\nc = 3\r\n", id="crlf-stays"),
        pytest.param(codecs.BOM_UTF8 + b"a = 1\n", "b = 1\n", codecs.BOM_UTF8 + b"b = 1\n", id="bom-stays"),
    ],
)
def test_writes(tmp_path: Path, before: bytes | None, content: str, after: bytes) -> None:
    files = {} if before is None else {"pkg/x.py": before}
    answer = tools_at(tmp_path, files, *files).write_file("pkg/x.py", content)
    assert answer.startswith("created" if before is None else "overwrote")
    assert (tmp_path / "pkg/x.py").read_bytes() == after


def test_overwriting_keeps_the_mode(tmp_path: Path) -> None:
    tools = tools_at(tmp_path, {"x.py": "x = 1\n"}, "x.py")
    (tmp_path / "x.py").chmod(0o755)
    assert tools.write_file("x.py", "x = 2\n") == "overwrote x.py: 1 line(s)"
    assert stat.S_IMODE((tmp_path / "x.py").stat().st_mode) == 0o755


@pytest.mark.traces("REQ-103-015")
@pytest.mark.parametrize(
    ("files", "path", "content", "words"),
    [
        pytest.param({"x.py": "x = 1\n"}, "x.py", "x = 2\n", "read `x.py` before you change it", id="not-read"),
        pytest.param(
            {}, "x.py", "def f():\n    # ... rest of the code ...\n    pass\n", "taken literally", id="elided"
        ),
        pytest.param({}, "x.py", "def (:\n", "couldn't be parsed", id="unparsable"),
        pytest.param({}, "x.py", "k = '[REDACTED:aws-key]'\n", "redaction mark", id="mark"),
        pytest.param({}, "x.py", "k = '\0'\n", "NUL character", id="nul"),
        pytest.param({}, "x.txt", "half \ud83d", "can't be written", id="half-a-character"),
        pytest.param({}, "../x.py", "x = 1\n", "'..'", id="climbs"),
        pytest.param({}, ".git/hooks/pre-commit", "x", "git's own folder", id="dot-git"),
        pytest.param({}, "a?.py", "x = 1\n", "can't be created", id="no-portable-name"),
        pytest.param({"a.py": "x = 1\n"}, "a.py/b.py", "x = 1\n", "'a.py' is a file", id="below-a-file"),
        pytest.param({"a/b.py": "x = 1\n"}, "a", "x = 1\n", "is a directory", id="a-folder"),
        pytest.param({"Readme.md": "x\n"}, "README.md", "x\n", "README.md", id="case-twin"),
    ],
)
def test_refuses_to_write(tmp_path: Path, files: Files, path: str, content: str, words: str) -> None:
    tools = tools_at(tmp_path, files)
    answer = tools.write_file(path, content)
    assert answer.startswith("ERROR: ") and words in answer
    left = {p.relative_to(tmp_path).as_posix(): p.read_text() for p in tmp_path.rglob("*") if p.is_file()}
    assert left == files


def test_deleting_and_moving(tmp_path: Path) -> None:
    tools = tools_at(tmp_path, {"a/x.py": "x = 1\n", "a/b/y.py": "y = 1\n"}, "a/x.py", "a/b/y.py")
    (tmp_path / "a/x.py").chmod(0o755)
    assert tools.move_file("a/x.py", "c/d/z.py") == "moved a/x.py to c/d/z.py"
    assert stat.S_IMODE((tmp_path / "c/d/z.py").stat().st_mode) == 0o755
    assert tools.edit_file("c/d/z.py", "x = 1", "x = 2").startswith("edited")
    assert tools.delete_file("a/b/y.py") == "deleted a/b/y.py"
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["c", "d", "z.py"]


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("delete_file", {"path": "x.py"}, "read `x.py` before"),
        ("move_file", {"path": "x.py", "new_path": "y.py"}, "read `x.py` before"),
        ("delete_file", {"path": "lost.py"}, "doesn't exist"),
        ("move_file", {"path": "lost.py", "new_path": "y.py"}, "doesn't exist"),
        ("move_file", {"path": "seen.py", "new_path": "x.py"}, "is there already"),
        ("move_file", {"path": "seen.py", "new_path": "seen.py"}, "the same path"),
        ("move_file", {"path": "seen.py", "new_path": "../y.py"}, "'..'"),
        ("move_file", {"path": "seen.py", "new_path": ".git/y.py"}, "git's own folder"),
    ],
)
def test_refuses_to_delete_or_move(tmp_path: Path, tool: str, arguments: dict[str, str], words: str) -> None:
    files = {"x.py": "x = 1\n", "seen.py": "s = 1\n"}
    answer = tools_at(tmp_path, files, "seen.py").dispatch(tool, arguments)
    assert answer.startswith("ERROR: ") and words in answer
    assert sorted(p.name for p in tmp_path.rglob("*.py")) == ["seen.py", "x.py"]
