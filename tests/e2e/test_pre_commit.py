"""The hooks of `.pre-commit-hooks.yaml`, run by the pre-commit tool itself in real commits.

Its entries are put into a `local` configuration for the command that is installed here: to build an environment from a
clone takes a minute, and is the pre-commit tool's own work.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files
from e2e.processes import PATH
from e2e.scenes import DOCUMENT, DOCUMENTED, SHAPES, TASK, edit, read, run_folders, trace

from orefactor.cli.dispatch import make_application

pytestmark = pytest.mark.untraced

FixtureFile = Callable[..., Path]
Hooked = Callable[..., Path]
MANIFEST = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
HOOKS = {
    block.split("\n")[0].removeprefix("- id: "): block
    for block in re.split(r"^(?=- id: )", MANIFEST.read_text(), flags=re.MULTILINE)[1:]
}
REVIEW = "git-orefactor-review"
IMPORTS = "import sys, os\nprint(os)\n"


def _configuration(hooks: Mapping[str, Sequence[str]]) -> str:
    """A `local` configuration with these hooks of the manifest; arguments of one's own replace the manifest's."""
    text = "repos:\n- repo: local\n  hooks:\n"
    for name, arguments in hooks.items():
        block = HOOKS[name].replace("language: python", "language: system")
        if arguments:
            block = re.sub(r"\n  args: .*", "", block) + f"  args: {json.dumps(list(arguments))}\n"
        text += textwrap.indent(block, "  ")
    return text


@pytest.fixture
def hooked(make_repository: MakeRepository) -> Hooked:
    """Make a repository with these hooks of the manifest in it, and files."""

    def make(hooks: Mapping[str, Sequence[str]], **files: str) -> Path:
        written = {name.replace("__", "/") + ".py": text for name, text in files.items()}
        repository = make_repository({".pre-commit-config.yaml": _configuration(hooks), **written})
        _pre_commit(repository, "install")
        return repository

    return make


def _pre_commit(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", *words],
        cwd=folder,
        env={**os.environ, "PATH": PATH},
        capture_output=True,
        text=True,
        check=False,
    )


def _commit(folder: Path, *words: str, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        ["git", "commit", "-m", "second", *words],
        cwd=folder,
        env={**os.environ, "PATH": PATH, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def _count(folder: Path) -> int:
    return int(git(folder, "rev-list", "--count", "HEAD"))


def test_the_manifest_is_valid_and_its_entries_name_real_options() -> None:
    done = _pre_commit(MANIFEST.parent, "validate-manifest", str(MANIFEST))
    assert done.returncode == 0, done.stdout
    commands = make_application().commands
    for name, block in HOOKS.items():
        (entry,) = re.findall(r"^  entry: (.*)$", block, re.MULTILINE)
        words = shlex.split(entry)
        assert words[:3] == ["git-orefactor", "review" if name == REVIEW else "run", "--staged"]
        known = {option for parameter in commands[words[1]].params for option in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known


def test_two_hooks_change_what_is_staged_and_nothing_else(hooked: Hooked) -> None:
    both = {"orefactor-docstrings": (), "orefactor-imports": ()}
    repository = hooked(both, a=SHAPES, gone="x = 1\n", old="def f():\n    return 1\n", b=SHAPES)
    staged = SHAPES + "\n\nSIDES = [\n" + "".join(f"    {number},\n" for number in range(9)) + "]\n"
    write_files(repository, {"a.py": staged, "new.py": IMPORTS, "b.py": "# mine\n" + SHAPES, "bin.py": b"\0\1"})
    (repository / "link.py").symlink_to("b.py")
    git(repository, "mv", "old.py", "renamed.py")
    git(repository, "rm", "-q", "gone.py")
    git(repository, "add", "a.py", "new.py", "bin.py", "link.py")
    write_files(repository, {"a.py": staged + "# not staged\n"})

    code, said = _commit(repository)
    assert (code, _count(repository)) == (1, 1), said
    assert said.count("files were modified by this hook") == 2, said
    changed = (repository / "a.py").read_text()
    assert changed.startswith('"""Functions for a."""') and changed.endswith("# not staged\n")
    assert (repository / "new.py").read_text().endswith("\n\nimport os\n\nprint(os)\n")
    assert '"""' in (repository / "renamed.py").read_text()
    assert (repository / "b.py").read_text() == "# mine\n" + SHAPES
    assert trace(repository)["user_state"]["same"]

    git(repository, "add", "a.py", "new.py", "renamed.py")
    code, said = _commit(repository)
    assert (code, _count(repository)) == (0, 2), said
    assert said.count("Passed") == 2
    assert git(repository, "status", "--short") == "M b.py"

    done = _pre_commit(repository, "run", "--all-files", "orefactor-docstrings")
    assert done.returncode == 1 and '"""' in (repository / "b.py").read_text(), done.stdout


