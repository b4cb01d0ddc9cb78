"""The diff of a reviewed change and which lines lie in it: one scene with every kind of file, and its edges."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state, write_files

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.review.change import LONGEST_FILE, take_change, touches
from orefactor.core.review.reviewed_change import ReviewedChange
from orefactor.sandbox.patch import applied_tree
from orefactor.sandbox.repository import find_repository

TWENTY = "".join(f"line {number}\n" for number in range(1, 21))
LATIN = "caf\udce9.txt"
BEFORE: dict[str, str | bytes] = {
    ".gitattributes": "*.lfs filter=lfs\n",
    ".gitignore": "*.log\n",
    "changed.py": TWENTY,
    "far.py": "".join(f"{number}\n" for number in range(100)),
    "mode.sh": "echo\n",
    "moved.py": TWENTY + "moved\n",
    "moved_only.py": TWENTY + "only\n",
    "deleted.py": "d = 1\n",
    "emptied.py": "e = 1\n",
    "shorter.py": TWENTY,
    "binary.bin": b"\0\1\2",
    "to_binary.dat": "text\n",
    "hidden.py": "h = 1\n",
    "crlf.txt": "one\r\ntwo\r\nthree\r\n",
    "unended.txt": "one\ntwo\n",
    "odd.txt": "one\rstill one\x0cstill one\x85\u2028still\n",
    "large.txt": b"x" * LONGEST_FILE + b"\n",
    "grown.txt": "small\n",
    LATIN: "latin\n",
    "link": "was a file\n",
    "pkg/same.py": "s = 1\n",
    "same.py": "s = 1\n",
}
AFTER: dict[str, str | bytes] = {
    # What the change says about its own files hides nothing from the reviewer.
    ".gitattributes": "*.lfs filter=lfs\nhidden.py -diff\n*.bin diff\n",
    "changed.py": TWENTY.replace("line 10\n", "line ten\n"),
    "far.py": "".join(f"{number}\n" for number in range(100) if number not in (10, 50)) + "end\n",
    "new/moved here.py": TWENTY.replace("line 2\n", "line two\n") + "moved\n",
    "new/moved_only.py": TWENTY + "only\n",
    "emptied.py": "",
    "shorter.py": TWENTY[: TWENTY.index("line 18")],
    "binary.bin": b"\0\1\3",
    "to_binary.dat": b"te\0xt\n",
    "hidden.py": "h = 2\n",
    "crlf.txt": "one\r\n2\r\nthree\r\n",
    "unended.txt": "one\ntwo\nthree",
    "odd.txt": "one\rstill one\x0cstill one\x85\u2028new\nlast\n",
    "large.txt": b"y" * LONGEST_FILE + b"\n",
    "grown.txt": b"a line\n" * (LONGEST_FILE // 7 + 1),
    LATIN: b"latin\n\xe9\n",
    'tab\t"quote".py': "q = 1\n",
    "empty.py": "",
    "diff.txt": "diff --git a/x b/x\n@@ -1,2 +3,4 @@\n--- a/x\n+++ b/x\n",
    "-x.py": "x = 1\n",
}
LINES = {
    "-x.py": 1,
    ".gitattributes": 3,
    "binary.bin": 0,
    LATIN: 2,
    "changed.py": 20,
    "crlf.txt": 3,
    "diff.txt": 4,
    "emptied.py": 0,
    "empty.py": 0,
    "far.py": 99,
    "grown.txt": 0,
    "hidden.py": 1,
    "large.txt": 0,
    "link": 1,
    "mode.sh": 1,
    "new/moved here.py": 21,
    "new/moved_only.py": 21,
    "odd.txt": 2,
    "shorter.py": 17,
    "sub": 0,
    'tab\t"quote".py': 1,
    "to_binary.dat": 0,
    "unended.txt": 3,
}
HUNKS = {
    "-x.py": ((1, 1),),
    ".gitattributes": ((1, 3),),
    LATIN: ((1, 2),),
    "changed.py": ((7, 13),),
    "crlf.txt": ((1, 3),),
    "diff.txt": ((1, 4),),
    "far.py": ((8, 13), (47, 52), (96, 99)),
    "hidden.py": ((1, 1),),
    "link": ((1, 1),),
    "new/moved here.py": ((1, 5),),
    "odd.txt": ((1, 2),),
    "shorter.py": ((15, 17),),
    'tab\t"quote".py': ((1, 1),),
    "unended.txt": ((1, 3),),
}


@pytest.fixture
def repository(kept_repositories: Path, make_repository: MakeRepository) -> Path:
    """Every kind of change, staged, with a commit of it on the branch `all`; for tests that don't change it."""
    kept = kept_repositories / "review-change"
    if not kept.exists():
        made = make_repository(BEFORE)
        for name in ("moved.py", "moved_only.py", "deleted.py", "link"):
            (made / name).unlink()
        write_files(made, AFTER)
        (made / "link").symlink_to("changed.py")
        (made / "mode.sh").chmod(0o755)
        os.mkfifo(made / "fifo")
        git(made, "add", "-A")
        git(made, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
        git(made, "commit", "-q", "-m", "second")
        git(made, "branch", "all")
        git(made, "reset", "-q", "--soft", "HEAD~1")
        made.rename(kept)
    return kept


def _take(folder: Path, wanted: str | None = None, *paths: str) -> ReviewedChange:
    """The change, and that the user's side stays as it is."""
    before = user_state(folder) if (folder / ".git").is_dir() else {}
    change = take_change(find_repository(folder), wanted, paths)
    assert not before or user_state(folder) == before
    return change


def test_every_kind_of_file(repository: Path) -> None:
    change = _take(repository, "all")
    gone = {"deleted.py", "moved.py", "moved_only.py"}
    assert set(change.paths) == gone | set(LINES)
    assert list(change.paths) == sorted(change.paths)
    assert dict(change.lines) == LINES
    assert {path: hunks for path, hunks in change.hunks.items() if hunks} == HUNKS
    assert set(change.hunks) == set(LINES)
    assert b"rename from moved_only.py\nrename to new/moved_only.py\n" in change.patch
    assert b"-h = 1\n+h = 2\n" in change.patch
    assert b"Binary files a/large.txt and b/large.txt differ\n" in change.patch
    assert b"Binary files a/binary.bin and b/binary.bin differ\n" in change.patch
    assert len(change.patch) < 10_000
    assert change.changed_lines == 32
    assert (change.before, change.is_published) == (git(repository, "rev-parse", "HEAD"), True)
    assert change.before_tree == git(repository, "rev-parse", "HEAD^{tree}")


def test_the_index_and_the_working_tree_hold_the_same_here(repository: Path) -> None:
    named, index = _take(repository, "all"), _take(repository, "index")
    assert (index.patch, index.paths, index.hunks) == (named.patch, named.paths, named.hunks)
    assert (index.after.tree, index.after.source, index.is_published) == (named.after.tree, "the index", False)
    worktree = _take(repository)
    assert (worktree.patch, worktree.source, worktree.is_published) == (named.patch, "the working tree", False)
    # It can be made again after a clean-up, as a run's base can.
    found = find_repository(repository)
    assert applied_tree(found.git, worktree.before, worktree.after.difference) == worktree.after.tree


INSIDE = {
    ("changed.py", 7, 7): True,
    ("changed.py", 13, 20): True,
    ("changed.py", 1, 20): True,
    ("changed.py", 1, 6): False,
    ("changed.py", 14, 20): False,
    ("changed.py", 0, 10): False,
    ("changed.py", -5, 10): False,
    ("changed.py", 10, 21): False,
    ("changed.py", 11, 10): False,
    ("changed.py", 10, 10**30): False,
    ("far.py", 14, 46): False,
    ("far.py", 13, 14): True,
    ("far.py", 53, 96): True,
    ("far.py", 99, 99): True,
    ("shorter.py", 17, 17): True,
    ("shorter.py", 18, 18): False,
    ("unended.txt", 3, 3): True,
    ("odd.txt", 2, 2): True,
    ("odd.txt", 3, 3): False,
    ("new/moved here.py", 2, 2): True,
    ("moved.py", 1, 1): False,
    ("new/moved_only.py", 1, 1): False,
    ("mode.sh", 1, 1): False,
    ("deleted.py", 1, 1): False,
    ("emptied.py", 1, 1): False,
    ("empty.py", 1, 1): False,
    ("binary.bin", 1, 1): False,
    ("large.txt", 1, 1): False,
    ("sub", 1, 1): False,
    ("link", 1, 1): True,
    (LATIN, 2, 2): True,
    ("same.py", 1, 1): False,
    ("", 1, 1): False,
}
"""Path, first and last line of a finding, and whether it lies in the change."""


def test_whether_a_finding_lies_in_the_change(repository: Path) -> None:
    change = _take(repository, "all")
    assert {place: touches(change, *place) for place in INSIDE} == INSIDE


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (("changed.py",), ["changed.py"]),
        (("new", "moved.py"), ["moved.py", "new/moved here.py", "new/moved_only.py"]),
        (("new/moved here.py",), ["new/moved here.py"]),
        (("new/",), ["new/moved here.py", "new/moved_only.py"]),
        (("deleted.py", "same.py"), ["deleted.py"]),
        (("pkg", "same.py"), []),
        (("-x.py", LATIN, 'tab\t"quote".py'), ["-x.py", LATIN, 'tab\t"quote".py']),
        (("sub",), ["sub"]),
        ((".", "same.py"), sorted({"deleted.py", "moved.py", "moved_only.py", *LINES})),
    ],
    ids=ascii,
)
def test_only_the_wanted_paths(repository: Path, paths: tuple[str, ...], expected: list[str]) -> None:
    change = _take(repository, "all", *paths)
    if "deleted.py" in paths:
        # A file that is gone can be named where only one of the sides is a commit, too.
        assert _take(repository, None, *paths).patch == _take(repository, "index", *paths).patch == change.patch
    assert list(change.paths) == expected
    assert set(change.lines) == {path for path in expected if path in LINES}
    assert (change.patch == b"") == (not expected)
    assert change.changed_lines or not expected


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nope.py", "`nope.py` is on neither side of the change"),
        ("main..all", "`main..all` is on neither side of the change"),
        ("*.py", "`*.py` is on neither side of the change"),
        ("changed.py/x", "`changed.py/x` is on neither side of the change"),
        ("sub/x", "`sub/x` is on neither side of the change"),
        ("fifo", "`fifo` is on neither side of the change"),
        ("../x", "'../x' is no usable path"),
        ("a/../..", "'a/../..' is no usable path"),
        ("/etc", "'/etc' is no usable path"),
        ("", "'' is no usable path"),
        ("a\0b", "'a\\x00b' is no usable path"),
        ("a\nb", "'a\\nb' is no usable path"),
        ("\ud800", "'\\ud800' is no usable path"),
    ],
    ids=ascii,
)
def test_a_path_that_is_nowhere_is_refused(repository: Path, path: str, message: str) -> None:
    for wanted in ("all", None):
        with pytest.raises(UserError) as refused:
            take_change(find_repository(repository), wanted, ("changed.py", path))
        assert (refused.value.message, refused.value.exit_code) == (message, ExitCode.USAGE)


