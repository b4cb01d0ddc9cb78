"""`apply --hunks` and `apply --pick`: what passes reaches the working tree, and nothing else changes anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state, write_files
from e2e.processes import COMMAND, Done, Terminal, run_here, without_escapes
from e2e.scenes import leftovers
from kept_change import RUN, KeptChange, keep_change

Capture = pytest.CaptureFixture[bytes]
FAR = "\n\n\ndef far{}():\n    return 0\n\n\n\n\n\n"
MODULE = f'"""Doc."""\n{FAR.format(1)}\ndef one(r):\n    return 3 * r\n{FAR.format(2)}\ndef two(r):\n    return r\n'
IMPORTED = MODULE.replace('"""Doc."""\n', '"""Doc."""\n\nimport math\n')
USED = IMPORTED.replace("3 * r", "math.pi * r")
DOCUMENT = ("def two(r):\n", 'def two(r):\n    """Give it back."""\n')
ALL = USED.replace(*DOCUMENT)


@pytest.fixture
def kept(make_repository: MakeRepository) -> KeptChange:
    """A run whose hunks are: 1 the import, 2 its use, 3 a docstring, 4 a file that goes."""
    return keep_change(
        make_repository({"m.py": MODULE, "old.txt": "old\n"}), {"m.py": ALL}, lambda place: (place / "old.txt").unlink()
    )


def _apply(capture: Capture, kept: KeptChange, *words: str) -> Done:
    done = run_here(capture, kept.place, "apply", *words)
    assert done.stdout == b""
    assert not leftovers(kept.place)
    return done


def _kept(kept: KeptChange) -> list[Path]:
    return sorted(kept.folder.path.glob("picked-*"))


def test_what_passes_is_applied_kept_and_proven(kept: KeptChange, capfdbinary: Capture) -> None:
    done = _apply(capfdbinary, kept, "--hunks", "1,2")
    (patch,) = _kept(kept)
    assert done.returncode == 0
    assert done.stderr.decode().splitlines() == [
        "note: checking the chosen hunks: contract, guards, py_compile, ruff",
        f"note: kept for `git orefactor verify`: {patch.relative_to(kept.place)}",
        "done: took 2 of 4 hunks [m.py] verified",
    ]
    assert (kept.place / "m.py").read_text() == USED
    assert git(kept.place, "status", "--porcelain") == "M m.py"
    proven = run_here(capfdbinary, kept.place, "verify", str(patch))
    assert (proven.returncode, b"with this choice of its hunks" in proven.stdout) == (0, True)
    # The next choice stands on the run's base again, and lands on what is there.
    done = _apply(capfdbinary, kept, RUN, "--hunks", "4", "--index")
    assert (done.returncode, (kept.place / "m.py").read_text()) == (0, USED)
    assert git(kept.place, "status", "--porcelain").split("\n") == ["M m.py", "D  old.txt"]
    assert b"took 1 of 4 hunks [old.txt] not verified: no check could run" in done.stderr


@pytest.mark.parametrize(
    ("words", "said", "content"),
    [
        pytest.param(["--hunks", "1-4"], "took 4 of 4 hunks [m.py, old.txt] verified", ALL, id="all, as the run was"),
        pytest.param(["--hunks", "2", "--unverified"], "took 1 of 4 hunks [m.py] not verified", None, id="unverified"),
        pytest.param(["--hunks", "none"], "no hunk was chosen; nothing was changed", MODULE, id="none"),
        pytest.param(["--hunks", ""], "no hunk was chosen; nothing was changed", MODULE, id="nothing"),
    ],
)
def test_what_needs_no_check(
    kept: KeptChange, capfdbinary: Capture, words: list[str], said: str, content: str | None
) -> None:
    done = _apply(capfdbinary, kept, *words)
    assert (done.returncode, done.stderr.decode().splitlines()) == (
        0,
        [f"{'note' if content == MODULE else 'done'}: {said}"],
    )
    assert (kept.place / "m.py").read_text() == (content or MODULE.replace("3 * r", "math.pi * r"))
    assert not _kept(kept)


UNFIT = MODULE.replace("def two(r)", "def two(radius)")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(
            ["--hunks", "2"],
            3,
            ["Undefined name `math`", f"yours: `git orefactor apply {RUN} --hunks 2`"],
            id="unchecked use",
        ),
        pytest.param(["--hunks", "3"], 7, ["doesn't fit the working tree"], id="the working tree is another"),
        pytest.param(["--hunks", "5"], 2, ["there is no hunk 5; the change has 4 hunks"], id="no such hunk"),
        pytest.param(["--hunks", "1", "--python", "/nowhere"], 6, ["/nowhere"], id="no such interpreter"),
        pytest.param(["--pick"], 2, ["`--pick` needs a terminal", "--hunks 1,3"], id="no terminal"),
        pytest.param(["--pick", "--hunks", "1"], 2, ["give one of both"], id="both"),
        pytest.param(["--unverified"], 2, ["goes with `--pick` or `--hunks`"], id="unverified alone"),
        pytest.param(["--hunks", "1", "--sandbox", "nowhere"], 2, ["sandbox"], id="no such isolation"),
        pytest.param(["--hunks", "1", "20200101"], 2, ["no run is called"], id="no such run"),
    ],
)
def test_where_it_is_refused_nothing_changes(
    kept: KeptChange, capfdbinary: Capture, words: list[str], code: int, said: list[str]
) -> None:
    write_files(kept.place, {"m.py": UNFIT, "untracked": "mine\n"})
    before = user_state(kept.place)
    done = _apply(capfdbinary, kept, *words)
    text = done.stderr.decode()
    assert done.returncode == code, text
    assert all(words in text for words in said), text
    assert user_state(kept.place) == before
    assert not _kept(kept)


def test_several_findings_are_told_and_bounded(make_repository: MakeRepository, capfdbinary: Capture) -> None:
    many = "".join(f"a{number} = math.pi\n" for number in range(12))
    kept = keep_change(make_repository({"m.py": MODULE}), {"m.py": USED + many})
    done = _apply(capfdbinary, kept, "--hunks", "3")
    lines = done.stderr.decode().splitlines()
    assert (done.returncode, len([line for line in lines if line.startswith("note: ruff: m.py:")])) == (3, 10)
    assert "note: and 2 more findings" in lines


def test_what_can_not_be_kept_changes_nothing(kept: KeptChange, capfdbinary: Capture) -> None:
    write_files(kept.place, {"m.py": MODULE + "# mine\n"})
    done = _apply(capfdbinary, kept, "--hunks", "4")
    assert done.returncode == 0
    (patch,) = _kept(kept)
    git(kept.place, "checkout", "--", "old.txt")
    patch.unlink()
    patch.mkdir()
    before = user_state(kept.place)
    assert _apply(capfdbinary, kept, "--hunks", "4").returncode == 6
    assert user_state(kept.place) == before


def test_what_git_can_not_apply_after_all_is_not_kept(kept: KeptChange, capfdbinary: Capture) -> None:
    before = user_state(kept.place)
    (kept.place / ".git" / "index.lock").touch()
    done = _apply(capfdbinary, kept, "--hunks", "4", "--index")
    assert done.returncode == 7
    assert user_state(kept.place) == before
    assert not _kept(kept)


def test_a_run_without_a_change_or_a_patch(kept: KeptChange, capfdbinary: Capture) -> None:
    (kept.folder.path / "result.patch").write_bytes(b"")
    assert b"needed no change" in _apply(capfdbinary, kept, "--hunks", "1").stderr
    (kept.folder.path / "result.patch").unlink()
    assert _apply(capfdbinary, kept, "--hunks", "1").returncode == 3


@pytest.fixture
def pick(kept: KeptChange) -> Callable[..., Terminal]:
    def start(**environment: str) -> Terminal:
        return Terminal(kept.place, *COMMAND, "apply", "--pick", environment=environment)

    return start


def test_hunks_are_picked_in_a_terminal(kept: KeptChange, pick: Callable[..., Terminal]) -> None:
    terminal = pick()
    for asked, keys in [(b"(1/4)", b"y"), (b"(2/4)", b"?"), (b"this help", b"x"), (b"(2/4)", b"p"), (b"(2/4)", b"Y")]:
        terminal.wait_for(asked)
        terminal.press(keys + b"\n")
    terminal.press(b"\n\xff\nn\nK\nN\nd\n")
    code, shown = terminal.finish()
    text = without_escapes(shown.replace(b"\xff", b""))
    assert code == 0, text
    assert '\nm.py\nhunk 1\n@@ -1,5 +1,7 @@\n """Doc."""\n \n+import math\n+\n' in text
    assert "(4/4) take this file's change [y,n,a,d,K,p,t,q,?]? " in text
    assert "hunk 3 (left)" in text
    assert text.count("y - take this hunk\n") == 3
    assert "note: chosen: --hunks 1,2\n" in text
    assert "done: took 2 of 4 hunks [m.py] verified" in text
    assert b"\x1b[32m+import math\x1b[m" in shown
    assert (kept.place / "m.py").read_text() == USED


@pytest.mark.parametrize(
    ("keys", "code", "said"),
    [
        pytest.param(b"y\ny\nq\n", 0, "no hunk was chosen; nothing was changed", id="q"),
        pytest.param(b"y\n\x04", 0, "no hunk was chosen; nothing was changed", id="the end of input"),
        pytest.param(b"y\ny\n\x03", 130, "", id="ctrl-c"),
        pytest.param(b"n\ny\nd\nn\n", 3, "Undefined name `math`", id="what doesn't pass"),
    ],
)
def test_the_tree_is_as_before(
    kept: KeptChange, pick: Callable[..., Terminal], keys: bytes, code: int, said: str
) -> None:
    before = user_state(kept.place)
    terminal = pick(NO_COLOR="1")
    terminal.wait_for(b"(1/4)")
    terminal.press(keys)
    ended, shown = terminal.finish()
    assert (ended, b"\x1b" in shown) == (code, False), shown
    assert said in shown.decode()
    assert user_state(kept.place) == before
    assert not _kept(kept)
    assert not leftovers(kept.place)


def test_colours_are_the_persons(make_repository: MakeRepository) -> None:
    def become_link(place: Path) -> None:
        (place / "x").unlink()
        (place / "x").symlink_to("y")

    kept = keep_change(make_repository({"x": "text\n"}), {}, become_link)
    for value, expected in [("always", b"\x1b[1;34m(1/1) take this change of a file's kind"), ("false", b"\n(1/1)")]:
        git(kept.place, "config", "color.interactive", value)
        terminal = Terminal(kept.place, *COMMAND, "apply", "--pick")
        terminal.wait_for(expected)
        terminal.press(b"q\n")
        assert terminal.finish()[0] == 0
