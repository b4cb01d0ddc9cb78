"""`install-hook`: hooks that git itself runs, in real commits and pushes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files
from e2e.processes import run_here
from e2e.scenes import SHAPES

pytestmark = pytest.mark.untraced

Capture = pytest.CaptureFixture[bytes]
OFFLINE = ("--task", "add docstrings", "--provider", "recipes")
# Without the folder that holds `git-orefactor`: the hook finds what has installed it.
_PLAIN_PATH = "/usr/bin:/bin"


def _git(folder: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        ["git", *words],
        cwd=folder,
        env={**os.environ, "PATH": _PLAIN_PATH},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_before_each_commit(make_repository: MakeRepository, capfdbinary: Capture, tmp_path: Path) -> None:
    """Also of what is staged in part, from a folder below, and in a linked worktree."""
    repository = make_repository({"pkg/a.py": SHAPES, "typer.py": "raise SystemExit('the wrong module')\n"})
    done = run_here(capfdbinary, repository / "pkg", "install-hook", *OFFLINE)
    hook = repository / ".git" / "hooks" / "pre-commit"
    assert (done.returncode, done.stdout.decode()) == (0, f"{hook}\n"), done.stderr
    assert b'before each commit, "add docstrings" is done on the staged files' in done.stderr

    assert _git(repository, "commit", "--allow-empty", "-m", "nothing staged")[0] == 0
    filler = "".join(f"# {number}\n" for number in range(9))
    write_files(repository, {"pkg/a.py": SHAPES + filler})
    git(repository, "add", "pkg")
    write_files(repository, {"pkg/a.py": SHAPES + filler + "# not staged\n", "mine.py": SHAPES})
    code, said = _git(repository / "pkg", "commit", "-m", "second")
    assert code == 1 and "`git add` what you keep" in said and "+def" not in said, said
    assert (repository / "pkg" / "a.py").read_text().count('"""') >= 6
    assert (repository / "pkg" / "a.py").read_text().endswith("# not staged\n")
    assert (repository / "mine.py").read_text() == SHAPES
    code, said = _git(repository, "commit", "-am", "second")
    assert code == 0 and git(repository, "status", "--short") == "?? mine.py", said

    linked = tmp_path / "linked"
    git(repository, "worktree", "add", "-q", str(linked))
    write_files(linked, {"b.py": SHAPES})
    git(linked, "add", "b.py")
    assert _git(linked, "commit", "-m", "third")[0] == 1
    assert '"""' in (linked / "b.py").read_text()
    assert _git(linked, "commit", "--no-verify", "-m", "third")[0] == 0


def test_what_does_not_fit_the_working_tree_is_kept(make_repository: MakeRepository, capfdbinary: Capture) -> None:
    repository = make_repository({"a.py": "x = 1\n"})
    run_here(capfdbinary, repository, "install-hook", *OFFLINE)
    write_files(repository, {"a.py": "def f(a):\n    return a\n"})
    git(repository, "add", "a.py")
    write_files(repository, {"a.py": "def g(a):\n    return a\n"})
    code, said = _git(repository, "commit", "-m", "second")
    assert code != 0 and "the patch doesn't fit the working tree" in said and "nothing was changed" in said, said
    assert (repository / "a.py").read_text() == "def g(a):\n    return a\n"


def test_a_hook_that_stood_there_runs_first(make_repository: MakeRepository, capfdbinary: Capture) -> None:
    repository = make_repository({"a.py": "x = 1\n"})
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\necho first >&2\n[ ! -e refuse ]\n")
    hook.chmod(0o755)
    refused = run_here(capfdbinary, repository, "install-hook", *OFFLINE)
    assert refused.returncode == 7 and b"another hook is there" in refused.stderr
    done = run_here(capfdbinary, repository, "install-hook", *OFFLINE, "--force")
    assert b"`pre-commit.before-orefactor` and runs first" in done.stderr
    (repository / "refuse").touch()
    write_files(repository, {"b.py": SHAPES})
    git(repository, "add", "b.py")
    assert _git(repository, "commit", "-m", "second") == (1, "first\n")
    (repository / "refuse").unlink()
    code, said = _git(repository, "commit", "-m", "second")
    assert code == 1 and said.startswith("first\n") and "done: Add docstrings" in said
    gone = run_here(capfdbinary, repository, "install-hook", "--uninstall")
    assert b"the one before it is back" in gone.stderr
    assert hook.read_text().startswith("#!/bin/sh\necho first")


