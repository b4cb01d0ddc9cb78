"""Which word of the command is the range, and which are paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeRepository, git

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.review.change_words import split_words
from orefactor.sandbox.repository import find_repository


@pytest.fixture
def repository(kept_repositories: Path, make_repository: MakeRepository) -> Path:
    """Files and folders beside branches and tags of the same names; no test here changes it."""
    kept = kept_repositories / "review-words"
    if not kept.exists():
        made = make_repository({"a.py": "a\n", "docs/x.md": "x\n", "HEAD": "h\n", "v1": "v\n", "sub/index": "i\n"})
        git(made, "commit", "-q", "--allow-empty", "-m", "second")
        (made / "v1..docs").write_text("both\n")
        for name in ("docs", "feature", "topic/one"):
            git(made, "branch", name)
        git(made, "tag", "-a", "v1", "-m", "words")
        git(made, "tag", "both")
        git(made, "branch", "both")
        made.rename(kept)
    return kept


@pytest.mark.parametrize(
    ("words", "wanted", "paths"),
    [
        ((), None, ()),
        (("a.py",), None, ("a.py",)),
        (("a.py", "feature"), None, ("a.py", "feature")),
        (("feature",), "feature", ()),
        (("feature", "a.py", "docs"), "feature", ("a.py", "docs")),
        (("topic/one",), "topic/one", ()),
        (("main..feature", "docs"), "main..feature", ("docs",)),
        (("feature...",), "feature...", ()),
        (("..feature",), "..feature", ()),
        (("HEAD~1", "."), "HEAD~1", (".",)),
        (("@{0}",), "@{0}", ()),
        (("both",), "both", ()),
        (("HEAD:docs",), "HEAD:docs", ()),
        (("worktree", "docs"), "worktree", ("docs",)),
        (("index",), "index", ()),
        (("HEAD..index",), "HEAD..index", ()),
        (("HEAD..worktree", "a.py"), "HEAD..worktree", ("a.py",)),
        (("./docs",), None, ("./docs",)),
        (("docs/",), None, ("docs/",)),
        (("..",), None, ("..",)),
        (("../gone.py",), None, ("../gone.py",)),
        (("docs/../gone.py",), None, ("docs/../gone.py",)),
        (("./a~",), None, ("./a~",)),
        (("/nowhere/a..b",), None, ("/nowhere/a..b",)),
        (("gone.py",), None, ("gone.py",)),
        (("-x",), None, ("-x",)),
        (("--all", "a.py"), None, ("--all", "a.py")),
        (("",), None, ("",)),
        (("a\0b",), None, ("a\0b",)),
        (("\ud800",), None, ("\ud800",)),
    ],
    ids=repr,
)
def test_the_first_word_is_the_range_where_it_means_one(
    repository: Path, words: tuple[str, ...], wanted: str | None, paths: tuple[str, ...]
) -> None:
    assert split_words(find_repository(repository), words, repository) == (wanted, paths)


@pytest.mark.parametrize(
    ("word", "folder", "said"),
    [
        ("docs", ".", "refs/heads/docs"),
        ("v1", ".", "refs/tags/v1"),
        ("HEAD", ".", "{HEAD}"),
        ("v1..docs", ".", "refs/tags/v1..refs/heads/docs"),
        ("index", "sub", "HEAD..index"),
    ],
)
def test_a_word_that_could_be_both_is_refused_with_two_that_could_not(
    repository: Path, word: str, folder: str, said: str
) -> None:
    found = find_repository(repository)
    with pytest.raises(UserError) as refused:
        split_words(found, (word,), repository / folder)
    other = said.format(HEAD=git(repository, "rev-parse", "HEAD"))
    assert refused.value.exit_code is ExitCode.USAGE
    assert f"`{word}` is " in refused.value.message
    assert refused.value.hint == f"say which: `./{word}` for the file or folder, `{other}` for the other"
    assert split_words(found, (other,), repository / folder) == (other, ())
    assert split_words(found, (f"./{word}",), repository / folder) == (None, (f"./{word}",))
    # Elsewhere there is no such file.
    assert split_words(found, (word,), repository / "docs") == (word, ())


@pytest.mark.parametrize(
    ("word", "unknown"),
    [
        ("main..nope", "nope"),
        ("nope..main", "nope"),
        ("nope~2", "nope~2"),
        ("nope^", "nope^"),
        ("nope@{1}", "nope@{1}"),
        ("feature@{upstream}", "feature@{upstream}"),
        ("0" * 40, "0" * 40),
        ("-x..main", "-x"),
    ],
)
def test_what_looks_like_a_revision_and_is_none(repository: Path, word: str, unknown: str) -> None:
    with pytest.raises(UserError, match="is no revision that this repository knows") as refused:
        split_words(find_repository(repository), (word,), repository)
    assert refused.value.message.startswith(f"`{unknown}`")


def test_the_files_of_a_bare_repository_are_no_paths(repository: Path, tmp_path: Path) -> None:
    git(repository, "clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    found = find_repository(tmp_path / "bare")
    assert (tmp_path / "bare" / "HEAD").exists()
    assert split_words(found, ("HEAD", "docs"), tmp_path / "bare") == ("HEAD", ("docs",))
