"""The recipe `docstrings`: its text, its places, and that it changes nothing else."""

from __future__ import annotations

import ast
import json
import subprocess
import sysconfig
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruff import find_ruff_bin

from orefactor.core.recipes.base import Options
from orefactor.core.recipes.docstrings import add_docstrings

MODULE = '"""Functions for geometry."""\n\n'
SAMPLE_EVERY = 27


def documented(text: str, path: str = "geometry.py", line_length: int = 79) -> str:
    return add_docstrings(text, Options(path=path, line_length=line_length))


BEFORE = """\
class HttpClient(Base):
    retries: int = 3
    def __init__(self, url, timeout=10, *, verbose=False, sep="\\n", **kwargs):
        if timeout < 0:
            raise ValueError("timeout must be positive")
        self.url = url

    def is_open(self):
        return self.s is not None

    def find(self, user_id: int) -> "User | None":

        # by number
        user = self.users[user_id]
        return user

    @overload
    def go(self): ...

    class Inner: pass

async def walk(root, *roots):
    def inner(): return 1
    yield inner
"""
AFTER = '''\
"""Classes and functions for geometry."""

class HttpClient(Base):
    """An HTTP client."""

    retries: int = 3
    def __init__(self, url, timeout=10, *, verbose=False, sep="\\n", **kwargs):
        r"""Initialize the HTTP client.

        Args:
            url: The URL.
            timeout: The timeout. Defaults to 10.
            verbose: Whether to be verbose. Defaults to False.
            sep: The separator. Defaults to "\\n".
            **kwargs: The keyword arguments.

        Raises:
            ValueError: If timeout is not positive.
        """
        if timeout < 0:
            raise ValueError("timeout must be positive")
        self.url = url

    def is_open(self):
        """Return whether the HTTP client is open.

        Returns:
            True if the HTTP client is open, False otherwise.
        """
        return self.s is not None

    def find(self, user_id: int) -> "User | None":
        """Find the user ID.

        Args:
            user_id: The user ID.

        Returns:
            The user, or None.
        """
        # by number
        user = self.users[user_id]
        return user

    @overload
    def go(self): ...

    class Inner:
        """An inner."""

        pass

async def walk(root, *roots):
    """Walk the root.

    Args:
        root: The root.
        *roots: The roots.

    Yields:
        The next inner.
    """

    def inner(): return 1
    yield inner
'''


def test_a_whole_module() -> None:
    assert documented(BEFORE) == AFTER
    assert documented(AFTER) == AFTER


@pytest.mark.parametrize(
    "text",
    [
        '"""Doc."""\n',
        '"""Doc."""\ndef f():\n    r"""Doc."""\n',
        '("Doc.")\n',
        '"Doc " "in two parts."; x = 1\n',
        "(  # why\n'Doc.')\n",
        "def broken(:\n",
        '"""Doc."""\nif True:\n    def f():\n        # nothing here\n',
        '"""Doc."""\ndef f():\n  \\\nreturn 1\n',
        '"""Doc."""\nclass A:\n    __slots__ = ("a", "__doc__")\n',
        '"""Doc."""\n\x0cclass A:\n    pass\n',
    ],
)
def test_what_stays_as_it_is(text: str) -> None:
    assert documented(text) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '"""Definitions for geometry."""\n'),
        ("x = 1", '"""Definitions for geometry."""\n\nx = 1'),
        ("\n\nx = 1\n", '"""Definitions for geometry."""\n\nx = 1\n'),
        ("\ufeffx = 1\n", '\ufeff"""Definitions for geometry."""\n\nx = 1\n'),
        ("from __future__ import x\n", '"""Definitions for geometry."""\n\nfrom __future__ import x\n'),
        ("#!/usr/bin/python\nx = 1\n", '#!/usr/bin/python\n"""Definitions for geometry."""\n\nx = 1\n'),
        ("# -*- coding: utf-8 -*-\n", '# -*- coding: utf-8 -*-\n"""Definitions for geometry."""\n'),
        ("# License", '# License\n\n"""Definitions for geometry."""\n'),
        ("# License\n\n\nx = 1\n", '# License\n\n"""Definitions for geometry."""\n\nx = 1\n'),
        (
            "# License\n\n# The x.\nx = 1\n",
            '# License\n\n"""Definitions for geometry."""\n\n# The x.\nx = 1\n',
        ),
        ("# One.\n\n# Two.\n\nx = 1\n", '# One.\n\n# Two.\n\n"""Definitions for geometry."""\n\nx = 1\n'),
        ("f'no doc'\n", '"""Definitions for geometry."""\n\nf\'no doc\'\n'),
        ("b'no doc'\n", '"""Definitions for geometry."""\n\nb\'no doc\'\n'),
    ],
)
def test_module_docstrings(before: str, after: str) -> None:
    assert documented(before) == after


