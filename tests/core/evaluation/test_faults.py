"""Each mistake is caught, said to the one who made it, and corrupts nothing; the right call after it still lands."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import MakeRepository, user_state
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_scenes import AFTER, BEFORE, FILE, FILES, TASK, Played, play

from orefactor.core.code.edits import replace_once
from orefactor.core.errors import UserError
from orefactor.core.evaluation.fault_edits import PLACEHOLDERS
from orefactor.core.evaluation.fault_moment import Moment
from orefactor.core.evaluation.faults import FAULTS, FaultyOracle, Mistakes, faulty
from orefactor.core.evaluation.oracle import Oracle, Wanted
from orefactor.core.messages import Message, OnDelta, ProviderRequest, ProviderResponse, ignore_delta
from orefactor.core.request import RunRequest
from orefactor.core.run import run
from orefactor.sandbox.errors import Refused


def oracle() -> Oracle:
    return Oracle({FILE: Wanted(BEFORE.encode(), AFTER.encode())})


def err(folder: Path, kind: str, seed: int = 0, rate: float = 1.0, *, recovers: bool = True) -> tuple[Played, int]:
    provider = FaultyOracle(oracle(), Mistakes(kind, rate, seed, recovers))
    (folder / f"{kind}{seed}").mkdir()
    return play(folder / f"{kind}{seed}" / "repository", provider), provider.made


SAID = {
    "whitespace": ("old_string isn't in 'shapes.py'",),
    "stale": ("old_string isn't in 'shapes.py'", "already applied"),
    "several": ("old_string occurs",),
    "elided": ("line ", "a line of the new text is `...`"),
    "unparsable": ("'shapes.py' couldn't be parsed",),
    "truncated": ("cut_for_length", "Your reply was cut off"),
    "text_calls": (),
    "wasted": ("'no_such_file.py' doesn't exist",),
    "claimed": ("no_tool_call",),
    "scope": ("`", "'"),
    "json": ("the arguments are not valid JSON",),
    "arguments": ("invalid arguments", "there is no tool"),
}  # fmt: skip


def test_the_table_says_what_each_kind_is_told() -> None:
    assert list(SAID) == list(FAULTS)


@pytest.mark.parametrize("kind", [kind for kind in FAULTS if kind != "claimed"])
def test_a_mistake_is_said_and_the_right_call_lands(kind: str, tmp_path: Path) -> None:
    made = 0
    for seed in range(2):
        played, mistakes = err(tmp_path, kind, seed)
        made += mistakes
        assert (played.text, played.ended, played.others_same) == (AFTER, "", True)
        told = [text for text in played.refused if not text.startswith("no check can run here")]
        assert all(text.startswith(SAID[kind]) for text in told), told
        if kind not in ("text_calls", "wasted"):
            assert sum(played.refused[text] for text in told) >= mistakes
    assert made >= 2


@settings(max_examples=10)
@given(st.sampled_from(list(FAULTS)), st.integers(0, 2**32), st.floats(0, 1), st.booleans())
def test_nothing_is_ever_corrupted(kind: str, seed: int, rate: float, recovers: bool) -> None:
    provider = FaultyOracle(oracle(), Mistakes(kind, rate, seed, recovers))
    with TemporaryDirectory() as folder:
        played = play(Path(folder, "repository"), provider)
    assert played.others_same
    if not played.ended:
        assert played.text in (AFTER, BEFORE if kind == "claimed" else AFTER)


SMALL = "def f(a, b):\n    c = (a, b)\n    return c\n\n\ndef g(a, b):\n    return a\n"
LARGER = SMALL.replace("    return c\n", "    d = {a: b}\n    e = [c, d]\n    if e:\n        return e\n    return d\n")


class ErringOnce:
    """An oracle that makes its mistake at the first place, by a lot that always draws the same."""

    name = "oracle"
    reads_context = False

    def __init__(self, kind: str, drawn: float) -> None:
        self._oracle = Oracle({"x.py": Wanted(SMALL.encode(), LARGER.encode())}, notices=False)
        self._kind = kind
        self._drawn = drawn
        self.made = 0

    def supports_function_calling(self) -> bool:
        return True

    def complete(self, request: ProviderRequest, on_delta: OnDelta = ignore_delta) -> ProviderResponse:
        del on_delta
        reply = self._oracle.complete(request)
        spoiled = None
        if not self.made:
            spoiled = FAULTS[self._kind](Moment(reply, request, self._oracle, lambda: self._drawn))
        if spoiled is None:
            return reply
        self.made = 1
        self._oracle.disown(reply)
        return spoiled


@pytest.mark.parametrize("kind", [kind for kind in FAULTS if kind not in ("stale", "claimed")])
def test_every_form_of_a_mistake_is_caught(kind: str, tmp_path: Path) -> None:
    for number in range(12):
        provider = ErringOnce(kind, number / 12)
        (tmp_path / str(number)).mkdir()
        files = {"x.py": SMALL, "README.md": "# Read me\n", "other.py": "import os\n"}
        played = play(tmp_path / str(number) / "repository", provider, files=files, file="x.py")
        assert (played.text, played.ended, played.others_same, provider.made) == (LARGER, "", True, 1)
        if kind not in ("text_calls", "wasted"):
            assert played.refused.total() >= 2, number


def test_the_same_seed_makes_the_same_mistakes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = (err(tmp_path / name, "arguments", 7, 0.5) for name in "ab")
    assert first == second


def test_a_change_of_no_python_has_no_syntax_to_break(tmp_path: Path) -> None:
    """Nor are there edits where a file comes anew, or is no text any more."""
    texts = {"x.txt": "a\nb\n"}
    provider = FaultyOracle(Oracle({"x.txt": Wanted(b"a\nb\n", b"a\nc\n")}), Mistakes("unparsable", 1.0))
    played = play(tmp_path, provider, files=texts, file="x.txt")
    assert (played.text, provider.made, dict(played.refused)) == ("a\nc\n", 0, {})
    for kind in FAULTS:
        anew = FaultyOracle(Oracle({"new.txt": Wanted(None, b"a\n")}), Mistakes(kind, 1.0))
        assert anew.complete(ProviderRequest(())).message.content != ""
        binary = Oracle({"x.txt": Wanted(b"\0", b"a\n")})
        assert (
            Moment(ProviderResponse(Message("assistant", "")), ProviderRequest(()), binary, float).text("x.txt") == ""
        )


def test_one_who_never_learns_is_stopped(tmp_path: Path) -> None:
    played, _ = err(tmp_path, "scope", recovers=False)
    assert played.ended.startswith("limit:")
    assert (played.text, played.others_same) == (BEFORE, True)


def test_a_claimed_success_changes_nothing(make_repository: MakeRepository) -> None:
    """Through the real main job: exit 0, since nothing was changed, and no patch."""
    repository = make_repository(FILES)
    before = user_state(repository)
    provider = FaultyOracle(oracle(), Mistakes("claimed", 1.0))
    result = run(RunRequest(TASK, repository, (FILE,), {"reuse": False, "sandbox": "none"}, provider=provider))
    assert (provider.made, result.files_changed, int(result.exit_code)) == (2, (), 0)
    assert result.reason == "no_change_needed"
    assert user_state(repository) == before


@pytest.mark.parametrize("placeholder", PLACEHOLDERS)
def test_every_placeholder_is_caught(placeholder: str) -> None:
    with pytest.raises(Refused):
        replace_once(
            BEFORE.encode(), FILE, "        grown = value * factor", f"        grown = 1\n        {placeholder}"
        )


@pytest.mark.parametrize(
    ("mistakes", "error"),
    [(Mistakes("typo"), "no fault `typo`"), (Mistakes("scope", 1.5), "rate of faults is 1.5")],
    ids=["kind", "rate"],
)
def test_wrong_plans_are_refused(mistakes: Mistakes, error: str) -> None:
    with pytest.raises(UserError, match=error):
        FaultyOracle(oracle(), mistakes)


def test_an_arm_s_oracle() -> None:
    right = oracle()
    assert faulty(right, "", 0.3, 1) is right
    wrong = faulty(right, "json", 0.3, 1)
    assert (wrong.name, wrong.supports_function_calling()) == ("oracle", True)
