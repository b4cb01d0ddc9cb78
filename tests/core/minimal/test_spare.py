"""Which hunks are pointed out: nobody asked for them, and nothing that somebody asked for needs them."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from file_changes import FILE, PROGRAM, added, deleted, modified
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.guards.change import FileChange
from orefactor.core.minimal.hunks import split
from orefactor.core.minimal.spare import Intent, named_in_edits, point_out, sort_out

BEFORE = b"""import os


class Circle:
    def area(self):
        return self.r * self.r * 3


class Square:
    side = 1

    def area(self):
        return self.side * self.side

    def twice(self):
        return 2 * self.side


def main():
    print(os.sep, Circle().area())


def show():
    # area
    return "area"
"""


def change(*edits: tuple[str, str], path: str = "shapes.py", before: bytes = BEFORE) -> FileChange:
    """The file after each text, which stands there once, was replaced."""
    after = before
    for old, new in edits:
        assert after.count(old.encode()) == 1, old
        after = after.replace(old.encode(), new.encode())
    return modified(before, after, path)


CIRCLE = ("self.r * 3", "self.r * 3.14")
SQUARE = ("self.side * self.side", "self.side**2")
TWICE = ("2 * self.side", "self.side + self.side")
SIDE = ("side = 1", "side = 2")
SHOW = ('return "area"', "return 'area'")
COMMENT = ("# area", "# the area")
MAIN = ("Circle().area()", "Circle().area() + 0")
IMPORT = ("import os\n", "import math\nimport os\n")
README = modified(b"shapes\n", b"Shapes\n", "README.md")
NEW = added(b"def disc(): ...\n", "new.py")
GONE = deleted(b"def old(): ...\n", "gone.py")
CASES: list[tuple[str, list[FileChange], Intent, list[str]]] = [
    ("the named symbol", [change(CIRCLE, SHOW)], Intent("mend main and Circle.area"), ["shapes.py:25 show"]),
    (
        "a plain name means all of them",
        [change(CIRCLE, SQUARE, TWICE)],
        Intent("mend area"),
        ["shapes.py:16 Square.twice"],
    ),
    (
        "a class means all in it",
        [change(SQUARE, TWICE, SIDE, CIRCLE)],
        Intent("mend Square"),
        ["shapes.py:6 Circle.area"],
    ),
    (
        "a method means not its class",
        [change(SQUARE, TWICE, CIRCLE)],
        Intent("mend `Square.area()`"),
        ["shapes.py:6 Circle.area", "shapes.py:16 Square.twice"],
    ),
    (
        "what it reads",
        [change(SQUARE, SIDE, CIRCLE)],
        Intent("mend `Square.area()`"),
        ["shapes.py:6 Circle.area"],
    ),
    ("a module in front", [change(SQUARE, SHOW)], Intent("mend shapes.Square.area"), ["shapes.py:25 show"]),
    ("what calls it", [change(CIRCLE, MAIN, SHOW)], Intent("mend Circle.area"), ["shapes.py:25 show"]),
    ("words in comments and strings", [change(CIRCLE, COMMENT)], Intent("mend Circle.area"), ["shapes.py:24 show"]),
    (
        "an import that it uses",
        [change(("self.r * 3", "self.r * math.pi"), IMPORT, SHOW)],
        Intent("mend Circle.area"),
        ["shapes.py:26 show"],
    ),
    ("an import that nothing uses", [change(CIRCLE, IMPORT)], Intent("mend Circle.area"), ["shapes.py:1 None"]),
    (
        "a function that is made of it, and what that uses",
        [
            change(
                ("return self.r * self.r * 3", "return disc(self.r)"),
                ("\n\ndef main", "\n\nPI = 3\n\n\ndef disc(r):\n    return PI * r * r\n\n\ndef main"),
                SHOW,
            )
        ],
        Intent("mend Circle.area"),
        ["shapes.py:32 show"],
    ),
    ("an edit names it", [change(CIRCLE, SHOW)], Intent("do it", edited_symbols={"show"}), ["shapes.py:6 Circle.area"]),
    ("nothing is named", [change(CIRCLE, SHOW), README], Intent("add types"), []),
    ("another file", [change(CIRCLE), README], Intent("mend Circle"), ["README.md:1 None"]),
    ("the task names the file", [change(CIRCLE), README], Intent("mend Circle in ./README.md"), []),
    ("the caller names the file", [change(CIRCLE), README], Intent("mend Circle", paths=["README.md"]), []),
    ("only the file is named", [change(CIRCLE), README], Intent("mend docs/README.md"), []),
    ("only the file's name", [change(CIRCLE), README], Intent("mend README.md."), ["shapes.py:6 Circle.area"]),
    ("a check needs it", [change(CIRCLE), README], Intent("mend Circle", needed=split([README])), []),
    (
        "lines that are only removed",
        [change(CIRCLE, ("\n    def twice(self):\n        return 2 * self.side\n", ""))],
        Intent("mend Circle"),
        ["shapes.py:14 Square"],
    ),
    (
        "a new file of a named symbol",
        [added(b"def disc(): ...\n", "new.py"), README],
        Intent("add disc"),
        ["README.md:1 None"],
    ),
    (
        "a file that is gone",
        [change(CIRCLE), deleted(b"def old(): ...\n", "gone.py")],
        Intent("mend Circle"),
        ["gone.py:0 None"],
    ),
    (
        "a mode",
        [change(CIRCLE), FileChange("run.sh", None, "modified", b"x", b"x", FILE, PROGRAM)],
        Intent("mend Circle"),
        ["run.sh:0 None"],
    ),
    (
        "a moved file named as it was",
        [FileChange("new/b.py", "old/a.py", "renamed", b"x\n", b"x\n", FILE, FILE), README],
        Intent("move old/a.py"),
        ["README.md:1 None"],
    ),
    ("a broken file", [modified(b"def f(:\n  x\n", b"def f(:\n  y\n"), README], Intent("mend f"), ["README.md:1 None"]),
    ("no change", [], Intent("mend area"), []),
]


@pytest.mark.parametrize(("changes", "intent", "spare"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_spare_hunks(changes: list[FileChange], intent: Intent, spare: list[str]) -> None:
    assert [f"{found.path}:{found.line} {found.symbol}" for found in point_out(changes, intent)] == spare


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ([change(CIRCLE, SHOW)], "nothing that they name uses it"),
        ([change(CIRCLE, ("\n\ndef show", "\n\n\n\ndef show"))], "only white space"),
        ([change(CIRCLE), added(b"", "notes.txt")], "names the file"),
    ],
)
def test_why(changes: Sequence[FileChange], why: str) -> None:
    (found,) = point_out(changes, Intent("mend Circle"))
    assert why in found.why


def test_three_standings() -> None:
    standings = sort_out([change(CIRCLE, MAIN, SHOW)], Intent("mend Circle"))
    assert list(standings.values()) == ["named", "connected", "spare"]
    assert tuple(standings) == split([change(CIRCLE, MAIN, SHOW)])


def test_names_in_edits() -> None:
    texts = ["def area(self):\n    pass", "x = 1", "  async  def\tlater(): ...\nclass Wide(Base):", "undef x, define y"]
    assert named_in_edits(texts) == {"area", "later", "Wide"}


@pytest.mark.parametrize(
    "task",
    ["a." * 100_000, "Circle." * 30_000, "/" * 200_000, "a" * 500_000, "Circle \ud800\x00\x1b[31m", "\u202eCircle"],
    ids=["dots", "long name", "slashes", "one word", "control", "direction"],
)
def test_hostile_tasks(task: str) -> None:
    begun = time.process_time()
    point_out([change(CIRCLE, SHOW)], Intent(task))
    assert time.process_time() - begun < 2


@pytest.mark.untraced
def test_large_and_deep_files() -> None:
    deep = b"(" * 5_000 + b")" * 5_000 + b"\n"
    large = b"".join(b"def f%d(x):\n    return x + %d\n\n\n" % (n, n) for n in range(5_000))
    edited = large.replace(b"x + 1", b"x - 1")
    begun = time.process_time()
    found = point_out(
        [modified(large, edited), modified(deep, deep + b"f17()\n", "deep.py")], Intent("mend f10 and f17")
    )
    assert len(found) == 1109
    assert time.process_time() - begun < 10


@given(st.text(alphabet="area show.Circle/\ud800\0\n", max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_any_text_is_taken(task: str, before: bytes, after: bytes) -> None:
    changes = [modified(before, after), added(before, "new.py"), change(CIRCLE, SHOW)]
    standings = sort_out(changes, Intent(task, edited_symbols=[task]))
    assert tuple(standings) == split(changes)
    spare = [found.hunk for found in point_out(changes, Intent(task, edited_symbols=[task]))]
    assert spare == [hunk for hunk, standing in standings.items() if standing == "spare"]
