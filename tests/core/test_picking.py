"""A choice of hunks: what each is, what some of them give, how they are named, judged, kept and proven."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
from conftest import Files, MakeRepository, git, user_state, write_files
from e2e.scenes import leftovers
from file_changes import modified
from hypothesis import given
from hypothesis import strategies as st
from kept_change import RUN, KeptChange, keep_change

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.hunk_numbers import parse_choice, write_choice
from orefactor.core.hunk_pieces import Piece, combine, divide
from orefactor.core.patch_hunks import PatchHunk, read_patch
from orefactor.core.picking import Pickable, Picked, build, keep, open_picking
from orefactor.core.picking_gate import find_rules, judge_choice
from orefactor.core.proof import prove_patch
from orefactor.sandbox.patch import write_patch

LINES = "".join(f"line {number}\n" for number in range(1, 41))
_BEGUN = LINES.replace("line 2\n", "LINE 2\n").replace("line 5\n", "").replace("line 7\n", "line 7\nline 7a\n")
CHANGED = _BEGUN.replace("line 30\n", "LINE 30\n").replace("line 40\n", "line 40")
ODD_NAME = b"caf\xe9 \t.txt".decode("utf-8", "surrogateescape")
BEFORE: Files = {
    "a.txt": LINES,
    "bin": bytes(range(256)),
    "becomes_link": "text\n",
    "crlf.txt": b"one\r\ntw\ro\r\nthree\r\nfour\r\nfive\r\n",
    "gone.txt": "gone\n",
    "mode.sh": "echo\n",
    "old.py": "x = 1\ny = 2\nz = 3\nw = 4\n",
}
AFTER: Files = {
    "a.txt": CHANGED,
    "bin": bytes(reversed(range(256))),
    "crlf.txt": b"ONE\r\ntw\ro\r\nthree\r\nfour\r\nFIVE\r\n",
    "new.txt": "new",
    "empty": "",
    ODD_NAME: "odd\n",
}


def other_kinds(place: Path) -> None:
    (place / "gone.txt").unlink()
    (place / "mode.sh").chmod(0o755)
    (place / "mode.sh").write_text("echo hello\n")
    (place / "becomes_link").unlink()
    (place / "becomes_link").symlink_to("a.txt")
    (place / "old.py").rename(place / "new.py")
    (place / "new.py").write_text("x = 1\ny = 2\nz = 3\nw = 5\n")


@pytest.fixture
def kept(make_repository: MakeRepository) -> KeptChange:
    return keep_change(make_repository(BEFORE), AFTER, other_kinds)


def opened(kept: KeptChange) -> Pickable:
    return open_picking(kept.repository, kept.folder, (kept.folder.path / "result.patch").read_bytes())


def named(pieces: Collection[Piece]) -> list[str]:
    return [f"{','.join(map(str, p.numbers))}.{p.part} {p.hunks[0].path}" for p in pieces]


def content(kept: KeptChange, tree: str, path: str) -> str:
    return git(kept.place, "cat-file", "blob", f"{tree}:{path}")


def test_every_kind_of_change_can_be_taken_alone(kept: KeptChange) -> None:
    before, pickable = user_state(kept.place), opened(kept)
    assert named(pickable.pieces) == [
        *("1.1 a.txt", "1.2 a.txt", "1.3 a.txt", "2.1 a.txt", "3.1 a.txt"),
        *("4,5.1 becomes_link", "6.1 bin", f"7.1 {ODD_NAME}", "8.1 crlf.txt", "8.2 crlf.txt", "9.1 empty"),
        *("10.1 gone.txt", "11.1 mode.sh", "12.1 new.py", "13.1 new.txt"),
    ]
    for piece in pickable.pieces:
        picked = build(pickable, [piece])
        paths = {path for change in picked.proof.changes for path in (change.path, change.old_path) if path}
        assert paths == ({"new.py", "old.py"} if piece.numbers == (12,) else {piece.hunks[0].path})
        assert not picked.is_all
        assert picked.patch.startswith(f"Orefactor-Run: {RUN}\nOrefactor-Base: {kept.base}\n".encode())
        applied = subprocess.run(
            ["git", "apply", "--check", "--index"], cwd=kept.place, input=picked.patch, check=False
        )
        assert applied.returncode == 0
    whole = build(pickable, pickable.pieces)
    assert (whole.is_all, whole.patch, whole.proof.tree) == (True, kept.patch, kept.tree)
    assert user_state(kept.place) == before
    assert not leftovers(kept.place)


@pytest.mark.parametrize(
    ("choice", "path", "lines"),
    [
        ("1.1", "a.txt", LINES.replace("line 2\n", "LINE 2\n")),
        ("1.2", "a.txt", LINES.replace("line 5\n", "")),
        ("1.3,3", "a.txt", LINES.replace("line 7\n", "line 7\nline 7a\n").removesuffix("\n")),
        ("2", "a.txt", LINES.replace("line 30\n", "LINE 30\n")),
        ("1-2", "a.txt", CHANGED + "\n"),
        ("8.2", "crlf.txt", "one\r\ntw\ro\r\nthree\r\nfour\r\nFIVE\r\n"),
        ("12", "new.py", "x = 1\ny = 2\nz = 3\nw = 5\n"),
    ],
)
def test_what_a_choice_holds(kept: KeptChange, choice: str, path: str, lines: str) -> None:
    pickable = opened(kept)
    picked = build(pickable, parse_choice(choice, pickable.pieces))
    assert git(kept.place, "ls-tree", picked.proof.tree, path).startswith("100644 blob")
    assert content(kept, picked.proof.tree, path) == lines.strip()


def test_it_is_what_git_makes_of_an_edited_patch(kept: KeptChange, tmp_path: Path) -> None:
    """As `git add -p` does it: what isn't wanted of `+` lines goes, and of `-` lines stays."""
    pickable = opened(kept)
    environment = {**os.environ, "GIT_INDEX_FILE": str(tmp_path / "index")}

    def run(*words: str, stdin: bytes = b"") -> bytes:
        done = subprocess.run(
            ["git", *words], cwd=kept.place, env=environment, input=stdin, capture_output=True, check=True
        )
        return done.stdout

    for number in range(1, 2**4, 3):
        taken = [piece for place, piece in enumerate(pickable.pieces[:4]) if number >> place & 1]
        run("read-tree", kept.base)
        run("apply", "--cached", "--recount", stdin=edited(pickable.pieces[:4], taken))
        assert run("write-tree").decode().strip() == build(pickable, taken).proof.tree


