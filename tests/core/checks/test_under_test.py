"""Checks run the change's code, however the project was installed; where they can't, they don't count.

The installations are made by the real build backends, whose wheels are unpacked as an installer does it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import PYTEST_INI, Files, write_files

from orefactor.core.checks.host import CheckHost, HostSettings
from orefactor.core.checks.required import ChangedFiles, run_required
from orefactor.core.errors import ToolError, UserError
from orefactor.sandbox.bwrap import find_bwrap
from orefactor.sandbox.files import Root
from orefactor.sandbox.isolation import Isolation, Mode

needs_bwrap = pytest.mark.skipif(find_bwrap() is None, reason="no bubblewrap here")
PROJECT = '[project]\nname = "my-pkg"\nversion = "1"\ndescription = "d"\n'
POETRY = f'{PROJECT}[tool.poetry]\npackages = [{{include = "pkg", from = "src"}}]\n'
FLIT = f'{PROJECT}[tool.flit.module]\nname = "pkg"\n'
HATCH = f'{PROJECT}[tool.hatch.build.targets.wheel]\npackages = ["src/pkg"]\n'
BUILT_BY_UV = '[build-system]\nrequires = ["uv_build"]\nbuild-backend = "uv_build"\n'
UV = f'{BUILT_BY_UV}{PROJECT}[tool.uv.build-backend]\nmodule-name = "pkg"\n'
LIB = f'{PROJECT}[tool.setuptools]\npackage-dir = {{"" = "lib"}}\n'
TEST = "import pkg\nimport pkg.deep\n\n\ndef test_it():\n    assert (pkg.VALUE, pkg.deep.VALUE) == (2, 2)\n"


@dataclass(frozen=True)
class Style:
    """A way to install the project.

    Attributes:
        folder: what the package lies in.
        search_path: what our side has to add.
    """

    backend: str
    pyproject: str
    folder: str = "src"
    hook: str = "build_editable"
    options: dict[str, str] = field(default_factory=dict[str, str])
    search_path: tuple[str, ...] = ()


STYLES = {
    "setuptools-src": Style("setuptools.build_meta", PROJECT),
    "setuptools-flat": Style("setuptools.build_meta", PROJECT, "."),
    "setuptools-lib": Style("setuptools.build_meta", LIB, "lib"),
    "setuptools-strict": Style(
        "setuptools.build_meta", PROJECT, options={"editable_mode": "strict"}, search_path=("src", ".")
    ),
    "hatch": Style("hatchling.build", HATCH),
    "hatch-flat": Style("hatchling.build", HATCH.replace("src/", ""), "."),
    "flit": Style("flit_core.buildapi", FLIT),
    "flit-flat": Style("flit_core.buildapi", FLIT, "."),
    "poetry": Style("poetry.core.masonry.api", POETRY),
    "uv": Style("uv_build", UV),
    "copy-flat": Style("setuptools.build_meta", PROJECT, ".", "build_wheel"),
    "copy-src": Style("setuptools.build_meta", PROJECT, "src", "build_wheel", search_path=("src", ".")),
}


def package(value: int, folder: str) -> dict[str, str]:
    code = f"VALUE = {value}\n"
    return {f"{folder}/pkg/__init__.py": code, f"{folder}/pkg/deep/__init__.py": code}


class Installed:
    """A repository that was installed into its environment, and a tree with a change."""

    def __init__(self, base: Path, style: Style) -> None:
        self.repository, self.tree, self.scratch = base / "répo with space", base / "tree", base / "scratch"
        self.prefix = self.repository / ".venv"
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        self.packages = self.prefix / "lib" / version / "site-packages"
        for folder in (self.packages, self.prefix / "bin", self.tree, self.scratch):
            folder.mkdir(parents=True)
        for folder, value in ((self.repository, 1), (self.tree, 2)):
            write_files(folder, {"pyproject.toml": style.pyproject, "pytest.ini": PYTEST_INI, "tests/test_it.py": TEST})
            write_files(folder, package(value, style.folder))
        self._make_environment()

    def _make_environment(self) -> None:
        python = Path(os.path.realpath(sys.executable))
        (self.prefix / "bin" / "python").symlink_to(python)
        (self.prefix / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
        ours = Path(pytest.__file__).parent.parent
        (self.packages / "pytest").symlink_to(ours / "pytest")
        (self.packages / "mypy").symlink_to(ours / "mypy")
        (self.packages / "zz_tests.pth").write_text(f"{ours}\n")

    def install(self, style: Style, out: Path) -> None:
        code = (
            f"import json, sys, {style.backend} as backend\n"
            f"print(backend.{style.hook}(sys.argv[1], json.loads(sys.argv[2]) or None))"
        )
        out.mkdir()
        subprocess.run(
            [sys.executable, "-c", code, str(out), json.dumps(style.options)],
            cwd=self.repository,
            env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},  # uv's is a program
            capture_output=True,
            check=True,
        )
        (wheel,) = out.iterdir()
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(self.packages)
        for left in ("build", "*.egg-info", "src/*.egg-info", "lib/*.egg-info"):
            # What an editable install left in the repository stays: strict mode needs it.
            if style.hook == "build_wheel":
                for path in self.repository.glob(left):
                    shutil.rmtree(path)
        editable = {"editable": True} if style.hook == "build_editable" else {}
        record = {"url": self.repository.as_uri(), "dir_info": editable}
        (next(self.packages.glob("my_pkg*.dist-info")) / "direct_url.json").write_text(json.dumps(record))

    def host(self, tree: Path | None = None, mode: Mode = "bwrap") -> CheckHost:
        return CheckHost(Root(tree or self.tree), lambda: self.scratch, HostSettings(self.repository, mode))


Install = Callable[[Style], Installed]


def works(isolation: Isolation) -> bool:
    try:
        return isolation.isolated
    except UserError:
        return False


@pytest.fixture
def install(tmp_path: Path) -> Install:
    def make(style: Style) -> Installed:
        made = Installed(tmp_path, style)
        made.install(style, tmp_path / "out")
        return made

    return make


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("name", STYLES)
def test_the_change_is_tested(install: Install, name: str) -> None:
    style = STYLES[name]
    installed = install(style)
    host = installed.host()
    said = host.run("pytest")
    assert said.startswith("passed: pytest\n"), said
    origins = host.origins_if_asked
    assert origins is not None
    assert origins.search_path == style.search_path
    places = [module.place for module in origins.modules if module.name == "pkg" and module.in_tree]
    # That in `lib` isn't asked for: nothing but the editable install tells of it, and that leads to the tree.
    expected = [] if style.folder == "lib" else [str(installed.repository / style.folder / "pkg" / "__init__.py")]
    assert places == expected


@pytest.mark.parametrize("name", ["setuptools-src", "setuptools-flat", "copy-src"])
def test_the_change_is_tested_where_the_tree_is_not_mounted(install: Install, name: str) -> None:
    host = install(STYLES[name]).host(mode="landlock")
    if not works(host.isolation):
        pytest.skip("no Landlock here")
    said = host.run("pytest")
    assert said.startswith("passed: pytest\n"), said


COPY = Style("setuptools.build_meta", LIB, "lib", "build_wheel")


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("recorded", ["by its folder", "by its name"])
def test_an_installed_copy_does_not_count(install: Install, recorded: str) -> None:
    installed = install(COPY)
    if recorded == "by its name":  # as from a wheel or an index
        next(installed.packages.glob("*.dist-info/direct_url.json")).unlink()
    place = installed.packages / "pkg" / "__init__.py"
    why = f"tests the installed copy, not your change: `pkg` is imported from {place}; install the project in place"
    with pytest.raises(ToolError) as raised:
        installed.host().run("pytest")
    assert why in str(raised.value)
    changed = ChangedFiles(("lib/pkg/__init__.py",), {"lib/pkg/__init__.py": "lib/pkg/__init__.py"})
    host = installed.host()
    assert host.origins_if_asked is None
    results = run_required(("py_compile", "mypy", "pytest"), changed, host, installed.host)
    assert [(result.name, result.outcome) for result in results] == [
        ("py_compile", "passed"), ("mypy", "not_run"), ("pytest", "not_run"),
    ]  # fmt: skip
    assert results[2].detail.startswith(why)
    assert [(result.counts, result.wrong_code) for result in results] == [(True, False), (False, True), (False, True)]


@needs_bwrap
@pytest.mark.sandbox
def test_a_base_that_is_an_installed_copy_tells_nothing(install: Install, tmp_path: Path) -> None:
    """The change puts the package where it is found, and breaks it: there is nothing to compare that with."""
    installed = install(COPY)
    base = tmp_path / "base"
    shutil.copytree(installed.tree, base)
    shutil.move(installed.tree / "lib", installed.tree / "src")
    write_files(installed.tree, package(3, "src"))
    changed = ChangedFiles(("src/pkg/__init__.py",), {"src/pkg/__init__.py": "lib/pkg/__init__.py"})
    (result,) = run_required(("pytest",), changed, installed.host(), lambda: installed.host(base))
    assert (result.outcome, result.old, len(result.new)) == ("failed", 0, 1)


@needs_bwrap
@pytest.mark.sandbox
def test_modules_are_asked_for_again_when_there_are_others(install: Install) -> None:
    installed = install(STYLES["copy-src"])
    host = installed.host()
    assert host.run("pytest").startswith("passed")
    first = host.origins_if_asked
    write_files(installed.tree, {"src/other.py": "VALUE = 1\n"})
    assert host.run("pytest").startswith("passed")
    assert host.origins_if_asked is not first
    assert {module.name for module in (host.origins_if_asked or pytest.fail()).modules} == {"pkg", "other"}


NO_CODE_RUNS: dict[str, Files] = {
    "a module": {"src/pkg/__init__.py": "raise SystemExit('ran')\n"},
    "modules that the question needs": {
        f"{name}.py": "raise SystemExit('ran')\n" for name in ("json", "os", "importlib")
    },
    "customization": {
        "sitecustomize.py": "raise SystemExit('ran')\n",
        "src/sitecustomize.py": "raise SystemExit('ran')\n",
    },
}


@needs_bwrap
@pytest.mark.sandbox
@pytest.mark.parametrize("name", NO_CODE_RUNS)
def test_asking_runs_nothing_of_the_project(install: Install, name: str) -> None:
    installed = install(STYLES["copy-src"])
    write_files(installed.tree, NO_CODE_RUNS[name])
    (installed.tree / "tests" / "test_it.py").write_text("")
    host = installed.host()
    host.run("mypy src")
    assert host.origins_if_asked is not None
    assert [module.in_tree for module in host.origins_if_asked.modules if module.name == "pkg"] == [True]
