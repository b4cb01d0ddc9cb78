"""The keys of `apply --pick`, and what a hunk looks like, without a terminal; with one, `e2e/test_pick.py`."""

from __future__ import annotations

import pytest
from conftest import MakeRepository
from kept_change import keep_change

from orefactor.cli.hunk_view import LONGEST_LINE, MOST_LINES, file_lines, made_by, piece_lines
from orefactor.cli.pick_dialogue import KEYS, new_dialogue
from orefactor.core.hunk_numbers import write_choice
from orefactor.core.hunk_pieces import Piece
from orefactor.core.patch_hunks import PatchHunk, read_patch
from orefactor.core.picking import open_picking
from orefactor.core.reporting import read_run
from orefactor.core.trace_model import CallPart


def hunks(*parts: tuple[int, int]) -> tuple[Piece, ...]:
    """Hunks by their file and how many parts they have."""
    return tuple(
        Piece((PatchHunk(number, f"{place}", ()),), part, place)
        for number, (place, count) in enumerate(parts, 1)
        for part in range(1, count + 1)
    )


# Two hunks of the first file, of which the second has three parts; two of the second file; one of the third.
FIVE = hunks((0, 1), (0, 3), (1, 1), (1, 1), (2, 1))


@pytest.mark.parametrize(
    ("keys", "asked", "choice"),
    [
        pytest.param("yyyyy", "1 2 3 4 5", "1-5", id="all"),
        pytest.param("nnnnn", "1 2 3 4 5", "none", id="none"),
        pytest.param("ynyny", "1 2 3 4 5", "1,3,5", id="some"),
        pytest.param("ayd", "1 3 4 5", None, id="not yet decided"),
        pytest.param("aynn", "1 3 4 5", "1-3", id="all of the file"),
        pytest.param("yadn", "1 2 3 5", "1,2", id="all later ones of the file, none of the next"),
        pytest.param("nsynyyyn", "1 2 2.1 2.2 2.3 3 4 5", "2.1,2.3,3,4", id="parts"),
        pytest.param("nsayyn", "1 2 2.1 3 4 5", "2-4", id="all parts"),
        pytest.param("nsydnny", "1 2 2.1 2.2 3 4 5", "2.1,5", id="no further part"),
        pytest.param("jjjjyyyyy", "1 2 3 4 5 1 2 3 4", "1-5", id="later ones first, the others afterwards"),
        pytest.param("yjjkyyyy", "1 2 3 4 3 4 5 2", "1-5", id="back to one that is undecided"),
        pytest.param("yyKnyyy", "1 2 3 2 3 4 5", "1,3-5", id="a decision is changed"),
        pytest.param("JJKnyyyy", "1 2 3 2 3 4 5 1", "1,3-5", id="one by one"),
        pytest.param("nyKdyyy", "1 2 3 2 3 4 5", "3-5", id="d changes what it stands on"),
        pytest.param("yyt", "1 2 3", "1,2", id="what is chosen so far"),
        pytest.param("t", "1", "none", id="nothing is chosen so far"),
        pytest.param("yyq", "1 2 3", "none", id="nothing at all"),
        pytest.param("p?yq", "1 1 1 2", "none", id="looking changes nothing"),
    ],
)
def test_keys(keys: str, asked: str, choice: str | None) -> None:
    dialogue = new_dialogue(FIVE)
    seen: list[str] = []
    for key in keys:
        assert not dialogue.ended
        assert key in dialogue.offered()
        seen.append(dialogue.item.label)
        dialogue.press(key)
    assert " ".join([*seen, *([] if dialogue.ended else [dialogue.item.label])]) == asked
    assert (write_choice(dialogue.taken, FIVE) if dialogue.ended else None) == choice


@pytest.mark.parametrize(
    ("before", "missing"),
    [
        pytest.param("", "kKs", id="the first of several, which has one part"),
        pytest.param("y", "k", id="a hunk with parts, the one before decided"),
        pytest.param("j", "", id="everything"),
        pytest.param("jjjj", "jJs", id="the last"),
        pytest.param("js", "s", id="a part can't be split"),
    ],
)
def test_only_keys_that_do_something_are_offered(before: str, missing: str) -> None:
    dialogue = new_dialogue(FIVE)
    for key in before:
        dialogue.press(key)
    assert [key for key in KEYS if key not in dialogue.offered()] == [key for key in KEYS if key in missing]


