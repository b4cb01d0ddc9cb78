"""Edits: what changes and, byte for byte, what doesn't; what is refused, and the words for it."""

import codecs
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orefactor.core.code.edits import TextNotFound, replace_once, whole_file
from orefactor.core.code.elision import placeholder
from orefactor.core.code.line_ends import carry
from orefactor.core.code.text import line_ends, shown
from orefactor.sandbox.errors import Refused

TWINS = b"""\
class A:
    def run(self):
        return 1

class B:
    def run(self):
        return 1
"""


@pytest.mark.parametrize(
    ("data", "old", "new", "after"),
    [
        pytest.param(b"a\nb\nc\n", "b", "B", b"a\nB\nc\n", id="within-a-line"),
        pytest.param(b"a\nb\nc\n", "b\n", "", b"a\nc\n", id="delete-a-line"),
        pytest.param(b"a\nb\nc\n", "a\nb\nc\n", "", b"", id="delete-all"),
        pytest.param(b"ab cd\n", "b c", "-", b"a-d\n", id="within"),
        pytest.param(b"a\r\nb\r\n", "a\n", "a\nx\n", b"a\r\nx\r\nb\r\n", id="crlf-added"),
        pytest.param(b"a\r\nb\r\n", "a\r\nb", "a\r\nc", b"a\r\nc\r\n", id="crlf-from-the-model"),
        pytest.param(b"a\nb\n", "a\r\nb", "a\r\nc", b"a\nc\n", id="crlf-from-the-model-not-in-the-file"),
        pytest.param(b"a\rb\r", "b", "b\nc", b"a\rb\rc\r", id="cr"),
        pytest.param(b"a\r\nb\nc\r\nd\n", "b\nc", "b\nx\nc", b"a\r\nb\nx\nc\r\nd\n", id="mixed-inserted"),
        pytest.param(b"a\r\nb\nc\r\nd\n", "a\nb\nc", "x\na\nc", b"x\r\na\r\nc\r\nd\n", id="mixed-removed"),
        pytest.param(b"a\r\nb\nc\r\n", "a\nb\nc", "A\nB\nC", b"A\r\nB\nC\r\n", id="mixed-changed"),
        pytest.param(b"a\r\nb\nc\r\n", "a\nb", "b\na", b"b\na\nc\r\n", id="mixed-swapped"),
        pytest.param(b"a\r\nb\n", "b", "b\nc\nd", b"a\r\nb\nc\nd\n", id="mixed-after"),
        pytest.param(b"a\r\nb", "b", "b\nc", b"a\r\nb\r\nc", id="no-last-newline-crlf"),
        pytest.param(b"a", "a", "a\nb", b"a\nb", id="one-line"),
        pytest.param(b"a\nb", "b", "c", b"a\nc", id="no-last-newline"),
        pytest.param(b"a\nb", "a\n", "c\n", b"c\nb", id="no-last-newline-edited-above"),
        pytest.param(codecs.BOM_UTF8 + b"a\nb\n", "a\n", "c\n", codecs.BOM_UTF8 + b"c\nb\n", id="bom"),
        pytest.param("\ufeffa\r\nb".encode("utf-16-le"), "b", "b\nc", "\ufeffa\r\nb\r\nc".encode("utf-16-le"),
                     id="utf-16"),
        pytest.param("é\x0c\u2028x\n".encode(), "x", "y", "é\x0c\u2028y\n".encode(), id="other-separators"),
        pytest.param(b"a.*b\n(", ".*b\n(", "$1\\1", b"a$1\\1", id="no-pattern"),
    ],
)  # fmt: skip
def test_replaces(data: bytes, old: str, new: str, after: bytes) -> None:
    assert replace_once(data, "x.txt", old, new) == after


def test_a_docstring_in_a_crlf_file_adds_one_line() -> None:
    data = b"def f():\r\n    return 1\r\n" + b"x = f()\r\n" * 500
    after = replace_once(data, "x.py", "def f():\n", 'def f():\n    """One."""\n')
    assert after == data.replace(b"f():\r\n", b'f():\r\n    """One."""\r\n', 1)