def edited(pieces: Collection[Piece], taken: Collection[Piece]) -> bytes:
    text = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n"
    for hunk in dict.fromkeys(piece.hunks[0] for piece in pieces):
        (section,) = hunk.sections
        wanted = {row for piece in taken if piece.hunks[0] is hunk for row in piece.rows}
        text += f"@@ -{section.old_start},1 +{section.new_start},1 @@\n"
        for row, line in enumerate(section.lines):
            kind = line.kind if row in wanted or line.kind == " " else {"-": " ", "+": None}[line.kind]
            text += f"{kind}{line.text}\n" if kind else ""
    return text.encode()


OLD_AND_NEW = st.lists(st.sampled_from(["a\n", "b\n", "\r\n", "c\rd\n", "e"]), max_size=12).map("".join)


@given(OLD_AND_NEW, OLD_AND_NEW, st.randoms(use_true_random=False))
def test_none_of_the_pieces_is_the_old_content_and_all_the_new(old: str, new: str, random: Any) -> None:
    change = modified(old, new)
    pieces = divide(read_patch(diff(old, new)), [change] if old != new else [])
    assert combine(change, pieces) == new.encode()
    assert combine(change, []) == old.encode()
    # In whatever order they are taken, each changes as many lines as it shows.
    some = [piece for piece in pieces if random.random() < 0.5]
    held = combine(change, some).count(b"\n") - old.count("\n")
    ends = [(piece.hunks[0].sections[0].lines[row]) for piece in some for row in piece.rows]
    assert held == sum({"+": 1, "-": -1}[line.kind] for line in ends if line.ended and line.kind != " ")


