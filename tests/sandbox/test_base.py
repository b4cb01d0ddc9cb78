"""The base of a run: what a snapshot of the working tree holds, and that the user's side stays as it is."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state, write_files

from orefactor.sandbox.base import Base, private_index, take_base
from orefactor.sandbox.cache import cache_folder
from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.patch import applied_tree
from orefactor.sandbox.repository import find_repository

FILES = {
    ".gitignore": "*.log\nbuild/\n",
    "a.py": "a = 1\n",
    "b.py": "b = 1\n",
    "pkg/c.py": "c = 1\n",
    "pkg/sub/d.py": "d = 1\n",
    "run.sh": "#!/bin/sh\n",
}
LFS = "git config filter.lfs.clean false && git config filter.lfs.required true && "


def shell(folder: Path, script: str) -> None:
    subprocess.run(["sh", "-ec", script], cwd=folder, check=True, capture_output=True)


def listing(folder: Path, revision: str) -> dict[str, str]:
    """Each path of a commit with its mode and object."""
    entries = git(folder, "ls-tree", "-r", "-z", "--full-tree", revision).split("\0")
    return {path: about for about, _, path in (entry.partition("\t") for entry in entries if entry)}


def changed(folder: Path, base: Base) -> dict[str, str | None]:
    """What differs from HEAD: path to mode and content, None where it is gone."""
    before, after = listing(folder, "HEAD"), listing(folder, base.commit)
    differing = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    return {path: _content(folder, after.get(path)) for path in differing}


def _content(folder: Path, about: str | None) -> str | None:
    if about is None:
        return None
    mode, kind, name = about.split(" ")
    shown = subprocess.run(["git", "cat-file", kind, name], cwd=folder, capture_output=True, check=True).stdout
    return f"{mode} {shown.decode('utf-8', 'surrogateescape')}"


def as_git_would(folder: Path, named: list[str]) -> str:
    """The tree that plain `git add` makes of the same in a copy of the index."""
    copy = folder.parent / "index-copy"
    shutil.copy2(folder / ".git" / "index", copy)
    environment = {**os.environ, "GIT_INDEX_FILE": str(copy)}

    def run(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    run("add", "-u")
    for path in named:
        run("--literal-pathspecs", "add", "-f", "--", path)
    return run("write-tree")


def snapshot(folder: Path, *paths: str, source: str = "worktree") -> Base:
    """Take a base, and hold that nothing of the user's side differs afterwards."""
    before = user_state(folder)
    base = take_base(find_repository(folder), source, paths)
    assert user_state(folder) == before
    return base


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", {}),
        ("touch a.py && rm b.py && echo 'b = 1' > b.py", {}),
        ("echo 'a = 2' > a.py", {"a.py": "100644 a = 2\n"}),
        ("printf 'a = 3' > a.py", {"a.py": "100644 a = 3"}),
        (": > a.py", {"a.py": "100644 "}),
        ("rm a.py", {"a.py": None}),
        ("rm -r pkg", {"pkg/c.py": None, "pkg/sub/d.py": None}),
        ("chmod +x a.py", {"a.py": "100755 a = 1\n"}),
        ("mv a.py z.py", {"a.py": None}),
        ("git mv a.py z.py", {"a.py": None, "z.py": "100644 a = 1\n"}),
        ("git mv a.py z.py && echo 'z = 1' > z.py", {"a.py": None, "z.py": "100644 z = 1\n"}),
        ("echo 'a = 2' > a.py && git add a.py", {"a.py": "100644 a = 2\n"}),
        ("echo 'a = 2' > a.py && git add a.py && echo 'a = 3' > a.py", {"a.py": "100644 a = 3\n"}),
        ("echo 'a = 2' > a.py && git add a.py && echo 'a = 1' > a.py", {}),
        ("git rm -q --cached a.py", {"a.py": None}),
        ("echo x > n.py && git add -N n.py", {"n.py": "100644 x\n"}),
        ("echo x > n.py && git add -N n.py && rm n.py", {}),
        ("echo x > n.py && git add n.py && rm n.py", {}),
        ("rm a.py && ln -s b.py a.py", {"a.py": "120000 b.py"}),
        ("ln -s gone l.py && git add l.py", {"l.py": "120000 gone"}),
        ("rm a.py && mkdir a.py && echo x > a.py/n.py", {"a.py": None}),
        ("rm -r pkg && echo x > pkg", {"pkg/c.py": None, "pkg/sub/d.py": None}),
        ("mv pkg moved && ln -s moved pkg", {"pkg/c.py": None, "pkg/sub/d.py": None}),
        ("mv pkg/sub sub && ln -s ../sub pkg/sub && git add sub", {"pkg/sub/d.py": None, "sub/d.py": "100644 d = 1\n"}),
        ("echo x > n.py && echo y > n.log", {}),
        ("git update-index --split-index && echo 'a = 2' > a.py", {"a.py": "100644 a = 2\n"}),
        (
            "git config core.splitIndex true && echo q > q.py && git add q.py && echo 'a = 2' > a.py",
            {"a.py": "100644 a = 2\n", "q.py": "100644 q\n"},
        ),
        ("git update-index --index-version 4 && echo 'a = 2' > a.py", {"a.py": "100644 a = 2\n"}),
        ("git config core.untrackedCache true && git status && rm a.py", {"a.py": None}),
        ("git update-index --skip-worktree a.py && echo 'a = 2' > a.py", {}),
        ("git update-index --assume-unchanged a.py && echo 'a = 2' > a.py", {}),
        ("git update-index --skip-worktree a.py && rm a.py", {}),
        ("git sparse-checkout set --cone pkg/sub", {}),
        ("git sparse-checkout set --no-cone /a.py && echo 'a = 2' > a.py", {"a.py": "100644 a = 2\n"}),
        ("git sparse-checkout set --cone --sparse-index pkg && echo 'a = 2' > a.py", {"a.py": "100644 a = 2\n"}),
        ("git stash -q || true; echo 'a = 2' > a.py; git stash -q; echo 'b = 2' > b.py", {"b.py": "100644 b = 2\n"}),
    ],
)  # fmt: skip
def test_a_snapshot_holds_tracked_files_as_they_are_now(
    make_repository: MakeRepository, script: str, expected: dict[str, str | None]
) -> None:
    folder = make_repository(FILES)
    shell(folder, script)
    base = snapshot(folder)
    assert changed(folder, base) == expected
    assert base.tree == git(folder, "rev-parse", f"{base.commit}^{{tree}}") == as_git_would(folder, [])
    if not expected:
        assert base.commit == base.head


