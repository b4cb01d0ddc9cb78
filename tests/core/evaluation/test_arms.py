"""Arms from a file and from combinations of settings; what is wrong is said in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from orefactor.core.errors import UserError
from orefactor.core.evaluation.arms import read_arms, varied


def test_a_file_of_arms(tmp_path: Path) -> None:
    (tmp_path / "terse.md").write_text("Be terse.\n")
    (tmp_path / "arms.toml").write_text(
        '[[arm]]\nname = "native"\nmodel = "m"\ntool-protocol = "native"\n'
        '[[arm]]\nname = "terse"\nsystem = "terse.md"\ncontext_tokens = 0\n'
        '[[arm]]\nname = "wrong"\noracle = "stale"\nrate = 0.5\nseed = 3\n'
    )
    native, terse, wrong = read_arms(tmp_path / "arms.toml")
    assert (native.name, native.options) == ("native", {"model": "m", "tool_protocol": "native"})
    assert (terse.system, terse.options) == ("Be terse.\n", {"context_tokens": 0})
    assert (wrong.oracle, wrong.rate, wrong.seed, wrong.options) == ("stale", 0.5, 3, {})


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        pytest.param("x = 1", "has no arms", "[[arm]]", id="no-arms"),
        pytest.param("arm = 1", "has no arms", "[[arm]]", id="no-table"),
        pytest.param("[[arm]]\nmodel = 'm'", "has no name", "name", id="no-name"),
        pytest.param(
            "[[arm]]\nname = 'a'\nmodle = 'm'", "`modle` is no setting", "did you mean `model`?", id="unknown"
        ),
        pytest.param("[[arm]]\nname = 'a'\n[[arm]]\nname = 'a'", "two arms are called `a`", "own name", id="twice"),
        pytest.param("[[arm]]\nname = 'a'\noracle = 'x'", "there is no fault `x`", "whitespace", id="fault"),
        pytest.param("[[arm]]\nname = 'a'\nrate = 'x'", "is no number", "numbers", id="rate"),
        pytest.param("[[arm]]\nname = 'a'\nsystem = 'none.md'", "can't read the system text", "beside", id="system"),
        pytest.param("[[arm", "is no TOML", "mend", id="no-toml"),
        pytest.param("a." * 1000 + "a = 1", "is no TOML", "mend", id="deep"),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path: Path, text: str, words: str, hint: str) -> None:
    (tmp_path / "arms.toml").write_text(text)
    with pytest.raises(UserError) as raised:
        read_arms(tmp_path / "arms.toml")
    assert words in raised.value.message and hint in raised.value.hint


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't read the arms"):
        read_arms(tmp_path / "none.toml")


def test_all_combinations() -> None:
    arms = varied({"model": "m"}, ["tool_protocol=native,text", "context-tokens=0,6000"])
    assert [arm.name for arm in arms] == [
        "tool-protocol=native context-tokens=0",
        "tool-protocol=native context-tokens=6000",
        "tool-protocol=text context-tokens=0",
        "tool-protocol=text context-tokens=6000",
    ]
    assert arms[0].options == {"model": "m", "tool_protocol": "native", "context_tokens": "0"}
    [usual] = varied({}, [])
    assert (usual.name, usual.options) == ("usual", {})
    clean, stale = varied({}, ["oracle=whitespace,stale"])
    assert (clean.oracle, stale.oracle) == ("whitespace", "stale")


@pytest.mark.parametrize(
    ("axes", "words"),
    [
        pytest.param(["model"], "`--vary model` is wrong", id="no-values"),
        pytest.param(["modle=a"], "`modle` is no setting", id="unknown"),
        pytest.param(["model=a,a"], "two arms are called", id="twice"),
        pytest.param(["seed=1,2,3,4,5,6,7,8,9", "max_seconds=1,2,3,4,5,6,7,8,9"], "more than 64 arms", id="many"),
    ],
)
def test_what_is_wrong_with_combinations(axes: list[str], words: str) -> None:
    with pytest.raises(UserError) as raised:
        varied({}, axes)
    assert words in raised.value.message
