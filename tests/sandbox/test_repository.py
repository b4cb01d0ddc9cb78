"""Finding the repository from anywhere, and carrying over what the user's settings say about content."""

import os
import subprocess
from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files

from orefactor.sandbox.base import take_base
from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.repository import ask_git, find_repository, user_environment

FILES = {"a.py": "a = 1\n", "pkg/b.py": "b = 1\n"}


@pytest.mark.parametrize("start", [".", "pkg"])
def test_found_from_any_folder(make_repository: MakeRepository, start: str) -> None:
    folder = make_repository(FILES)
    found = find_repository(folder / start)
    assert (found.top, found.git_dir, found.common_dir) == (folder, folder / ".git", folder / ".git")
    assert (found.object_format, found.place) == ("sha1", folder)


@pytest.mark.parametrize("name", ["with space", "ünï-日本", "quo'te\"", "form\x0cfeed\u2028line", "tab\tname"])
def test_found_on_any_path(make_repository: MakeRepository, name: str) -> None:
    folder = make_repository(FILES, name)
    assert find_repository(folder / "pkg").top == folder
    assert take_base(find_repository(folder), "worktree", ["a.py"]).commit == git(folder, "rev-parse", "HEAD")


def test_found_through_a_link(make_repository: MakeRepository, tmp_path: Path) -> None:
    folder = make_repository(FILES)
    (tmp_path / "link").symlink_to(folder)
    assert find_repository(tmp_path / "link" / "pkg").top == folder


def test_found_in_a_linked_worktree(make_repository: MakeRepository, tmp_path: Path) -> None:
    folder = make_repository(FILES)
    git(folder, "worktree", "add", "-q", str(tmp_path / "linked"))
    found = find_repository(tmp_path / "linked" / "pkg")
    assert found.top == tmp_path / "linked"
    assert found.common_dir == folder / ".git"
    assert found.git_dir == folder / ".git" / "worktrees" / "linked"