@pytest.mark.parametrize(
    ("script", "paths", "expected"),
    [
        ("echo x > n.py && echo y > m.py", ["n.py"], {"n.py": "100644 x\n"}),
        ("echo x > pkg/n.py && echo y > m.py", ["pkg"], {"pkg/n.py": "100644 x\n"}),
        ("echo x > n.py && echo y > pkg/m.py", ["."], {"n.py": "100644 x\n", "pkg/m.py": "100644 y\n"}),
        ("mkdir new && echo x > new/n.py", ["new/n.py", "new"], {"new/n.py": "100644 x\n"}),
        ("echo x > n.log && echo y > m.log", ["n.log"], {"n.log": "100644 x\n"}),
        ("mkdir build && echo x > build/n.py", ["build/n.py"], {"build/n.py": "100644 x\n"}),
        ("echo x > pkg/n.log", ["pkg"], {}),
        ("echo x > pkg/n.log", ["."], {}),
        ("echo x > n.py && echo n.py >> .git/info/exclude", ["."], {}),
        ("echo x > n.py && chmod +x n.py", ["n.py"], {"n.py": "100755 x\n"}),
        (": > n.py", ["n.py"], {"n.py": "100644 "}),
        ("ln -s /etc/passwd l", ["l"], {"l": "120000 /etc/passwd"}),
        ("ln -s pkg l", ["l"], {"l": "120000 pkg"}),
        ("rm -r pkg && echo x > pkg", ["pkg"], {"pkg": "100644 x\n", "pkg/c.py": None, "pkg/sub/d.py": None}),
        ("mv pkg m && ln -s m pkg", ["pkg"], {"pkg": "120000 m", "pkg/c.py": None, "pkg/sub/d.py": None}),
        ("rm a.py && mkdir a.py && echo x > a.py/n", ["a.py"], {"a.py": None, "a.py/n": "100644 x\n"}),
        ("git init -q pkg/n && echo x > pkg/n/n.py && echo y > pkg/m.py", ["pkg"], {"pkg/m.py": "100644 y\n"}),
        ("echo x > '[ab].py'", ["[ab].py"], {"[ab].py": "100644 x\n"}),
        ("echo x > ':(top)n'", [":(top)n"], {":(top)n": "100644 x\n"}),
        ("echo x > -n", ["-n"], {"-n": "100644 x\n"}),
        ("echo 'a = 2' > a.py", ["a.py", "b.py", "pkg"], {"a.py": "100644 a = 2\n"}),
    ],
)  # fmt: skip
def test_a_snapshot_holds_untracked_files_that_are_named(
    make_repository: MakeRepository, script: str, paths: list[str], expected: dict[str, str | None]
) -> None:
    folder = make_repository(FILES)
    shell(folder, script)
    base = snapshot(folder, *paths)
    assert changed(folder, base) == expected
    added = [path for path, about in expected.items() if about is not None]
    assert base.tree == as_git_would(folder, added)


