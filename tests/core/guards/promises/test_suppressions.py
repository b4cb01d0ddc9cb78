"""Which comments silence a check, and which of them are new."""

from __future__ import annotations

import time

import pytest

from orefactor.core.guards.promises.suppressions import Suppression, new_suppressions, suppressions
from orefactor.core.guards.sides import Side


def read(text: str, path: str = "x.py") -> list[Suppression]:
    return suppressions(Side(path, text.encode()))


@pytest.mark.parametrize(
    ("comment", "kind", "codes"),
    [
        pytest.param("# noqa", "noqa", "", id="noqa"),
        pytest.param("#noqa:E501,F401 since", "noqa", "E501 F401", id="noqa-codes-and-prose"),
        pytest.param("# why # NOQA : E501", "noqa", "E501", id="noqa-behind-prose"),
        pytest.param("# ruff: noqa: D", "ruff:noqa", "", id="ruff-file"),
        pytest.param("# flake8: noqa", "flake8:noqa", "", id="flake8-file"),
        pytest.param("# type: ignore", "type:ignore", "", id="type-ignore"),
        pytest.param("# type: ignore[attr-defined, misc]", "type:ignore", "attr-defined misc", id="type-codes"),
        pytest.param("# pyright: ignore[reportAny]", "pyright:ignore", "reportAny", id="pyright"),
        pytest.param("# pyright: basic", "pyright:basic", "", id="pyright-level"),
        pytest.param("# pyright: reportAny=false", "pyright:reportany", "false", id="pyright-rule"),
        pytest.param("# ty: ignore[x]", "ty:ignore", "x", id="ty"),
        pytest.param("# mypy: ignore-errors", "mypy:ignore-errors", "", id="mypy-file"),
        pytest.param("# mypy: disable-error-code=misc", "mypy:disable-error-code", "misc", id="mypy-code"),
        pytest.param("# pyre-fixme[1]", "pyre-fixme", "1", id="pyre"),
        pytest.param("# pytype: disable=x", "pytype:disable", "x", id="pytype"),
        pytest.param("# pylint: disable=a,b", "pylint:disable", "a b", id="pylint"),
        pytest.param("# pylint: disable-next=a", "pylint:disable-next", "a", id="pylint-next"),
        pytest.param("# pragma: no cover", "pragma:nocover", "", id="coverage"),
        pytest.param("# PRAGMA NO BRANCH", "pragmanobranch", "", id="coverage-branch"),
        pytest.param("# nosec B101", "nosec", "", id="bandit"),
        pytest.param("# NOSONAR", "nosonar", "", id="sonar"),
    ],
)
def test_directives(comment: str, kind: str, codes: str) -> None:
    (found,) = read(f"x = 1\ny = 2  {comment}\n")
    assert (found.kind, sorted(found.codes), found.line) == (kind, codes.split(), 2)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = '# noqa'\n", id="string"),
        pytest.param('"""\n# type: ignore\n"""\n', id="docstring"),
        pytest.param("# fmt: off\n# isort: skip\n", id="formatting-only"),
        pytest.param("# use noqa sparingly\n# type: int\n", id="prose"),
        pytest.param("# nosecond\n# noqality\n", id="other-words"),
        pytest.param("# mypy: see the manual\n", id="mypy-prose"),
    ],
)
def test_other_text(text: str) -> None:
    assert read(text) == []


def test_other_files_hold_none_but_doctests() -> None:
    assert read("# noqa\n", "x.txt") == []
    (found,) = read("\n>>> f()  # doctest: +SKIP\n", "x.rst")
    assert (found.kind, found.line) == ("doctest", 2)


def test_a_doctest_is_skipped_in_a_docstring() -> None:
    (found,) = read('"""\n>>> f()  # doctest: +ELLIPSIS, +SKIP\n"""\n')
    assert found.kind == "doctest"


def test_one_comment_may_hold_several() -> None:
    assert [found.kind for found in read("x  # type: ignore  # noqa: E1\n")] == ["type:ignore", "noqa"]


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        pytest.param("a  # noqa\n", "b  # noqa\n", [], id="kept"),
        pytest.param("a  # noqa\n", "\n\n    a  # noqa\n", [], id="moved"),
        pytest.param("a  # noqa\n", "a  # noqa\nb  # noqa\n", [2], id="once-more"),
        pytest.param("a  # noqa: E1\n", "a  # noqa: F1\n", [1], id="other-code"),
        pytest.param("a  # noqa: E1\n", "a  # noqa: E1, F1\n", [1], id="one-code-more"),
        pytest.param("a  # noqa: E1, F1\n", "a  # noqa: F1, E1\n", [], id="order-of-codes"),
        pytest.param("a  # noqa: E1, F1\n", "a  # noqa: E1\n", [], id="narrower"),
        pytest.param("a  # noqa\n", "a  # noqa: E1\n", [], id="narrower-than-all"),
        pytest.param("a  # noqa: E1\n", "a  # noqa\n", [1], id="wider"),
        pytest.param("a  # noqa\n", "a  # noqa: E1\nb  # noqa: F1\n", [2], id="used-up"),
        pytest.param("a  # noqa\n", "a  # type: ignore\n", [1], id="other-kind"),
        pytest.param("a  # noqa\n", "a\n", [], id="gone"),
        pytest.param("", "a  # noqa\n" * 600, list(range(1, 601)), id="many"),
    ],
)
def test_new_suppressions(before: str, after: str, new: list[int]) -> None:
    assert [found.line for found in new_suppressions(read(before), read(after))] == new


@pytest.mark.untraced
def test_hostile_comments_stay_quick() -> None:
    start = time.process_time()
    read("#" + " " * 500_000 + "noqa\n" + "# " * 300_000 + "\n# noqa:" + "E1," * 200_000 + "\n")
    assert time.process_time() - start < 5
