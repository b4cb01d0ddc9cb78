"""Lines beside each other: which belong together, what differs within them, and their colours."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from orefactor.core.outputs.report.alignment import Pair, differences, pairs
from orefactor.core.outputs.report.colours import Painter

ALIGNED: dict[str, tuple[list[str], list[str], Sequence[Pair]]] = {
    "nothing": ([], [], []),
    "only new": ([], ["a", "b"], [(None, 0), (None, 1)]),
    "only old": (["a"], [], [(0, None)]),
    "one each, whatever they say": (["a b c"], ["x"], [(0, 0)]),
    "like ones": (["x = 1", "y = f(a, b)"], ["y = f(a, c)"], [(0, None), (1, 0)]),
    "an insertion before": (["return a*b"], ['"""Doc."""', "return a * b"], [(None, 0), (0, 1)]),
    "surplus between": (["a b c", "q", "d e f"], ["a b c d", "d e f g"], [(0, 0), (1, None), (2, 1)]),
    "unlike ones": (["a b", "c d"], ["e f", "g h"], [(0, 0), (1, 1)]),
    "empty lines": (["", "a"], ["", "b"], [(0, 0), (1, 1)]),
    "too many to compare": (["a"] * 60, ["b"] * 30, [(n, n) for n in range(30)] + [(n, None) for n in range(30, 60)]),
}


@pytest.mark.parametrize(("old", "new", "expected"), ALIGNED.values(), ids=ALIGNED)
def test_pairs(old: list[str], new: list[str], expected: Sequence[Pair]) -> None:
    assert pairs(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new", "removed", "added"),
    [
        ("return a*b", "return a * b", [], [" ", " "]),
        ("x = area(a)", "x = surface(a)", ["area"], ["surface"]),
        ("all else", "is different here", [], []),
        ("same", "same", [], []),
        ("", "", [], []),
        (" ".join(f"a{n} b" for n in range(60)), " ".join(f"a{n} c" for n in range(60)), [], []),
    ],
)
def test_differences(old: str, new: str, removed: list[str], added: list[str]) -> None:
    ranges = differences(old, new)
    assert [[text[first:last] for first, last in found] for text, found in zip((old, new), ranges, strict=True)] == [
        removed,
        added,
    ]


COLOURED: dict[str, tuple[str, list[str], list[tuple[str, str]]]] = {
    "python": (
        "x.py",
        ["def f():  # c", "    return 'a', 1"],
        [("def", "k"), ("f", "f"), ("# c", "q"), ("'a'", "s"), ("1", "m")],
    ),
    "the end of a string": (
        "x.py",
        ["more words of a string here", '"""', "x = 1"],
        [("more words of a string here", "s"), ("1", "m")],
    ),
    "the beginning of a string": (
        "x.py",
        ["def f():", '    """Some words of it here'],
        [("def", "k"), ('"""Some words of it here', "s")],
    ),
    "like C": (
        "x.rs",
        ["/* a", 'b */ let c = "d"; // e', "f = `g`"],
        [("/* a", "q"), ("b */", "q"), ("let", "k"), ('"d"', "s"), ("// e", "q"), ("`g`", "s")],
    ),
    "like a shell": ("x.sh", ["if a # b", "c#d 12"], [("if", "k"), ("# b", "q"), ("12", "m")]),
    "json": ("x.json", ['{"a": 1}'], [("1", "m")]),
    "no language": ("x.txt", ["def f()"], []),
    "no text": ("x.py", ["", ""], []),
    "too long": ("x.py", ["def f()"] * 3000, []),
    "no Python at all": ("x.py", ['"""' * 3 + "\\", "\t$?!"], []),
}


@pytest.mark.parametrize(("path", "lines", "expected"), COLOURED.values(), ids=COLOURED)
def test_colours(path: str, lines: list[str], expected: list[tuple[str, str]]) -> None:
    painted = Painter().coloured(path, lines)
    assert ["".join(text for text, _ in pieces) for pieces in painted] == lines
    found = [piece for pieces in painted for piece in pieces]
    assert [piece for piece in expected if piece not in found] == []
    assert expected or not [piece for piece in found if piece[1] not in ("", "s", "e")]


def test_colours_end_where_a_page_has_enough_of_them() -> None:
    painter = Painter()
    lines = ["x = 1  # " + "c" * 190] * 90
    painted = [painter.coloured("x.py", lines)[0] for _ in range(12)]
    assert [len(pieces) > 1 for pieces in painted] == [True] * 8 + [False] * 4


@pytest.mark.parametrize(
    "piece", ['"', "'", "\\", "`", "/*", "//", "#", "(", "a\n", "\n", '\\"', "'a", "é", '"""', "{{"]
)
@pytest.mark.parametrize("path", ["x.py", "x.c", "x.sh", "x.yaml", "x.toml", "x.ini", "x.json"])
def test_hostile_text_takes_little_time(path: str, piece: str) -> None:
    lines = (piece * 6000)[:6000].split("\n")
    assert ["".join(text for text, _ in pieces) for pieces in Painter().coloured(path, lines)] == lines