@pytest.mark.parametrize(
    "name",
    [
        "with space.py",
        "new\nline.py",
        "tab\t.py",
        "quo\"te'.py",
        "back\\slash.py",
        "ünï/日本.py",
        "caf\udce9.py",
        " leading",
        "trailing ",
        "*",
        "a" * 200 + ".py",
    ],
)
@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "untracked"])
def test_odd_names(make_repository: MakeRepository, name: str, tracked: bool) -> None:
    folder = make_repository(FILES)
    write_files(folder, {name: "x\n"})
    if tracked:
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "odd")
        write_files(folder, {name: "y\n"})
    base = snapshot(folder, name)
    assert changed(folder, base) == {name: "100644 y\n" if tracked else "100644 x\n"}
    assert applied_tree(find_repository(folder).git, "HEAD", base.difference) == base.tree


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo changed > big.bin", {}),
        ("chmod +x big.bin", {}),
        ("rm big.bin", {"big.bin": None}),
        ("echo changed > big.bin && echo 'a = 2' > a.py", {"a.py": "100644 a = 2\n"}),
        ("echo changed > big.bin && git config --unset filter.lfs.clean", {}),
        ("echo x > pkg/new.bin", {}),
    ],
)
def test_content_that_a_filter_makes_keeps_its_entry(
    make_repository: MakeRepository, script: str, expected: dict[str, str | None]
) -> None:
    """What lies on the disk isn't what git stores, and the filter's program isn't run here."""
    folder = make_repository({**FILES, "big.bin": "version https://git-lfs\n", ".gitattributes": "*.bin filter=lfs\n"})
    shell(folder, LFS + script)
    assert changed(folder, snapshot(folder, "pkg")) == expected


def test_an_untracked_file_with_a_filter_is_refused(make_repository: MakeRepository) -> None:
    folder = make_repository({**FILES, ".gitattributes": "*.bin filter=lfs\n"})
    write_files(folder, {"new.bin": "x\n"})
    with pytest.raises(UserError, match="has a `filter` attribute"):
        snapshot(folder, "new.bin")


CONFLICT = """
git checkout -q -b side && echo 'a = 2' > a.py && git rm -q b.py && git commit -qam side
git checkout -q main && echo 'a = 3' > a.py && echo 'b = 3' > b.py && git commit -qam other
git merge -q side || true
"""


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", {"a.py": "100644 <<<<<<< HEAD\na = 3\n=======\na = 2\n>>>>>>> side\n"}),
        ("echo 'a = 4' > a.py; rm b.py", {"a.py": "100644 a = 4\n", "b.py": None}),
        ("rm a.py", {"a.py": None}),
    ],
)
def test_a_snapshot_takes_unmerged_files_as_they_are(
    make_repository: MakeRepository, script: str, expected: dict[str, str | None]
) -> None:
    folder = make_repository(FILES)
    shell(folder, CONFLICT + script)
    assert changed(folder, snapshot(folder)) == expected


@pytest.mark.parametrize(
    ("attributes", "source", "hint"),
    [
        ("", "index", "resolve the conflicts and `git add` them, or use `--base worktree`"),
        ("a.py filter=lfs\n", "worktree", "resolve the conflicts and `git add` them"),
    ],
)
def test_unmerged_paths_that_have_no_content_are_refused(
    make_repository: MakeRepository, attributes: str, source: str, hint: str
) -> None:
    folder = make_repository({**FILES, ".gitattributes": attributes})
    shell(folder, CONFLICT)
    with pytest.raises(UserError, match="unmerged") as caught:
        snapshot(folder, source=source)
    assert (caught.value.hint, caught.value.exit_code) == (hint, ExitCode.CONFLICT)