def test_two_halves_of_a_file_stand_together() -> None:
    both = (PatchHunk(4, "x", (), is_whole=True), PatchHunk(5, "x", (), is_whole=True))
    assert new_dialogue((Piece(both, 1, 0),)).item.label == "4,5"


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        pytest.param(b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", ["", "x"], id="a changed file"),
        pytest.param(
            b'diff --git "a/a\\033[2J\\377" "b/a\\033[2J\\377"\ndeleted file mode 100644\n--- "a/a\\033[2J\\377"\n',
            ["", "a\\x1b[2J\\udcff", "the file goes"],
            id="a name that could drive the terminal",
        ),
        pytest.param(
            b"diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\nold mode 1\nnew mode 2\n",
            ["", "y", "renamed from x, mode 1 becomes 2"],
            id="renamed",
        ),
        pytest.param(
            b"diff --git a/x b/x\nnew file mode 100644\nindex 0..1\nGIT binary patch\nliteral 1\n",
            ["", "x", "a new file, binary"],
            id="a new binary file",
        ),
        pytest.param(
            b"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
            ["", "x", "mode 100644 becomes 100755"],
            id="mode",
        ),
    ],
)
def test_what_happens_to_a_file(patch: bytes, expected: list[str]) -> None:
    assert [line.text for line in file_lines(read_patch(patch))] == expected
    assert [line.text for line in file_lines(())] == []


OLD = "".join(f"{number}\n" for number in range(1, 13))
NEW = OLD.replace("2\n", "two\n", 1).replace("5\n", "").replace("11\n", "11\nnew").removesuffix("12\n")


def test_hunks_and_their_parts_show_what_stands_around_them(make_repository: MakeRepository) -> None:
    kept = keep_change(make_repository({"x": OLD}), {"x": NEW})
    pieces = open_picking(kept.repository, kept.folder, kept.patch).pieces

    def shown(*places: int) -> list[str]:
        return [line.text for line in piece_lines([pieces[place] for place in places])]

    assert shown(0, 1, 2)[0] == "@@ -1,12 +1,11 @@"
    assert len(shown(0, 1, 2)) == 1 + 14 + 1
    assert shown(0) == ["@@ -1,4 +1,4 @@", " 1", "-2", "+two", " 3", " 4"]
    assert shown(1) == ["@@ -3,6 +3,5 @@", " 3", " 4", "-5", " 6", " 7", " 8"]
    assert shown(2) == ["@@ -9,4 +8,4 @@", " 9", " 10", " 11", "-12", "+new", "\\ No newline at end of file"]


def lines_of(text: str, *, is_cut: bool = True) -> list[str]:
    body = "".join(f"+{line}\n" for line in text.split("\n"))
    head = "new file mode 100644\n--- /dev/null\n+++ b/x\n"
    (file,) = read_patch(f"diff --git a/x b/x\n{head}@@ -0,0 +1,{text.count(chr(10)) + 1} @@\n{body}".encode())
    return [line.text for line in piece_lines((Piece(file.hunks, 1, 0),), is_cut=is_cut)]


def test_long_hunks_and_lines_are_cut_unless_asked_for() -> None:
    many = "\n".join("x" * 1000 for _ in range(MOST_LINES + 1))
    cut = lines_of(many)
    assert len(cut) == MOST_LINES + 1
    assert len(cut[1]) == LONGEST_LINE
    assert cut[-1] == "… and 2 more lines; `p` shows all of it"
    assert lines_of(many, is_cut=False)[1:] == ["+" + "x" * 1000] * (MOST_LINES + 1)
    assert lines_of("x\n" * (MOST_LINES - 1))[-1].startswith("… and 1 more line;")


def test_lines_can_not_drive_the_terminal() -> None:
    assert lines_of("a\x1b[2J\u202e\r\tb\udc80".encode("utf-8", "replace").decode())[1] == "+a^[[2J<U+202E>^M\tb?"


def test_who_made_a_hunk(make_repository: MakeRepository) -> None:
    edits = [
        {"name": "edit_file", "arguments": {"path": "x", "old_string": old, "new_string": new}, "round": number}
        for number, (old, new) in enumerate([("2\n", "two\n"), ("4\n5\n", "4\n"), ("12\n", "new")], 1)
    ]
    usual = {"id": "", "status": "executed", "duration_ms": 1, "summary": "", "digest": ""}
    calls = [CallPart.model_validate(usual | edit).model_dump(mode="json") for edit in edits]
    kept = keep_change(make_repository({"x": OLD}), {"x": NEW}, tool_calls=calls)
    assert made_by(read_run(kept.folder), [1]) == "round 1: edit x; round 2: edit x; and 1 more"
    assert made_by(read_run(kept.folder), [2]) == ""
