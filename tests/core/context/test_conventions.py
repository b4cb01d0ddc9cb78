"""Which files hold a project's rules, what sections they have, and the text of one of them."""

import pytest

from orefactor.core.context.conventions import MOST_TEXT, Section, section_text, sections_of
from orefactor.core.index.symbol_index import MemoryIndex

AGENTS = b"# Rules\n\nBe kind.\n\n## Testing\n\nRun `pytest`.\n\n## Style\n"
PYPROJECT = b"""\
[project]
name = "x"
description = '''
[tool.no]
'''

[tool.ruff]
line-length = 120

[tool.ruff.lint]
select = ["E"]

[[tool.mypy.overrides]]
module = "a"

[[tool.mypy.overrides]]
module = "b"

[tool.hatch.build]
dev = true

[tool."od#d"]
x = 1
"""
FILES = {
    "AGENTS.md": AGENTS,
    "README.md": b"# Contributing\n",
    "CONTRIBUTING.rst": b"Help\n====\n\nHow\n---\n",
    ".github/copilot-instructions.md": b"Use tabs.\nNever spaces.\n",
    ".cursorrules": b"Short names.\r\n# Names\r\n",
    "docs/coding-style.txt": b"Style\n=====\n",
    "docs/deep/STYLE.md": b"# No\n",
    "pyproject.toml": PYPROJECT,
    "setup.cfg": b"[metadata]\nname = x\n[flake8]\nmax-line-length = 120\n[options.extras_require]\n",
    "tox.ini": b"[tox]\n[testenv:x]\n[pytest]\naddopts = -q\n",
    "ruff.toml": b"# why\nline-length = 1\n[lint]\nselect = []\n",
    ".editorconfig": b"; why\n\n[*.py]\nindent_size = 4\n",
    "src/agents.md": b"See above.\n# Inside\n",
    "src/a/AGENTS.md": b"# Nearest\n",
    "src/a/pyproject.toml": b"[tool.black]\n",
    "src/b/AGENTS.md": b"# Other\n",
    "src/a/x.py": b"",
    "caf\udce9/CLAUDE.md": b"# Bad \xff bytes\n",
}
INDEX = MemoryIndex(FILES)
TOP = [
    "AGENTS.md#rules",
    "AGENTS.md#testing",
    "AGENTS.md#style",
    ".cursorrules",
    ".cursorrules#names",
    ".github/copilot-instructions.md",
    "CONTRIBUTING.rst#help",
    "CONTRIBUTING.rst#how",
    "docs/coding-style.txt#style",
    "pyproject.toml#tool.ruff",
    "pyproject.toml#tool.ruff.lint",
    "pyproject.toml#tool.mypy.overrides",
    "pyproject.toml#tool.od-d",
    "ruff.toml",
    "ruff.toml#lint",
    "setup.cfg#flake8",
    "tox.ini#pytest",
    ".editorconfig#*.py",
]
SETTINGS = TOP.index("pyproject.toml#tool.ruff")
NEAR = ["src/a/AGENTS.md#nearest", "src/agents.md", "src/agents.md#inside"]
TARGETS = {
    "none": ((), TOP),
    "the top": (("x.py", "missing.py"), TOP),
    "a file": (("src/a/x.py",), [*NEAR, *TOP[:SETTINGS], "src/a/pyproject.toml#tool.black", *TOP[SETTINGS:]]),
    "a folder": (("src/",), [*NEAR[1:], *TOP]),
    "two": (("src/b", "src"), ["src/b/AGENTS.md#other", *NEAR[1:], *TOP]),
    "another encoding": (("caf\udce9/x.py",), ["caf\udce9/CLAUDE.md#bad--bytes", *TOP]),
    "outside": (("/etc/passwd", "../x"), TOP),
}


@pytest.mark.parametrize(("targets", "found"), TARGETS.values(), ids=TARGETS)
def test_sections(targets: tuple[str, ...], found: list[str]) -> None:
    sections = sections_of(INDEX, targets)
    assert [section.rule_id for section in sections] == found
    for section in sections:
        assert section_text(INDEX, section.rule_id)


def test_values() -> None:
    found = {section.rule_id: section for section in sections_of(INDEX, ["src/a"])}
    assert found["AGENTS.md#testing"] == Section("AGENTS.md#testing", "Testing", "AGENTS.md", (5, 8))
    assert found[".cursorrules"] == Section(".cursorrules", ".cursorrules", ".cursorrules", (1, 2))
    assert found["pyproject.toml#tool.ruff"].lines == (7, 12)
    assert found["pyproject.toml#tool.mypy.overrides"].lines == (13, 18)


TEXTS = {
    "AGENTS.md#testing": "## Testing\n\nRun `pytest`.\n",
    "AGENTS.md#rules": AGENTS.decode(),
    "AGENTS.md": AGENTS.decode(),
    ".cursorrules": "Short names.\n# Names\n",
    "pyproject.toml#tool.ruff.lint": '[tool.ruff.lint]\nselect = ["E"]\n',
    "pyproject.toml#tool.hatch.build": "[tool.hatch.build]\ndev = true\n",
    "tox.ini#testenv:x": "[testenv:x]\n",
    "src/b/AGENTS.md#other": "# Other\n",
    "caf\udce9/CLAUDE.md#bad--bytes": "# Bad \ufffd bytes\n",
    "AGENTS.md#missing": None,
    "AGENTS.md#": None,
    "src/CLAUDE.md": None,
    "README.md#contributing": None,
    "src/a/x.py": None,
    "../AGENTS.md": None,
    "#": None,
    "": None,
}


@pytest.mark.parametrize(("rule", "text"), TEXTS.items(), ids=[ascii(rule) for rule in TEXTS])
def test_texts(rule: str, text: str | None) -> None:
    assert section_text(INDEX, rule) == text


def test_bounds() -> None:
    many = "# Top\n\n### Low\n" + "".join(f"## Part {number}\n### Low\n" for number in range(30))
    index = MemoryIndex(
        {
            "AGENTS.md": many.encode(),
            "CLAUDE.md": many.encode(),
            "CONTRIBUTING.md": b"# Long\n" + b"line\n" * 10_000,
            "pyproject.toml": b"[tool.ruff]\n[tool.ruff.lint]\n[tool.mypy]\n",
            "GEMINI.md": b"# Wide\n" + b"x" * 100_000,
            "ruff.toml": b"\xff" * 1_000_000,
        }
    )
    found = [section.rule_id for section in sections_of(index, [])]
    assert len(found) == 40
    assert {"AGENTS.md#top", "AGENTS.md#part-17", "pyproject.toml#tool.ruff", "ruff.toml"} <= set(found)
    assert not {"AGENTS.md#low-1", "AGENTS.md#part-18", "pyproject.toml#tool.ruff.lint"} & set(found)
    text = section_text(index, "CONTRIBUTING.md#long") or ""
    assert len(text) < MOST_TEXT + 100
    assert text.endswith("line\n[cut here; lines 3200-10001 of CONTRIBUTING.md hold the rest]\n")
    assert section_text(index, "GEMINI.md#wide") == "# Wide\n[cut here; lines 2-2 of GEMINI.md hold the rest]\n"


def test_nothing_to_tell() -> None:
    index = MemoryIndex(
        {"pyproject.toml": b"[project]\n", "CLAUDE.md": b"\n", "tox.ini": b"[tox]\n", "setup.cfg": b"x"}
    )
    assert sections_of(index, ["a"]) == ()