def diff(old: str, new: str) -> bytes:
    """A patch as git writes it, of one hunk with all lines."""
    if old == new:
        return b""
    before, after = old.split("\n"), new.split("\n")
    sides = [
        (f"{mark}{line}", at < len(side) - 1)
        for mark, side in (("-", before), ("+", after))
        for at, line in enumerate(side)
        if line or at < len(side) - 1
    ]
    body = "".join(line + "\n" + ("" if ended else "\\ No newline at end of file\n") for line, ended in sides)
    counts = [sum(line.startswith(mark) for line, _ in sides) for mark in "-+"]
    places = f"@@ -{min(counts[0], 1)},{counts[0]} +{min(counts[1], 1)},{counts[1]} @@\n"
    return f"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n{places}{body}".encode()


def test_a_file_in_a_folders_place_needs_its_going(make_repository: MakeRepository) -> None:
    def swap(place: Path) -> None:
        (place / "x").unlink()

    kept = keep_change(make_repository({"x": "file\n"}), {"x/y.txt": "1\n2\n"}, swap)
    pickable = opened(kept)
    gone, new = pickable.pieces
    with pytest.raises(UserError, match="can't be without the one that removes `x`") as raised:
        build(pickable, [new])
    assert raised.value.exit_code is ExitCode.USAGE
    assert build(pickable, [gone]).proof.changes[0].kind == "deleted"


def moved_up(patch: bytes) -> bytes:
    return patch.replace(b"@@ -27,7 +27,7 @@", b"@@ -26,7 +26,7 @@")


def another_text(patch: bytes) -> bytes:
    return patch.replace(b"Run: 20261130T101500-4f2a9c", b"Run: 20261130T101500-000000")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(moved_up, "doesn't show what it does to `a.txt`", id="a hunk's line is wrong"),
        pytest.param(another_text, "is another run's", id="another run's"),
    ],
)
def test_a_patch_that_misleads(kept: KeptChange, change: Callable[[bytes], bytes], said: str) -> None:
    assert change(kept.patch) != kept.patch
    with pytest.raises(UserError, match=said) as raised:
        open_picking(kept.repository, kept.folder, change(kept.patch))
    assert raised.value.exit_code is ExitCode.GATE


def test_pieces_need_a_patch_of_just_these_files() -> None:
    with pytest.raises(UserError, match=r"to `x\.py`"):
        divide((), [modified("a\n", "b\n")])


