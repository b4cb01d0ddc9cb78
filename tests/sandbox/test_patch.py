"""Patches: every kind of change comes back as the same tree, whatever the two repositories configure."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files

from orefactor.sandbox.patch import Change, applied_tree, list_changes, write_patch
from orefactor.sandbox.repository import find_repository

Entry = tuple[str, bytes]
Tree = Mapping[str, Entry]
LONG = b"".join(b"line %d\n" % number for number in range(60))
EMPTY: Tree = {}


def file(content: bytes) -> Entry:
    return "100644", content


def program(content: bytes) -> Entry:
    return "100755", content


def link(target: bytes) -> Entry:
    return "120000", target


def submodule(number: str) -> Entry:
    return "160000", number.encode() * 40


def write_tree(folder: Path, tree: Tree) -> str:
    """Make a tree object of exactly these entries."""
    listed = b""
    for path, (mode, content) in tree.items():
        name = content.decode() if mode == "160000" else git(folder, "hash-object", "-w", "--stdin", stdin=content)
        listed += f"{mode} {name}\t".encode() + os.fsencode(path) + b"\0"
    environment = {**os.environ, "GIT_INDEX_FILE": str(folder / ".git" / "scratch-index")}

    def run(*arguments: str, stdin: bytes = b"") -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, env=environment, input=stdin, check=True, capture_output=True
        )
        return done.stdout.decode().strip()

    run("read-tree", "--empty")
    run("update-index", "-z", "--index-info", stdin=listed)
    return run("write-tree")


CHANGES: list[tuple[str, Tree, Tree]] = [
    ("nothing", {"a": file(b"1\n")}, {"a": file(b"1\n")}),
    ("edit", {"a": file(b"1\n2\n")}, {"a": file(b"1\n3\n")}),
    ("new", {"k": file(b"k\n")}, {"k": file(b"k\n"), "d/e/n": file(b"n\n")}),
    ("deleted", {"k": file(b"k\n"), "d/n": file(b"n\n")}, {"k": file(b"k\n")}),
    ("everything new", EMPTY, {"a": file(b"1\n")}),
    ("everything deleted", {"a": file(b"1\n")}, EMPTY),
    ("renamed", {"a": file(LONG)}, {"d/b": file(LONG)}),
    ("renamed and edited", {"a": file(LONG)}, {"b": file(LONG + b"more\n")}),
    ("renamed with a new mode", {"a": file(LONG)}, {"b": program(LONG)}),
    ("swapped", {"a": file(LONG), "b": file(b"b\n" * 40)}, {"b": file(LONG), "a": file(b"b\n" * 40)}),
    ("copied", {"a": file(LONG)}, {"a": file(LONG), "b": file(LONG)}),
    ("executable", {"a": file(b"1\n")}, {"a": program(b"1\n")}),
    ("mode and content", {"a": program(b"1\n")}, {"a": file(b"2\n")}),
    ("last newline gone", {"a": file(b"1\n2\n")}, {"a": file(b"1\n2")}),
    ("last newline new", {"a": file(b"1\n2")}, {"a": file(b"1\n2\n")}),
    ("empty new", {"k": file(b"k\n")}, {"k": file(b"k\n"), "e": file(b"")}),
    ("empty deleted", {"k": file(b"k\n"), "e": file(b"")}, {"k": file(b"k\n")}),
    ("emptied", {"a": file(b"1\n")}, {"a": file(b"")}),
    ("CRLF", {"a": file(b"1\r\n2\r\n")}, {"a": file(b"1\r\n3\r\n4\r\n")}),
    ("CRLF to LF", {"a": file(b"1\r\n2\r\n")}, {"a": file(b"1\n2\n")}),
    ("lone CR", {"a": file(b"1 \r 2\t\n\n\n")}, {"a": file(b"1  \r 2\t \n\n \n")}),
    ("space at line ends", {"a": file(b"1\n")}, {"a": file(b"1  \n\t\n\n\n")}),
    ("binary", {"a": file(bytes(range(256)))}, {"a": file(bytes(range(255, -1, -1)) * 3)}),
    ("binary new and deleted", {"a": file(b"\0" * 999)}, {"b": file(b"\1\0" * 999)}),
    ("text to binary", {"a": file(b"1\n")}, {"a": file(b"1\0\n")}),
    ("no UTF-8", {"a": file(b"\xff\xfe\n")}, {"a": file(b"\xff\xfd\n\xc0\n")}),
    ("long line", {"a": file(b"x" * 300_000 + b"\n")}, {"a": file(b"x" * 300_000 + b"y\n")}),
    ("link new", {"k": file(b"k\n")}, {"k": file(b"k\n"), "l": link(b"k")}),
    ("link elsewhere", {"l": link(b"k")}, {"l": link(b"/etc")}),
    ("file to link", {"a": file(b"1\n")}, {"a": link(b"1")}),
    ("link to file", {"a": link(b"1\n")}, {"a": file(b"1\n")}),
    ("file to folder", {"d": file(b"1\n")}, {"d/e": file(b"1\n")}),
    ("folder to file", {"d/e": file(b"1\n"), "d/f": file(b"2\n")}, {"d": file(b"3\n")}),
    ("folder to link", {"d/e": file(b"1\n")}, {"d": link(b"elsewhere")}),
    ("submodule", {"s": submodule("1"), "k": file(b"k\n")}, {"s": submodule("2"), "k": file(b"k\n")}),
    (
        "odd names",
        {"a": file(b"1\n")},
        {
            name: file(name.encode("utf-8", "surrogateescape") + b"\n")
            for name in ("sp ace", "t\tab", 'q"uote', "ünï/日本", "caf\udce9", "new\nline", "back\\slash", " a ", "*")
        },
    ),
    ("headers as names", {"a/b/c": file(b"1\n")}, {"a/b/c": file(b"2\n"), "b/a": file(b"--- a/x\n+++ b/x\n")}),
    (
        "a patch as content",
        {"a": file(b"diff --git a/x b/x\n")},
        {"a": file(b"diff --git a/x b/x\n-- \n\\ No newline at end of file\nFrom 1234\n@@ -1 +1 @@\n")},
    ),
    (
        "binary by attribute",
        {".gitattributes": file(b"*.dat -diff\n"), "a.dat": file(b"1\n")},
        {".gitattributes": file(b"*.dat -diff\n"), "a.dat": file(b"2\n")},
    ),
    (
        "attributes that convert",
        {".gitattributes": file(b"* text=auto eol=crlf ident\n"), "a": file(b"$Id$\r\n1\r\n")},
        {".gitattributes": file(b"* text=auto eol=crlf ident\n"), "a": file(b"$Id$\r\n2\r\n")},
    ),
]  # fmt: skip
USERS_SETTINGS = {
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.renames": "copies",
    "diff.external": "false",
    "diff.algorithm": "patience",
    "diff.context": "0",
    "diff.interHunkContext": "9",
    "diff.suppressBlankEmpty": "true",
    "diff.relative": "true",
    "diff.submodule": "log",
    "diff.ignoreSubmodules": "all",
    "diff.wsErrorHighlight": "all",
    "diff.colorMoved": "zebra",
    "color.ui": "always",
    "core.quotePath": "false",
    "core.abbrev": "7",
    "apply.whitespace": "fix",
    "apply.ignoreWhitespace": "change",
}


@pytest.mark.parametrize(("before", "after"), [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_the_same_tree_comes_back(make_repository: MakeRepository, sealed: Path, before: Tree, after: Tree) -> None:
    """Also where both sides set all that they can: the patch is the same, and plain `git apply` takes it."""
    folder = make_repository({"seed": "1\n"})
    base, result = write_tree(folder, before), write_tree(folder, after)
    repository = find_repository(folder)
    plain = write_patch(repository.git, base, result)
    assert (plain == b"") is (base == result)
    assert applied_tree(repository.git, base, plain) == result
    for configuration in (folder / ".git" / "config", sealed / ".gitconfig"):
        with configuration.open("a") as file:
            for key, value in USERS_SETTINGS.items():
                file.write("[{}]\n\t{} = {}\n".format(*key.split("."), value))
    repository = find_repository(folder)
    assert repository.setting("diff.noprefix") == "true"
    assert write_patch(repository.git, base, result) == plain
    assert applied_tree(repository.git, base, plain) == result
    if plain:
        git(folder, "read-tree", base)
        git(folder, "apply", "--cached", "--whitespace=nowarn", "--no-ignore-whitespace", stdin=plain)
        assert git(folder, "write-tree") == result


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": file(b"1\n")}, {"a": file(b"1\n")}, []),
        ({"a": file(b"1\n")}, {"a": file(b"2\n")}, [Change("modified", "a", None, "100644", "100644")]),
        ({"a": file(b"1\n")}, {"a": program(b"1\n")}, [Change("modified", "a", None, "100644", "100755")]),
        ({"a": file(b"1\n")}, {"a": link(b"x")}, [Change("type", "a", None, "100644", "120000")]),
        ({}, {"d/a\nb": file(b"1\n")}, [Change("added", "d/a\nb", None, "000000", "100644")]),
        ({"caf\udce9": file(b"1\n")}, {}, [Change("deleted", "caf\udce9", None, "100644", "000000")]),
        ({"a": file(LONG)}, {"d/b": file(LONG)}, [Change("renamed", "d/b", "a", "100644", "100644")]),
        (
            {"a": file(LONG), "z": file(b"1\n")},
            {"b": file(LONG + b"x\n"), "z": file(b"2\n")},
            [Change("renamed", "b", "a", "100644", "100644"), Change("modified", "z", None, "100644", "100644")],
        ),
        ({"s": submodule("1")}, {"s": submodule("2")}, [Change("modified", "s", None, "160000", "160000")]),
    ],
)  # fmt: skip
def test_changes(make_repository: MakeRepository, before: Tree, after: Tree, expected: list[Change]) -> None:
    folder = make_repository({"seed": "1\n"})
    base, result = write_tree(folder, before), write_tree(folder, after)
    assert list(list_changes(find_repository(folder).git, base, result)) == expected


@pytest.mark.parametrize(
    "patch",
    [
        b"--- a/seed\n+++ b/seed\n@@ -1 +1 @@\n-other\n+x\n",
        b"--- a/gone\n+++ b/gone\n@@ -1 +1 @@\n-1\n+x\n",
        b"no patch at all\n",
        b"--- a/seed\n+++ b/../seed\n@@ -1 +1 @@\n-1\n+x\n",
        b"--- /dev/null\n+++ b/.git/config\n@@ -0,0 +1 @@\n+x\n",
    ],
)
def test_a_patch_that_does_not_apply_proves_nothing(make_repository: MakeRepository, patch: bytes) -> None:
    repository = find_repository(make_repository({"seed": "1\n"}))
    assert applied_tree(repository.git, "HEAD", patch) is None


def test_the_proof_looks_at_the_base_and_not_at_the_working_tree(make_repository: MakeRepository) -> None:
    folder = make_repository({"seed": "1\n"})
    write_files(folder, {"seed": "changed\n"})
    git(folder, "add", "-A")
    patch = b"--- a/seed\n+++ b/seed\n@@ -1 +1 @@\n-1\n+2\n"
    assert applied_tree(find_repository(folder).git, "HEAD", patch) == write_tree(folder, {"seed": file(b"2\n")})
    assert (folder / "seed").read_text() == "changed\n"
    assert git(folder, "show", ":seed") == "changed"
