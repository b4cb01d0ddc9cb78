"""What `comments` allows, and which comments are code."""

import pytest

from orefactor.core.guards.change import FileChange
from orefactor.core.guards.contracts.contract import Breach
from orefactor.core.guards.contracts.parsing import parse_contract
from orefactor.core.guards.contracts.verdict import judge


def breach(contract: str, before: str, after: str) -> Breach | None:
    change = FileChange("a.py", None, "modified", before.encode(), after.encode(), "100644", "100644")
    return judge(parse_contract([contract]), [change])


KEPT = {
    "new": ("x\n", "# a\nx  # b\n# c\n"),
    "inside": ("x = [\n    1,\n]\n", "x = [\n    # a\n    1,  # b\n]\n"),
    "in front of a body": ("def f():\n    x\n", "def f():  # a\n    # b\n    x\n"),
    "reworded": ("# a\n\nx\n", "# b\nx\n"),
    "beside directives": ("x  # noqa\n", "# a\nx  # noqa\n"),
    "prose that looks like a directive": ("# typed: a\nx\n", "# b\nx\n"),
    "not at the top": ("x\ny\n# coding: utf-8\n", "x\ny\n"),
    "else": ("if a:\n    b\nelse:\n    c\n", "if a:\n    b\n# d\nelse:  # e\n    c\n"),
}


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT)
def test_kept(before: str, after: str) -> None:
    assert breach("comments", before, after) is None
    assert breach("comments", after, before) is None


@pytest.mark.parametrize(
    "comment",
    [
        "# type: ignore",
        "# type: int",
        "#noqa: E501",
        "# NOQA",
        "# pragma: no cover",
        "# fmt: off",
        "# isort: skip",
        "# pylint: disable=x",
        "# pyright: strict",
        "# mypy: ignore-errors",
        "# nosec B101",
        "# ruff: noqa",
        "# %%",
    ],
)
def test_directives_are_code(comment: str) -> None:
    assert breach("comments", f"x  {comment}\n", "x\n") is not None
    found = breach("comments", "x\n", f"x  {comment}\n")
    assert found is not None
    assert found.detail == f"the comment `{comment}` was added"


BROKEN = {
    "code": ("x  # a\n", "y  # b\n", "`x` became `y`"),
    "code beside": ("x = [1,\n 2]\n", "x = [1,  # a\n 3]\n", "`x = [1, 2]` became `x = [1, # a 3]`"),
    "shebang": ("#!/bin/a\nx\n", "#!/bin/b\nx\n", "the comment `#!/bin/a` became `#!/bin/b`"),
    "cookie": ("# a\n# coding: utf-8\nx\n", "# a\nx\n", "the comment `# coding: utf-8` was removed"),
    "cookie moves": ("# coding: utf-8\nx\n", "#\n#\n# coding: utf-8\nx\n", "the comment `# coding: utf-8` was removed"),
    "own line": ("x  # noqa\ny\n", "x\n# noqa\ny\n", "the comment `# noqa` moved to another line"),
    "elsewhere": ("x  # noqa\ny\n", "x\ny  # noqa\n", "the comment `# noqa` was removed"),
    "docstring": ("def f():\n    'd'\n", "def f():\n    'e'\n", "`'d'` became `'e'`"),
    "text": ("x = '# a'\n", "x = '# b'\n", "`x = '# a'` became `x = '# b'`"),
    "layout": ("x = [1,\n2]\n", "x = [1, 2]\n", "the layout of `x = [1, 2]` changed"),
    "metadata": ("# /// script\n# a\n# ///\nx\n", "# /// script\n# b\n# ///\nx\n", "the comment `# a` became `# b`"),
    "encoding": (
        "# coding: latin-1\nx\n",
        "# coding: utf-8\nx\n",
        "the file's encoding changed from iso-8859-1 to utf-8",
    ),
}


@pytest.mark.parametrize(("before", "after", "detail"), BROKEN.values(), ids=BROKEN)
def test_broken(before: str, after: str, detail: str) -> None:
    found = breach("comments", before, after)
    assert found is not None
    assert found.detail == detail