def test_the_byte_order_mark_of_an_undocumented_function() -> None:
    assert documented("\ufeff'Doc.'\ndef go(): pass\n").startswith('\ufeff\'Doc.\'\ndef go():\n    """')


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def go(): x(); y()  # c\n", 'def go():\n    """Go."""\n    x(); y()  # c\n'),
        ("def go(): \\\n  x()", 'def go():\n  """Go."""\n  x()'),
        ("class Go: pass", 'class Go:\n    """A go."""\n\n    pass'),
        ("class Go:  # c\n\n  x = 1\n", 'class Go:  # c\n  """A go."""\n\n  x = 1\n'),
        ("def go():\n\tx()\n", 'def go():\n\t"""Go."""\n\tx()\n'),
        ("def go(\n    ):\n    # c\n    x()\n", 'def go(\n    ):\n    """Go."""\n    # c\n    x()\n'),
        (
            "def go():\n    # type: () -> None\n    x()\n",
            'def go():\n    # type: () -> None\n    """Go."""\n    x()\n',
        ),
        ("def go():\n    @d\n    def f(): pass\n", 'def go():\n    """Go."""\n\n    @d\n    def f(): pass\n'),
        (
            "if x:\n    try:\n        def go(): ...\n    finally: pass\n",
            'if x:\n    try:\n        def go():\n            """Go."""\n            ...\n    finally: pass\n',
        ),
        ("def go():\n    print 'x'\n", 'def go():\n    """Go."""\n    print \'x\'\n'),
        (
            "@a.b  # why\n@c(1)\nasync def go(): x()",
            '@a.b  # why\n@c(1)\nasync def go():\n    """Go."""\n    x()',
        ),
    ],
)
def test_places(before: str, after: str) -> None:
    assert documented(MODULE + before) == MODULE + after


