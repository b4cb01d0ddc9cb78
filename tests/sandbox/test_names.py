"""Paths that are refused by their spelling, and those that are taken."""

import pytest

from orefactor.sandbox import names
from orefactor.sandbox.errors import Refused


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("", ()),
        (".", ()),
        ("./", ()),
        ("a/f.py", ("a", "f.py")),
        ("./a//./f.py", ("a", "f.py")),
        ("a/", ("a",)),
        ("with space/ünï.py", ("with space", "ünï.py")),
        ("a/~b", ("a", "~b")),
        ("x.py~", ("x.py~",)),
        (".gitignore", (".gitignore",)),
        (".github/w.yml", (".github", "w.yml")),
        ("git/x", ("git", "x")),
        ("git~x", ("git~x",)),
        ("...", ("...",)),
        ("console.py", ("console.py",)),
        ("com10", ("com10",)),
        ("ab:c", ("ab:c",)),
    ],
)
def test_takes(path: str, parts: tuple[str, ...]) -> None:
    assert names.split(path) == parts


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/etc/passwd", "absolute path; use a path relative to the root, such as 'src/x.py'"),
        ("//etc/passwd", "absolute"),
        ("C:/x.py", "absolute"),
        ("c:x.py", "absolute"),
        ("..", "'..'"),
        ("../x", "'..'"),
        ("a/../b", "'..'"),
        ("a/..", "'..'"),
        ("~", "isn't expanded"),
        ("~/x", "isn't expanded"),
        ("~root/x", "isn't expanded"),
        ("a\0b", "control character"),
        ("a\nb", "line break"),
        ("a\r", "line break"),
        ("a\u2028b", "line break"),
        ("a\x85b", "line break"),
        ("a\tb", "control character"),
        ("a\ud800b", "control character"),
        ("a\\b", "separate folders with '/'"),
        ("..\\x", "backslash"),
        ("\\\\server\\x", "backslash"),
        ("a\\.git", "backslash"),
        ("x" * 256, "too long for a name"),
        ("ü" * 128, "too long for a name"),
        ("a/" * 2001, "too long for a path"),
        ("con", "device"),
        ("a/NUL.txt", "device"),
        ("aux.py", "device"),
        ("Com1", "device"),
        ("lpt\u00b9.c", "device"),
        ("prn .txt", "device"),
    ],
)
def test_refuses(path: str, words: str) -> None:
    with pytest.raises(Refused) as caught:
        names.split(path)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "name",
    [
        ".git",
        ".GIT",
        ".Git",
        ".git ",
        ".git.",
        ".git . .",
        "git~1",
        "GIT~2",
        ".g\u200cit",
        "\ufeff.git",
        ".gi\u202et",
        ".git::$INDEX_ALLOCATION",
        ".git:x",
    ],
)
def test_refuses_disguises_of_the_git_folder(name: str) -> None:
    assert names.is_dot_git(name)
    for path in (name, f"a/{name}", f"{name}/config"):
        with pytest.raises(Refused, match="out of bounds"):
            names.split(path)


def test_backslash_disguise_is_known_to_listings() -> None:
    assert names.is_dot_git(".git\\config")


@pytest.mark.parametrize("name", ["x.py", "ünï.py", "a b", ".gitignore", "x.py~"])
def test_new_names(name: str) -> None:
    names.check_new([name])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a?.py", "hold none of"),
        ("ab:c", "hold none of"),
        ("a.", "end in no dot"),
        ("a ", "end in no dot"),
        ("e\u0301.py", "decomposed"),
        ("\u202egnp.py", "invisible"),
    ],
)
def test_refuses_new_names(name: str, words: str) -> None:
    names.split(name)
    with pytest.raises(Refused, match=words):
        names.check_new(["fine", name])


@pytest.mark.parametrize(
    ("name", "others", "twin"),
    [
        ("a.py", ["A.py", "b"], "A.py"),
        ("a.py", ["a.py"], None),
        ("\u00e9", ["e\u0301"], "e\u0301"),
        ("stra\u00dfe", ["STRASSE"], "STRASSE"),
        ("a", [], None),
    ],
)
def test_case_twin(name: str, others: list[str], twin: str | None) -> None:
    assert names.case_twin(name, others) == twin


@pytest.mark.parametrize(
    ("name", "said"),
    [("x.py", "x.py"), ("caf\udce9", "caf\\xe9"), ("a\nb", "a\\nb"), ("a\u202eb", "a\\u202eb"), ("é", "é")],
)
def test_shown(name: str, said: str) -> None:
    assert names.shown(name) == said


@pytest.mark.parametrize(
    ("name", "plain"),
    [("x.py", True), ("a\nb", False), ("caf\udce9", False), ("a/b", False), (".git", False)],
)
def test_is_plain(name: str, plain: bool) -> None:
    assert names.is_plain(name) is plain