def test_before_each_push(make_repository: MakeRepository, capfdbinary: Capture, tmp_path: Path) -> None:
    repository = make_repository({"a.py": SHAPES})
    git(repository, "init", "-q", "--bare", str(tmp_path / "remote"))
    git(repository, "remote", "add", "origin", str(tmp_path / "remote"))
    hook = repository / ".git" / "hooks" / "pre-push"
    hook.write_text("#!/bin/sh\nsed s/^/earlier:/ >&2\n")
    hook.chmod(0o755)
    done = run_here(capfdbinary, repository, "install-hook", "--hook", "pre-push", *OFFLINE, "--force")
    assert b"is tried on the files that the push changes" in done.stderr
    code, said = _git(repository, "push", "origin", "main")
    assert code == 0 and "earlier:refs/heads/main" in said, "a whole history is not looked at: " + said

    git(repository, "switch", "-q", "-c", "topic")
    write_files(repository, {"b.py": SHAPES})
    git(repository, "add", "b.py")
    git(repository, "commit", "-q", "-m", "second")
    git(repository, "switch", "-q", "main")
    code, said = _git(repository, "push", "origin", "topic", "main")
    assert code == 1 and "done: Add docstrings to b.py" in said, said
    assert "take the change: `git orefactor apply" in said
    assert git(tmp_path / "remote", "branch", "--format=%(refname:short)") == "main"
    assert _git(repository, "push", "--no-verify", "origin", "topic")[0] == 0
    git(repository, "switch", "-q", "topic")
    git(repository, "commit", "-q", "--allow-empty", "-m", "third")
    git(repository, "tag", "tree", "HEAD:")
    code, said = _git(repository, "push", "origin", "topic", "tree", ":main")
    assert code == 0 and "nothing to do: no text file has changed since" in said, said


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "error: the hook has no task"),
        (("--task", "  "), 2, "error: the hook has no task"),
        (("--task", "fly", "--provider", "recipes"), 5, "doesn't know the task `fly`"),
        (("--task", "x", "--provider", "opnai"), 2, "hint: did you mean `openai`?"),
        (("--task", "x", "--model", "no-such-model"), 2, "tells no provider"),
        (("--hook", "post-commit", "--task", "x"), 2, "hint: there are pre-commit and pre-push"),
        (("--uninstall", "--force"), 2, "`--uninstall` takes no task"),
        (("--uninstall",), 0, "note: there is no hook at"),
    ],
    ids=["no task", "empty task", "unknown task", "unknown provider", "unknown model", "unknown hook", "both", "none"],
)
def test_what_is_refused(
    make_repository: MakeRepository, capfdbinary: Capture, words: tuple[str, ...], code: int, said: str
) -> None:
    repository = make_repository({"a.py": "x = 1\n"})
    done = run_here(capfdbinary, repository, "install-hook", *words)
    assert done.returncode == code and said in done.stderr.decode(), done.stderr
    assert not (repository / ".git" / "hooks" / "pre-commit").exists()


def test_it_goes_away(make_repository: MakeRepository, capfdbinary: Capture) -> None:
    repository = make_repository({"a.py": "x = 1\n"})
    run_here(capfdbinary, repository, "install-hook", "--task", "x", "--provider", "fixture", "--model", "gpt-5")
    assert b"--provider=fixture --model=gpt-5 -- x" in (repository / ".git" / "hooks" / "pre-commit").read_bytes()
    done = run_here(capfdbinary, repository, "install-hook", "--uninstall")
    assert done.stderr.startswith(b"done: took the hook away: ")
    assert not (repository / ".git" / "hooks" / "pre-commit").exists()
