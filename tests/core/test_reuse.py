"""What makes two requests the same, and what is remembered of the runs that answered them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, git, write_files
from recordings import recorded
from scripted import ScriptedProvider

from orefactor.core.errors import Cancelled, LimitReached, RunStopped
from orefactor.core.events import Event, ReuseBegun, ReuseTried
from orefactor.core.gate import ContractResult
from orefactor.core.judging import Judgement
from orefactor.core.request import Prepared, RunRequest, prepare
from orefactor.core.reuse import Reuse, is_wanted, result_difference, reuse_key
from orefactor.core.reuse_store import MOST_FILES, ReuseStore
from orefactor.core.trace import RunFolder, make_run_folder
from orefactor.sandbox.patch import Change

RUN = "20300101T000000-abcdef"
KEY = "ab" * 32


@pytest.fixture
def repository(make_repository: MakeRepository, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-of-the-test-0123456789abcdef")
    return make_repository({"src/a.py": "x = 1\n", "src/b.py": "y = 1\n", "c.py": "z = 1\n"})


def prepared(root: Path, task: str = "simplify", *paths: str, **options: Any) -> Prepared:
    return prepare(RunRequest(task, root, paths or ("src",), options, user_settings=True))


def with_file(root: Path, name: str, content: str) -> Prepared:
    write_files(root, {name: content})
    return prepared(root)


def with_mode(root: Path) -> Prepared:
    (root / "src/b.py").chmod(0o755)
    return prepared(root)


Ask = Callable[[Path], Prepared]
SAME: dict[str, Ask] = {
    "white-space": lambda r: prepared(r, " simplify\n"),
    "from-another-folder": lambda r: prepared(r / "src", "simplify", "."),
    "limits": lambda r: prepared(r, max_tokens=9, max_cost=1.0, max_seconds=9, max_iterations=2),
    "where-checks-run": lambda r: prepared(r, sandbox="none", python="python3"),
    "another-name-of-the-base": lambda r: prepared(r, base="HEAD"),
    "outside-of-the-scope": lambda r: with_file(r, "c.py", "z = 2\n"),
    "a-fallback-that-can-not-help": lambda r: prepared(r, fallback=("recipes:x",)),
}
OTHER: dict[str, Ask] = {
    "inside-of-the-scope": lambda r: with_file(r, "src/b.py", ""),
    "a-mode": with_mode,
    "task": lambda r: prepared(r, "simplify all"),
    "scope": lambda r: prepared(r, "simplify", "src/a.py"),
    "everything": lambda r: prepared(r, "simplify", "."),
    "model": lambda r: prepared(r, model="deepseek-v4-flash"),
    "server": lambda r: prepared(r, base_url="http://127.0.0.1:1/v1"),
    "fallback": lambda r: prepared(r, fallback=("ollama:x",)),
    "protocol": lambda r: prepared(r, tool_protocol="text"),
    "context": lambda r: prepared(r, context_tokens=100),
    "contract": lambda r: prepared(r, contract=("docstrings",)),
    "checks": lambda r: prepared(r, checks=("ruff",)),
    "allowances": lambda r: prepared(r, allow=("tests",)),
    "minimize": lambda r: prepared(r, minimize=True),
}


def test_the_same_request(repository: Path) -> None:
    key = reuse_key(prepared(repository))
    assert {name for name, ask in SAME.items() if reuse_key(ask(repository)) == key} == set(SAME)


def test_another_request(repository: Path) -> None:
    key = reuse_key(prepared(repository))
    found: set[str] = set()
    for name, ask in OTHER.items():
        if reuse_key(ask(repository)) != key:
            found.add(name)
        git(repository, "restore", "src")
    assert found == set(OTHER)


def test_an_own_check_is_its_command(repository: Path) -> None:
    keys = {reuse_key(prepared(repository, checks=(f"own={command}",))) for command in ("true", "true", "false")}
    assert len(keys) == 2
    # The whole repository is the scope where none is named.
    before = reuse_key(prepared(repository, "simplify", "."))
    write_files(repository, {"c.py": "z = 3\n"})
    assert reuse_key(prepared(repository, "simplify", ".")) != before


def test_where_it_is_wanted(repository: Path) -> None:
    assert is_wanted(prepared(repository))
    assert not is_wanted(prepared(repository, reuse=False))
    assert not is_wanted(prepared(repository, "add docstrings", "src", provider="recipes"))
    assert not is_wanted(prepare(RunRequest("t", repository, provider=ScriptedProvider([]))))
    git(repository, "config", "orefactor.reuse", "no")
    assert not is_wanted(prepared(repository))


@pytest.fixture
def common(tmp_path: Path) -> Path:
    """A git directory in which one run is remembered."""
    folder = make_run_folder(tmp_path / "git", RUN)
    folder.write_trace(recorded(task="remembered"))
    ReuseStore(tmp_path / "git").put(KEY, folder)
    return tmp_path / "git"


def said(common: Path) -> Path:
    return common / "orefactor" / "reuse" / KEY


def run(common: Path) -> Path:
    return common / "orefactor" / "runs" / RUN


def _rename(common: Path) -> None:
    said(common).rename(said(common).with_name("cd" * 32))


def _replace_by(make: Callable[[Path, Path], object]) -> Callable[[Path], None]:
    def replace(common: Path) -> None:
        moved = said(common).rename(common / "moved")
        make(said(common), moved)

    return replace


def _link_runs(common: Path) -> None:
    run(common).parent.rename(common / "elsewhere")
    run(common).parent.symlink_to(common / "elsewhere")


SPOILS: dict[str, Callable[[Path], object]] = {
    "cut": lambda c: said(c).write_bytes(said(c).read_bytes()[:-2]),
    "empty": lambda c: said(c).write_bytes(b""),
    "signed-by-another": lambda c: said(c).write_bytes(b"0" * 64 + said(c).read_bytes()[64:]),
    "large": lambda c: said(c).write_bytes(said(c).read_bytes() + b" " * 5000),
    "another-trace": lambda c: (run(c) / "trace.json").write_text("{}"),
    "forgotten": lambda c: (run(c) / "trace.json").unlink(),
    "of-another-request": _rename,
    "link": _replace_by(lambda path, moved: path.symlink_to(moved)),
    "fifo": _replace_by(lambda path, _moved: os.mkfifo(path)),
    "folder": _replace_by(lambda path, _moved: path.mkdir()),
    "runs-elsewhere": _link_runs,
}


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_what_is_not_believed(common: Path, spoil: Callable[[Path], object]) -> None:
    found = ReuseStore(common).get(KEY)
    assert found is not None and found.task == "remembered"
    spoil(common)
    assert ReuseStore(common).get(KEY) is None
    assert ReuseStore(common).get("cd" * 32) is None


def test_a_trace_of_another_version_and_another_user(
    common: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = ReuseStore(common)
    (run(common) / "trace.json").write_text('{"schema": "orefactor.trace/9"}')
    store.put(KEY, RunFolder(run(common)))
    assert store.get(KEY) is None
    RunFolder(run(common)).write_trace(recorded())
    store.put(KEY, RunFolder(run(common)))
    assert store.get(KEY) is not None
    # A key of its own: what came with a download was signed by somebody else.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert store.get(KEY) is None
    (tmp_path / "none").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "none"))
    store.put(KEY, RunFolder(run(common)))
    assert store.get(KEY) is None


def test_what_can_not_be_kept_and_how_much_is(common: Path) -> None:
    store = ReuseStore(common)
    store.put("cd" * 32, RunFolder(common / "nothing"))
    for number in range(MOST_FILES + 3):
        (said(common).parent / f"{number:064x}").write_text("")
    (said(common).parent / "yours").write_text("")
    store.put(KEY, RunFolder(run(common)))
    kept = {path.name for path in said(common).parent.iterdir()}
    assert (len(kept), {KEY, "yours"} <= kept) == (MOST_FILES + 1, True)
    said(common).parent.rename(common / "elsewhere")
    said(common).parent.symlink_to(common / "elsewhere")
    store.put("ef" * 32, RunFolder(run(common)))
    assert not (common / "elsewhere" / ("ef" * 32)).exists()
    said(common).parent.unlink()
    said(common).parent.write_text("a file in its place")
    store.put(KEY, RunFolder(run(common)))


def judgement(tree: str, *paths: str, failing: bool = False) -> Judgement:
    changes = tuple(Change("modified", path, None, "100644", "100644") for path in paths)
    return Judgement(tree, changes, (), (), ContractResult(("any",), ok=not failing), ())


@pytest.mark.parametrize(
    ("judged", "left", "base", "words"),
    [
        pytest.param(judgement("e" * 40, "a"), 0, "d" * 40, "", id="the-same"),
        pytest.param(judgement("f" * 40, "a"), 0, "0" * 40, "", id="on-another-base"),
        pytest.param(judgement("f" * 40, "a"), 0, "d" * 40, "another tree", id="another-tree"),
        pytest.param(judgement("f" * 40, "a", "b"), 0, "0" * 40, "other files", id="more-files"),
        pytest.param(judgement("e" * 40, "a"), 1, "d" * 40, "sooner", id="replies-left"),
        pytest.param(judgement("e" * 40, "a", failing=True), 0, "d" * 40, "does not pass", id="failing"),
    ],
)
def test_what_comes_of_a_repeated_run(judged: Judgement, left: int, base: str, words: str) -> None:
    found = result_difference(recorded(files_changed=("a",)), judged, left, base)
    assert (words in found, bool(found)) == (True, bool(words))


@pytest.mark.parametrize(
    ("error", "passed_on"),
    [
        pytest.param(Cancelled(), True, id="cancelled"),
        pytest.param(LimitReached("max_seconds", "m", hint="h"), True, id="no-time"),
        pytest.param(LimitReached("max_iterations", "m", hint="h"), False, id="fewer-rounds"),
    ],
)
def test_what_ends_the_run_and_what_only_the_attempt(repository: Path, error: RunStopped, passed_on: bool) -> None:
    now = prepared(repository)
    folder = make_run_folder(now.repository.common_dir, RUN)
    folder.write_trace(recorded())
    ReuseStore(now.repository.common_dir).put(reuse_key(now), folder)
    reuse, told = Reuse(now), list[Event]()

    def work(_prepared: Prepared) -> Judgement:
        assert reuse.is_trying
        raise error

    if passed_on:
        with pytest.raises(type(error)):
            reuse.attempt(work, told.append)
    else:
        assert reuse.attempt(work, told.append) is None
    assert not reuse.is_trying
    expected = [ReuseBegun(RUN)] if passed_on else [ReuseBegun(RUN), ReuseTried(RUN, error.message)]
    assert told == expected
