"""How `--contract` is read, and what is told of each contract."""

import pytest

from orefactor.core.guards.contracts.contract import ALONE, KIND_NAMES, Contract
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.guards.contracts.table import CONTRACTS, explain


@pytest.mark.parametrize(
    ("items", "label"),
    [
        ([], "auto"),
        ([""], "auto"),
        (["auto"], "auto"),
        (["any"], "any"),
        (["docstrings"], "docstrings"),
        (["imports, docstrings", "comments"], "docstrings,comments,imports"),
        (["rename"], "rename"),
        (["rename:a=b", "rename: c.d = c.e"], "rename:a=b,rename:d=e"),
        (["rename:a=b,rename:a=b"], "rename:a=b"),
        (["rename:a=b,rename:b=a"], "rename:a=b,rename:b=a"),
        (["move,rename:a=b"], "rename:a=b,move"),
    ],
)
def test_read(items: list[str], label: str) -> None:
    found = parse_contract(items)
    assert found.label == label
    assert parse_contract([label]) == found


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("docstring", "there is no contract `docstring`; did you mean `docstrings`?"),
        ("zzz", "there is no contract `zzz`; there are auto, any, docstrings"),
        ("\x1b[m" + "z" * 100, "there is no contract `?[mzzz"),
        ("any,docstrings", "the contract `any` stands alone"),
        ("auto,any", "stands alone"),
        ("docstrings:a=b", "only `rename` says more than its name"),
        ("rename:", "a renaming is written `rename:OLD=NEW`"),
        ("rename:a", "a renaming is written `rename:OLD=NEW`"),
        ("rename:a=b c", "a renaming is written `rename:OLD=NEW`"),
        ("rename:a=x.a", "changes nothing"),
        ("rename:a=b,rename:a=c", "`a` can't become both `b` and `c`"),
        ("rename:a=b,rename:c=b", "two names can't both become `b`"),
        ("rename,rename:a=b", "`rename` allows any names"),
        ("move,rename", "with `move`, say which names change"),
    ],
)
def test_refused(item: str, words: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        parse_contract([item])
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


def test_told() -> None:
    assert explain(parse_contract([])) == explain(parse_contract(["any"])) == ""
    assert "nothing but docstrings" in explain(parse_contract(["docstrings"]))
    assert "Rename `a` to `b`." in explain(parse_contract(["rename:a=b"]))
    both = explain(parse_contract(["docstrings,imports"]))
    assert both.startswith("The change may hold these kinds of edits and no others.")
    assert CONTRACTS["imports"] in both


def test_table_is_complete() -> None:
    assert {*CONTRACTS, *ALONE} == set(KIND_NAMES)
    assert not Contract(("docstrings",)).is_open
