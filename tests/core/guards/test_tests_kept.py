"""What tests promise is kept: for each clause a change that passes and one that fails."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from file_changes import added, deleted, modified, renamed
from hypothesis import given
from hypothesis import strategies as st

from orefactor.core.guards import tests_kept
from orefactor.core.guards.change import FileChange

T = "tests/test_x.py"
ONE = "def test_a():\n    x = f()\n    assert x == 1\n"
TWO = ONE + "\n\ndef test_b():\n    assert g() == 2\n"
UNIT = "class TestU(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(), 1)\n"


def change(before: str, after: str, path: str = T) -> FileChange:
    return modified(before, after, path)


def judged(*changes: FileChange, renames: Mapping[str, str] | None = None) -> str:
    """The detail of a refusal; empty for a change that passes."""
    found = tests_kept.judge(changes, renames or {})
    assert found.name == "tests"
    return "" if found.ok else found.detail


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([change(ONE, TWO)], id="added"),
        pytest.param([change(TWO, TWO[len(ONE) + 2 :] + "\n\n" + ONE)], id="order"),
        pytest.param([change(ONE, ONE.replace("test_a", "test_b"))], id="renamed-with-equal-body"),
        pytest.param([change(TWO, ONE), added(TWO[len(ONE) :], "tests/test_y.py")], id="moved"),
        pytest.param([change(TWO, ONE), added(TWO[len(ONE) :].replace("test_b", "test_c"), "tests/test_y.py")],
                     id="moved-and-renamed"),
        pytest.param([change(TWO, ONE), added("def test_b():\n    y = g()\n    assert g() == 2\n", "tests/test_y.py")],
                     id="moved-with-another-body"),
        pytest.param([renamed(ONE, ONE, T, "tests/test_y.py")], id="file-renamed"),
        pytest.param([renamed(ONE, TWO, T, "tests/test_y.py")], id="file-renamed-and-changed"),
        pytest.param([change("class TestA:\n    def test_a(self):\n        assert f(1)\n",
                             "def test_a(self):\n    assert f(1)\n")], id="out-of-its-class"),
        pytest.param([change("class TestA(Base):\n    pass\n", "class TestA(Base):\n    x = 1\n")], id="class"),
        pytest.param([change("class TestA(object):\n    pass\n", "class TestA:\n    pass\n")], id="base-object"),
        pytest.param([modified("def test_button(): pass\n", "", "src/x.py")], id="not-a-test-file"),
        pytest.param([change("if X:\n    def test_a(): f()\nelse:\n    def test_a(): g()\n",
                             "if X:\n    def test_a(): f(1)\nelse:\n    def test_a(): g(1)\n")], id="one-of-two"),
        pytest.param([change("def helper():\n    def test_inner(): assert 1\n", "def helper(): assert 1\n")],
                     id="a-nested-function-is-no-test"),
        pytest.param([change("def test_a(:\n", "def test_a(:\n    assert 1\n")], id="broken"),
    ],
)  # fmt: skip
def test_tests_that_stay(changes: list[FileChange]) -> None:
    assert judged(*changes) == ""


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        pytest.param([change(TWO, ONE)], f"`{T}`: the test `test_b` (line 6 before) is gone", id="removed"),
        pytest.param([deleted(TWO, T)], "`test_a` (line 1 before) is gone (and 1 more)", id="file-deleted"),
        pytest.param([change(ONE, ONE.replace("test_a", "check_a"))], "`test_a` (line 1 before) is gone",
                     id="renamed-away"),
        pytest.param([change(ONE, "def outer():\n    def test_a(): pass\n")], "is gone", id="nested-away"),
        pytest.param([change(TWO, ONE), added(TWO[len(ONE) :], "src/y.py")], "`test_b`", id="moved-to-no-test-file"),
        pytest.param([change(UNIT, "class TestU(unittest.TestCase):\n    pass\n")], "`TestU.test_a`", id="method"),
        pytest.param([change("class TestA(Base):\n    pass\n", "x = 1\n")], "`TestA` (line 1 before) is gone",
                     id="class"),
        pytest.param([change("class TestA(Base):\n    pass\n", "class TestA:\n    pass\n")],
                     f"`{T}:1`: `TestA` no longer inherits `Base`", id="base"),
        pytest.param([renamed(ONE, ONE, T, "tests/x.py")], "`test_a` moved to a file that pytest doesn't",
                     id="file-not-collected"),
        pytest.param([change(ONE, f"if False:\n    {ONE.replace(chr(10), chr(10) + '    ')}")],
                     f"`{T}:2`: `test_a` is defined only under `if False`", id="under-a-condition"),
        pytest.param([change(UNIT, f"if X:\n    {UNIT.replace(chr(10), chr(10) + '    ')}")], "only under `if X`",
                     id="class-under-a-condition"),
        pytest.param([change(ONE, ONE + "\n\ndef test_a():\n    pass\n")],
                     f"`{T}:1`: `test_a` is defined again below, so this one never runs", id="shadowed"),
        pytest.param([change(ONE, ONE + "\ndel test_a\n")], "`test_a is overwritten or deleted`", id="deleted-by-del"),
        pytest.param([change(ONE, ONE + "\ntest_a = None\n")], "is overwritten", id="overwritten"),
        pytest.param([change(UNIT, UNIT + "    test_a = None\n")], "is overwritten", id="method-overwritten"),
        pytest.param([change(ONE, "@pytest.fixture\n" + ONE)], "`test_a` became a fixture", id="fixture"),
        pytest.param([change(ONE, "async " + ONE)], "`test_a` became `async`", id="async"),
    ],
)  # fmt: skip
def test_tests_that_go(changes: list[FileChange], detail: str) -> None:
    assert detail in judged(*changes)


PARAMETRISED = (
    "@pytest.mark.parametrize('x', [\n    1,\n    pytest.param(2, id='two'),\n])\ndef test_a(x):\n    assert x\n"
)


@pytest.mark.parametrize(
    ("after", "ok"),
    [
        pytest.param(PARAMETRISED.replace("    1,\n", "    1, 3,\n"), True, id="more"),
        pytest.param(PARAMETRISED.replace("\n    1,\n    ", "1, ").replace("),\n]", ")]"), True, id="formatted"),
        pytest.param("@slow\n" + PARAMETRISED, True, id="another-decorator"),
        pytest.param(PARAMETRISED.replace("    1,\n", ""), False, id="fewer"),
        pytest.param(PARAMETRISED.replace("    1,\n", "    7,\n"), False, id="other"),
        pytest.param("def test_a(x):\n    assert x\n", False, id="none"),
        pytest.param(PARAMETRISED.replace("'x', [", "'x', argvalues=["), True, id="by-keyword"),
    ],
)
def test_cases_of_a_parametrised_test(after: str, ok: bool) -> None:
    said = judged(change(PARAMETRISED, after))
    assert (said == "") is ok
    assert ok or "case(s) fewer, or with others" in said


def test_cases_that_a_name_holds_are_compared_by_it() -> None:
    before = "@pytest.mark.parametrize('x', CASES)\ndef test_a(x): assert x\n"
    assert "1 case(s) fewer" in judged(change(before, before.replace("CASES", "CASES[1:]")))


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        pytest.param([change("def check(x):\n    y = 1\n    assert x\n", "def check(x):\n    assert x\n")], "",
                     id="body"),
        pytest.param([change("def check(x):\n    assert x == 1\n\ndef test_a():\n    check(f())\n",
                             "def test_a():\n    x = f()\n    assert x == 1\n")], "", id="inlined"),
        pytest.param([change("def check(x):\n    assert x == 1\n", "def check(x):\n    pass\n", "tests/conftest.py")],
                     "`tests/conftest.py`: the assertion `assert x == 1` of a helper is gone or changed", id="gone"),
        pytest.param([modified("def f(x):\n    assert x\n", "def f(x):\n    pass\n", "src/x.py")], "", id="product"),
        pytest.param([change("def check(x):\n    assert x\n", "", "tests/a.py"),
                      added("def check(y):\n    if y:\n        assert x\n", "tests/b.py")], "", id="moved"),
    ],
)  # fmt: skip
def test_helpers(changes: list[FileChange], detail: str) -> None:
    assert detail in judged(*changes)
    assert bool(judged(*changes)) == bool(detail)


def test_a_test_is_renamed_with_what_it_tests() -> None:
    after = ONE.replace("test_a", "test_new").replace("f()", "new()")
    before = ONE.replace("test_a", "test_old").replace("f()", "old()")
    assert judged(change(before, after), renames={"old": "new", "test_old": "test_new"}) == ""


def test_renamed_tests() -> None:
    changes = [change(ONE, ONE.replace("test_a", "test_z")), change(UNIT, UNIT, "tests/test_u.py")]
    assert tests_kept.renamed_tests(changes) == {"test_a": "test_z"}


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        pytest.param([modified("import a\n", "import a  # noqa\n")], "`x.py:1`: a check is silenced by `# noqa`",
                     id="noqa"),
        pytest.param([modified("x = f()\n", "if y:\n    pytest.skip('later')\n", T)],
                     "a test is kept from counting: `pytest.skip`", id="skip"),
        pytest.param([modified("", "[tool.pytest.ini_options]\naddopts = '-k fast'\n", "pyproject.toml")],
                     "`pyproject.toml:2`: a setting is weakened: `[pytest] addopts: gains -k, fast`", id="setting"),
        pytest.param([modified("[tool.mypy]\n", "[tool.mypy\n", "pyproject.toml")],
                     "`pyproject.toml`: the settings can't be read any more: ", id="unreadable"),
        pytest.param([added("[tool.mypy\n", "pyproject.toml")], "can't be read any more", id="new-and-unreadable"),
        pytest.param([modified("[tool.mypy\n", "[tool.mypy\nx = 1", "pyproject.toml")], "", id="unreadable-before"),
        pytest.param([modified("[tool.mypy\n", "[tool.mypy]\nignore_errors = true", "pyproject.toml")],
                     "[mypy] ignore_errors: switched on", id="readable-now"),
        pytest.param([deleted("[mypy]\nstrict = true\n", "mypy.ini")], "`mypy.ini`: a setting is weakened",
                     id="deleted"),
        pytest.param([deleted("[mypy]\nstrict = true\n", "mypy.ini"),
                      added("[tool.mypy]\nstrict = true\n", "pyproject.toml")], "", id="settings-moved"),
        pytest.param([deleted("x = 1  # noqa: E1\n", "a.py"), added("    x = 1  # noqa: E1\n", "b.py")], "",
                     id="moved"),
        pytest.param([added("x = 1  # noqa\n", "a.py"), change(TWO, ONE)], "`a.py:1`", id="first-by-order"),
        pytest.param([change(TWO, ONE), added("x = 1  # noqa\n", "a.py")], f"`{T}`", id="first-by-order-again"),
    ],
)  # fmt: skip
def test_marks_comments_and_settings(changes: list[FileChange], detail: str) -> None:
    assert detail in judged(*changes)
    assert bool(judged(*changes)) == bool(detail)


def test_a_change_that_passes_says_what_was_looked_at() -> None:
    found = tests_kept.judge([change(ONE, TWO), modified("x = 1\n", "x = 2\n")])
    assert found.detail == "2 changed Python file(s) with 2 test(s), all promises kept"


PIECES = st.sampled_from(["# a comment\n", "\n", "\n\n\n", "X = 1\n", "def helper():\n    return 1\n", "import os\n"])


@given(
    st.lists(PIECES, max_size=4),
    st.lists(PIECES, max_size=4),
    st.permutations([ONE, UNIT, PARAMETRISED.replace("test_a", "test_p")]),
)
def test_what_lies_around_tests_may_change(head: list[str], tail: list[str], tests: list[str]) -> None:
    before = "\n".join([ONE, UNIT, PARAMETRISED.replace("test_a", "test_p")])
    assert judged(change(before, "".join(head) + "\n" + "\n".join(tests) + "\n" + "".join(tail))) == ""


@pytest.mark.untraced
def test_large_files_stay_quick() -> None:
    body = "".join(
        f"def test_a{n}(self):\n    x = f(a, b.c, 's')\n    if x:\n        assert x == [1, {n}]\n" for n in range(5000)
    )
    start = time.process_time()
    assert judged(change(body, body.replace("test_a", "test_b"))) == ""
    assert "(and 4999 more)" in judged(change(body, body.replace("== [1", "== [2")))
    assert time.process_time() - start < 20


@pytest.mark.untraced
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def test_a():\n    assert " + "(" * 20_000 + "x" + ")" * 20_000 + "\n", id="nested"),
        pytest.param("def test_a():\n    a" + ".assert_b()" * 50_000 + "\n", id="chain"),
        pytest.param("@a" + ".skip" * 100_000 + "\ndef test_a(): pass\n", id="marks"),
        pytest.param("#" + " noqa" * 200_000 + "\n", id="comment"),
        pytest.param("\udcff\x00".encode("utf-8", "surrogatepass").decode("latin-1") * 1000, id="no-python"),
    ],
)
def test_hostile_files_stay_quick(text: str) -> None:
    start = time.process_time()
    tests_kept.judge([change(text, text + "\nx = 1\n")])
    assert time.process_time() - start < 8
