"""A patch on the user's working tree: whole, or not at all."""

import subprocess
from pathlib import Path

import pytest
from conftest import MakeRepository, git, user_state, write_files

from orefactor.sandbox.apply import apply_patch
from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.patch import write_patch
from orefactor.sandbox.repository import find_repository

FILES = {
    "a.py": "".join(f"line {number}\n" for number in range(20)),
    "b.py": "b = 1\n",
    "gone.py": "gone\n",
    "moved.py": "".join(f"m {number}\n" for number in range(20)),
}
CHANGE = """
sed -i 's/line 10/line ten/' a.py; rm gone.py; mkdir new; printf 'x\\0y' > new/n.bin
git mv moved.py new/moved.py; chmod +x b.py
"""


def make_patch(folder: Path, script: str = CHANGE) -> bytes:
    """The patch that a script's changes are, which are undone again."""
    subprocess.run(["sh", "-ec", script], cwd=folder, check=True)
    git(folder, "add", "-A")
    patch = write_patch(find_repository(folder).git, "HEAD", git(folder, "write-tree"))
    git(folder, "reset", "-q", "--hard")
    return patch


def status(folder: Path) -> list[str]:
    return subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=folder, capture_output=True, check=True, text=True
    ).stdout.splitlines()


def test_the_working_tree_only(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES)
    patch, index = make_patch(folder), git(folder, "ls-files", "-s")
    apply_patch(find_repository(folder), patch)
    assert git(folder, "ls-files", "-s") == index
    assert status(folder) == [" M a.py", " M b.py", " D gone.py", " D moved.py", "?? new/moved.py", "?? new/n.bin"]
    assert (folder / "new" / "n.bin").read_bytes() == b"x\0y"


@pytest.mark.parametrize("options", [{"index": True}, {"three_way": True}, {"index": True, "three_way": True}])
def test_the_index_too(make_repository: MakeRepository, options: dict[str, bool]) -> None:
    folder = make_repository(FILES)
    apply_patch(find_repository(folder), make_patch(folder), **options)
    assert status(folder) == ["M  a.py", "M  b.py", "D  gone.py", "R  moved.py -> new/moved.py", "A  new/n.bin"]


def test_the_lines_at_a_patchs_head_are_skipped(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES)
    apply_patch(find_repository(folder), b"Orefactor-Run: x\nOrefactor-Base: y\n\n" + make_patch(folder))
    assert " M a.py" in status(folder)


def test_beside_changes_of_the_users(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES)
    patch = make_patch(folder)
    write_files(folder, {"a.py": "first\n" + FILES["a.py"], "other.py": "x\n"})
    apply_patch(find_repository(folder), patch)
    assert (folder / "a.py").read_text() == "first\n" + FILES["a.py"].replace("line 10", "line ten")


def test_from_a_folder_of_the_repository(make_repository: MakeRepository) -> None:
    folder = make_repository({**FILES, "sub/x": "x\n"})
    apply_patch(find_repository(folder / "sub"), make_patch(folder))
    assert " M a.py" in status(folder)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("sed -i 's/line 10/line X/' a.py", "patch failed: a.py:"),
        ("rm a.py", "a.py: No such file"),
        ("mkdir new; echo mine > new/n.bin", "new/n.bin: already exists in working directory"),
        ("echo other > gone.py", "patch failed: gone.py:1"),
        ("rm a.py; ln -s b.py a.py", "a.py: wrong type"),
        ("mkdir ../outside; ln -s ../outside new", "affected file 'new/moved.py' is beyond a symbolic link"),
    ],
)
@pytest.mark.parametrize("options", [{}, {"index": True}, {"three_way": True}], ids=["plain", "index", "3way"])
def test_what_does_not_fit_changes_nothing(
    make_repository: MakeRepository, script: str, words: str, options: dict[str, bool]
) -> None:
    folder = make_repository(FILES)
    patch = make_patch(folder)
    subprocess.run(["sh", "-ec", script], cwd=folder, check=True)
    before = user_state(folder)
    with pytest.raises(UserError, match="the patch doesn't fit the working tree: ") as caught:
        apply_patch(find_repository(folder), patch, **options)
    assert caught.value.exit_code is ExitCode.CONFLICT
    assert ("--3way" in caught.value.hint) is ("three_way" not in options)
    assert user_state(folder) == before
    assert not any((folder.parent / "outside").glob("*"))
    if not options:
        assert words in caught.value.message


