"""Search: git's own grep over a folder, that no pattern, link or file can make slow, large or wrong."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.grep import Match, Search, search

EVERYWHERE = [":(glob)**/*"]


def found(top: Path, pattern: str, *pathspecs: str, skip_ignored: bool = False) -> list[str]:
    result = search(top, pattern, list(pathspecs) or EVERYWHERE, seconds=20, skip_ignored=skip_ignored)
    assert result.complete
    return [f"{match.path}:{match.line}:{match.text}" for match in result.matches]


@pytest.mark.traces("REQ-103-012")
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("def", ["a.py:1:def f():", "pkg/b.py:2:  def g(): # x"]),
        (r"def\s+g\b", ["pkg/b.py:2:  def g(): # x"]),
        (r"^class \w+$", ["pkg/b.py:1:class A"]),
        (r"(?i)DEF F", ["a.py:1:def f():"]),
        (r"f(?=\()", ["a.py:1:def f():"]),
        ("-e", ["c.txt:1:-e --no-index"]),
        ("--no-index", ["c.txt:1:-e --no-index"]),
        ("ü", ["c.txt:2:ünï"]),
        ("nothing", []),
    ],
)
def test_patterns(tmp_path: Path, pattern: str, expected: list[str]) -> None:
    write_files(
        tmp_path,
        {"a.py": "def f():\n", "pkg/b.py": "class A\n  def g(): # x\n", "c.txt": "-e --no-index\nünï\n"},
    )
    assert found(tmp_path, pattern) == expected


@pytest.mark.parametrize("pattern", ["a.c", "a(", "[", r"\d", "*"])
def test_a_fixed_text_is_no_pattern(tmp_path: Path, pattern: str) -> None:
    write_files(tmp_path, {"x": f"abc 1\n{pattern}\n"})
    result = search(tmp_path, pattern, EVERYWHERE, kind="fixed", seconds=20)
    assert result == Search((Match("x", 2, pattern),), True)


@pytest.mark.parametrize(
    ("pathspec", "expected"),
    [
        (":(glob)**/*.py", ["a.py", "p/b.py", "p/q/c.py"]),
        (":(glob)p/**/*.py", ["p/b.py", "p/q/c.py"]),
        (":(glob)*.py", ["a.py"]),
        (":(literal)p/b.py", ["p/b.py"]),
        (":(literal)*.py", []),
        (r":(glob)\[ab\]/**/*.txt", ["[ab]/d.txt"]),
        (":(literal)[ab]/d.txt", ["[ab]/d.txt"]),
        (":(literal)gone", []),
    ],
)
def test_paths(tmp_path: Path, pathspec: str, expected: list[str]) -> None:
    names = ("a.py", "p/b.py", "p/q/c.py", "[ab]/d.txt", "a/d.txt")
    write_files(tmp_path, dict.fromkeys(names, "x\n"))
    assert found(tmp_path, "x", pathspec) == [f"{path}:1:x" for path in expected]


@pytest.mark.parametrize(
    "name", ["with space", "new\nline", "tab\t", 'quo"te', "back\\slash", "ünï/日本", "caf\udce9", "a:1:b", "-n"]
)
def test_odd_names(tmp_path: Path, name: str) -> None:
    write_files(tmp_path, {name: "one\nx: 2\n", "z": "x\n"})
    result = search(tmp_path, "x", EVERYWHERE, seconds=20)
    assert result.matches == (Match(name, 2, "x: 2"), Match("z", 1, "x")) or result.matches == (
        Match("z", 1, "x"),
        Match(name, 2, "x: 2"),
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"x\r\ny\r\n", ["f:1:x"]),
        (b"y\nx", ["f:2:x"]),
        (b"x \xff\n", ["f:1:x �"]),
        (b"x\0\n", []),
        (b"\x89PNG\r\n\x1a\n\0\0x\n", []),
        (b"y" * 9000 + b"\nx\0z\n", ["f:2:x\0z"]),
        (b"", []),
    ],
)
def test_content(tmp_path: Path, content: bytes, expected: list[str]) -> None:
    write_files(tmp_path, {"f": content})
    assert found(tmp_path, "x") == expected


@pytest.mark.traces("SEC-103-001")
def test_links_are_not_followed_and_nothing_hangs(tmp_path: Path) -> None:
    write_files(tmp_path, {"outside/secret": "x\n", "top/real/a": "x\n", "top/.git/config": "x\n"})
    top = tmp_path / "top"
    for name, target in {"file": "../outside/secret", "folder": "../outside", "inside": "real", "loop": "."}.items():
        (top / name).symlink_to(target)
    os.mkfifo(top / "fifo")
    assert found(top, "x") == ["real/a:1:x"]
    for pathspec in (":(literal)file", ":(glob)folder/**/*", ":(literal)fifo"):
        try:
            assert found(top, "x", pathspec) == []
        except Refused as refused:
            assert "beyond a symbolic link" in str(refused)


@pytest.mark.parametrize("pathspec", ["../outside/secret", ":(top,glob)../**", "/etc/passwd"])
@pytest.mark.traces("SEC-103-001")
def test_nothing_outside_is_read(tmp_path: Path, pathspec: str) -> None:
    write_files(tmp_path, {"outside/secret": "root\n", "top/a": "x\n"})
    try:
        assert found(tmp_path / "top", "root", pathspec) == []
    except Refused:
        assert True


@pytest.mark.parametrize("pattern", ["(", "[", "a{2,1}", "(?P<x", "*"])
def test_a_wrong_pattern_is_refused(tmp_path: Path, pattern: str) -> None:
    write_files(tmp_path, {"a": "x\n"})
    with pytest.raises(Refused, match=r"the search failed: .*; check the regular expression"):
        search(tmp_path, pattern, EVERYWHERE, seconds=20)


def test_a_git_without_perl_patterns_uses_extended_ones(tmp_path: Path) -> None:
    """Another git stands first on the PATH, as it would on such a machine."""
    write_files(tmp_path, {"top/a": "x1\n"})
    program = tmp_path / "git"
    program.write_text(
        "#!/bin/sh\nfor argument; do\n"
        '  [ "$argument" = -P ] && echo "fatal: not compiled with USE_LIBPCRE" >&2 && exit 128\n'
        f'done\nexec {shutil.which("git")} "$@"\n'
    )
    program.chmod(0o755)
    script = (
        "from pathlib import Path\nfrom orefactor.sandbox.grep import search\n"
        "print(search(Path('top'), 'x[0-9]', ['.'], seconds=20).matches[0].text)\n"
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True
    )
    assert (done.stdout, done.stderr) == (b"x1\n", b"")


def test_a_pattern_that_backtracks_for_ever_ends(tmp_path: Path) -> None:
    write_files(tmp_path, {"a": "a" * 5000 + "b\n"})
    with pytest.raises(Refused, match=r"the search (failed|was stopped)"):
        search(tmp_path, "(a+)+(a+)+$", EVERYWHERE, seconds=5)


def test_time_is_limited(tmp_path: Path) -> None:
    write_files(tmp_path, {"a": "x\n"})
    with pytest.raises(Refused, match="stopped after 0 s; use a simpler pattern"):
        search(tmp_path, "x", EVERYWHERE, seconds=0)


def test_a_search_can_be_called_off(tmp_path: Path) -> None:
    write_files(tmp_path, {"a": "x\n"})
    called_off = threading.Event()
    called_off.set()
    with pytest.raises(Refused, match="the search was stopped"):
        search(tmp_path, "x", EVERYWHERE, seconds=20, cancelled=called_off.is_set)


def test_output_is_limited(tmp_path: Path) -> None:
    line = "x" * 999 + "\n"
    write_files(tmp_path, {f"{number}": line * 1000 for number in range(5)})
    result = search(tmp_path, "x", EVERYWHERE, seconds=20)
    assert not result.complete
    assert 1000 < len(result.matches) < 2000
    assert all(match.text == line[:-1] for match in result.matches)


@pytest.mark.parametrize(
    ("skip", "expected"),
    [(False, ["b.log", "build/c", "p/d"]), (True, [])],
)
def test_ignored_files(make_repository: MakeRepository, skip: bool, expected: list[str]) -> None:
    folder = make_repository({".gitignore": "*.log\nbuild/\n", "p/.gitignore": "d\n", "a": "needle\n"})
    write_files(folder, {"b.log": "needle\n", "build/c": "needle\n", "p/d": "needle\n"})
    assert found(folder, "needle", skip_ignored=skip) == [f"{path}:1:needle" for path in ["a", *expected]]


def test_a_folder_inside_a_repository_is_searched_by_its_own_paths(make_repository: MakeRepository) -> None:
    folder = make_repository({".gitignore": "*.log\n", "sub/a.py": "x\n", "sub/b.log": "x\n", "c.py": "x\n"})
    git(folder, "config", "grep.fullName", "true")
    git(folder, "config", "grep.patternType", "fixed")
    git(folder, "config", "grep.column", "true")
    git(folder, "config", "color.grep", "always")
    assert found(folder / "sub", "x$", skip_ignored=True) == ["a.py:1:x"]
