"""The proof of a patch or a commit: what is proven, and what everything else is refused as."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Files, MakeRepository, git, user_state, write_files
from e2e.scenes import leftovers

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.outputs.patch import with_header
from orefactor.core.proof import prove_commit, prove_patch
from orefactor.sandbox.patch import write_patch
from orefactor.sandbox.repository import Repository, find_repository

RUN = "20261130T101500-4f2a9c"
CODE = "def area(a, b):\n    return a * b\n\n\ndef twice(a):\n    return 2 * a\n"
BEFORE: Files = {
    "src/shapes.py": CODE,
    "crlf.txt": b"one\r\ntwo\r\nthree\r\n",
    "data.bin": bytes(range(256)) * 4,
    "old name.py": "x = 1\n" * 9,
    "link": "target\n",
    "run": "run\n",
}
AFTER: Files = {"src/shapes.py": CODE.replace("2 * a", "a + a"), 'n\u00e9w "name"\t.py': "new\n"}
EVERYTHING: Files = {**AFTER, "crlf.txt": b"one\r\nTWO\r\nthree", "data.bin": bytes(reversed(range(256))) * 4}


@dataclasses.dataclass(frozen=True)
class Scene:
    """A repository with a base, and a result that only a patch tells."""

    repository: Repository
    folder: Path
    base: str
    tree: str

    @property
    def patch(self) -> bytes:
        return with_header(write_patch(self.repository.git, self.base, self.tree), RUN, self.base, self.tree)

    def keep(self, **changed: Any) -> Path:
        """Keep a run with a trace that fits, but for what is changed."""
        folder = Path(git(self.folder, "rev-parse", "--absolute-git-dir"), "orefactor", "runs", RUN)
        folder.mkdir(parents=True)
        (folder / "trace.json").write_text(json.dumps(trace(self) | changed))
        (folder / "result.patch").write_bytes(self.patch)
        return folder


def trace(scene: Scene) -> dict[str, Any]:
    return {
        "schema": "orefactor.trace/1",
        "version": "1",
        "run_id": RUN,
        "task": "task",
        "paths": [],
        "settings": {},
        "status": "completed",
        "reason": "delivered",
        "exit_code": 0,
        "message": "it passed",
        "verified": True,
        "files_changed": [],
        "iterations": 1,
        "summary": {"title": "t", "body": ""},
        "tree": scene.tree,
        "base": {
            "source": "HEAD",
            "commit": scene.base,
            "tree": git(scene.folder, "rev-parse", scene.base + "^{tree}"),
        },
        "usage": {"prompt_tokens": 1, "cached_tokens": 0, "completion_tokens": 1, "requests": 1},
    }


def make_scene(folder: Path, after: Files, change: Callable[[Path], object] = lambda _: None) -> Scene:
    base = git(folder, "rev-parse", "HEAD")
    write_files(folder, after)
    change(folder)
    git(folder, "add", "-A")
    tree = git(folder, "write-tree")
    git(folder, "reset", "-q", "--hard", base)
    return Scene(find_repository(folder), folder, base, tree)


@pytest.fixture
def scene(make_repository: MakeRepository) -> Scene:
    return make_scene(make_repository(BEFORE), AFTER)


def refused(scene: Scene, patch: bytes) -> UserError:
    """The refusal of a patch, after which the repository is as before."""
    before = user_state(scene.folder)
    with pytest.raises(UserError) as raised:
        prove_patch(scene.repository, patch)
    assert user_state(scene.folder) == before
    assert not leftovers(scene.folder)
    assert raised.value.hint
    return raised.value


def other_kinds(folder: Path) -> None:
    (folder / "old name.py").rename(folder / "new name.py")
    (folder / "link").unlink()
    (folder / "link").symlink_to("../../../../etc/passwd")
    (folder / "run").chmod(0o755)
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{git(folder, 'rev-parse', 'HEAD')},module")


@pytest.mark.parametrize("options", [[], ["--object-format=sha256"]], ids=["sha1", "sha256"])
def test_each_kind_of_change_is_proven(make_repository: MakeRepository, options: list[str]) -> None:
    scene = make_scene(make_repository(BEFORE, "repo", *options), EVERYTHING, other_kinds)
    before = user_state(scene.folder)
    proof = prove_patch(scene.repository, scene.patch)
    assert (proof.run_id, proof.base, proof.tree, proof.start) == (RUN, scene.base, scene.tree, scene.base)
    assert (proof.trace, proof.same_bytes, proof.commit) == (None, None, None)
    assert {change.path for change in proof.changes} >= {"new name.py", "link", "run", "data.bin", "crlf.txt"}
    assert user_state(scene.folder) == before
    assert not leftovers(scene.folder)


@pytest.mark.parametrize(
    ("above", "below", "same"),
    [
        pytest.param(b"", b"", True, id="as delivered"),
        pytest.param(b"Subject: x\n by y\n\n-- \n- 1\n", b"-- \n2.39.5\n", False, id="in a mail"),
    ],
)
def test_a_kept_run(scene: Scene, above: bytes, below: bytes, same: bool) -> None:
    scene.keep()
    proof = prove_patch(scene.repository, above + scene.patch + below)
    assert proof.trace is not None
    assert proof.same_bytes is same


def test_in_a_subfolder_a_linked_worktree_and_a_bare_clone(scene: Scene, tmp_path: Path) -> None:
    git(scene.folder, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    git(scene.folder, "clone", "-q", "--bare", str(scene.folder), str(tmp_path / "bare"))
    for place in (scene.folder / "src", tmp_path / "linked", tmp_path / "bare"):
        assert prove_patch(find_repository(place), scene.patch).tree == scene.tree


def test_configuration_changes_nothing(scene: Scene) -> None:
    for key in ("apply.whitespace", "apply.ignoreWhitespace", "core.autocrlf", "diff.noprefix"):
        git(
            scene.folder,
            "config",
            key,
            {"apply.whitespace": "fix", "apply.ignoreWhitespace": "change"}.get(key, "true"),
        )
    (scene.folder / ".git" / "info" / "attributes").write_text("*.py text eol=crlf diff=x filter=x\n")
    git(scene.folder, "config", "filter.x.clean", "false")
    git(scene.folder, "config", "filter.x.required", "true")
    at = find_repository(scene.folder)
    assert prove_patch(at, scene.patch).tree == scene.tree
    spaced = scene.patch.replace(b" def twice(a):", b" def  twice(a):")
    assert spaced != scene.patch
    with pytest.raises(UserError) as raised:
        prove_patch(at, spaced)
    assert raised.value.exit_code is ExitCode.CONFLICT


SHAPES_LINES = b"-    return 2 * a\n+    return a + a\n"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        pytest.param(b"+    return a + a", b"+    return a - a", ExitCode.GATE, id="an added line"),
        pytest.param(b"-    return 2 * a", b"-    return 3 * a", ExitCode.CONFLICT, id="a removed line"),
        pytest.param(b" def twice(a):", b" def thrice(a):", ExitCode.CONFLICT, id="a line around it"),
        pytest.param(b"+    return a + a\n", b"+    return a + a\r\n", ExitCode.GATE, id="a line end"),
        pytest.param(b"+++ b/src/shapes.py", b"+++ b/src/shapez.py", ExitCode.GATE, id="a path"),
        pytest.param(b"src/shapes.py", b"../shapes.py", ExitCode.CONFLICT, id="a path out of the tree"),
        pytest.param(b"new file mode 100644", b"new file mode 100755", ExitCode.GATE, id="a mode"),
        pytest.param(b"new file mode 100644", b"new file mode 120000", ExitCode.GATE, id="a link"),
        pytest.param(b"new file mode 100644", b"new file mode 160000", None, id="a submodule"),
        pytest.param(SHAPES_LINES, b"", ExitCode.CONFLICT, id="lines taken out"),
        pytest.param(b"\n", b"\r\n", None, id="CRLF throughout"),
        pytest.param(b"\n ", b"\n", ExitCode.CONFLICT, id="leading spaces taken away"),
        pytest.param(b"    ", b"\t", ExitCode.CONFLICT, id="tabs for spaces"),
        pytest.param(b"--- a/src", b"Reviewed\n--- a/src", ExitCode.CONFLICT, id="a line in a head"),
        pytest.param(b"+new\n", b"+new\n+more\n", ExitCode.GATE, id="a line beyond the hunk"),
    ],
)
def test_a_changed_patch(scene: Scene, old: bytes, new: bytes, code: ExitCode | None) -> None:
    changed = scene.patch.replace(old, new)
    assert changed != scene.patch
    error = refused(scene, changed)
    assert error.exit_code in ((code,) if code else (ExitCode.GATE, ExitCode.CONFLICT))


@pytest.mark.untraced
def test_a_byte_changed_anywhere(scene: Scene) -> None:
    patch = scene.patch
    passed: list[bytes] = []
    for at in range(patch.index(b"diff --git"), len(patch), 5):
        changed = patch[:at] + bytes([patch[at] ^ 1]) + patch[at + 1 :]
        try:
            assert prove_patch(scene.repository, changed).tree == scene.tree
        except UserError as error:
            assert error.exit_code in (ExitCode.GATE, ExitCode.CONFLICT)
        else:
            passed.append(changed[changed.rindex(b"\n", 0, at) + 1 : changed.index(b"\n", at)])
    # What stands behind the line numbers is for people; git writes it as its version and the attributes say.
    assert all(line.startswith(b"@@ -3,4 +3,4 @@") for line in passed)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b"diff --git a/src/shapes.py b", b"diff --git a/src/colour.py b", id="another name in the head"),
        pytest.param(b"new file mode 100644", b"new file mode 100645", id="an odd mode"),
        pytest.param(b"index 7c324e99", b"index 7c324e98", id="another content for a three-way merge"),
        pytest.param(b"@@ -3,4 +3,4 @@", b"@@ -3,4 +4,4 @@", id="other line numbers"),
        pytest.param(b"return a + a\n", b"return a + a\n+    more()\n", id="a line that git skips"),
        pytest.param(b"return a + a\n", b"return a + a\n@@ oh @@\n", id="a hunk that is none"),
        pytest.param(b"return a + a\n", b"return a + a\n\n--- a/x\n", id="a name that is none"),
    ],
)
def test_what_git_skips_must_not_mislead(scene: Scene, old: bytes, new: bytes) -> None:
    changed = scene.patch.replace(old, new)
    assert changed != scene.patch
    error = refused(scene, changed)
    assert error.exit_code is ExitCode.GATE
    assert "reads as a part of it" in error.message


ESCAPES = (".git/config", ".GIT/hooks/x", "src/../../x", "/etc/x", "src/.git/x", "git~1/x", "link/x")


@pytest.mark.parametrize("path", ESCAPES)
def test_no_path_leads_out(make_repository: MakeRepository, path: str) -> None:
    scene = make_scene(make_repository({"a": "a\n"}), {"name": "x\n"}, lambda at: (at / "link").symlink_to("/tmp"))
    assert refused(scene, scene.patch.replace(b"b/name", f"b/{path}".encode())).exit_code is ExitCode.CONFLICT


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param(b"diff --git a/x b/x\n" * 50_000, ExitCode.CONFLICT, id="heads alone"),
        pytest.param(
            b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n" + b"-x\n" * 99, ExitCode.CONFLICT, id="cut"
        ),
        pytest.param(b"diff --git \x00\xff\x1b[31m\n", ExitCode.CONFLICT, id="control characters"),
        pytest.param(b"diff --git a/x b/x\n" + b"x" * 5_000_000, ExitCode.CONFLICT, id="a long line"),
        pytest.param(
            b"diff --git a/x b/x\nnew file mode 100644\nindex "
            + b"0" * 40
            + b"..1\nGIT binary patch\nliteral 9999999999\nzz\n",
            ExitCode.CONFLICT,
            id="a broken binary",
        ),
    ],
)
def test_a_body_that_is_none(scene: Scene, body: bytes, code: ExitCode) -> None:
    error = refused(scene, with_header(body, RUN, scene.base, scene.tree))
    assert error.exit_code is code
    assert len(error.message) < 500


def test_a_patch_for_another_base(scene: Scene) -> None:
    write_files(scene.folder, {"src/shapes.py": CODE.replace("twice", "double")})
    git(scene.folder, "commit", "-qam", "second")
    head = git(scene.folder, "rev-parse", "HEAD")
    error = refused(scene, scene.patch.replace(scene.base.encode(), head.encode()))
    assert error.exit_code is ExitCode.CONFLICT
    assert "src/shapes.py" in error.message


@pytest.mark.parametrize("name", ["1" * 40, "tree", "blob", "1" * 64])
def test_a_base_that_is_not_here(scene: Scene, name: str) -> None:
    objects = {"tree": scene.tree, "blob": git(scene.folder, "rev-parse", "HEAD:run")}
    base = objects.get(name, name)
    error = refused(scene, scene.patch.replace(scene.base.encode(), base.encode()))
    assert (error.exit_code, base in error.message, "git fetch" in error.hint) == (ExitCode.ENVIRONMENT, True, True)


def _snapshot(scene: Scene) -> tuple[str, bytes]:
    """A base that only its run remembers, and the patch on it."""
    blob = git(scene.folder, "hash-object", "-w", "--stdin", stdin=b"unfinished\n")
    listed = git(scene.folder, "ls-tree", scene.base) + f"\n100644 blob {blob}\tnotes\n"
    tree = git(scene.folder, "mktree", stdin=listed.encode())
    return tree, write_patch(scene.repository.git, scene.base, tree)


def test_a_snapshot_that_git_has_dropped(scene: Scene) -> None:
    tree, difference = _snapshot(scene)
    dropped = "d" * 40
    patch = scene.patch.replace(scene.base.encode(), dropped.encode())
    base = {"source": "worktree", "commit": dropped, "tree": tree, "head": scene.base}
    body = scene.patch[scene.patch.index(b"diff --git") :]
    result = git(scene.folder, "mktree", stdin=_with_notes(scene, tree).encode())
    folder = scene.keep(base=base, tree=result)
    patch = with_header(body, RUN, dropped, result)
    assert refused(scene, patch).exit_code is ExitCode.ENVIRONMENT
    (folder / "base.patch").write_bytes(difference)
    proof = prove_patch(scene.repository, patch)
    assert (proof.base, proof.start, proof.tree) == (dropped, tree, result)
    told = json.loads((folder / "trace.json").read_bytes())
    (folder / "trace.json").write_text(json.dumps({**told, "base": {**base, "head": "HEAD"}}))
    assert refused(scene, patch).exit_code is ExitCode.ENVIRONMENT
    (folder / "trace.json").write_text(json.dumps(told))
    (folder / "base.patch").write_bytes(difference.replace(b"+unfinished", b"+unfinishee"))
    assert refused(scene, patch).exit_code is ExitCode.ENVIRONMENT


def _with_notes(scene: Scene, base: str) -> str:
    notes = git(scene.folder, "ls-tree", base, "notes")
    return git(scene.folder, "ls-tree", scene.tree) + "\n" + notes + "\n"


OTHER = "3" * 40


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"tree": OTHER}, f"names {OTHER}"),
        ({"tree": None}, "names none"),
        ({"base": None}, "names none"),
        ({"base": {"source": "HEAD", "commit": OTHER, "tree": OTHER}}, f"names {OTHER}"),
        ({"status": "gate", "message": "the check failed\x1b"}, "refused: the check failed"),
        ({"tree": "\x1b" + "x" * 9999}, "names"),
    ],
    ids=["another tree", "no tree", "no base", "another base", "a refused change", "hostile"],
)
def test_a_trace_that_says_otherwise(scene: Scene, changed: dict[str, Any], said: str) -> None:
    scene.keep(**changed)
    error = refused(scene, scene.patch)
    assert error.exit_code is ExitCode.GATE
    assert said in error.message
    assert len(error.message) < 600


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 100_000, b"{}"])
def test_a_trace_that_is_none_counts_as_not_kept(scene: Scene, content: bytes) -> None:
    (scene.keep() / "trace.json").write_bytes(content)
    (scene.folder / ".git/orefactor/runs" / RUN / "result.patch").unlink()
    proof = prove_patch(scene.repository, scene.patch)
    assert (proof.trace, proof.same_bytes) == (None, None)


def test_another_runs_trace_does_not_count(scene: Scene) -> None:
    scene.keep(run_id="20261130T101500-000000", tree=OTHER)
    assert prove_patch(scene.repository, scene.patch).trace is None


def test_a_kept_run_without_its_patch(scene: Scene) -> None:
    (scene.keep() / "result.patch").unlink()
    proof = prove_patch(scene.repository, scene.patch)
    assert (proof.trace is not None, proof.same_bytes) == (True, None)


def test_a_partial_clone(scene: Scene, tmp_path: Path) -> None:
    git(scene.folder, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", scene.folder.as_uri(), str(clone))
    with pytest.raises(UserError, match="partial clone") as raised:
        prove_patch(find_repository(clone), scene.patch)
    assert raised.value.exit_code is ExitCode.ENVIRONMENT


def commit(scene: Scene, message: str, *parents: str) -> str:
    options = [word for parent in parents or (scene.base,) for word in ("-p", parent)]
    return git(scene.folder, "commit-tree", scene.tree, *options, stdin=message.encode())


MESSAGE = f"Title\n\nBody\n\nOrefactor-Run: {RUN}\nOrefactor-Model: m\n"


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(MESSAGE, id="as written"),
        pytest.param(MESSAGE + "Signed-off-by: A <a@example.com>\n\n", id="signed off"),
        pytest.param(MESSAGE.replace("\n", "\r\n"), id="CRLF"),
        pytest.param("Orefactor-Run: x\n\n" + MESSAGE, id="the words elsewhere"),
        pytest.param(MESSAGE + f"Orefactor-Run: {RUN}\n", id="twice the same"),
    ],
)
def test_a_commit_is_proven(scene: Scene, message: str) -> None:
    scene.keep()
    made = commit(scene, message)
    before = user_state(scene.folder)
    proof = prove_commit(scene.repository, made)
    assert (proof.commit, proof.base, proof.tree, proof.run_id) == (made, scene.base, scene.tree, RUN)
    assert {change.path for change in proof.changes} == {"src/shapes.py", 'n\u00e9w "name"\t.py'}
    assert user_state(scene.folder) == before


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Title\n", "no trailer"),
        ("", "no trailer"),
        (MESSAGE + "\nMore words\n", "no trailer"),
        (MESSAGE.replace("Orefactor-Run", " Orefactor-Run"), "no trailer"),
        (MESSAGE.replace(RUN, ""), "in no form"),
        (MESSAGE.replace(RUN, "../../x"), "in no form"),
        (MESSAGE + "Orefactor-Run: 20261130T101500-000000\n", "several runs"),
    ],
)
def test_a_commit_that_names_no_run(scene: Scene, message: str, said: str) -> None:
    scene.keep()
    with pytest.raises(UserError, match=said) as raised:
        prove_commit(scene.repository, commit(scene, message))
    assert raised.value.exit_code is ExitCode.USAGE


@pytest.mark.parametrize("revision", ["nothing", "HEAD^{tree}", "--all", "-", "", "a\0b", "\udcff", "HEAD:run", "a..b"])
def test_no_commit(scene: Scene, revision: str) -> None:
    with pytest.raises(UserError, match="neither a file nor a commit") as raised:
        prove_commit(scene.repository, revision)
    assert raised.value.exit_code is ExitCode.USAGE


def test_a_commit_whose_run_is_not_kept(scene: Scene) -> None:
    made = commit(scene, MESSAGE)
    with pytest.raises(UserError, match=f"{RUN}.*{made}.*not kept.*{scene.tree}") as raised:
        prove_commit(scene.repository, made)
    assert raised.value.exit_code is ExitCode.ENVIRONMENT


@pytest.mark.parametrize("kind", ["tree", "parent", "parents", "root"])
def test_a_commit_that_is_not_what_the_run_gave(scene: Scene, kind: str) -> None:
    scene.keep()
    other = commit(scene, "other")
    match kind:
        case "tree":
            made = git(scene.folder, "commit-tree", scene.base + "^{tree}", "-p", scene.base, stdin=MESSAGE.encode())
        case "parent":
            made = commit(scene, MESSAGE, other)
        case "parents":
            made = commit(scene, MESSAGE, scene.base, other)
        case _:
            made = git(scene.folder, "commit-tree", scene.tree, stdin=MESSAGE.encode())
    with pytest.raises(UserError) as raised:
        prove_commit(scene.repository, made)
    assert raised.value.exit_code is ExitCode.GATE


def test_what_stands_in_for_a_commit_does_not_count(scene: Scene) -> None:
    scene.keep()
    good, bad = commit(scene, MESSAGE), commit(scene, "no run")
    git(scene.folder, "replace", bad, good)
    with pytest.raises(UserError, match="no trailer"):
        prove_commit(scene.repository, bad)