@pytest.mark.parametrize("script", ["", "echo x >> sub/a.py", "rm -r sub", "git -C sub commit -q --allow-empty -m x"])
def test_submodules_stay_as_they_are(make_repository: MakeRepository, script: str) -> None:
    inner, folder = make_repository(FILES, "inner"), make_repository(FILES, "outer")
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    git(folder, "commit", "-qm", "submodule")
    shell(folder, script)
    (folder / "a.py").write_text("a = 2\n")
    assert changed(folder, snapshot(folder)) == {"a.py": "100644 a = 2\n"}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", {}),
        ("echo 'a = 2' > a.py", {}),
        ("echo 'a = 2' > a.py && git add a.py && echo 'a = 3' > a.py", {"a.py": "100644 a = 2\n"}),
        ("git rm -q --cached a.py", {"a.py": None}),
        ("echo x > n.py && git add -N n.py", {}),
        ("git update-index --split-index && echo x > n.py && git add n.py", {"n.py": "100644 x\n"}),
    ],
)
def test_the_index_as_the_base(make_repository: MakeRepository, script: str, expected: dict[str, str | None]) -> None:
    folder = make_repository(FILES)
    shell(folder, script)
    base = snapshot(folder, source="index")
    assert (changed(folder, base), base.source) == (expected, "index")


def test_the_same_content_gives_the_same_commit(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES)
    (folder / "a.py").write_text("a = 2\n")
    first = snapshot(folder)
    shell(folder, "git add a.py && touch b.py")
    assert snapshot(folder) == first
    assert first.head == git(folder, "rev-parse", f"{first.commit}^")
    assert git(folder, "show", "-s", "--format=%an <%ae> %at %s", first.commit) == (
        "git-orefactor <orefactor@localhost> 0 orefactor: base"
    )


def test_the_difference_makes_the_base_again_after_a_clean_up(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES)
    write_files(folder, {"a.py": "a = 2\n", "n.bin": bytes(range(256))})
    base = snapshot(folder, "n.bin")
    git(folder, "gc", "-q", "--prune=now")
    with pytest.raises(subprocess.CalledProcessError):
        git(folder, "cat-file", "-e", base.commit)
    assert applied_tree(find_repository(folder).git, "HEAD", base.difference) == base.tree


@pytest.mark.parametrize("revision", ["HEAD", "HEAD~0", "main", "v1", "v1^0", "{sha}", "{short}"])
def test_any_revision_as_the_base(make_repository: MakeRepository, revision: str) -> None:
    folder = make_repository(FILES)
    git(folder, "tag", "-a", "-m", "tag", "v1")
    head = git(folder, "rev-parse", "HEAD")
    (folder / "a.py").write_text("a = 2\n")
    named = revision.format(sha=head, short=head[:9])
    base = snapshot(folder, "a.py", source=named)
    assert base == Base(named, head, git(folder, "rev-parse", "HEAD^{tree}"), head)


@pytest.mark.parametrize(
    "revision", ["nonsense", "HEAD~9", "HEAD:a.py", "HEAD^{tree}", "--all", "-n", "", "a\0b", "main..main"]
)
def test_a_revision_that_names_no_commit_is_refused(make_repository: MakeRepository, revision: str) -> None:
    with pytest.raises(UserError, match="names no commit in this repository") as caught:
        snapshot(make_repository(FILES), source=revision)
    assert caught.value.exit_code is ExitCode.USAGE


@pytest.mark.parametrize("source", ["worktree", "index", "HEAD"])
def test_a_repository_without_a_commit_is_refused(tmp_path: Path, source: str) -> None:
    git(tmp_path, "init", "-q")
    with pytest.raises(UserError, match="no commit yet") as caught:
        take_base(find_repository(tmp_path), source, [])
    assert caught.value.exit_code is ExitCode.ENVIRONMENT