def pieces_of(*parts: int, together: tuple[int, ...] = ()) -> tuple[Piece, ...]:
    """Hunks with so many parts each, and perhaps two that go together behind them."""
    found = [
        Piece((PatchHunk(number, "x", ()),), part, 0)
        for number, count in enumerate(parts, 1)
        for part in range(1, count + 1)
    ]
    both = tuple(PatchHunk(number, "y", (), is_whole=True) for number in together)
    return (*found, *([Piece(both, 1, 1)] if both else []))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", "none"),
        (" none ", "none"),
        ("1", "1"),
        ("1,3,5-7", "1,3,5-7"),
        (" 3 , 1 ", "1,3"),
        ("3,3,2-3", "2,3"),
        ("001-1", "1"),
        ("4.2", "4.2"),
        ("4.3,4.1", "4.1,4.3"),
        ("4.1,4.2,4.3", "4"),
        ("3,4.2,5", "3,4.2,5"),
        ("8,9", "8,9"),
        ("6-9,none", "6-9"),
        ("1-9", "1-9"),
    ],
)
def test_choices_are_read_and_written(text: str, written: str) -> None:
    pieces = pieces_of(1, 1, 1, 3, 1, 1, 1, together=(8, 9))
    taken = parse_choice(text, pieces)
    assert write_choice(taken, pieces) == written
    assert parse_choice(written, pieces) == taken
    assert list(taken) == [piece for piece in pieces if piece in taken]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0", "there is no hunk 0; the change has 9 hunks"),
        ("10", "there is no hunk 10"),
        ("1-999999999", "there is no hunk 999999999"),
        ("1-99999999999999999999", "names no hunk"),
        ("7-5", "ends before it begins"),
        ("-1", "`-1` names no hunk"),
        ("1-", "names no hunk"),
        ("1;2", "names no hunk"),
        ("\u0661", "names no hunk"),
        ("x" * 500, "x…` names no hunk"),
        ("4.4", "no part 4 of the hunk 4, which has 3 parts"),
        ("4.0", "no part 0 of the hunk 4"),
        ("1.2", "no part 2 of the hunk 1, which can't be split"),
        ("8", "the hunks 8 and 9 make one file another kind of file"),
    ],
)
def test_choices_that_are_none(text: str, said: str) -> None:
    with pytest.raises(UserError) as raised:
        parse_choice(text, pieces_of(1, 1, 1, 3, 1, 1, 1, together=(8, 9)))
    assert said in raised.value.message
    assert raised.value.hint
    assert raised.value.exit_code is ExitCode.USAGE


# Each function stands far from the others, so that it is a hunk of its own.
FAR = "\n\n\ndef far():\n    return 0\n\n\n\n\n\n"
_FORM = f'"""Doc."""\n\n{FAR}\ndef one(r):\n    return 3 * r\n{FAR}\ndef two(r):\n    return r\n'
MODULE = _FORM.replace("far", "far{}").format(1, 2)
_USED = MODULE.replace('"""Doc."""\n', '"""Doc."""\n\nimport math\n').replace("3 * r", "math.pi * r")
CHECKED = _USED.replace("def two(r):\n", 'def two(r):\n    """Give it back."""\n')
TESTS = f"def test_one():\n    assert 1\n{FAR}\ndef test_two():\n    assert 2\n"
FILES: Files = {"m.py": MODULE, "test_m.py": TESTS, "pyproject.toml": ""}
RESULT: Files = {"m.py": CHECKED, "test_m.py": TESTS.replace("def test_two():\n    assert 2\n", "")}


@pytest.mark.parametrize(
    ("choice", "told", "reason"),
    [
        pytest.param("1-2", {}, "delivered", id="the import with its use"),
        pytest.param("2", {}, "check:ruff", id="the use without the import"),
        pytest.param("2", {"settings": {"checks": ["py_compile"]}}, "delivered", id="only what the run required"),
        pytest.param("2", {"contract": {"kinds": ["docstrings"]}}, "contract:docstrings", id="the run's contract"),
        pytest.param("3", {"contract": {"kinds": ["docstrings"]}}, "delivered", id="what the contract allows"),
        pytest.param("4", {}, "guard:tests", id="a guard"),
        pytest.param("4", {"settings": {"allow": ["tests", 3], "checks": []}}, "delivered", id="what it allowed"),
        pytest.param("4", {"settings": {"allow": "tests"}}, "guard:tests", id="an allowance in no form that there is"),
        pytest.param("3", {"settings": {"checks": ["lint"]}}, "check:lint", id="a command of the person's"),
    ],
)
def test_a_choice_is_judged_as_the_run_was(
    make_repository: MakeRepository, sealed: Path, choice: str, told: dict[str, Any], reason: str
) -> None:
    git(sealed, "config", "--global", "orefactor.check.lint.command", "sh -c '! grep Give m.py'")
    kept = keep_change(make_repository(FILES), RESULT, **told)
    before, pickable = user_state(kept.place), opened(kept)
    picked = build(pickable, parse_choice(choice, pickable.pieces))
    outcome, checks = judge_choice(pickable, picked, find_rules(pickable, {}))
    assert outcome.reason == reason
    assert bool(checks) == (
        not reason.startswith(("guard", "contract")) and told.get("settings", {}).get("checks") != []
    )
    assert user_state(kept.place) == before
    assert not leftovers(kept.place)


