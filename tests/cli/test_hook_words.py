"""A hook's command line: a file that somebody else has named becomes neither an option nor the end of them."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from orefactor.cli.hook_words import require_plain_files, require_task
from orefactor.core.errors import UserError

HOOK = ("review", "--staged")
CASES: dict[str, tuple[tuple[str, ...], str]] = {
    "plain files": ((*HOOK, "a.py", "-", "sub/--no-check"), ""),
    "no hook": (("review", "--no-check"), ""),
    "an option that no file is": ((*HOOK, "--fail-on=never", "a.py"), ""),
    "an option that is a file": ((*HOOK, "--no-check"), "--no-check"),
    "the same behind the end": ((*HOOK, "--", "--no-check"), ""),
    "a file that would end them": ((*HOOK, "--", "a.py"), "--"),
    "the end and that file": ((*HOOK, "--", "--", "a.py"), ""),
    "the main job's": (("run", "--staged", "--no-check"), "--no-check"),
}


@pytest.mark.parametrize(("words", "refused"), CASES.values(), ids=CASES.keys())
def test_files_that_look_like_options(tmp_path: Path, words: tuple[str, ...], refused: str) -> None:
    for name in ("a.py", "--no-check", *(["--"] if refused == "--" or words.count("--") == 2 else [])):
        (tmp_path / name).touch()
    with chdir(tmp_path):
        if not refused:
            require_plain_files(words)
            return
        with pytest.raises(UserError) as raised:
            require_plain_files(words)
    assert raised.value.message == f"`{refused}` may be an option, and it is a file here"


@pytest.mark.parametrize("task", [None, "", "a.py"])
def test_a_file_is_no_task(tmp_path: Path, task: str | None) -> None:
    (tmp_path / "a.py").touch()
    with chdir(tmp_path):
        require_task("add docstrings")
        with pytest.raises(UserError, match="there is no task"):
            require_task(task)
