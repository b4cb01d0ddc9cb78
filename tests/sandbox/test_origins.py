"""Which modules a project has, and where they would be imported from."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Files, write_files

from orefactor.sandbox.files import Root
from orefactor.sandbox.origins import Modules, Origin, Origins, find_origins, project_modules
from orefactor.sandbox.process import ProcessResult, run_process

PACKAGE = "pkg/__init__.py"
BOTH: tuple[tuple[str, ...], ...] = ((), ("src", "."))
FLAT: tuple[tuple[str, ...], ...] = ((), (".",))
NAMED = '[project]\nname = "My.Pkg-x"\n'


@pytest.mark.parametrize(
    ("files", "names", "tries"),
    [
        ({}, [], FLAT),
        ({PACKAGE: "", "setup.py": "", "docs/x.py": "", "tests/__init__.py": ""}, ["pkg", "tests"], FLAT),
        ({f"src/{PACKAGE}": "", "src/one.py": "", "src/x.egg-info/y": "", "src/a.txt": ""}, ["one", "pkg"], BOTH),
        ({f"src/ns/{PACKAGE}": ""}, ["ns"], BOTH),
        # `src` is a package itself: what is in it are submodules.
        ({"src/__init__.py": "", "src/one.py": ""}, ["src"], FLAT),
        # On the search path it would stand in for the library's.
        ({f"src/{PACKAGE}": "", "src/types.py": ""}, ["pkg"], ((),)),
        ({"json/__init__.py": "", PACKAGE: ""}, ["pkg"], FLAT),
        ({"a\x1b/__init__.py": "", "src": "a file"}, [], FLAT),
    ],
)
def test_the_modules_of_a_tree(
    tmp_path: Path, files: Files, names: list[str], tries: tuple[tuple[str, ...], ...]
) -> None:
    write_files(tmp_path, files)
    assert project_modules(Root(tmp_path), (), tmp_path) == Modules(tuple(names), tries)


def test_links_are_not_followed(tmp_path: Path) -> None:
    write_files(tmp_path, {f"tree/real/{PACKAGE}": "", "outside/__init__.py": ""})
    (tmp_path / "tree" / "linked").symlink_to(tmp_path / "outside")
    (tmp_path / "tree" / "src").symlink_to("real")
    assert project_modules(Root(tmp_path / "tree"), (), tmp_path).names == ()


@pytest.mark.parametrize(
    ("pyproject", "info", "url", "found"),
    [
        (NAMED, "my_pkg_x-1.dist-info", None, True),
        ('[tool.poetry]\nname = "my-pkg-x"\n', "my_pkg_x-1.dist-info", None, True),
        (NAMED, "other-1.dist-info", None, False),
        (NAMED, "other-1.dist-info", "{repository}", True),
        (NAMED, "other-1.dist-info", "/elsewhere", False),
        ("", "my_pkg_x-1.dist-info", None, False),
        ("project = 1\n[tool]\npoetry = []\n", "my_pkg_x-1.dist-info", None, False),
        ("[project]\nname = 7\n", "my_pkg_x-1.dist-info", None, False),
        ("[" * 5000, "my_pkg_x-1.dist-info", None, False),
        ("a = " + "9" * 5000, "my_pkg_x-1.dist-info", None, False),
        ("a = " + "[" * 5000, "my_pkg_x-1.dist-info", None, False),
    ],
)
def test_modules_that_were_installed_from_it(
    tmp_path: Path, pyproject: str, info: str, url: str | None, found: bool
) -> None:
    """Of these, the ones that the tree has, wherever a folder of it holds them."""
    tree, packages = tmp_path / "tree", tmp_path / "site-packages"
    record = "pkg/__init__.py,sha256=x,1\nsingle.py,,\n_generated.py,,\nbin/tool,,\n../../bin/x,,\nmy_pkg-1/RECORD,,\n"
    write_files(tree, {f"lib/{PACKAGE}": "", "lib/single.py": "", "pyproject.toml": pyproject})
    write_files(packages, {f"{info}/RECORD": record})
    if url is not None:
        said: dict[str, object] = {"url": Path(url.format(repository=tree)).as_uri(), "dir_info": {}}
        write_files(packages, {f"{info}/direct_url.json": json.dumps(said)})
    modules = project_modules(Root(tree), (packages,), tree)
    assert modules.names == (("pkg", "single") if found else ())


class Asked:
    """Asks an interpreter in a tree, with an environment of its own."""

    def __init__(self, base: Path) -> None:
        self.tree, self.packages = base / "tree", base / "lib" / "site-packages"
        for folder in (self.tree, self.packages):
            folder.mkdir(parents=True)

    def __call__(self, *names: str, tries: tuple[tuple[str, ...], ...] = BOTH) -> Origins:
        modules = Modules(names, tries)
        return find_origins(self._run, Path(sys.executable), modules)

    def _run(self, command: Sequence[str]) -> ProcessResult:
        env = {"PYTHONPATH": str(self.packages), "PATH": os.defpath}
        return run_process(command, env=env, cwd=self.tree, timeout=30)


@pytest.fixture
def ask(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


@pytest.mark.parametrize(
    ("tree", "installed", "place", "in_tree", "search_path"),
    [
        ([PACKAGE], [], "tree/pkg/__init__.py", True, ()),
        ([PACKAGE], [PACKAGE], "tree/pkg/__init__.py", True, ()),
        ([f"src/{PACKAGE}"], [PACKAGE], "tree/src/pkg/__init__.py", True, ("src", ".")),
        ([f"src/{PACKAGE}"], [], "tree/src/pkg/__init__.py", True, ("src", ".")),
        (["src/pkg.py"], ["pkg.py"], "tree/src/pkg.py", True, ("src", ".")),
        (["src/pkg/sub/__init__.py"], [], "tree/src/pkg", True, ("src", ".")),
        ([f"lib/{PACKAGE}"], [PACKAGE], "lib/site-packages/pkg/__init__.py", False, ()),
        ([f"lib/{PACKAGE}"], [], "", False, ()),
        # An environment inside of the tree is none of it.
        ([f".venv/lib/site-packages/{PACKAGE}"], [], "", False, ()),
    ],
)
def test_where_a_module_comes_from(
    ask: Asked, tree: list[str], installed: list[str], place: str, in_tree: bool, search_path: tuple[str, ...]
) -> None:
    write_files(ask.tree, dict.fromkeys(tree, "raise SystemExit('ran')\n"))
    write_files(ask.packages, dict.fromkeys(installed, "raise SystemExit('ran')\n"))
    found = ask("pkg")
    whole = os.path.realpath(ask.tree.parent / place) if place else ""
    assert found == Origins((Origin("pkg", whole, in_tree),), search_path)
    assert bool(found.elsewhere) == bool(place and not in_tree)


def test_an_environment_that_lies_in_the_tree(ask: Asked) -> None:
    inside = ask.tree / ".venv" / "lib" / "site-packages"
    write_files(inside, {PACKAGE: ""})
    ask.packages = inside
    assert [module.in_tree for module in ask("pkg").elsewhere] == [False]


def test_one_try_for_all(ask: Asked) -> None:
    """The one that serves all; else the one in which at least nothing comes from elsewhere."""
    write_files(ask.tree, {f"src/{PACKAGE}": ""})
    write_files(ask.packages, {PACKAGE: ""})
    found = ask("pkg", "missing")
    assert ([module.in_tree for module in found.modules], found.search_path) == ([True, False], ("src", "."))
    assert found.elsewhere == ()


@pytest.mark.parametrize(
    ("finder", "place"),
    [
        ("raise RuntimeError('broken')", ""),
        ("return spec_from_file_location(name, '/elsewhere/pkg.py')", "/elsewhere/pkg.py"),
        ("return ModuleSpec(name, None)", ""),
    ],
)
def test_finders_of_the_environment_are_asked(ask: Asked, finder: str, place: str) -> None:
    code = f"""
import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "pkg":
            {finder}

sys.meta_path.insert(0, Finder)
print("hello from the environment")
"""
    write_files(ask.packages, {"sitecustomize.py": code})
    write_files(ask.tree, {PACKAGE: ""})
    assert [module.place for module in ask("pkg").modules] == [place]


def test_no_answer_and_no_question(ask: Asked) -> None:
    assert ask() == Origins()
    write_files(ask.packages, {"sitecustomize.py": "import os; os._exit(1)"})
    assert ask("pkg") == Origins()