LATIN = b"# -*- coding: latin-1 -*-\n# caf\xe9\nx = 1\n"


def test_latin_1_with_a_declaration() -> None:
    assert replace_once(LATIN, "x.py", "x = 1", "x = 'é'") == LATIN.replace(b"1\n", b"'\xe9'\n")


def test_an_ascii_file_may_change_its_declaration() -> None:
    data = b"# coding: latin-1\nx = 1\n"
    assert replace_once(data, "x.py", "# coding: latin-1\n", "") == b"x = 1\n"


@pytest.mark.parametrize(
    ("data", "path", "old", "new", "words"),
    [
        (b"x = 1\n", "x.py", "", "y", "old_string is empty; .*use write_file for a new file"),
        (b"x = 1\n", "x.py", "x = 1", "x = 1", "are the same"),
        (b"a\r\nb", "x.txt", "a\nb", "a\r\nb", "are the same"),
        (b"x = 1\n", "x.py", "x = 1", "x = '\0'", "NUL"),
        (b"a\0", "x.bin", "a", "b", "binary"),
        (b"# caf\xe9\nx = 1\n", "x.py", "x = 1", "x = 2", "can't be read as text"),
        (LATIN, "x.py", "x = 1", "x = '€'", "can't be written in iso-8859-1"),
        (LATIN, "x.py", "# -*- coding: latin-1 -*-\n", "", "changes which encoding"),
        (LATIN, "x.py", "latin-1", "cp1251", "changes which encoding"),
        (TWINS, "x.py", "        return 1", "        return 2",
         r"occurs 2 times in 'x.py':\n  line 3 in A.run: return 1\n  line 7 in B.run: return 1\nadd lines"),
        (TWINS, "x.txt", "return 1", "return 2", r"line 3: return 1\n  line 7: return 1"),
        (b"aaa", "x.txt", "aa", "b", "occurs 2 times"),
        (b"a\n" * 30, "x.txt", "a", "b", "more than 20 times"),
        (b"\tx = 1\n", "x.txt", "    x = 1", "\tx = 1", "already applied: new_string stands at line 1"),
        (b"x = 2\n", "x.py", "x = 1", "x = 2", "already applied: new_string stands at line 1"),
        (b"y = 0\ndef f():\n    'D'\n    pass\n", "x.py", "def f():\n", "def f():\n    'D'\n",
         "already applied: new_string stands at line 2"),
        (b"x = 1\ny = 2\n", "x.py", "x = 1", "# ... existing code ...", "text is taken literally"),
        (b"x = 1\ny = 2\n", "x.py", "x = 1", "x = (1",
         r"couldn't be parsed .* line 1: .*never closed\n  1  x = \(1"),
        (b"def f():\n    return 1\n", "x.py", "    return", "return", "expected an indented block"),
        (b"def f():\n    return 1\n", "x.py", "def f():\n", "x = 1\n", "unexpected indent"),
    ],
)  # fmt: skip
def test_refuses(data: bytes, path: str, old: str, new: str, words: str) -> None:
    with pytest.raises(Refused, match=words) as caught:
        replace_once(data, path, old, new)
    assert not isinstance(caught.value, TextNotFound)


MANY = "".join(f"    step_{number}()\n" for number in range(100))


