"""Options from the project's own configuration, which is a stranger's text."""

from __future__ import annotations

import tomllib

import pytest

from orefactor.core.recipes.base import Options
from orefactor.core.recipes.project import project_options
from orefactor.core.recipes.ruff_process import fix, format_text


@pytest.mark.parametrize(
    ("files", "version"),
    [
        ({}, "py39"),
        ({"pyproject.toml": 'project.requires-python = ">=3.11"'}, "py311"),
        ({"pyproject.toml": 'project.requires-python = "~=3.12.1, <4"'}, "py312"),
        ({"pyproject.toml": 'project.requires-python = ">=3.5"'}, "py37"),
        ({"pyproject.toml": 'project.requires-python = ">=2.7"'}, "py37"),
        ({"pyproject.toml": 'project.requires-python = ">=3.99"'}, "py314"),
        ({"pyproject.toml": "project.requires-python = 3"}, "py39"),
        ({"pyproject.toml": "project = 3"}, "py39"),
        ({"pyproject.toml": "not toml"}, "py39"),
        ({"pyproject.toml": "x = " + "[" * 5000}, "py39"),
        (
            {"ruff.toml": 'target-version = "py310"', "pyproject.toml": 'tool.ruff.target-version = "py312"'},
            "py310",
        ),
        ({"ruff.toml": "", ".ruff.toml": 'target-version = "py313"'}, "py313"),
        ({"pyproject.toml": 'tool.ruff.target-version = "--config=x"'}, "py39"),
    ],
)
def test_target_version(files: dict[str, str], version: str) -> None:
    assert project_options(files).target_version == version


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 79),
        ("tool.ruff.line-length = 120", 79),
        ("tool.ruff.line-length = 60", 60),
        ("tool.black.line-length = 70", 70),
        ("tool.ruff.lint.pycodestyle.max-doc-length = 72", 72),
        ("tool.ruff.line-length = -1", 79),
        ('tool.ruff.line-length = "60"', 79),
    ],
)
def test_line_length(text: str, length: int) -> None:
    assert project_options({"pyproject.toml": text}).line_length == length


def test_only_known_keys_are_taken() -> None:
    text = """
        extend = "/etc/passwd"
        cache-dir = "/tmp/x"
        line-length = 100
        preview = true
        ignore = ["UP007", "UP", "I001"]
        select = ["ALL"]
        [format]
        quote-style = "single"
        line-ending = "cr-lf"
        [lint]
        select = ["ALL"]
        [lint.isort]
        known-first-party = ["a", "b"]
        sections = { x = ["\\u007f é\\U0001f600"] }
        when = 2026-01-01
        floats = [1.5, 2]
        [lint.per-file-ignores]
        "__init__.py" = ["F401", "ANN"]
        "x.py" = 3
    """
    options = project_options({"ruff.toml": text}, ["shop", "b"])
    config = tomllib.loads(options.ruff_config)
    assert options.ignored_rules == ("UP007",)
    assert config == {
        "line-length": 100,
        "preview": True,
        "format": {"quote-style": "single"},
        "lint": {
            "preview": True,
            "isort": {
                "known-first-party": ["a", "b", "shop"],
                "sections": {"x": ["\x7f é\U0001f600"]},
                "floats": [2],
            },
            "per-file-ignores": {"__init__.py": ["F401"], "x.py": []},
        },
    }


@pytest.mark.parametrize("isort", ["", "lint.isort.known-first-party = 3\n"])
def test_own_modules_are_first_party(isort: str) -> None:
    config = tomllib.loads(project_options({"ruff.toml": isort}, ["shop"]).ruff_config)
    assert config["lint"]["isort"] == {"known-first-party": ["shop"]}


def test_ruff_accepts_what_is_written() -> None:
    text = 'line-length = 60\nlint.isort.force-single-line = true\nformat.quote-style = "single"\n'
    options = project_options({"ruff.toml": text}, ["shop"])
    assert format_text('x = "a"\n', options) == "x = 'a'\n"
    assert fix("from a import b, c\n", options, ["I"]) == "from a import b\nfrom a import c\n"
    assert Options().ruff_config == ""