def test_untracked_files_count_where_they_are_named(make_repository: MakeRepository) -> None:
    folder = make_repository({"a.py": "a = 1\n", "gone.py": "g = 1\n", ".gitignore": "*.log\n", "old/b.py": "b\n"})
    write_files(folder, {"a.py": "a = 2\n", "new/c.py": "c = 1\n", "new/d.log": "d\n", "new/e/f.py": "f\n"})
    (folder / "gone.py").unlink()
    subprocess.run(["git", "init", "-q", "new/inner"], cwd=folder, check=True)
    (folder / "dangling").symlink_to("nowhere")
    assert _take(folder).paths == ("a.py", "gone.py")
    assert _take(folder, None, ".").paths == ("a.py", "dangling", "gone.py", "new/c.py", "new/e/f.py")
    assert _take(folder, None, "new").paths == ("new/c.py", "new/e/f.py")
    assert _take(folder, None, "new/d.log", "gone.py", "old").paths == ("gone.py", "new/d.log")
    assert _take(folder, None, "new/e", "dangling").paths == ("dangling", "new/e/f.py")
    with pytest.raises(UserError, match="is on neither side of the change"):
        _take(folder, "index", "new")


@pytest.mark.parametrize("wanted", [None, "worktree", "index", "HEAD..HEAD", "HEAD"])
def test_an_empty_change_is_no_error(make_repository: MakeRepository, wanted: str | None) -> None:
    folder = make_repository({"a.py": "a = 1\n"})
    git(folder, "commit", "-q", "--allow-empty", "-m", "second")
    change = _take(folder, wanted, "a.py")
    assert (change.paths, change.patch, change.lines, change.hunks, change.changed_lines) == ((), b"", {}, {}, 0)
    assert change.before_tree == change.after.tree


