"""What keeps a test from counting, under whatever name it was imported."""

from __future__ import annotations

import pytest

from orefactor.core.guards.promises.cases import read_python
from orefactor.core.guards.promises.skips import Mark, skip_marks
from orefactor.core.guards.sides import Side

T = "tests/test_x.py"


def marks(text: str, path: str = T) -> list[Mark]:
    return skip_marks(read_python(Side(path, text.encode()), path), str)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("@pytest.mark.skip\ndef test_a(): pass\n", "pytest.mark.skip", id="mark"),
        pytest.param("@pytest.mark.skip(reason='x')\ndef test_a(): pass\n", "pytest.mark.skip", id="mark-called"),
        pytest.param("@pytest.mark.skipif(X, reason='x')\ndef test_a(): pass\n", "pytest.mark.skipif", id="skipif"),
        pytest.param("@pytest.mark.xfail\nclass TestA: pass\n", "pytest.mark.xfail", id="class"),
        pytest.param("pytestmark = pytest.mark.skip\n", "pytest.mark.skip", id="whole-module"),
        pytest.param("pytestmark = [pytest.mark.xfail]\n", "pytest.mark.xfail", id="list-of-marks"),
        pytest.param("x = pytest.param(1, marks=pytest.mark.xfail)\n", "pytest.mark.xfail", id="parameter"),
        pytest.param("def test_a():\n    pytest.skip('x')\n", "pytest.skip", id="call"),
        pytest.param("pytest.exit('x')\n", "pytest.exit", id="exit"),
        pytest.param("x = pytest.importorskip('x')\n", "pytest.importorskip", id="importorskip"),
        pytest.param("import pytest as p\np.skip('x')\n", "pytest.skip", id="module-alias"),
        pytest.param("from pytest import skip as later\nlater('x')\n", "pytest.skip", id="name-alias"),
        pytest.param("from pytest import mark as m\n@m.skip\ndef test_a(): pass\n", "pytest.mark.skip",
                     id="mark-alias"),
        pytest.param("from pytest import mark, skip\nskip()\n", "pytest.skip", id="one-of-two-names"),
        pytest.param("@unittest.skip('x')\ndef test_a(): pass\n", "unittest.skip", id="unittest"),
        pytest.param("@unittest.skipIf(X, 'x')\ndef test_a(): pass\n", "unittest.skipIf", id="unittest-if"),
        pytest.param("@unittest.expectedFailure\ndef test_a(): pass\n", "unittest.expectedFailure", id="expected"),
        pytest.param("from unittest import expectedFailure\n@expectedFailure\ndef test_a(): pass\n",
                     "unittest.expectedFailure", id="expected-by-name"),
        pytest.param("raise SkipTest('x')\n", "SkipTest", id="raise"),
        pytest.param("raise unittest.SkipTest\n", "unittest.SkipTest", id="raise-class"),
        pytest.param("def test_a(self):\n    self.skipTest('x')\n", "self.skipTest", id="method"),
        pytest.param("class A:\n    __test__ = False\n", "`__test__` is switched off", id="switched-off"),
        pytest.param("A.__test__ = 0\n", "`__test__` is switched off", id="switched-off-from-outside"),
        pytest.param("if x:\n    pass\nelif pytest.skip('x'):\n    pass\n", "pytest.skip", id="in-a-condition"),
        pytest.param("def f(x=pytest.skip('x')): pass\n", "pytest.skip", id="in-a-default"),
        pytest.param("def test_a(): pass\ndel test_a\n", "test_a is overwritten or deleted", id="del"),
        pytest.param("TestA = None\n", "TestA is overwritten or deleted", id="assigned"),
        pytest.param("class TestA:\n    test_a = None\n", "test_a is overwritten or deleted", id="assigned-in-a-class"),
        pytest.param("x = " + "a." * 100 + "mark.xfail\n", "….xfail", id="long-name"),
    ],
)  # fmt: skip
def test_marks(text: str, name: str) -> None:
    assert [mark.text for mark in marks(text)] == [name]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param("reader.skip(3)\nsys.exit(1)\nskip = 1\nskip\n", T, id="other-things"),
        pytest.param("from mine import skip\nskip()\n", T, id="of-another-module"),
        pytest.param("f(skip=1, xfail=2)\n", T, id="argument"),
        pytest.param("__test__ = True\n", T, id="switched-on"),
        pytest.param("collect_ignore = ['x']\n", T, id="collect-ignore-elsewhere"),
        pytest.param("test_a = 1\n", "src/x.py", id="no-test-file"),
        pytest.param("def test_a():\n    test_x = 1\n", T, id="local-name"),
        pytest.param("import pytest, os\nfrom unittest import mock\nfrom . import skip\n", T, id="imports-alone"),
        pytest.param("'pytest.skip'\n# pytest.skip\n", T, id="strings-and-comments"),
        pytest.param("xfail_count: int\ndel x.skip_it\ntest = x\n", T, id="names-alike"),
        pytest.param("def pytest_configure(): pass\n", "conftest.py", id="harmless-hook"),
    ],
)
def test_no_marks(text: str, path: str) -> None:
    assert marks(text, path) == []


@pytest.mark.parametrize(
    ("text", "path", "name"),
    [
        pytest.param("collect_ignore = ['x.py']\n", "tests/conftest.py", "collect_ignore, new or changed", id="list"),
        pytest.param("collect_ignore_glob += ['*']\n", "conftest.py", "collect_ignore, new or changed", id="glob"),
        pytest.param("def pytest_ignore_collect(): return True\n", "conftest.py",
                     "the hook pytest_ignore_collect, new or changed", id="hook"),
        pytest.param("def pytest_runtest_makereport(): pass\n", "src/plugin.py",
                     "the hook pytest_runtest_makereport, new or changed", id="hook-of-a-plugin"),
        pytest.param("@pytest.mark.skip\ndef f(): pass\n", "src/x.py", "pytest.mark.skip", id="outside-of-tests"),
    ],
)  # fmt: skip
def test_marks_by_file(text: str, path: str, name: str) -> None:
    assert [mark.text for mark in marks(text, path)] == [name]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param("pytest.skip('a')\n", "pytest.skip('b')\n", True, id="reason"),
        pytest.param("@pytest.mark.skipif(X, reason='a')\ndef f(): pass\n",
                     "@pytest.mark.skipif(X, reason='b')\ndef g(): pass\n", True, id="reason-of-a-condition"),
        pytest.param("@unittest.skipIf(X, 'a')\ndef f(): pass\n", "@unittest.skipIf(X, 'b')\ndef f(): pass\n", True,
                     id="reason-by-position"),
        pytest.param("@pytest.mark.skipif(X)\ndef f(): pass\n", "@pytest.mark.skipif(True)\ndef f(): pass\n", False,
                     id="condition"),
        pytest.param("@pytest.mark.skip\ndef f(): pass\n", "@pytest.mark.skip\nclass A: pass\n", False, id="wider"),
        pytest.param("@pytest.mark.skip\ndef f(): pass\n", "pytestmark = pytest.mark.skip\n", False, id="widest"),
        pytest.param("if x:\n    pytest.skip()\n", "pytest.skip()\n", False, id="out-of-a-condition"),
        pytest.param("def f():\n    pytest.skip()\n", "def g():\n    y\n    pytest.skip()\n", True, id="moved"),
        pytest.param("import pytest as p\np.skip()\n", "import pytest\npytest.skip()\n", True, id="other-import"),
    ],
)  # fmt: skip
def test_which_marks_are_the_same(one: str, other: str, same: bool) -> None:
    (a,), (b,) = marks(one), marks(other)
    assert (a.key == b.key) is same