@pytest.mark.parametrize(
    ("definition", "docstring"),
    [
        (
            "def cut(a, b=None): return True",
            (
                "Cut the arguments.\nArgs:\na: The value of `a`.\nb: The value of `b`. Defaults to None.\n"
                "Returns:\nTrue on success, False otherwise."
            ),
        ),
        (
            "def cut(fn, /, *args, _mark=_X): return",
            "Cut the function.\nArgs:\nfn: The function.\n*args: The positional arguments.\n_mark: The mark.",
        ),
        (
            "def area(is_deep: bool, follow_links=True, key=lambda: 0) -> Dict[str, int]: ...",
            (
                "Return the area.\nArgs:\nis_deep: Whether it is deep.\n"
                "follow_links: Whether to follow links. Defaults to True.\nkey: The key.\nReturns:\nThe area."
            ),
        ),
        (
            "def area(deep=False, strict=False): pass",
            (
                "Handle the area.\nArgs:\ndeep: The deep flag. Defaults to False.\n"
                "strict: Whether to be strict. Defaults to False."
            ),
        ),
        (
            "def area(num_items, max_items, max_size) -> None: pass",
            (
                "Handle the area.\nArgs:\nnum_items: The number of items.\n"
                "max_items: The maximum number of items.\nmax_size: The maximum size."
            ),
        ),
        ("def area(a, (b, c)): pass", "Handle the area.\nArgs:\na: The value of `a`."),
        (
            "def stop() -> NoReturn: raise SystemExit",
            "Stop.\nRaises:\nSystemExit: If the program has to end.",
        ),
        (
            "def stop():\n    raise shop.UnknownUser(f'{x}') from e\n    raise shop.UnknownUser",
            "Stop.\nRaises:\nshop.UnknownUser: If an unknown user error occurs.",
        ),
        ("def stop():\n    raise error\n    raise\n    raise a[0]\n    raise x().y()", "Stop."),
        (
            "def stop():\n    raise Error('Unknown HTTP verb')\n    raise A('Key must not be None')",
            "Stop.\nRaises:\nError: If the HTTP verb is unknown.\nA: If key is None.",
        ),
        (
            "def stop():\n    raise B('a file not found')\n    raise C('No such file')",
            "Stop.\nRaises:\nB: If a file is not found.\nC: If there is no such file.",
        ),
        (
            "def stop():\n    raise D('oh no')\n    raise Exception(1)\n    raise Error('')",
            "Stop.\nRaises:\nD: If a d error occurs.\nException: If it fails.\nError: If it fails.",
        ),
        ("def make_cart() -> Cart: ...", "Make the cart.\nReturns:\nThe new cart."),
        ("def load() -> shop.ShoppingCart: ...", "Load.\nReturns:\nThe shopping cart."),
        ("def load() -> Any: ...", "Load.\nReturns:\nThe result."),
        ("def load_all() -> Optional[Any]: ...", "Load all.\nReturns:\nThe result, or None."),
        ("def rgb_to_hex(): return x + y", "Convert RGB to hex.\nReturns:\nThe hex."),
        ("def lines():\n    for line in x: yield line", "Yield the lines.\nYields:\nThe next line."),
        ("@contextmanager\ndef locked():\n    yield", "Provide the locked."),
        ("def test_cart(tmp_path): return 1", "Test cart."),
    ],
)
def test_function_texts(definition: str, docstring: str) -> None:
    assert _first_docstring(documented(MODULE + definition)) == docstring


@pytest.mark.parametrize(
    ("definition", "docstring"),
    [
        (
            "class Cart:\n  def add(self, x): return self",
            "Add the arguments.\nArgs:\nx: The value of `x`.\nReturns:\nThe cart itself.",
        ),
        (
            "class Cart:\n  @classmethod\n  def make(cls): return cls(1)",
            "Make the cart.\nReturns:\nA new cart.",
        ),
        (
            "class Cart:\n  @staticmethod\n  def make(count): pass",
            "Make the count.\nArgs:\ncount: The count.",
        ),
        (
            "class Cart:\n  def make(*args): pass",
            "Make the arguments.\nArgs:\n*args: The positional arguments.",
        ),
        ("class Cart:\n  def make(): pass", "Make the cart."),
        (
            "class Cart:\n  @property\n  def size(self):\n    raise KeyError",
            "The size.\nRaises:\nKeyError: If the key is missing.",
        ),
        (
            "class Cart:\n  @x.cached_property\n  def size(self): return 1",
            "Return the size.\nReturns:\nThe size.",
        ),
        ("class Cart:\n  @size.setter\n  def size(self, value): pass", "Set the size."),
        ("class Cart:\n  def __eq__(self, other): return True", "Return whether both are equal."),
    ],
)
def test_method_texts(definition: str, docstring: str) -> None:
    assert _first_docstring(documented(f"{MODULE}{definition}"), of=ast.FunctionDef) == docstring


@pytest.mark.parametrize(
    ("definition", "docstring"),
    [
        (
            "@dataclass(slots=True)\nclass Cart:\n  size: int = 0\n  x.y: int\n  _n: int\n  m = 1\n  by: str",
            "A cart.\nAttributes:\nsize: The size.\nby: The by.",
        ),
        ("class Cart(NamedTuple): size: int", "A cart.\nAttributes:\nsize: The size."),
        ("class Cart(Base, metaclass=M): size: int", "A cart."),
        ("class Cart(\n    Base,  # why\n): pass", "A cart."),
    ],
)
def test_class_texts(definition: str, docstring: str) -> None:
    assert _first_docstring(documented(MODULE + definition)) == docstring


