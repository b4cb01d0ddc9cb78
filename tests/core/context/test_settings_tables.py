"""Where the tables of settings files stand, whatever else looks like a header."""

import time

import pytest

from orefactor.core.context.settings_tables import ini_tables, toml_tables

TOML: dict[str, tuple[str, list[tuple[str, int, int, int]]]] = {
    "plain": ("x = 1\n[a]\ny = 2\n\n[b]\n", [("a", 2, 4, 0), ("b", 5, 5, 0)]),
    "nested": (
        "[a]\n[a.b]\n[a.b.c]\n[a.d]\n[ab]\n[a.e]",
        [("a", 1, 4, 0), ("a.b", 2, 3, 1), ("a.b.c", 3, 3, 2), ("a.d", 4, 4, 1), ("ab", 5, 5, 0), ("a.e", 6, 6, 0)],
    ),
    "array": ("[[a]]\nx=1\n[a.b]\n[[a]]\n[c]\n", [("a", 1, 4, 0), ("a.b", 3, 3, 1), ("c", 5, 5, 0)]),
    "quoted and spaced": ("  [ a . \"b c\" . 'd' ]  # why\r\n", [("a.b c.d", 1, 1, 0)]),
    "in strings": (
        '[a]\nx = """\n[no]\n\\"""\n[no]\n"""\ny = \'\'\'\n[no]\n\'\'\'\nz = "\\"\n[b]\n',
        [("a", 1, 10, 0), ("b", 11, 11, 0)],
    ),
    "in comments": ('# """\n[a]\n# [no]\n[b] # """\n[c]\n', [("a", 2, 3, 0), ("b", 4, 4, 0), ("c", 5, 5, 0)]),
    "in arrays": ('[a]\nx = [\n  ["b", 1],\n  [1, 2],\n]\n', [("a", 1, 5, 0)]),
    "open string": ('[a]\nx = """\n[no]\n', [("a", 1, 3, 0)]),
    "none": ("", []),
}
INI: dict[str, tuple[str, list[tuple[str, int, int, int]]]] = {
    "plain": (
        "top = 1\n[tool:pytest]\n# [no]\n [no]\nx = [no]\n[*.{py,pyi}] ; why\n[[x]]\n",
        [("tool:pytest", 2, 5, 0), ("*.{py,pyi}", 6, 6, 0), ("[x]", 7, 7, 0)],
    ),
    "none": ("[open\n", []),
}


@pytest.mark.parametrize(("text", "found"), TOML.values(), ids=TOML)
def test_toml(text: str, found: list[tuple[str, int, int, int]]) -> None:
    assert [(table.name, *table.lines, table.depth) for table in toml_tables(text)] == found


@pytest.mark.parametrize(("text", "found"), INI.values(), ids=INI)
def test_ini(text: str, found: list[tuple[str, int, int, int]]) -> None:
    assert [(table.name, *table.lines, table.depth) for table in ini_tables(text)] == found


HOSTILE = {
    "open strings": '"""' + "\\" * 200_000,
    "escapes": 'x = "' + '\\"' * 100_000,
    "quotes": "'\"" * 100_000,
    "brackets": "[" * 200_000,
    "open headers": "[a.\n" * 50_000,
    "deep": "".join(f"[{'a.' * (depth % 500)}a]\n" for depth in range(1_000)),
    "spaces": "[" + " " * 200_000,
    "parts": "[" + "a ." * 70_000,
    "blank lines": " \t\n" * 60_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_takes_linear_time(text: str) -> None:
    start = time.process_time()
    toml_tables(text)
    ini_tables(text)
    assert time.process_time() - start < 1