def test_found_in_a_submodule(make_repository: MakeRepository) -> None:
    inner, outer = make_repository(FILES, "inner"), make_repository(FILES, "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    assert find_repository(outer / "sub" / "pkg").top == outer / "sub"


def test_the_inner_of_nested_repositories_is_found(make_repository: MakeRepository) -> None:
    make_repository(FILES)
    inner = make_repository(FILES, "repo/inner")
    assert find_repository(inner / "pkg").top == inner


def test_a_bare_repository_has_no_top(make_repository: MakeRepository, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(make_repository(FILES)), "bare.git")
    found = find_repository(tmp_path / "bare.git")
    assert (found.top, found.git_dir) == (None, tmp_path / "bare.git")
    assert found.place == tmp_path / "bare.git"


def test_object_format(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES, "repo", "--object-format=sha256")
    assert find_repository(folder).object_format == "sha256"


@pytest.mark.parametrize(
    ("prepare", "start", "words"),
    [
        ("", "..", "no git repository at"),
        ("", ".git", "inside a git directory"),
        ("", ".git/objects", "inside a git directory"),
        ("", "missing", "git can't open the repository: .*No such file"),
        ("echo x > .git/HEAD", ".", "no git repository at"),
        (
            "git config core.repositoryFormatVersion 9",
            ".",
            "git can't open the repository: .*version",
        ),
    ],
)
def test_not_found(make_repository: MakeRepository, prepare: str, start: str, words: str) -> None:
    folder = make_repository(FILES)
    subprocess.run(prepare, cwd=folder, shell=True, check=True)
    with pytest.raises(UserError, match=words) as caught:
        find_repository(folder / start)
    assert caught.value.exit_code is ExitCode.ENVIRONMENT


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_the_repository_of_another_user_is_not_trusted(make_repository: MakeRepository) -> None:
    """An explicit `--git-dir` would skip git's check, so discovery must not use one."""
    folder = make_repository(FILES, "their repo")
    for path in (folder, folder / ".git"):
        os.chown(path, 65534, 65534)
    with pytest.raises(UserError, match="doesn't trust") as caught:
        find_repository(folder / "pkg")
    hint = caught.value.hint
    assert hint == f"if you trust it: `git config --global --add safe.directory '{folder}'`"
    subprocess.run(hint.split("`")[1], shell=True, check=True)
    assert find_repository(folder / "pkg").top == folder


@pytest.mark.parametrize(
    "redirection",
    [
        {"GIT_DIR": "{other}/.git"},
        {"GIT_DIR": "{other}/.git", "GIT_WORK_TREE": "{other}"},
        {"GIT_DIR": ".git", "GIT_INDEX_FILE": "{other}/.git/index", "GIT_PREFIX": "pkg/"},
        {"GIT_OBJECT_DIRECTORY": "{other}/.git/objects"},
        {"GIT_COMMON_DIR": "{other}/.git"},
        {"GIT_NAMESPACE": "x"},
        {"GIT_CONFIG": "{other}/.git/config"},
    ],
    ids=lambda redirection: "+".join(redirection),
)
def test_variables_of_a_hook_do_not_redirect(
    make_repository: MakeRepository, monkeypatch: pytest.MonkeyPatch, redirection: dict[str, str]
) -> None:
    other, folder = make_repository({"z.py": "z = 1\n"}, "other"), make_repository(FILES)
    git(folder, "config", "orefactor.model", "mine")
    (folder / "a.py").write_text("a = 2\n")
    head = git(folder, "rev-parse", "HEAD")
    with monkeypatch.context() as set_by_hook:
        for name, value in redirection.items():
            set_by_hook.setenv(name, value.format(other=other))
        found = find_repository(folder / "pkg")
        base = take_base(found, "worktree", ["a.py"])
    assert found.top == folder
    assert found.setting("orefactor.model") == "mine"
    assert base.head == head
    assert git(folder, "show", f"{base.commit}:a.py") == "a = 2"


def test_the_environment_that_chooses_configuration_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {"GIT_CONFIG_COUNT": "0", "GIT_AUTHOR_NAME": "x", "GIT_CEILING_DIRECTORIES": "/", "EDITOR": "vi"}
    for name, value in {**kept, "GIT_DIR": "/x", "GIT_TRACE": "2"}.items():
        monkeypatch.setenv(name, value)
    environment = user_environment()
    assert kept.items() <= environment.items()
    assert not {"GIT_DIR", "GIT_TRACE"} & environment.keys()


def test_the_effective_configuration_with_its_scopes(
    make_repository: MakeRepository, sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(FILES)
    system = sealed / "system"
    system.write_text("[orefactor]\n\tmodel = system\n")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "0")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(system))
    git(folder, "config", "--global", "orefactor.model", "global")
    git(folder, "config", "orefactor.model", "two\nlines")
    git(folder, "config", "extensions.worktreeConfig", "true")
    git(folder, "config", "--worktree", "orefactor.Model", "worktree")
    with (folder / ".git/config").open("a") as file:
        file.write("[Orefactor]\n\tquiet\n\tempty =\n")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "orefactor.model")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "command")
    found = find_repository(folder)
    assert [(entry.scope, entry.value) for entry in found.config if entry.key == "orefactor.model"] == [
        ("system", "system"),
        ("global", "global"),
        ("local", "two\nlines"),
        ("worktree", "worktree"),
        ("command", "command"),
    ]
    assert found.setting("orefactor.model") == "command"
    assert (found.setting("orefactor.quiet"), found.setting("orefactor.empty")) == ("true", "")
    assert found.setting("orefactor.nothing") is None