def test_private_definitions_are_left_out_when_only_public_ones_are_asked_for() -> None:
    text = MODULE + "def _a(): pass\nclass _B:\n  def c(self): pass\nclass D:\n  def __len__(self): pass\n"
    new = add_docstrings(text, Options(path="geometry.py", public_only=True))
    assert new.count('"""') == 2 * 3


def test_lines_are_wrapped_and_a_summary_is_cut() -> None:
    name = "compute_the_very_long_name_of_a_function_that_goes_on_and_on"
    parameter = "the_first_of_the_parameters_that_is_long='with a default'"
    new = documented(f"{MODULE}def {name}({parameter}): pass\n", line_length=50)
    lines = new.removeprefix(MODULE).splitlines()[1:]
    assert max(map(len, lines)) <= 50
    assert lines[0] == '    """Compute the very long name of a function.'
    assert lines[3:5] == [
        "        the_first_of_the_parameters_that_is_long:",
        "            The first of the parameters that is",
    ]


def _first_docstring(text: str, of: type[ast.AST] = ast.AST) -> str:
    """The docstring of the first definition of a kind, without blank lines and indentation."""
    text = text.replace("(a, (b, c))", "(a, b)")
    kinds = (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)
    node = next(node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds) and isinstance(node, of))
    lines = (ast.get_docstring(node) or "").splitlines()
    return "\n".join(line.strip() for line in lines if line.strip())


def _stripped(text: str) -> str:
    """The syntax tree without docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def _violations(folder: Path) -> Counter[tuple[str, str]]:
    command = [find_ruff_bin(), "check", "--isolated", "--no-cache", "--select", "D,D400,D401,D415"]
    command += ["--config", 'lint.pydocstyle.convention="google"', "--output-format", "json", str(folder)]
    found = subprocess.run(command, capture_output=True, check=False)
    return Counter((Path(item["filename"]).name, item["code"]) for item in json.loads(found.stdout))


def _library_sample() -> list[str]:
    folder = Path(sysconfig.get_paths()["stdlib"])
    paths = sorted(path for path in folder.rglob("*.py") if not {"site-packages", "data", "lib2to3"} & {*path.parts})
    texts: list[str] = []
    for path in paths[::SAMPLE_EVERY]:
        try:
            texts.append(path.read_text(encoding="utf-8"))
            ast.parse(texts[-1])
        except (SyntaxError, UnicodeDecodeError, ValueError):
            texts = texts[:-1]
    return texts


@pytest.mark.untraced
def test_the_standard_library(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    for number, text in enumerate(_library_sample()):
        name = f"module{number}.py"
        new = documented(text, name)
        assert _stripped(new) == _stripped(text)
        assert documented(new, name) == new
        (before / name).write_text(text, encoding="utf-8")
        (after / name).write_text(new, encoding="utf-8")
    old = _violations(before)
    worse = {key: count for key, count in _violations(after).items() if count > old[key] or key[1].startswith("D10")}
    assert worse == {}


NAMES = st.sampled_from(["a", "get_x", "is_open", "_", "HTTPServer", "données", "args", "returns", "x" * 70])
DEFAULTS = st.sampled_from(["1", "None", "True", "'\\\\'", '\'"""\'', "' '", "{}", "-1", "lambda: 0"])


@st.composite
def functions(draw: st.DrawFn) -> str:
    names = draw(st.lists(NAMES, unique=True, max_size=4))
    listed = ", ".join(f"{name}={draw(DEFAULTS)}" for name in names)
    body = draw(
        st.sampled_from(["pass", "return 1", "yield 1", "raise KeyError('x')", "\n{}\n{}return a", "# c\n{}pass"])
    )
    indent = draw(st.sampled_from([" ", "  ", "    ", "\t"]))
    start = body if body.startswith("\n") else f"\n{indent}{body}"
    head = draw(st.sampled_from(["def", "async def"]))
    return f"{head} {draw(NAMES)}({listed}):{start.replace('{}', indent)}\n"


@settings(max_examples=60, deadline=None)
@given(st.lists(functions(), min_size=1, max_size=3))
def test_generated_functions(texts: list[str]) -> None:
    text = "".join(texts)
    new = documented(text)
    assert _stripped(new) == _stripped(text)
    assert documented(new) == new