@pytest.mark.parametrize(
    ("data", "old", "shows"),
    [
        ("def f():\n\tx = 1\n\treturn x\n", "def f():\n    x = 1\n    return x\n",
         ["lines 1-3", "only white space differs", ">     2  →x = 1", "line 2 is:     →x = 1",
          "old_string has: ····x = 1"]),
        ("a = 1  \nb = 2\n", "a = 1\nb = 2", ["only white space differs", "line 1 is:     a = 1··"]),
        ("a  =  1\n", "a = 1", ["a··=··1"]),
        ("a\u00a0= 1\n", "a = 1", ["a\\u00a0= 1"]),
        ("a\n\nb\n", "a\nb", ["lines 1-3; only blank lines"]),
        ("x = f(1,\n      2)\n", "f(1,\n  2", ["lines 1-2",
          "line 2 is:     ······2)", "old_string has: ··2"]),
        ("def f():\n    x = 1\n    y = 2\n    return x\n", "def f():\n    z = 3\n    return x\n",
         ["lines 1-4", "the first and the last line match, the middle differs", ">     2      x = 1",
          "old_string has:     z = 3"]),
        ("def f():\n    a()\n    return x\n" * 2 + "def f():\n    b()\n    c()\n    return x\n",
         "def f():\n    y()\n    z()\n    return x", ["lines 7-10", "the middle differs"]),
        ("begin\n" + MANY + "end\n", "begin\n    no()\nend\n", ["some lines are the same"]),
        ("def f():\n" + MANY + "end\n", "def f():\n" + MANY.replace("50", "fifty") + "end\n",
         [">    52      step_50()", "\n     34  ", "\n     69  "]),
        ("one\ntwo\nthree\nfour\n", "zero\ntwo\nthree\nfive\n",
         ["lines 1-4; some lines are the same", ">     1  one"]),
        ("a\nb", "a\nb\nc", ["lines 1-2; some lines are the same"]),
        ("b\nc\n", "a\nb\nc\n", ["some lines are the same"]),
        ("", "x", ["nothing in the file resembles it"]),
        ("\n\n", "\n\n\n\n\n", ["nothing in the file resembles it"]),
        ("one\nyellow = compute(1)\n", "yelow = compute(2)",
         ["one line is similar", ">     2  yellow = compute(1)"]),
        ("abc\n", "xyz", ["nothing in the file resembles it"]),
        ("a\nb", "b\n", ["no line break at its end"]),
        ("x = 1\ny = 2\n", "     1\tx = 1\n     2\ty = 2\n", ["holds the line numbers"]),
        ("x = 1\n\ny = 2\n", "L1: x = 1\n\nL3: y = 2", ["holds the line numbers"]),
        ("x = 1\n", "12: z", ["nothing in the file resembles it"]),
        ("x = 1\ny = 'a'\n", "x = 1\\ny = 'a'", ["is escaped twice"]),
        ("a\\b\n", "c\\d", ["nothing in the file resembles it"]),
        ("def f():\n    " + "y" * 500 + "\n    return 1\n", "def f():\n    z\n    return 1\n",
         ["y" * 196 + "\u2026"]),
    ],
)  # fmt: skip
def test_not_found_shows_the_nearest_place(data: str, old: str, shows: list[str]) -> None:
    with pytest.raises(TextNotFound) as caught:
        replace_once(data.encode(), "x.txt", old, "new text")
    said = str(caught.value)
    assert said.startswith("old_string isn't in 'x.txt'; ")
    assert [part for part in shows if part not in said] == []
    assert said.count("\n") <= 41


LINES = "".join(f"    value_{number} = {number}\n" for number in range(60_000))


@pytest.mark.parametrize(
    ("data", "old"),
    [
        (LINES, LINES[1000:40_000].replace(" = ", "  = ")),
        (LINES, "".join(f"    number_{number} = 0\n" for number in range(500))),
        (LINES, "    value_5 = 5\n    no = 0\n    value_900 = 900\n"),
        (LINES, "x" * 1_000_000),
        ("a" * 2_000_000, "a" * 100_000),
        ("a" * 2_000_000, "a" * 100_000 + "b"),
        ("ab\n" * 500_000, "ab\n" * 1000 + "x"),
        ("(a+)+$" * 100_000, "(a+)+$" * 10 + "!"),
    ],
)
def test_large_inputs_are_refused_in_time(data: str, old: str) -> None:
    start = time.process_time()
    with pytest.raises(Refused):
        replace_once(data.encode(), "x.txt", old, "new")
    assert time.process_time() - start < 5


