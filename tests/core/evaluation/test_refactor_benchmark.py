"""Aider's refactor benchmark: a made-up archive of its form, hostile ones, and what the two checks let pass."""

from __future__ import annotations

import ast
import gzip
import io
import os
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conftest import write_files

from orefactor.core.errors import UserError
from orefactor.core.evaluation.method_move import moved_to_top, read_move
from orefactor.core.evaluation.refactor_benchmark import load_refactor_benchmark
from orefactor.core.evaluation.task import Task
from orefactor.core.messages import RunFacts

TEXT = """# Refactor Bag.tidy

Refactor the `tidy` method in the `Bag` class to be a stand alone, top level function.
Name the new function `tidy`, exactly the same name as the existing method.
Update any existing `self.tidy` calls to work with the new `tidy` function.
"""
CODE = '''"""Bags."""
import re


class Base:
    def tidy(self, text):
        return self.tidy(text)


class Bag(Base):
    size = 1

    def tidy(self, text: str, *rest: int, sep=",") -> str:
        """Tidy it.

        Well.
        """
        parts = [re.sub("a", "b", part) for part in text.split(sep)]
        return """
        x""".join(parts)

    def add(self, other):
        self.key = self.tidy
        other.tidy("z")
        return self.tidy(self.size, sep=self.size) + str(self.size)

    def fill(self):
        return [self.size * 2 for _ in range(self.size)] + [self.size + 1 if self.size else self.size - 1]


class Sub(Bag):
    def more(self):
        return self.tidy("more")
'''
FUNCTION = '''def tidy(text: str, *rest: int, sep=",") -> str:
    """Tidy it.

    Well.
    """
    parts = [re.sub("a", "b", part) for part in text.split(sep)]
    return """
        x""".join(parts)
'''
METHOD = CODE[CODE.index("    def tidy(self, text: str") : CODE.index("    def add")]
REST = CODE.replace(METHOD, "")
CALLED = (
    REST.replace("self.key = self.tidy", "self.key = tidy")
    .replace("self.tidy(self.size", "tidy(self.size")
    .replace('self.tidy("more")', 'tidy("more")')
)
GOOD = CALLED.replace("class Base", FUNCTION + "\n\nclass Base")
WITH_SELF = GOOD.replace("def tidy(text", "def tidy(self, text")
NAME = "bags_Bag_tidy"


BAG = next(node for node in ast.parse(CODE).body if isinstance(node, ast.ClassDef) and node.name == "Bag")
METHOD_NODES, CLASS_NODES = (sum(1 for _ in ast.walk(node)) for node in (BAG.body[1], BAG))


def own_test(
    method: str = "tidy", count: object = METHOD_NODES, owner: str = "Bag", whole: object = CLASS_NODES
) -> str:
    return f"""
import unittest
from benchmark.refactor_tools import verify_refactor
from pathlib import Path

class TheTest(unittest.TestCase):
    def test_{method}(self):
        fname = Path(__file__).parent / "bags.py"
        method = "{method}"
        method_children = {count}

        class_name = "{owner}"
        class_children = {whole}

        verify_refactor(fname, method, method_children, class_name, class_children)
"""


def material(code: str = CODE, text: str = TEXT, test: str | None = None) -> dict[str, str]:
    folder = f"refactor-benchmark/{NAME}"
    test = own_test() if test is None else test
    files = {".docs/instructions.md": text, "bags.py": code, "bags_test.py": test}
    return {"README.md": "Tasks.", **{f"{folder}/{name}": data for name, data in files.items()}}