def test_a_bare_repository_and_a_further_worktree(repository: Path, tmp_path: Path) -> None:
    expected = _take(repository, "all")
    git(repository, "clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    bare = find_repository(tmp_path / "bare")
    assert take_change(bare, "all", ("new", ".")).patch == expected.patch
    assert take_change(bare, "all", ("new",)).paths == ("new/moved here.py", "new/moved_only.py")
    git(tmp_path / "bare", "worktree", "add", "-q", str(tmp_path / "beside"), "all")
    assert _take(tmp_path / "beside", "main..all").patch == expected.patch


def test_what_the_configuration_says_changes_nothing(repository: Path, tmp_path: Path) -> None:
    expected = _take(repository, "all").patch
    git(repository, "clone", "-q", ".", str(tmp_path / "mine"))
    git(tmp_path / "mine", "fetch", "-q", "origin", "all:all")
    repository = tmp_path / "mine"
    for key, value in (
        ("diff.external", "false"),
        ("diff.noprefix", "true"),
        ("diff.srcPrefix", "x/"),
        ("diff.context", "0"),
        ("diff.python.textconv", "false"),
        ("core.bigFileThreshold", "1"),
        ("core.quotePath", "false"),
        ("color.ui", "always"),
    ):
        git(repository, "config", key, value)
    (repository / ".gitattributes").write_text("* diff=python binary\n")
    assert _take(repository, "all").patch == expected


def test_a_hundred_thousand_lines_take_linear_time(make_repository: MakeRepository) -> None:
    folder = make_repository({"long.txt": "".join(f"{number}\n" for number in range(100_000))})
    write_files(folder, {"long.txt": "".join(f"{number} {number % 20 == 0}\n" for number in range(100_000))})
    started = time.monotonic()
    change = _take(folder)
    assert time.monotonic() - started < 20
    assert (change.changed_lines, dict(change.hunks)) == (200_000, {"long.txt": ((1, 100_000),)})
    assert touches(change, "long.txt", 100_000, 100_000)


def test_more_than_is_read_at_once(make_repository: MakeRepository) -> None:
    """Files of two megabytes, which git stores once where they hold the same."""
    folder = make_repository({"a.py": "a\n"})
    tree = git(folder, "hash-object", "-w", "--stdin", stdin=b"1234567\n" * (LONGEST_FILE // 8))
    lines = "".join(f"100644 {tree}\tf{number}\n" for number in range(35))
    git(folder, "update-index", "--index-info", stdin=lines.encode())
    git(folder, "commit", "-q", "-m", "many")
    entries = dict.fromkeys((f"f{number}" for number in range(35)), LONGEST_FILE // 8)
    # Only lines are counted of what was only moved.
    git(folder, "rm", "-q", "--cached", "-r", ".")
    git(folder, "update-index", "--index-info", stdin=lines.replace("\tf", "\tg/f").encode())
    git(folder, "commit", "-q", "-m", "moved")
    change = take_change(find_repository(folder), "HEAD", ())
    assert dict(change.lines) == {f"g/{name}": count for name, count in entries.items()}
    assert change.changed_lines == 1