def test_a_commit_that_names_its_files_is_seen_as_it_will_be(
    hooked: Hooked, fixture_file: FixtureFile, tmp_path: Path
) -> None:
    """`commit -a`, `commit FILE` and `GIT_INDEX_FILE` have an index of their own, and a linked worktree has one too."""
    script = fixture_file(read("a.py"), edit("a, b, c", "c, a, b", "a.py"))
    arguments = ("turn them", "--provider", "fixture", "--fixture", str(script), "--no-check", "--contract", "any")
    repository = hooked({"orefactor": arguments}, a=SHAPES)
    worktree = tmp_path / "linked"
    git(repository, "worktree", "add", "-q", str(worktree))
    own_index = tmp_path / "index"
    changed = SHAPES.replace("a, b", "a, b, c")

    for folder, words, environment in (
        (repository, ("a.py",), {}),
        (worktree, ("-a",), {}),
        (repository, (), {"GIT_INDEX_FILE": str(own_index)}),
    ):
        write_files(folder, {"a.py": changed})
        if environment:
            subprocess.run(["git", "read-tree", "HEAD"], cwd=folder, env={**os.environ, **environment}, check=True)
            subprocess.run(["git", "add", "a.py"], cwd=folder, env={**os.environ, **environment}, check=True)
        code, said = _commit(folder, *words, **environment)
        assert code == 1, (words, said)
        assert "c, a, b" in (folder / "a.py").read_text(), (words, said)
        assert trace(repository)["base"]["source"] == "index"
    assert _count(repository) == 1


def test_a_model_is_asked_once(hooked: Hooked, fixture_file: FixtureFile) -> None:
    """Otherwise it may find something else to change each time, and the commit would never be made."""
    script = fixture_file(read("src/shapes.py"), DOCUMENT)
    arguments = (TASK, "--provider", "fixture", "--fixture", str(script), "--no-check")
    repository = hooked({"orefactor": arguments})
    write_files(repository, {"src/shapes.py": SHAPES})
    git(repository, "add", "src")
    code, said = _commit(repository)
    assert code == 1 and "`git add` what you keep" in said, said
    assert (repository / "src" / "shapes.py").read_text() == DOCUMENTED
    git(repository, "add", "src")
    code, said = _commit(repository)
    assert code == 0, said
    assert len(run_folders(repository)) == 1


def test_a_hook_that_fails_stops_the_commit(hooked: Hooked) -> None:
    repository = hooked({"orefactor": ("fly", "--provider", "recipes")})
    write_files(repository, {"a.py": SHAPES})
    git(repository, "add", "a.py")
    code, said = _commit(repository)
    assert code == 1 and "exit code: 5" in said and "doesn't know the task `fly`" in said, said
    assert (repository / "a.py").read_text() == SHAPES
    assert git(repository, "status", "--short") == "A  a.py"


def test_a_hook_may_only_report(hooked: Hooked) -> None:
    repository = hooked({"git-orefactor": (), "orefactor-check": ("add docstrings", "--provider", "recipes")})
    write_files(repository, {"a.py": SHAPES})
    git(repository, "add", "a.py")
    code, said = _commit(repository)
    assert code == 1 and said.count("exit code: 1") == said.count('+"""Functions for a."""') == 2, said
    assert (repository / "a.py").read_text() == SHAPES


def _answer(verdict: str, **finding: object) -> dict[str, object]:
    found = {
        "rule": "bug",
        "severity": "error",
        "path": "a.py",
        "start_line": 1,
        "end_line": 1,
        "message": "no",
        **finding,
    }
    return {"content": json.dumps({"verdict": verdict, "summary": "", "findings": [found] if finding else []})}


def test_what_is_staged_is_reviewed(hooked: Hooked, fixture_file: FixtureFile) -> None:
    """The script blocks the change as long as the word is in it."""
    blocks = {**_answer("request_changes", message="that is a trap"), "prompt_contains": "trap", "every_round": True}
    script = fixture_file(blocks, {**_answer("approve"), "every_round": True})
    arguments = ("--provider", "fixture", "--fixture", str(script))
    repository = hooked({REVIEW: arguments}, a=SHAPES, b=SHAPES, gone=SHAPES)
    # Files that would be a branch, a range, a command, or a word of this one.
    odd = dict.fromkeys(("index", "main", "main..main", "review", "run", "sub/--help"), "x = 1\n")
    write_files(repository, {**odd, "a.py": "trap = 1\n" + SHAPES, "b.py": SHAPES + "# trap, not staged\n"})
    git(repository, "rm", "-q", "gone.py")
    git(repository, "add", "a.py", *[f"./{name}" for name in odd])
    before = git(repository, "status", "--short")

    code, said = _commit(repository)
    assert (code, _count(repository)) == (1, 1), said
    assert "exit code: 1" in said and "that is a trap" in said and "1 finding blocks" in said, said
    assert git(repository, "status", "--short") == before
    reviewed = trace(repository)["review"]
    assert (reviewed["source"], reviewed["paths"]) == ("the index", sorted(["a.py", *odd]))

    write_files(repository, {"a.py": "rope = 1\n" + SHAPES})
    code, said = _commit(repository, "a.py")
    assert (code, _count(repository)) == (0, 2), said
    assert trace(repository)["review"]["paths"] == ["a.py"]

    # A file must not become an option: nothing is reviewed then, and the commit stops.
    write_files(repository, {"--no-check": "x = 1\n"})
    git(repository, "add", "./--no-check")
    code, said = _commit(repository)
    assert code == 1 and "exit code: 2" in said and "`--no-check` may be an option, and it is a file here" in said, said