def test_large_edits_are_made_in_time() -> None:
    start = time.process_time()
    data = LINES.replace("9\n", "9\r\n").encode()
    assert replace_once(data, "x.txt", LINES[:900_000], "first\n" + LINES[:900_000]) == b"first\n" + data
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("data", "path", "content", "after"),
    [
        (None, "x.py", "x = 1\n", b"x = 1\n"),
        (None, "x.txt", "a\r\nb\n", b"a\r\nb\n"),
        (None, "x.py", "# coding: latin-1\n# é\n", b"# coding: latin-1\n# \xe9\n"),
        (None, "x.py", "", b""),
        (b"a\r\nb\r\n", "x.txt", "a\nc\nd\n", b"a\r\nc\r\nd\r\n"),
        (b"a\r\nb\nc\r\n", "x.txt", "x\na\nb\nc\n", b"x\r\na\r\nb\nc\r\n"),
        (b"", "x.txt", "a\nb\n", b"a\nb\n"),
        (codecs.BOM_UTF8 + b"a\n", "x.txt", "b\n", codecs.BOM_UTF8 + b"b\n"),
        (codecs.BOM_UTF8 + b"a\n", "x.txt", "\ufeffb\n", codecs.BOM_UTF8 + b"b\n"),
        (LATIN, "x.py", LATIN.decode("latin-1") + "y = 'ü'\n", LATIN + b"y = '\xfc'\n"),
        (LATIN, "x.py", "# café\n", "# café\n".encode()),
        (b"# ... existing code ...\n", "x.py", "# ... existing code ...\nx = 1\n",
         b"# ... existing code ...\nx = 1\n"),
    ],
)  # fmt: skip
def test_whole_file(data: bytes | None, path: str, content: str, after: bytes) -> None:
    assert whole_file(data, path, content) == after


