"""Which changes of settings ask less of tests or checks."""

from __future__ import annotations

import pytest

from orefactor.core.guards.promises.settings_files import Setting, read_settings
from orefactor.core.guards.promises.weakenings import weakenings
from orefactor.core.guards.sides import Side

PYTEST, COVERAGE, MYPY = "[tool:pytest]\n", "[coverage:run]\n", "[mypy]\n"
FLAKE8, PYLINT, BANDIT = "[flake8]\n", "[pylint]\n", "[bandit]\n"


def said(before: str, after: str, path: str = "setup.cfg") -> str:
    def read(text: str) -> list[Setting]:
        return read_settings(Side(path, text.encode()))

    return "; ".join(found.what for found in weakenings(read(before), read(after)))


@pytest.mark.parametrize(
    ("section", "before", "after", "what"),
    [
        pytest.param(PYTEST, "", "addopts = -q -ra --tb=short", "", id="addopts-shown-only"),
        pytest.param(PYTEST, "addopts = -q -x", "", "", id="addopts-harmless-lost"),
        pytest.param(PYTEST, "addopts = -q", "addopts = -q -k 'not slow'", "[pytest] addopts: gains -k, not slow",
                     id="k"),
        pytest.param(PYTEST, "", "addopts = --ignore=a --deselect b", "gains --ignore=a, --deselect, b", id="ignore"),
        pytest.param(PYTEST, "", "addopts = -m 'unclosed", "gains -m, 'unclosed", id="addopts-unclosed"),
        pytest.param(PYTEST, "addopts = --strict-markers", "addopts = -q", "loses --strict-markers", id="strict-lost"),
        pytest.param(PYTEST, "testpaths = a", "testpaths = a b", "", id="testpaths-wider"),
        pytest.param(PYTEST, "testpaths = a/b", "testpaths = a", "", id="testpaths-above"),
        pytest.param(PYTEST, "testpaths = a/b", "testpaths = .", "", id="testpaths-all"),
        pytest.param(PYTEST, "testpaths = a", "", "", id="testpaths-gone"),
        pytest.param(PYTEST, "", "testpaths = .", "", id="testpaths-set-to-all"),
        pytest.param(PYTEST, "testpaths = a b", "testpaths = a", "[pytest] testpaths: loses b",
                     id="testpaths-narrowed"),
        pytest.param(PYTEST, "testpaths = a", "testpaths = a/b", "loses a", id="testpaths-below"),
        pytest.param(PYTEST, "", "testpaths = a", "set, so less counts", id="testpaths-set"),
        pytest.param(PYTEST, "", "python_files = test_*.py *_test.py x.py", "", id="python-files-wider"),
        pytest.param(PYTEST, "", "python_files = check_*.py", "loses test_*.py, *_test.py", id="python-files-set"),
        pytest.param(PYTEST, "python_functions = test check", "python_functions = test", "loses check", id="functions"),
        pytest.param(PYTEST, "", "norecursedirs = x", "gains x", id="norecursedirs"),
        pytest.param(PYTEST, "xfail_strict = true", "xfail_strict = false", "xfail_strict: switched off", id="xfail"),
        pytest.param(PYTEST, "xfail_strict = true", "", "switched off", id="xfail-gone"),
        pytest.param(PYTEST, "", "xfail_strict = true", "", id="xfail-on"),
        pytest.param(PYTEST, "", "xfail_strict = false", "", id="xfail-default"),
        pytest.param(PYTEST, "filterwarnings = error", "filterwarnings = error\n  ignore::A", "gains ignore::A",
                     id="warn"),
        pytest.param(PYTEST, "filterwarnings = error", "filterwarnings =", "loses error", id="warnings-no-errors"),
        pytest.param(PYTEST, "filterwarnings = ignore::A", "filterwarnings = error", "", id="warnings-stricter"),
        pytest.param(PYTEST, "markers = a", "markers = b", "", id="free-key"),
        pytest.param(COVERAGE, "omit = a", "omit = a b", "[coverage] omit: gains b", id="omit"),
        pytest.param(COVERAGE, "omit = a b", "omit = a", "", id="omit-less"),
        pytest.param(COVERAGE, "", "exclude_lines =\n  a b\n  c", "gains a b, c", id="exclude-lines"),
        pytest.param(COVERAGE, "fail_under = 90", "fail_under = 80", "lowered from 90 to 80", id="fail-under"),
        pytest.param(COVERAGE, "fail_under = 90", "", "lowered from 90 to 0", id="fail-under-gone"),
        pytest.param(COVERAGE, "fail_under = 90", "fail_under = many", "lowered from 90 to 0",
                     id="fail-under-no-number"),
        pytest.param(COVERAGE, "fail_under = 90", "fail_under = 95", "", id="fail-under-raised"),
        pytest.param(COVERAGE, "source = a b", "source = a", "loses b", id="source"),
        pytest.param(COVERAGE, "branch = True", "branch = False", "switched off", id="branch"),
        pytest.param(MYPY, "", "ignore_errors = True", "[mypy] ignore_errors: switched on", id="ignore-errors"),
        pytest.param(MYPY, "ignore_errors = True", "ignore_errors = False", "", id="ignore-errors-off"),
        pytest.param(MYPY, "", "disable_error_code = misc", "gains misc", id="disable-code"),
        pytest.param(MYPY, "disallow_any_generics = True", "", "switched off", id="disallow"),
        pytest.param(MYPY, "warn_unused_ignores = True", "strict = True", "", id="strict-says-the-same"),
        pytest.param(MYPY, "strict = True", "", "strict: switched off", id="strict"),
        pytest.param(MYPY, "", "allow_untyped_defs = True", "switched on", id="allow"),
        pytest.param(MYPY, "", "files = a", "set, so less counts", id="files"),
        pytest.param(MYPY, "", "follow_imports = skip", "follow_imports: lowered to skip", id="follow-imports"),
        pytest.param(MYPY, "follow_imports = skip", "follow_imports = normal", "", id="follow-imports-more"),
        pytest.param(FLAKE8, "ignore = E1", "ignore = E1, E2", "gains E2", id="flake8-ignore"),
        pytest.param(FLAKE8, "per-file-ignores = a:E1", "per-file-ignores =\n  a:E1\n  b:E1", "gains b:E1",
                     id="per-file"),
        pytest.param(FLAKE8, "select = E,F", "select = E", "loses F", id="flake8-select"),
        pytest.param(PYLINT, "disable = a", "disable = a,b", "gains b", id="pylint"),
        pytest.param(PYLINT, "fail-under = 9", "fail-under = 8", "lowered", id="pylint-fail-under"),
        pytest.param(BANDIT, "", "skips = B101", "gains B101", id="bandit"),
    ],
)  # fmt: skip
def test_settings(section: str, before: str, after: str, what: str) -> None:
    found = said(section + before + "\n", section + after + "\n")
    assert what in found
    assert bool(found) == bool(what)


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        pytest.param("[tool.ruff.lint]\nignore = ['A']\n", "[tool.ruff.lint]\nignore = ['A', 'B']\n",
                     "[ruff] ignore: gains B", id="ruff-ignore"),
        pytest.param("", "[tool.ruff.lint.per-file-ignores]\n'a' = ['D']\n", "gains a:D", id="ruff-per-file"),
        pytest.param("[tool.ruff.lint]\nselect = ['E', 'F']\n", "[tool.ruff.lint]\nselect = ['E']\n", "loses F",
                     id="ruff-select"),
        pytest.param("[tool.ruff.lint]\nselect = ['E', 'F']\n", "[tool.ruff.lint]\nselect = ['ALL']\n", "",
                     id="ruff-select-all"),
        pytest.param("[tool.ruff]\nignore = ['A']\n", "[tool.ruff.lint]\nignore = ['A']\n", "", id="ruff-moved"),
        pytest.param("", "[[tool.mypy.overrides]]\nmodule = 'a'\nignore_errors = true\n", "ignore_errors: switched on",
                     id="mypy-override"),
        pytest.param("[tool.pytest.ini_options]\naddopts = '-q'\n", "[tool.pytest.ini_options]\naddopts = ['-q']\n", "",
                     id="text-or-list"),
        pytest.param("", "[tool.pyright]\nreportAny = false\n", "reportany: lowered to false", id="pyright-rule-off"),
        pytest.param("", "[tool.pyright]\nreportAny = 'error'\n", "", id="pyright-rule-on"),
        pytest.param("[tool.pyright]\nreportAny = 'error'\n", "[tool.pyright]\nreportAny = 'warning'\n",
                     "lowered to warning", id="pyright-rule-lowered"),
        pytest.param("[tool.pyright]\nreportAny = 'error'\n", "[tool.pyright]\nreportAny = []\n", "", id="pyright-odd"),
        pytest.param("[tool.pyright]\ntypeCheckingMode = 'strict'\n", "[tool.pyright]\ntypeCheckingMode = 'basic'\n",
                     "typecheckingmode: lowered to basic", id="pyright-mode"),
        pytest.param("[tool.pyright]\nreportAny = 'error'\n", "", "", id="pyright-rule-gone"),
    ],
)  # fmt: skip
def test_toml_settings(before: str, after: str, what: str) -> None:
    found = said(before, after, "pyproject.toml")
    assert what in found
    assert bool(found) == bool(what)


def test_the_place_is_where_the_setting_stands_now() -> None:
    before = read_settings(Side("mypy.ini", b"[mypy]\nstrict = true\n"))
    after = read_settings(Side("setup.cfg", b"[mypy]\n\nignore_errors = true\n"))
    found = weakenings(before, after)
    assert [(weakening.path, weakening.line) for weakening in found] == [("mypy.ini", 0), ("setup.cfg", 3)]