@pytest.mark.parametrize("source", ["worktree", "index"])
def test_a_bare_repository_needs_a_revision(make_repository: MakeRepository, tmp_path: Path, source: str) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(make_repository(FILES)), "bare.git")
    repository = find_repository(tmp_path / "bare.git")
    with pytest.raises(UserError, match="bare repository has no working tree"):
        take_base(repository, source, [])
    assert take_base(repository, "HEAD", ["pkg"]).commit == git(tmp_path / "bare.git", "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("script", "source", "path", "hint"),
    [
        ("", "worktree", "gone.py", "check the path; it is relative to the current folder"),
        ("", "HEAD", "gone.py", "or use `--base worktree`"),
        ("echo x > n.py", "HEAD", "n.py", "or use `--base worktree`"),
        ("echo x > n.py", "index", "n.py", "or use `--base worktree`"),
        ("rm a.py", "worktree", "a.py", "check the path"),
        ("mkdir empty", "worktree", "empty", "check the path"),
        ("mkdir build && echo x > build/n", "worktree", "build", "check the path"),
        ("git init -q nested && echo x > nested/n", "worktree", "nested", "check the path"),
    ],
)
def test_a_path_that_the_base_does_not_hold_is_refused(
    make_repository: MakeRepository, script: str, source: str, path: str, hint: str
) -> None:
    folder = make_repository(FILES)
    shell(folder, script)
    with pytest.raises(UserError, match=f"`{path}` is not in the base \\(`{source}`\\)") as caught:
        snapshot(folder, path, source=source)
    assert hint in caught.value.hint


@pytest.mark.parametrize("paths", [["fifo"], ["pkg"], ["."]])
def test_what_is_no_file_is_left_out_or_refused_where_it_is_named(
    make_repository: MakeRepository, paths: list[str]
) -> None:
    folder = make_repository(FILES)
    os.mkfifo(folder / "fifo")
    os.mkfifo(folder / "pkg" / "fifo")
    repository = find_repository(folder)
    if paths == ["fifo"]:
        with pytest.raises(UserError, match="`fifo` is not a regular file"):
            take_base(repository, "worktree", paths)
    else:
        assert changed(folder, take_base(repository, "worktree", paths)) == {}


@pytest.mark.parametrize("options", [[], ["--object-format=sha256"]], ids=["sha1", "sha256"])
def test_object_formats(make_repository: MakeRepository, options: list[str]) -> None:
    folder = make_repository(FILES, "repo", *options)
    write_files(folder, {"a.py": "a = 2\n", "n.py": "n\n"})
    assert changed(folder, snapshot(folder, "n.py")) == {"a.py": "100644 a = 2\n", "n.py": "100644 n\n"}


def test_a_shallow_clone(make_repository: MakeRepository, tmp_path: Path) -> None:
    origin = make_repository(FILES)
    git(origin, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", "shallow")
    (tmp_path / "shallow" / "a.py").write_text("a = 2\n")
    assert changed(tmp_path / "shallow", snapshot(tmp_path / "shallow")) == {"a.py": "100644 a = 2\n"}


def test_a_linked_worktree_has_its_own_index(make_repository: MakeRepository, tmp_path: Path) -> None:
    folder = make_repository(FILES)
    git(folder, "worktree", "add", "-q", str(tmp_path / "linked"))
    shell(tmp_path / "linked", "echo 'a = 2' > a.py && git add a.py && rm b.py")
    base = take_base(find_repository(tmp_path / "linked"), "worktree", [])
    assert changed(folder, base) == {"a.py": "100644 a = 2\n", "b.py": None}


def test_a_missing_index_is_an_empty_one(make_repository: MakeRepository) -> None:
    """As for plain git, every file is untracked then."""
    folder = make_repository({"a.py": "a = 1\n", "b.py": "b = 1\n"})
    (folder / ".git" / "index").unlink()
    assert changed(folder, snapshot(folder, "a.py")) == {"b.py": None}


def test_the_private_index_is_gone_also_after_an_error(make_repository: MakeRepository) -> None:
    repository = find_repository(make_repository(FILES))
    with pytest.raises(KeyboardInterrupt), private_index(repository.git) as git_at_copy:
        assert git_at_copy.index is not None
        assert git_at_copy.index.is_relative_to(cache_folder())
        raise KeyboardInterrupt
    assert git_at_copy.index is not None
    assert not git_at_copy.index.parent.exists()