def packed(path: Path, files: Mapping[str, str], *more: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(data.encode())
            archive.addfile(member, io.BytesIO(data.encode()))
        for member in more:
            archive.addfile(member, io.BytesIO(b"\0" * member.size))
    return path


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """The one task of a small archive."""
    return load_refactor_benchmark(packed(tmp_path / "x.tar.gz", material()), into=tmp_path / "into").tasks[0]


def test_archive_and_folder_are_the_same(tmp_path: Path, sealed: Path) -> None:
    packed(tmp_path / "x.tar.gz", material())
    write_files(tmp_path / "x", material())
    suite = load_refactor_benchmark(tmp_path / "x.tar.gz", into=tmp_path / "into")
    assert load_refactor_benchmark(tmp_path / "x", into=tmp_path / "into") == suite
    (task,) = suite.tasks
    assert (suite.name, task.name, task.text, task.paths) == ("refactor-benchmark", NAME, TEXT.strip(), ("bags.py",))
    assert task.licence == "Apache-2.0" and list(task.success) == ["strict", "own"]
    assert task.source.files is not None and os.listdir(task.source.files) == ["bags.py"]
    assert (task.source.files / "bags.py").read_text() == CODE
    assert task.oracle is not None and task.oracle(RunFacts(task.text, task.paths), task.source.files)
    lenient = load_refactor_benchmark(tmp_path / "x", strict=False).tasks[0]
    assert list(lenient.success) == ["own", "strict"]
    assert str(lenient.source.files).startswith(str(sealed))


def verdicts(task: Task, tmp_path: Path, after: str | bytes) -> tuple[bool | None, bool | None, str]:
    assert task.source.files is not None
    write_files(tmp_path / "after", {"bags.py": after})
    strict = task.success["strict"](task.source.files, tmp_path / "after")
    own = task.success["own"](task.source.files, tmp_path / "after")
    assert strict.needed_lines == own.needed_lines == 2 * 8 + 2 * 3 + 3
    assert (strict.detail == "") == bool(strict.passed)
    return strict.passed, own.passed, strict.detail


@pytest.mark.parametrize(
    ("after", "strict", "own"),
    [
        pytest.param(GOOD, True, True, id="above"),
        pytest.param(CALLED + "\n\n" + FUNCTION, True, True, id="at-the-end"),
        pytest.param(GOOD.replace('"z"', "'z'").replace("str(self.size)", "(str(self.size))"), True, True, id="layout"),
        pytest.param(GOOD.replace("    Well.\n    ", "            Well.\n            "), True, True,
                     id="docstring-indented"),
        pytest.param(GOOD.replace("    Well.\n    ", "    Bad.\n    "), False, True, id="docstring-changed"),
        pytest.param(GOOD.replace('    """Tidy it.\n\n    Well.\n    """\n', ""), False, True, id="docstring-gone"),
        pytest.param(GOOD.replace("        x", "    x"), False, True, id="text-shifted"),
        pytest.param(GOOD.replace('"b"', '"c"'), False, True, id="body-changed"),
        pytest.param(GOOD.replace("    parts = [", "    # ...\n    parts = []  # ["), False, False, id="body-elided"),
        pytest.param(WITH_SELF, False, True, id="self-without-calls"),
        pytest.param(GOOD.replace("def tidy(text: str", "def tidy(text"), False, True, id="annotation-gone"),
        pytest.param(GOOD.replace('sep=","', 'sep=";"'), False, True, id="default-changed"),
        pytest.param(GOOD.replace("\ndef tidy(", "\nasync def tidy("), False, False, id="async"),
        pytest.param(GOOD.replace("\ndef tidy(", "\n@cache\ndef tidy("), False, True, id="decorated"),
        pytest.param(GOOD.replace("tidy(self.size, sep", "self.tidy(self.size, sep"), False, True, id="call-left"),
        pytest.param(GOOD.replace("self.key = tidy", "self.key = self.tidy"), False, True, id="reference-left"),
        pytest.param(GOOD.replace('return tidy("more")', 'return self.tidy("more")'), False, True, id="inherited-left"),
        pytest.param(GOOD.replace("return self.tidy(text)", "return tidy(text)"), False, True,
                     id="other-method-called"),
        pytest.param(GOOD.replace('other.tidy("z")', 'tidy("z")'), True, True, id="other-object-may-change"),
        pytest.param(GOOD.replace("tidy(self.size, sep", "tidy(self.size, self, sep"), False, True, id="call-changed"),
        pytest.param(GOOD.replace("size = 1", "size = 2"), False, True, id="elsewhere"),
        pytest.param(GOOD.replace("import re", "import re, os"), False, True, id="import"),
        pytest.param(GOOD.replace("\n    def add", "\n" + METHOD + "    def add"), False, False, id="method-left"),
        pytest.param(CALLED, False, False, id="method-lost"),
        pytest.param(CODE, False, False, id="unchanged"),
        pytest.param(GOOD.replace("class Bag(", "class Bog("), False, False, id="class-gone"),
        pytest.param("class Bag(\n", False, False, id="broken"),
        pytest.param(b"\xff\xfe", False, False, id="binary"),
        pytest.param("x = " + "-" * 200_000 + "1", False, False, id="nested"),
        pytest.param("x" + ".x" * 200_000, False, False, id="nested-otherwise"),
    ],
)  # fmt: skip
def test_checks(task: Task, tmp_path: Path, after: str | bytes, strict: bool, own: bool) -> None:
    assert verdicts(task, tmp_path, after)[:2] == (strict, own)


def test_self_may_be_kept_where_all_calls_give_it(task: Task, tmp_path: Path) -> None:
    # A bare reference can't give it.
    code = CODE.replace("        self.key = self.tidy\n", "")
    after = WITH_SELF.replace("        self.key = tidy\n", "").replace("tidy(self.size,", "tidy(self, self.size,")
    after = after.replace('tidy("more")', 'tidy(self, "more")')
    strict = task.success["strict"]
    write_files(tmp_path, {"b/bags.py": code, "a/bags.py": after, "c/bags.py": after.replace("(self, self", "(self")})
    assert strict(tmp_path / "b", tmp_path / "a").passed
    assert strict(tmp_path / "b", tmp_path / "c").passed is False


STATIC = """class Bag:
    @staticmethod
    def tidy(x):
        return x

    def f(self):
        return Bag.tidy(1)
"""
ALONE = "class Bag:\n    def tidy(self, x):\n        return x\n"
MOVED = "\n\ndef tidy(x):\n    return x\n"


@pytest.mark.parametrize(
    ("before", "after", "passed"),
    [
        pytest.param(STATIC, "class Bag:\n    def f(self):\n        return tidy(1)\n" + MOVED, True, id="static"),
        pytest.param(STATIC, "class Bag:\n    def f(self):\n        return tidy(1)\n" + MOVED.replace("(x", "(s, x"),
                     False, id="static-with-more"),
        pytest.param(STATIC.replace("static", "class").replace("(x)", "(cls, x)"),
                     "class Bag:\n    def f(self):\n        return tidy(1)\n" + MOVED, True, id="classmethod"),
        pytest.param(ALONE, "class Bag:\n    pass\n" + MOVED, True, id="nothing-left"),
        pytest.param(ALONE, 'class Bag:\n    """A bag."""\n' + MOVED, False, id="docstring-in-place-of-pass"),
        pytest.param("def tidy(): 1\n" + ALONE, "def tidy(): 1\nclass Bag:\n    pass\n" + MOVED, True, id="name-taken"),
        pytest.param("def tidy(): 1\n" + ALONE, "def tidy(): 1\nclass Bag:\n    pass\n", False,
                     id="name-taken-and-lost"),
        pytest.param("x = 0.0\n" + ALONE, "x = -0.0\nclass Bag:\n    pass\n" + MOVED, False, id="zero"),
        pytest.param("if x:\n    " + ALONE.replace("\n", "\n    "), "if x:\n    class Bag: pass\n" + MOVED, True,
                     id="class-inside"),
        pytest.param("class Bag: pass\n", MOVED, None, id="no-such-method"),
        pytest.param("class Bag\n", MOVED, None, id="broken-before"),
    ],
)  # fmt: skip
def test_other_forms(task: Task, tmp_path: Path, before: str, after: str, passed: bool | None) -> None:
    write_files(tmp_path, {"b/bags.py": before, "a/bags.py": after})
    verdict = task.success["strict"](tmp_path / "b", tmp_path / "a")
    assert verdict.passed is passed, verdict.detail


def test_the_oracle_makes_what_passes(task: Task, tmp_path: Path) -> None:
    move = read_move(task.text)
    assert move is not None
    assert verdicts(task, tmp_path, moved_to_top(CODE.encode(), "bags.py", move))[:2] == (True, True)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        pytest.param({"README.md": ""}, "holds no task", id="empty"),
        pytest.param(material(text="Do what you like."), "isn't about one method", id="other-task"),
        pytest.param({**material(), f"refactor-benchmark/{NAME}/two.py": ""}, "isn't about one method", id="two-files"),
        pytest.param({**material(), f"again/{NAME}/.docs/instructions.md": TEXT}, "no name of one task", id="twice"),
        pytest.param({"a b/.docs/instructions.md": TEXT}, "no name of one task", id="name"),
        pytest.param({".docs/instructions.md": TEXT}, "holds no task", id="no-folder"),
        pytest.param(material(test=""), "isn't one of the benchmark's", id="no-test"),
        pytest.param(material(test="import os; os._exit(3)\n"), "isn't one of the benchmark's",
                     id="test-of-another-form"),
        pytest.param(material(test=own_test(method="other")), "isn't one of the benchmark's",
                     id="test-of-another-task"),
        pytest.param(material(test=own_test(count="int('9')")), "isn't one of the benchmark's", id="computed"),
        pytest.param(material(test=own_test(count=0)), "impossible counts", id="zero"),
        pytest.param(material(test="x = ("), "can't be judged: line 1", id="broken-test"),
    ],
)  # fmt: skip
def test_what_is_no_benchmark(tmp_path: Path, files: Mapping[str, str], words: str) -> None:
    with pytest.raises(UserError) as raised:
        load_refactor_benchmark(packed(tmp_path / "x.tar.gz", files), into=tmp_path / "into")
    assert words in raised.value.message
    assert not (tmp_path / "into/refactor-benchmark").exists()


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", size: int = 0) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size = kind, target, size
    return made


