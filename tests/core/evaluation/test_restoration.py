"""Tasks made by taking docstrings or annotations out: what is taken, and what passes as put back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files

from orefactor.core.errors import UserError
from orefactor.core.evaluation.python_trees import definitions, parsed
from orefactor.core.evaluation.restoration import Sampling, load_annotations, load_docstrings, load_restoration
from orefactor.core.evaluation.restored import RestoredCheck
from orefactor.core.evaluation.stripping import Kind, candidates, stripped
from orefactor.core.evaluation.task import Task
from orefactor.core.messages import RunFacts

CODE = '''"""Shapes."""
from typing import Any


class Shape:
    """A shape.

    Of any kind.
    """

    # The first.
    def area(self, scale: float = 1.0, *rest: "Any", unit: str="cm", **more: Any) -> float:
        """Give the area."""
        return 0.0  # none

    def name(self): return "shape"


def largest(shapes: list[Shape]) -> Shape:
    """The largest
    shape."""
    def key(shape: Shape) -> float:
        """One word's"""
        return shape.area()
    return max(shapes, key=key)
'''


def places(code: str, *names: str) -> tuple[int, ...]:
    return tuple(place for place, (name, _) in enumerate(definitions(parsed(code.encode()))) if name in names)


def taken(code: str, kind: Kind, *names: str) -> str:
    data = stripped(code.encode(), places(code, *names), kind)
    assert data is not None
    return data.decode()


BARE = CODE.replace('    """A shape.\n\n    Of any kind.\n    """\n', "").replace('        """Give the area."""\n', "")
UNTYPED = CODE.replace(
    'scale: float = 1.0, *rest: "Any", unit: str="cm", **more: Any) -> float', 'scale=1.0, *rest, unit="cm", **more)'
)


def test_what_is_taken_out() -> None:
    assert taken(CODE, "docstrings", "Shape", "Shape.area") == BARE
    assert taken(CODE, "annotations", "Shape.area") == UNTYPED
    with_ends = CODE.replace("\n", "\r\n")
    assert taken("\ufeff" + with_ends, "annotations", "Shape.area") == "\ufeff" + UNTYPED.replace("\n", "\r\n")


def test_which_definitions_have_something() -> None:
    tree = parsed(CODE.encode())
    names = [name for name, _ in definitions(tree)]
    assert names == ["Shape", "Shape.area", "Shape.name", "largest", "largest.key"]
    assert [names[place] for place in candidates(tree, "docstrings")] == [
        "Shape",
        "Shape.area",
        "largest",
        "largest.key",
    ]
    assert [names[place] for place in candidates(tree, "annotations")] == ["Shape.area", "largest", "largest.key"]
    twice = parsed((CODE + CODE).encode())
    assert candidates(twice, "docstrings") == []


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        pytest.param('def f(): "a b"; return 1\n', "docstrings", id="same-line"),
        pytest.param('def f():\n    "a b"; return 1\n', "docstrings", id="statement-behind"),
        pytest.param('def f():\n    "a b"  # why\n    return 1\n', "docstrings", id="comment-behind"),
        pytest.param("def f(\n    x: int,  # why\n    y: (int) = 1): pass\n", "annotations", id="brackets"),
        pytest.param("def f(x: int = 1) -> (  # why\n    int): pass\n", "annotations", id="comment-before-result"),
        pytest.param("# coding: latin-1\ndef f(x: int, \u00e4: int): pass\n", "annotations", id="other-encoding"),
        pytest.param("def f(:\n", "annotations", id="broken"),
    ],
)
def test_what_is_left_alone(code: str, kind: Kind) -> None:
    assert stripped(code.encode(), [0], kind) is None


@pytest.mark.parametrize(
    ("code", "after"),
    [
        pytest.param("def f(x: int, /, y: int = 1, *, z: int, k: str = 'a') -> None: ...\n",
                     "def f(x, /, y=1, *, z, k='a'): ...\n", id="all-kinds"),
        pytest.param("def f(x:int,y: 'é'=2)->int: ...\n", "def f(x,y=2): ...\n", id="dense"),
        pytest.param("async def f(\n    x: int = 3,  # why\n) -> dict[\n    str, int\n]:\n    pass\n",
                     "async def f(\n    x=3,  # why\n):\n    pass\n", id="several-lines"),
    ],
)  # fmt: skip
def test_annotations_taken_out(code: str, after: str) -> None:
    assert taken(code, "annotations", "f") == after


def judged(
    tmp_path: Path, kind: Kind, after: str | bytes, *names: str, code: str = CODE
) -> tuple[bool | None, str, int | None]:
    write_files(tmp_path, {"b/x.py": taken(code, kind, *names), "a/x.py": after})
    verdict = RestoredCheck("x.py", code.encode(), places(code, *names), kind)(tmp_path / "b", tmp_path / "a")
    return verdict.passed, verdict.detail, verdict.needed_lines


NEW = BARE.replace("class Shape:\n", 'class Shape:\n    """New."""\n').replace(
    "more: Any) -> float:\n", 'more: Any) -> float:\n        "Same."\n'
)
ELSE = "something else than the docstrings that were asked for has changed"


@pytest.mark.parametrize(
    ("after", "passed", "words"),
    [
        pytest.param(CODE, True, "2 restored", id="as-it-was"),
        pytest.param(NEW, True, "2 restored", id="other-words"),
        pytest.param(NEW.replace("\n\n\n", "\n\n"), True, "2 restored", id="layout"),
        pytest.param(BARE, False, "no docstring: Shape, Shape.area", id="unchanged"),
        pytest.param(CODE.replace('"""Give the area."""', "pass"), False, ELSE, id="pass"),
        pytest.param(CODE.replace('"""Give the area."""', '" "'), False, "no docstring: Shape.area", id="empty"),
        pytest.param(CODE.replace("largest\n    shape", "biggest"), False, ELSE, id="other-docstring"),
        pytest.param(CODE.replace("The largest", "The  largest"), False, ELSE, id="other-docstring-to-the-byte"),
        pytest.param(CODE.replace("return 0.0", "return 1.0"), False, ELSE, id="code"),
        pytest.param(CODE.replace("# none", "# nothing"), False, "comments have changed", id="comment"),
        pytest.param(CODE.replace("# The first.", "pass"), False, ELSE, id="statement"),
        pytest.param(CODE + "def more(): pass\n", False, "other definitions", id="definition"),
        pytest.param("def f(:\n", False, "x.py: line 1 can't be parsed", id="broken"),
        pytest.param(b"x = '\0'\n", False, "x.py: ", id="nul"),
        pytest.param("x = " + "(" * 150_000, False, "x.py: ", id="nested"),
    ],
)
def test_docstrings_put_back(tmp_path: Path, after: str | bytes, passed: bool, words: str) -> None:
    verdict = judged(tmp_path, "docstrings", after, "Shape", "Shape.area")
    assert verdict[0] is passed and words in verdict[1] and verdict[1].isprintable() and verdict[2] is None


def typed(code: str) -> str:
    return CODE.replace("scale: float = 1.0", code)


@pytest.mark.parametrize(
    ("after", "passed", "words"),
    [
        pytest.param(CODE, True, "5 of 5 as they were", id="as-it-was"),
        pytest.param(typed("scale: 'float' = 1.0").replace('"Any"', "Any"), True, "5 of 5 as they were", id="quotes"),
        pytest.param(typed("scale: int = 1.0").replace('"Any"', "'a b'"), True, "3 of 5 as they were",
                     id="other-types"),
        pytest.param(typed("scale: 'x = 1' = 1.0"), True, "4 of 5 as they were", id="no-type"),
        pytest.param(typed("scale=1.0"), False, "no annotation: Shape.area (scale)", id="one-left"),
        pytest.param(UNTYPED, False, "(scale), Shape.area (rest)", id="unchanged"),
        pytest.param(CODE.replace("import Any\n", "import Any, Final\nimport typing\n"), True, "5 of 5", id="imports"),
        pytest.param(CODE.replace("import Any\n", "import Any, TYPE_CHECKING\nif TYPE_CHECKING:\n    import x\n"), True,
                     "5 of 5", id="imports-for-type-checkers"),
        pytest.param(CODE.replace("import Any\n", "import Any\nif typing.TYPE_CHECKING:\n    x = 1\n"), False,
                     "something else", id="code-for-type-checkers"),
        pytest.param(CODE.replace("import Any\n", "import Any\nimport os\n"), False, "something else",
                     id="other-import"),
        pytest.param(CODE.replace("import Any", "import Final"), False, "an import is gone", id="import-gone"),
        pytest.param(typed("scale: float = 2.0"), False, "something else", id="default"),
        pytest.param(CODE.replace("shapes: list[Shape]", "shapes"), False, "something else", id="other-annotation"),
    ],
)  # fmt: skip
def test_annotations_put_back(tmp_path: Path, after: str, passed: bool, words: str) -> None:
    verdict = judged(tmp_path, "annotations", after, "Shape.area")
    assert verdict[0] is passed and words in verdict[1] and verdict[2] == 2


def test_lines_needed_are_unknown_where_their_number_differs(tmp_path: Path) -> None:
    code = "def f(x: dict[\n    str, int]): pass\n"
    assert judged(tmp_path, "annotations", code, "f", code=code) == (True, "1 of 1 as they were", None)


FILES = {
    "src/shapes.py": CODE,
    "src/more.py": CODE.replace("Shape", "Form"),
    "src/plain.py": "x = 1\n",
    "src/broken.py": "def (\n",
    "src/large.py": CODE + "#" * 400_000,
    "tests/test_shapes.py": CODE,
    "conftest.py": CODE,
    "notes.txt": "",
}


def known(task: Task) -> tuple[object, ...]:
    return task.name, task.text, task.paths, task.source.revision, task.contract


def test_tasks_are_the_same_each_time(tmp_path: Path, make_repository: MakeRepository, sealed: Path) -> None:
    folder = tmp_path / "project"
    write_files(folder, FILES)
    os.mkdir(folder / "empty")
    suite = load_docstrings(folder, into=tmp_path / "into", sampling=Sampling(definitions=2))
    again = load_restoration(folder, "docstrings", sampling=Sampling(definitions=2))
    repository = make_repository(FILES, name="elsewhere/project")
    cloned = load_docstrings(repository, into=tmp_path / "into2", sampling=Sampling(definitions=2))
    assert suite.name == "docstrings-project"
    assert [known(task) for task in suite.tasks] == [known(task) for task in again.tasks]
    assert [known(task) for task in suite.tasks] == [known(task) for task in cloned.tasks]
    assert str(again.tasks[0].source.repository).startswith(str(sealed))
    assert sorted(task.paths[0] for task in suite.tasks) == ["src/more.py", "src/shapes.py"]
    others = load_docstrings(folder, into=tmp_path / "into", sampling=Sampling(seed=3, tasks=1, definitions=1))
    assert len(others.tasks) == 1
    assert sorted(os.listdir(tmp_path / "into")) == [suite.tasks[0].source.repository.name]  # type: ignore[union-attr]


def test_a_task_and_its_oracle(tmp_path: Path) -> None:
    folder = tmp_path / "my project"
    write_files(folder, {"src/shapes.py": CODE})
    task = load_annotations(folder, into=tmp_path / "into").tasks[0]
    assert load_annotations(folder, into=tmp_path / "into").tasks[0].source == task.source
    assert task.text.startswith("Annotate the parameters and the results of these functions in `src/shapes.py`")
    assert "`Shape.area`, `largest`, `largest.key`" in task.text and task.contract == ("annotations",)
    repository, revision = task.source.repository, task.source.revision
    assert repository is not None
    before = git(repository, "show", f"{revision}:src/shapes.py")
    assert before + "\n" == taken(CODE, "annotations", "Shape.area", "largest", "largest.key")
    git(repository, "checkout", "-q", revision)
    assert task.oracle is not None and task.oracle(RunFacts(task.text, task.paths), repository)
    write_files(tmp_path / "after", {"src/shapes.py": CODE})
    assert task.success["restored"](repository, tmp_path / "after").detail == "9 of 9 as they were"


def test_what_gives_no_tasks(tmp_path: Path) -> None:
    write_files(tmp_path / "plain", {"x.py": "x = 1\n"})
    with pytest.raises(UserError, match="holds no docstrings that can be taken out"):
        load_docstrings(tmp_path / "plain", into=tmp_path / "into")
    with pytest.raises(UserError, match="can't be made in"):
        load_docstrings(tmp_path / "nowhere", into=tmp_path / "into")
    os.mkfifo(tmp_path / "plain/pipe")
    with pytest.raises(UserError, match="can't be made in"):
        load_docstrings(tmp_path / "plain", into=tmp_path / "into")
    (kept,) = os.listdir(tmp_path / "into")
    assert kept.startswith("plain-")


def test_definitions_that_can_not_be_stripped_surely_are_left_out(tmp_path: Path) -> None:
    odd = '\n\ndef odd():\n    """Shares its line."""  # why\n    return 1\n'
    write_files(tmp_path / "project", {"x.py": CODE + odd, "y.py": odd})
    (task,) = load_docstrings(tmp_path / "project", into=tmp_path / "into", sampling=Sampling(definitions=9)).tasks
    assert "`largest`, `largest.key`. Leave" in task.text and "odd" not in task.text
