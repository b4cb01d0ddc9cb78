"""Every command and program of the documentation is run, in the order of its page, in a small repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import MakeRepository
from docs.pages import PAGES, TOP, Block, Step, blocks
from e2e.processes import PATH
from e2e.scenes import edit, read

pytestmark = pytest.mark.untraced

SHAPES = """import math

__version__ = "1.0"


class Circle:
    def __init__(self, radius):
        if radius < 0:
            raise ValueError("a radius is not negative")
        self.radius = radius

    @property
    def area(self) -> float:
        return math.pi * self.radius**2


def tell(circle: Circle) -> None:
    print(circle.area)
"""
FIXTURES = {
    "rogue": edit("if radius < 0:", "if radius <= 0:"),
    "chatty": edit("    print(circle.area)\n", "    print(circle.area)\n    print(circle.radius)\n"),
    "bump": edit('"1.0"', '"1.1"'),
}
RUN = [page for page in PAGES if any(block.language in ("console", "python") for block in blocks(page))]
LANGUAGES = {"console", "python", "diff", "yaml", "toml", "text", "{toctree}", "{include}", "{raw}", "{eval-rst}"}
_MARK = "\x1e"


def shell_steps(page: Path) -> Iterator[tuple[Block, Step]]:
    """What is run of a page, as steps of one shell; a program is a step that prints what it likes."""
    for block in blocks(page):
        if block.not_run:
            continue
        if block.before:
            yield block, Step(block.before, ())
        if block.language == "console":
            yield from ((block, step) for step in block.steps())
        elif block.language == "python" and not block.path:
            yield block, Step(f"python - <<'EOF'\n{block.text}EOF", ())


def copied_program(folder: Path, changes: list[Block]) -> Path:
    """A copy of the program with the files of a page in it; gives what to import it from."""
    for name in ("cli", "core", "sandbox", "src"):
        shutil.copytree(TOP / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for block in changes:
        path = folder / block.path
        if block.language == "python":
            path.write_text(block.text)
            continue
        lines = block.text.splitlines(keepends=True)
        old, new = ("".join(line[1:] for line in lines if line[0] in kept).rstrip("\n") for kept in (" -", " +"))
        assert path.read_text().count(old) == 1, f"the change in line {block.line} doesn't fit {block.path}"
        path.write_text(path.read_text().replace(old, new))
    return folder / "src"


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_the_commands_of_a_page_do_what_it_says(page: Path, make_repository: MakeRepository, tmp_path: Path) -> None:
    repository = make_repository({"src/shapes.py": SHAPES, "pyproject.toml": '[project]\nname = "shapes"\n'}, "w/repo")
    for name, change in FIXTURES.items():
        fixture = {"replies": [read(), change, {"content": "Done."}]}
        (repository.parent / f"{name}.json").write_text(json.dumps(fixture))
    environment = {**os.environ, "PATH": PATH}
    if changes := [block for block in blocks(page) if block.path]:
        # The copy is gone when coverage is reported.
        environment = {name: value for name, value in environment.items() if not name.startswith("COVERAGE_")}
        environment["PYTHONPATH"] = str(copied_program(tmp_path / "copy", changes))
    steps = list(shell_steps(page))
    # `$?` has to be the command's for the next one, which may print it.
    script = "".join(f"{step.command}\n_s=$?; printf '{_MARK}%s\\n{_MARK}' $_s; (exit $_s)\n" for _, step in steps)
    done = subprocess.run(
        ["bash", "-s"],
        cwd=repository,
        env=environment,
        input=script.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    told = done.stdout.decode("utf-8", "replace").split(_MARK)
    assert len(told) == 2 * len(steps) + 1, told[-1]
    for at, (block, step) in enumerate(steps):
        printed, code = told[2 * at], int(told[2 * at + 1])
        place = f"{page.name}:{block.line}: $ {step.command}\nexit code {code}\n{printed}"
        assert step.missing(printed) is None, f"{step.missing(printed)!r} isn't printed\n{place}"
        says_code = at + 1 < len(steps) and steps[at + 1][1].command == "echo $?"
        assert code == 0 or says_code, place


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_nothing_is_left_out_without_a_reason(page: Path) -> None:
    for block in blocks(page):
        assert block.language in LANGUAGES, f"line {block.line}: write `console` for commands"
        if block.language == "console":
            assert list(block.steps()), f"line {block.line} shows no command"
        assert not block.not_run or len(block.not_run.split()) >= 4, f"line {block.line}: say why"


def test_python_is_the_one_that_has_the_package() -> None:
    assert shutil.which("python", path=PATH) == str(Path(sys.executable).parent / "python")