def sparse(path: Path) -> None:
    """A file that says it is 1 TB, and of which the archive holds nothing."""
    made = tarfile.TarInfo("x")
    made.pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": str(1 << 40), "GNU.sparse.major": "0"}
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(made)


ARCHIVES: Mapping[str, tuple[Callable[[Path], object], str]] = {
    "link": (lambda path: packed(path, {}, member("x", tarfile.SYMTYPE, "/etc/passwd")), "a link or a device"),
    "hard-link": (lambda path: packed(path, {}, member("x", tarfile.LNKTYPE, "y")), "a link or a device"),
    "device": (lambda path: packed(path, {}, member("x", tarfile.CHRTYPE)), "a link or a device"),
    "pipe": (lambda path: packed(path, {}, member("x", tarfile.FIFOTYPE)), "a link or a device"),
    "climbs": (lambda path: packed(path, {}, member("a/../../x")), "leads elsewhere"),
    "absolute": (lambda path: packed(path, {}, member("/etc/x")), "leads elsewhere"),
    "git": (lambda path: packed(path, {}, member("a/.git/hooks/x")), "leads elsewhere"),
    "control": (lambda path: packed(path, {}, member("a\x1b[2J")), "leads elsewhere"),
    "twice": (lambda path: packed(path, {"x": "1"}, member("x")), "twice"),
    "top": (lambda path: packed(path, {}, member("./")), "without a name"),
    "bomb": (lambda path: path.write_bytes(gzip.compress(b"\0" * (129 << 20), 1)), "is larger than 128 MiB"),
    "sparse": (sparse, "holds too much"),
    "many": (lambda path: packed(path, {f"{number}": "" for number in range(5_001)}), "holds too much"),
    "no-gzip": (lambda path: path.write_bytes(b"PK\3\4"), "is no gzip file"),
    "cut": (lambda path: path.write_bytes(gzip.compress(b"x" * 9999)[:-9]), "is no gzip file"),
    "no-tar": (lambda path: path.write_bytes(gzip.compress(b"x" * 9999)), "is no archive"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_hostile_archives(tmp_path: Path, name: str) -> None:
    make, words = ARCHIVES[name]
    make(tmp_path / "x.tar.gz")
    with pytest.raises(UserError) as raised:
        load_refactor_benchmark(tmp_path / "x.tar.gz", into=tmp_path / "into")
    assert words in raised.value.message and raised.value.message.isprintable()


def test_paths_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't be read"):
        load_refactor_benchmark(tmp_path / "nowhere", into=tmp_path / "into")
    write_files(tmp_path, {"file": "", "in/large.py": "#" * (5 << 20)})
    with pytest.raises(UserError, match="can't be read"):
        load_refactor_benchmark(tmp_path / "in", into=tmp_path / "into")
    archive = packed(tmp_path / "x.tar.gz", material())
    with pytest.raises(UserError, match="can't make the folder"):
        load_refactor_benchmark(archive, into=tmp_path / "file")
    write_files(tmp_path, {"into2/refactor-benchmark": ""})
    with pytest.raises(UserError, match="can't be written"):
        load_refactor_benchmark(archive, into=tmp_path / "into2")


def test_a_folder_may_not_be_endless(tmp_path: Path) -> None:
    for number in range(5_001):
        (tmp_path / f"{number}").touch()
    with pytest.raises(UserError, match="holds too much"):
        load_refactor_benchmark(tmp_path, into=tmp_path)