@pytest.mark.parametrize(
    ("data", "path", "content", "words"),
    [
        (None, "x.py", "import a\n# rest of the file\n", "line 2 of content is `# rest of the file`"),
        (b"x = 1\n", "x.py", "x = 2\n# ... unchanged ...\n", "taken literally"),
        (None, "x.py", "x = (\n", "couldn't be parsed"),
        (b"x = 1\n", "x.py", "x = (\n", "couldn't be parsed"),
        (b"a\0", "x.txt", "a", "binary"),
        (None, "x.txt", "a\0", "NUL"),
        (LATIN, "x.py", LATIN.decode("latin-1") + "# €", "can't be written in iso-8859-1"),
        (None, "x.py", "# coding: nonsense\n", "unknown encoding"),
    ],
)
def test_whole_file_refuses(data: bytes | None, path: str, content: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        whole_file(data, path, content)


@pytest.mark.parametrize(
    ("data", "old", "new", "words"),
    [
        pytest.param(b"a = 7\nx = 2\n", "x = 1", "7", "isn't in 'x.py'", id="short-text-stands-anywhere"),
        pytest.param(
            b"def f():\n\tx = 1\n\ny = 22222\n", "    x = 1", "y = 22222", "only white space differs", id="white-space"
        ),
    ],
)
def test_what_stands_there_by_chance_is_not_taken_for_applied(data: bytes, old: str, new: str, words: str) -> None:
    with pytest.raises(TextNotFound, match=words):
        replace_once(data, "x.py", old, new)


@pytest.mark.parametrize(
    "line",
    [
        "# ...",
        "    # ... existing code ...",
        "// ... existing code ...",
        "// ...",
        "# …",
        "# ... rest unchanged",
        "# rest unchanged",
        "# Rest of the function",
        "# rest of the code remains the same",
        "# ... rest of file",
        "# (rest of the class unchanged)",
        "# [existing code]",
        "# ... (existing methods)",
        "# ... other handlers",
        "# ... anything at all ...",
        "# the rest is unchanged",
        "# remaining code unchanged",
        "# keep existing code",
        "# existing implementation here",
        "# other methods unchanged",
        "# unchanged",
        "# same as before",
        "# omitted for brevity",
        "# code omitted",
        "# function body stays the same",
        "<!-- ... existing markup ... -->",
        "/* ... existing code ... */",
        "-- rest of the script",
        "    pass  # ... existing code",
        "... existing code ...",
        "[... rest unchanged ...]",
        "# remaining code omitted for brevity",
        "# <rest of function unchanged>",
        "# TODO: rest of the code",
        "# Rest of the original method body goes here",
        "# copy the rest of the code from the original method",
        "# continue with the existing code",
        "# The original function body goes here",
        "# ---- rest of code ----",
        "# (snip)",
        "# -- snip --",
        "# ... and so on",
    ],
)
def test_placeholders(line: str) -> None:
    assert placeholder(f"x = 1\n{line}\ny = 2", "x = 1") == (2, line.strip())
    assert placeholder(f"x = 1\n{line}", f"  {line}\nz") is None


@pytest.mark.parametrize(
    "line",
    [
        "    ...",
        "def f() -> int: ...",
        "x = a[..., 0]",
        "print('# ...')",
        "# and so on ...",
        "# the rest of the line is the name",
        "# Existing users keep their password.",
        "# Returns the same value for the same input.",
        "# unchanged since version 2",
        "# other imports",
        "# TODO: remove the existing code path",
        "# previous code",
        "# snippets of code",
        "# -- options --",
        "# https://example.com/rest",
        "# Range: 1...5",
        "## Remaining work",
        "# " + "." * 200,
        " " * 100_000 + "#" * 100_000 + " x",
    ],
)
def test_comments_that_stand_for_themselves(line: str) -> None:
    assert placeholder(line, "") is None


@pytest.mark.parametrize(
    ("old", "ends", "new", "carried"),
    [
        (["a"], [""], ["a", "b"], ["D", ""]),
        (["a", "b"], ["1", "2"], ["a"], ["2"]),
        (["a", "b", "c"], ["1", "2", "3"], ["c", "a", "b", "x"], ["1", "1", "2", "3"]),
        (["u", "a", "a", "v"], ["1", "2", "3", "4"], ["u", "a", "v"], ["1", "2", "4"]),
        (
            ["x", "a", "y", "b", "z"],
            ["1", "2", "3", "4", "5"],
            ["b", "q", "y", "a", "z"],
            ["4", "4", "4", "4", "5"],
        ),
        (["a", "m", "b"], ["1", "2", "3"], ["n", "o", "p", "q", "b"], ["1", "2", "2", "2", "3"]),
    ],
)
def test_carry(old: list[str], ends: list[str], new: list[str], carried: list[str]) -> None:
    assert carry(old, ends, new, default="D") == carried


@st.composite
def edit_cases(draw: st.DrawFn, ends: tuple[str, ...]) -> tuple[str, int, int, str]:
    text = "".join(draw(st.lists(st.sampled_from(["a", "b", *ends]), max_size=30)))
    folded = shown(text)
    start = draw(st.integers(0, len(folded)))
    stop = draw(st.integers(start, len(folded)))
    return text, start, stop, draw(st.text(alphabet="abc\n", max_size=12))


@given(edit_cases(("\n", "\r\n", "\r")))
@example(("aa\ra\n\r", 3, 6, "\na"))
def test_the_text_changes_as_asked(case: tuple[str, int, int, str]) -> None:
    text, start, stop, new = case
    folded = shown(text)
    try:
        after = replace_once(text.encode(), "x.txt", folded[start:stop], new).decode()
    except Refused:
        return
    assert shown(after) == folded[:start] + new + folded[stop:]


@given(edit_cases(("\n", "\r\n")))
def test_only_the_requested_lines_change(case: tuple[str, int, int, str]) -> None:
    text, start, stop, new = case
    folded = shown(text)
    try:
        after = replace_once(text.encode(), "x.txt", folded[start:stop], new).decode()
    except Refused:
        return
    before_ends, after_ends = line_ends(text), line_ends(after)
    above, below = folded.count("\n", 0, start), folded.count("\n", stop) + 1
    assert after_ends[:above] == before_ends[:above]
    assert after_ends[-below:] == before_ends[-below:]