def stored(folder: Path, path: str) -> bytes:
    """What a snapshot of the working tree stores for a path."""
    base = take_base(find_repository(folder), "worktree", [path])
    return subprocess.run(
        ["git", "cat-file", "blob", f"{base.commit}:{path}"], cwd=folder, capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize(
    ("settings", "attributes", "content", "expected"),
    [
        ({}, "", b"a\r\nb\r\n", b"a\r\nb\r\n"),
        ({"core.autocrlf": "true"}, "", b"a\r\nb\r\n", b"a\nb\n"),
        ({"core.autocrlf": "input"}, "", b"a\r\nb\r\n", b"a\nb\n"),
        ({"core.autocrlf": "true", "core.safecrlf": "true"}, "", b"a\r\nb\n", b"a\nb\n"),
        ({"core.autocrlf": "true"}, "* -text", b"a\r\n", b"a\r\n"),
        ({"core.eol": "crlf"}, "* text", b"a\r\n", b"a\n"),
        ({}, "*.txt text eol=crlf", b"a\r\n", b"a\n"),
        ({}, "*.txt text=auto", b"a\r\n\0", b"a\r\n\0"),
        ({}, "*.txt ident", b"$Id: 12345 $\n", b"$Id$\n"),
        ({}, "*.txt working-tree-encoding=UTF-16LE", "é\n".encode("utf-16-le"), "é\n".encode()),
    ],
)
def test_settings_on_content_are_carried_over(
    make_repository: MakeRepository,
    settings: dict[str, str],
    attributes: str,
    content: bytes,
    expected: bytes,
) -> None:
    folder = make_repository({**FILES, ".gitattributes": attributes + "\n"})
    for key, value in settings.items():
        git(folder, "config", "--global", key, value)
    write_files(folder, {"n.txt": content})
    assert stored(folder, "n.txt") == expected


@pytest.mark.parametrize("value", ["~/attributes", "{home}/attributes", None])
def test_the_users_attributes_file_holds(make_repository: MakeRepository, sealed: Path, value: str | None) -> None:
    folder = make_repository(FILES)
    write_files(sealed, {"attributes": "*.txt text\n", ".config/git/attributes": "*.txt text\n"})
    if value is not None:
        (sealed / ".config/git/attributes").unlink()
        git(folder, "config", "--global", "core.attributesFile", value.format(home=sealed))
    write_files(folder, {"n.txt": b"a\r\n"})
    assert stored(folder, "n.txt") == b"a\n"


@pytest.mark.parametrize("xdg", [True, False], ids=["XDG_CONFIG_HOME", "home"])
@pytest.mark.parametrize("value", ["~/ignore", "{home}/ignore", None])
def test_the_users_excludes_file_holds(
    make_repository: MakeRepository,
    sealed: Path,
    monkeypatch: pytest.MonkeyPatch,
    value: str | None,
    xdg: bool,
) -> None:
    folder = make_repository(FILES)
    if not xdg:
        monkeypatch.delenv("XDG_CONFIG_HOME")
    if value is None:
        write_files(sealed, {".config/git/ignore": "*.tmp\n"})
    else:
        write_files(sealed, {"ignore": "*.tmp\n"})
        git(folder, "config", "--global", "core.excludesFile", value.format(home=sealed))
    write_files(folder, {"pkg/n.tmp": "x\n", "pkg/n.py": "n = 1\n"})
    base = take_base(find_repository(folder), "worktree", ["pkg"])
    assert git(folder, "ls-tree", "--name-only", base.commit, "pkg/").split() == ["pkg/b.py", "pkg/n.py"]


def test_a_mode_that_the_file_system_can_not_keep_is_not_read(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES)
    git(folder, "config", "core.fileMode", "false")
    (folder / "a.py").chmod(0o755)
    assert take_base(find_repository(folder), "worktree", []).commit == git(folder, "rev-parse", "HEAD")


def test_the_identity_is_the_users(make_repository: MakeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_repository(FILES)
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name)
    git(folder, "config", "--global", "user.name", "Ünï")
    git(folder, "config", "--global", "user.email", "u@example.com")
    assert ask_git(folder, "var", "GIT_AUTHOR_IDENT").stdout.decode().startswith("Ünï <u@example.com> ")
