"""Settings of test tools and checks, read from whatever file holds them."""

from __future__ import annotations

import contextlib
import time

import pytest

from orefactor.core.guards.promises.settings_files import Unreadable, holds_settings, read_settings
from orefactor.core.guards.sides import Side


def rows(text: str, path: str) -> list[tuple[str, str, str, object, int]]:
    found = read_settings(Side(path, text.encode()))
    return [(setting.tool, setting.group, setting.key, setting.value, setting.line) for setting in found]


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        pytest.param("pyproject.toml", "[tool.pytest.ini_options]\naddopts = ['-q']\n",
                     ("pytest", "", "addopts", ["-q"], 2), id="pytest-toml"),
        pytest.param("pyproject.toml", "[tool.pytest]\nstrict = true\n", ("pytest", "", "strict", True, 2),
                     id="pytest-native"),
        pytest.param("pytest.toml", "\n[pytest]\nstrict = true\n", ("pytest", "pytest", "strict", True, 3),
                     id="own-toml"),
        pytest.param("a/pytest.ini", "[pytest]\naddopts = -q\n  -v\n", ("pytest", "", "addopts", "-q\n-v", 2),
                     id="ini"),
        pytest.param("setup.cfg", "# x\n[tool:pytest]\n\ntestpaths: a b\n", ("pytest", "", "testpaths", "a b", 4),
                     id="setup-cfg"),
        pytest.param("tox.ini", "[testenv]\nx = 1\n[flake8]\nper-file-ignores =\n  a:E1\n",
                     ("flake8", "", "per_file_ignores", "\na:E1", 4), id="tox-ini"),
        pytest.param(".coveragerc", "[report]\nfail_under = 90\n", ("coverage", "", "fail_under", "90", 2),
                     id="coverage"),
        pytest.param("setup.cfg", "[coverage:run]\nomit = a\n", ("coverage", "", "omit", "a", 2), id="coverage-part"),
        pytest.param("mypy.ini", "[mypy-a.*]\nignore_errors = True\n", ("mypy", "a.*", "ignore_errors", "True", 2),
                     id="mypy-module"),
        pytest.param("pyproject.toml", "[[tool.mypy.overrides]]\nmodule = 'a.*'\nignore_errors = true\n",
                     ("mypy", "a.*", "ignore_errors", True, 3), id="mypy-override"),
        pytest.param("pyproject.toml", "[tool.ruff.lint]\nextend-ignore = ['A']\n",
                     ("ruff", "", "extend_ignore", ["A"], 2),
                     id="ruff-lint"),
        pytest.param("ruff.toml", "[lint.per-file-ignores]\n'a' = ['D', 'E']\n",
                     ("ruff", "", "per_file_ignores", ["a:D", "a:E"], 0), id="ruff-per-file"),
        pytest.param("pyproject.toml", "[tool.pylint.'messages control']\ndisable = 'x'\n",
                     ("pylint", "", "disable", "x", 2), id="pylint-toml"),
        pytest.param(".pylintrc", "[MESSAGES CONTROL]\ndisable=x,\n  y\n", ("pylint", "", "disable", "x,\ny", 2),
                     id="pylintrc"),
        pytest.param("pyrightconfig.json", '{\n"strict": ["a"]}\n', ("pyright", "", "strict", ["a"], 2), id="pyright"),
        pytest.param("setup.cfg", "[pylint.main]\nignore = x\n", ("pylint", "", "ignore", "x", 2), id="pylint-part"),
    ],
)  # fmt: skip
def test_read(path: str, text: str, found: tuple[str, str, str, object, int]) -> None:
    assert holds_settings(path)
    assert found in rows(text, path)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("pyproject.toml", "[tool.black]\nx = 1\n[project]\nname = 'x'\n", id="other-tools"),
        pytest.param("pyproject.toml", "tool = 1\n", id="no-table"),
        pytest.param("setup.cfg", "[metadata]\nname = x\n", id="other-sections"),
        pytest.param("tox.ini", "", id="empty"),
        pytest.param("pyrightconfig.json", "[]", id="json-without-table"),
    ],
)
def test_nothing_of_interest(path: str, text: str) -> None:
    assert rows(text, path) == []


@pytest.mark.parametrize("path", ["setup.py", "x.toml", "ini", "tox.ini.bak"])
def test_other_files(path: str) -> None:
    assert not holds_settings(path)


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        pytest.param("pyproject.toml", "[tool", "Expected", id="toml"),
        pytest.param("pyproject.toml", "x = " + "[" * 50_000, "recursion", id="toml-nested"),
        pytest.param("pyproject.toml", "x = " + "1" * 5_000, "limit", id="toml-number"),
        pytest.param("pyproject.toml", "a." * 1000 + "a = 1", "too many parts", id="toml-dots"),
        pytest.param("pyproject.toml", "#" * 300_000, "too large", id="large"),
        pytest.param("pyrightconfig.json", "{", "Expecting", id="json"),
        pytest.param("setup.cfg", "[x\n", "isn't closed", id="ini-section"),
        pytest.param("setup.cfg", "x = 1\n", "no section for 'x '", id="ini-no-section"),
        pytest.param("setup.cfg", "[x]\ny\n", "no value for 'y'", id="ini-no-value"),
    ],
)
def test_unreadable(path: str, text: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        rows(text, path)


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("setup.cfg", "[tool:pytest]\na" + " " * 200_000 + "b\n", id="spaces"),
        pytest.param("setup.cfg", "[tool:pytest]\n" + "a = 1\n" * 40_000, id="keys"),
        pytest.param("pyproject.toml", "\n".join(f"k{n}.{'.'.join('a' * 190)} = 1" for n in range(600)), id="dotted"),
    ],
)
def test_hostile_files_stay_quick(path: str, text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(Unreadable):
        rows(text, path)
    assert time.process_time() - start < 8
