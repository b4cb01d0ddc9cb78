"""What tests gave before and after."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from orefactor.core.guards.outcomes_kept import judge_outcomes

A, B = "tests/test_a.py::test_one", "tests/test_b.py::test_one"


@pytest.mark.parametrize(
    ("before", "after", "renamed"),
    [
        pytest.param({}, {}, {}, id="none"),
        pytest.param({A: "passed"}, {A: "passed", B: "skipped"}, {}, id="new-ones-are-fine"),
        pytest.param({A: "failed"}, {A: "passed"}, {}, id="mended"),
        pytest.param({A: "failed"}, {A: "failed"}, {}, id="old-failure"),
        pytest.param({A: "skipped"}, {A: "skipped"}, {}, id="skipped-before"),
        pytest.param({A: "skipped"}, {A: "failed"}, {}, id="skipped-before-runs-now"),
        pytest.param({A: "skipped"}, {A: "xfailed"}, {}, id="skipped-before-runs-and-is-expected-to-fail"),
        pytest.param({A: "passed"}, {B: "passed"}, {}, id="moved-file"),
        pytest.param({"a.py::TestX::test_y[1]": "passed"}, {"b.py::test_y[1]": "passed"}, {}, id="out-of-its-class"),
        pytest.param({A: "passed"}, {"tests/test_a.py::test_two": "passed"}, {"test_one": "test_two"}, id="renamed"),
        pytest.param({"a.py::TestX::test_y[1]": "passed"}, {"b.py::TestZ::test_z[1]": "passed"},
                     {"TestX": "TestZ", "test_y": "test_z"}, id="renamed-and-moved"),
        pytest.param({"a.py::t": "passed", "b.py::t": "passed"}, {"a.py::u": "passed", "b.py::u": "passed"},
                     {"t": "u"}, id="renamed-twice-in-place"),
    ],
)  # fmt: skip
def test_passes(before: Mapping[str, str], after: Mapping[str, str], renamed: Mapping[str, str]) -> None:
    found = judge_outcomes(before, after, renamed)
    assert (found.name, found.ok) == ("tests", True), found.detail


@pytest.mark.parametrize(
    ("before", "after", "detail"),
    [
        pytest.param({A: "passed"}, {}, "`tests/test_a.py`: `test_one` `passed` before, and is no longer collected",
                     id="gone"),
        pytest.param({A: "skipped"}, {}, "`skipped` before, and is no longer collected", id="skipped-and-gone"),
        pytest.param({A: "passed"}, {A: "failed"}, "`test_one` passed before, and `failed` now", id="fails"),
        pytest.param({A: "passed"}, {A: "skipped"}, "`passed` before, and is `skipped` now", id="skipped"),
        pytest.param({A: "failed"}, {A: "xfailed"}, "`failed` before, and is `xfailed` now", id="xfailed"),
        pytest.param({A: "xfailed"}, {A: "skipped"}, "`xfailed` before, and is `skipped` now", id="xfailed-to-skipped"),
        pytest.param({A: "passed", B: "passed"}, {"c.py::test_one": "passed"}, "(and 1 more)", id="ambiguous-before"),
        pytest.param({A: "passed"}, {"c.py::test_one": "passed", "d.py::test_one": "passed"}, "no longer collected",
                     id="ambiguous-after"),
        pytest.param({A: "passed"}, {B: "failed"}, "passed before, and `failed` now", id="moved-and-fails"),
        pytest.param({"x\n\x1b": "passed"}, {}, "`x \\x1b`: `x \\x1b` `passed`", id="hostile-id"),
    ],
)  # fmt: skip
def test_fails(before: Mapping[str, str], after: Mapping[str, str], detail: str) -> None:
    found = judge_outcomes(before, after)
    assert not found.ok
    assert detail in found.detail


@pytest.mark.untraced
def test_many_ids_stay_quick() -> None:
    before = {f"a.py::test_{n}[{'x' * 50}]": "passed" for n in range(20_000)}
    assert judge_outcomes(before, {f"b.py::{node.partition('::')[2]}": "passed" for node in before}).ok
