"""The index in the repository: the same answers as from memory, and nothing is read twice on one disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from conftest import MakeRepository, git
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored_indexes import APP, EXPECTED, FILES, SHAPES, answers, kept, opened

from orefactor.core.index.stored_index import open_index
from orefactor.core.index.symbol_index import MemoryIndex
from orefactor.sandbox.git import GitFailed
from orefactor.sandbox.repository import find_repository


def test_what_is_kept_is_never_read_again(make_repository: MakeRepository, tmp_path: Path) -> None:
    top = make_repository(FILES)
    first = opened(top)
    assert answers(first) == EXPECTED
    assert first.parsed == 3  # two files have one content, and one has no language
    (file,) = kept(top)
    assert file.stat().st_mode & 0o777 == 0o600
    again = opened(top, "HEAD^{tree}")
    assert answers(again) == EXPECTED
    assert again.parsed == 0
    git(top, "worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
    (tmp_path / "linked/app.py").write_text("def f(): g()\n")
    git(tmp_path / "linked", "commit", "-qam", "second")
    branch = opened(tmp_path / "linked")
    assert branch.parsed == 1
    assert answers(branch) == answers(MemoryIndex({**FILES, "app.py": b"def f(): g()\n"}))
    main = opened(top)
    assert answers(main) == EXPECTED
    assert main.parsed == 0
    assert kept(top) == [file]


@pytest.mark.parametrize("options", [["--shared"], ["--no-hardlinks"], ["--bare"]], ids=" ".join)
def test_a_clone_reads_only_what_is_its_own(
    make_repository: MakeRepository, tmp_path: Path, options: list[str]
) -> None:
    top = make_repository(FILES)
    opened(top)
    before = kept(top)[0].read_bytes()
    git(tmp_path, "clone", "-q", *options, str(top), "clone")
    clone = opened(tmp_path / "clone")
    assert answers(clone) == EXPECTED
    assert clone.parsed == 0
    changed = {"app.py": b"def f(): g()\n"}
    git(top, "checkout", "-q", "-b", "more")
    (top / "app.py").write_bytes(changed["app.py"])
    git(top, "commit", "-qam", "second")
    git(tmp_path / "clone", "fetch", "-q", "origin", "more")
    fetched = opened(tmp_path / "clone", "FETCH_HEAD")
    assert answers(fetched) == answers(MemoryIndex({**FILES, **changed}))
    assert fetched.parsed == 1
    assert kept(top)[0].read_bytes() == before
    shutil.rmtree(top / ".git/orefactor")
    alone = opened(tmp_path / "clone")
    assert answers(alone) == EXPECTED
    assert alone.parsed == 3


def test_a_lender_that_is_damaged(make_repository: MakeRepository, tmp_path: Path) -> None:
    top = make_repository(FILES)
    opened(top)
    git(tmp_path, "clone", "-q", str(top), "clone")
    (file,) = kept(top)
    data = file.read_bytes()
    for damaged in (data[:4096] + bytes(len(data) - 4096), b"none" * 5000):
        file.write_bytes(damaged)
        clone = opened(tmp_path / "clone")
        assert answers(clone) == EXPECTED
        assert file.read_bytes() == damaged


CHANGES: dict[str, dict[str, bytes | None]] = {
    "changed": {"app.py": b"def f(): g()\n"},
    "gone": {"app.py": None, "README.md": None},
    "new": {"new/\udce9.py": b"def total(): area()\n", "a.md": b"# Total\n", "x.unknown": b""},
    "same": {"app.py": APP},
    "never-there": {"none.py": None},
    "all-gone": dict.fromkeys(FILES),
    "moved": {"app.py": None, "zzz.py": APP},
}


@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES)
def test_changed_files_lie_over_the_tree(make_repository: MakeRepository, changed: dict[str, bytes | None]) -> None:
    top = make_repository(FILES)
    files = {path: data for path, data in {**FILES, **changed}.items() if data is not None}
    assert answers(opened(top, "HEAD", changed), changed) == answers(MemoryIndex(files), changed)


def test_only_regular_files_count(make_repository: MakeRepository) -> None:
    odd = os.fsdecode(b"dir\xe9/\xff\n.py")
    top = make_repository({**FILES, odd: APP}, "repo", "--object-format=sha256")
    (top / "link.py").symlink_to("app.py")
    (top / "run.py").write_bytes(APP)
    (top / "run.py").chmod(0o755)
    git(top, "add", "-A")
    git(top, "update-index", "--add", "--cacheinfo", f"160000,{git(top, 'rev-parse', 'HEAD')},sub.py")
    git(top, "commit", "-qm", "second")
    index = opened(top)
    assert answers(index) == answers(MemoryIndex({**FILES, odd: APP, "run.py": APP}))
    assert index.parsed == 3


@pytest.mark.parametrize("tree", ["0" * 40, "--help", "nothing"])
def test_no_such_tree(make_repository: MakeRepository, tree: str) -> None:
    with pytest.raises(GitFailed):
        open_index(find_repository(make_repository(FILES)), tree)


PATHS = st.sampled_from(["a.py", "b.py", "d/a.py", "d/c.md", "x.txt", "data", "d/\udce9.py"])
TEXTS = st.sampled_from(
    [
        SHAPES,
        APP,
        b"",
        b"def f():\n    g()\n",
        b"import os\nf = g\n",
        b"# Total\n",
        b"def (:\n",
        b"\0",
        "é = 1\n".encode("latin-1"),
    ]
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.dictionaries(PATHS, TEXTS, max_size=5), min_size=1, max_size=2),
    st.dictionaries(PATHS, st.none() | TEXTS, max_size=3),
)
def test_the_same_as_from_memory(
    tmp_path: Path, trees: list[dict[str, bytes]], changed: dict[str, bytes | None]
) -> None:
    top = tmp_path / "repo"
    if not top.exists():
        git(tmp_path, "init", "-q", "repo")
    repository = find_repository(top)
    for files in trees:
        blobs = {path: git(top, "hash-object", "-w", "--stdin", stdin=data) for path, data in files.items()}
        listed = b"".join(f"100644 {blob}\t".encode() + os.fsencode(path) + b"\0" for path, blob in blobs.items())
        git(top, "read-tree", "--empty")
        git(top, "update-index", "-z", "--index-info", stdin=listed)
        tree = git(top, "write-tree")
        expected = {path: data for path, data in {**files, **changed}.items() if data is not None}
        assert answers(open_index(repository, tree)) == answers(MemoryIndex(files))
        assert answers(open_index(repository, tree, changed)) == answers(MemoryIndex(expected))