def test_a_three_way_merge_takes_what_moved_on(make_repository: MakeRepository) -> None:
    folder = make_repository(FILES)
    patch = make_patch(folder, "sed -i 's/line 10/line ten/' a.py")
    subprocess.run("sed -i 's/line 8/line eight/' a.py && git commit -qam moved", cwd=folder, shell=True, check=True)
    before = user_state(folder)
    with pytest.raises(UserError, match="doesn't fit"):
        apply_patch(find_repository(folder), patch)
    assert user_state(folder) == before
    apply_patch(find_repository(folder), patch, three_way=True)
    assert "line eight\nline 9\nline ten\n" in (folder / "a.py").read_text()
    assert status(folder) == ["M  a.py"]


@pytest.mark.parametrize(
    ("attributes", "theirs"),
    [("", "s/line 10/line X/"), ("a.py merge=mine\n", "s/line 8/line eight/"), ("a.py -merge\n", "s/line 8/line X/")],
    ids=["text", "driver", "binary"],
)
def test_a_three_way_merge_with_a_conflict_changes_nothing(
    make_repository: MakeRepository, attributes: str, theirs: str
) -> None:
    """A merge driver of the repository's isn't run; its files count as conflicts, never as merged."""
    folder = make_repository({**FILES, ".gitattributes": attributes})
    git(folder, "config", "merge.mine.driver", "true")
    patch = make_patch(folder)
    subprocess.run(f"sed -i '{theirs}' a.py && git commit -qam moved", cwd=folder, shell=True, check=True)
    before = user_state(folder)
    with pytest.raises(UserError, match=r"doesn't fit the working tree: a\.py: conflict"):
        apply_patch(find_repository(folder), patch, three_way=True)
    assert user_state(folder) == before


@pytest.mark.parametrize("options", [{}, {"index": True}, {"three_way": True}], ids=["plain", "index", "3way"])
@pytest.mark.parametrize("setting", ["true", "input", "false"])
def test_line_ends_of_the_receiver(make_repository: MakeRepository, options: dict[str, bool], setting: str) -> None:
    folder = make_repository(FILES)
    patch = make_patch(folder)
    git(folder, "config", "--global", "core.autocrlf", setting)
    git(folder, "rm", "-q", "-r", "--cached", ".")
    git(folder, "reset", "-q", "--hard")
    end = b"\r\n" if setting == "true" else b"\n"
    assert end + b"line 9" + end in (folder / "a.py").read_bytes()
    apply_patch(find_repository(folder), patch, **options)
    content = (folder / "a.py").read_bytes()
    assert end + b"line ten" + end in content
    assert content.count(b"\n") == content.count(end)
    assert (folder / "new" / "n.bin").read_bytes() == b"x\0y"


@pytest.mark.parametrize("value", ["fix", "error", "error-all"])
@pytest.mark.parametrize("scope", ["--local", "--global"])
def test_white_space_arrives_as_it_was_written(make_repository: MakeRepository, scope: str, value: str) -> None:
    folder = make_repository({"a.py": "x\n"})
    patch = make_patch(folder, r"printf 'x  \n\t \n\n\n' > a.py")
    git(folder, "config", scope, "apply.whitespace", value)
    git(folder, "config", scope, "apply.ignoreWhitespace", "change")
    apply_patch(find_repository(folder), patch)
    assert (folder / "a.py").read_bytes() == b"x  \n\t \n\n\n"


def test_a_bare_repository_has_nothing_to_apply_to(make_repository: MakeRepository, tmp_path: Path) -> None:
    folder = make_repository(FILES)
    git(tmp_path, "clone", "-q", "--bare", str(folder), "bare.git")
    with pytest.raises(UserError, match="a bare repository has no working tree") as caught:
        apply_patch(find_repository(tmp_path / "bare.git"), make_patch(folder))
    assert caught.value.exit_code is ExitCode.ENVIRONMENT


@pytest.mark.parametrize("patch", [b"", b"no patch\n"])
def test_what_is_no_patch(make_repository: MakeRepository, patch: bytes) -> None:
    folder = make_repository(FILES)
    with pytest.raises(UserError, match="doesn't fit"):
        apply_patch(find_repository(folder), patch)