@pytest.mark.parametrize(
    ("told", "code", "said"),
    [
        pytest.param(
            {"settings": {"checks": ["own"]}}, ExitCode.ENVIRONMENT, "required `own`", id="an unknown command"
        ),
        pytest.param({"contract": {"kinds": ["tidy"]}}, ExitCode.GATE, "names no contract", id="an unknown contract"),
    ],
)
def test_what_can_not_be_judged(make_repository: MakeRepository, told: Any, code: ExitCode, said: str) -> None:
    pickable = opened(keep_change(make_repository({"a.txt": LINES}), {"a.txt": CHANGED}, **told))
    picked = build(pickable, pickable.pieces[:1])
    with pytest.raises(UserError, match=said) as raised:
        judge_choice(pickable, picked, find_rules(pickable, {}))
    assert raised.value.exit_code is code


def kept_pick(kept: KeptChange, choice: str) -> tuple[Picked, Path | None]:
    pickable = opened(kept)
    picked = build(pickable, parse_choice(choice, pickable.pieces))
    return picked, keep(kept.folder, picked)


def test_what_is_kept_is_proven(kept: KeptChange) -> None:
    picked, path = kept_pick(kept, "1.1,12")
    assert path is not None
    assert path == kept.folder.path / f"picked-{picked.proof.tree[:12]}.patch"
    assert path.read_bytes() == picked.patch
    assert path.stat().st_mode & 0o777 == 0o600
    proof = prove_patch(kept.repository, picked.patch)
    assert (proof.tree, proof.is_picked, proof.same_bytes) == (picked.proof.tree, True, True)
    assert kept_pick(kept, "12,1.1")[1] is None, "it is there already"
    assert kept_pick(kept, "1-13")[1] is None, "the whole change is the run's own patch"
    assert prove_patch(kept.repository, kept.patch).is_picked is False


@pytest.mark.parametrize("instead", [None, b"", b"something", b"Orefactor-Run: x\n", "another"])
def test_a_choice_that_is_not_kept_is_refused(kept: KeptChange, instead: bytes | str | None) -> None:
    picked, path = kept_pick(kept, "2")
    assert path is not None
    path.unlink()
    if instead is not None:
        path.write_bytes(kept.patch if isinstance(instead, str) else instead)
    with pytest.raises(UserError, match="but the trace of its run names") as raised:
        prove_patch(kept.repository, picked.patch)
    assert raised.value.exit_code is ExitCode.GATE


def test_a_base_that_git_has_dropped_is_made_anew(make_repository: MakeRepository) -> None:
    place = make_repository({"a.txt": "other\n", "m.py": "x = 1\n"})
    head = git(place, "rev-parse", "HEAD")
    write_files(place, {"a.txt": LINES})
    git(place, "commit", "-q", "-a", "-m", "stands for the snapshot")
    kept, gone = keep_change(place, {"a.txt": CHANGED}), "0" * 39 + "1"
    base = {"source": "worktree", "commit": gone, "tree": git(place, "rev-parse", "HEAD^{tree}"), "head": head}
    patch = kept.patch.replace(kept.base.encode(), gone.encode())
    kept.tell(base=base)
    with pytest.raises(UserError, match="is not in this repository") as raised:
        open_picking(kept.repository, kept.folder, patch)
    assert raised.value.exit_code is ExitCode.ENVIRONMENT
    (kept.folder.path / "base.patch").write_bytes(write_patch(kept.repository.git, head, kept.base))
    pickable = open_picking(kept.repository, kept.folder, patch)
    picked = build(pickable, pickable.pieces[:1])
    assert f"Orefactor-Base: {gone}\n".encode() in picked.patch
    assert judge_choice(pickable, picked, find_rules(pickable, {}))[0].reason == "delivered"
