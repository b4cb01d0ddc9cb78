"""The index in the repository with anything else in its place, or where nothing can be kept: the same answers."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepository
from stored_indexes import EXPECTED, FILES, answers, kept, opened

from orefactor.core.index.index_file import IndexFile
from orefactor.core.index.symbol_rows import EMPTY
from orefactor.core.user_key import derived_key


def replaced_by(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        file.unlink()
        make(file)

    return damage


def huge(file: Path) -> None:
    with file.open("r+b") as opened_file:
        opened_file.truncate(5 << 30)


def written(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda file: (file.write_bytes(change(file.read_bytes())), None)[1]


DAMAGES: dict[str, Callable[[Path], None]] = {
    "empty": written(lambda _: b""),
    "cut": written(lambda data: data[: len(data) // 2]),
    "text": written(lambda _: b"nothing\n" * 1000),
    "random-middle": written(lambda data: data[:8192] + bytes(range(256)) * (len(data) // 256 - 32)),
    "flipped": written(lambda data: bytes(byte ^ (255 * (place % 700 == 699)) for place, byte in enumerate(data))),
    "huge": huge,
    "folder": replaced_by(Path.mkdir),
    "fifo": replaced_by(os.mkfifo),
    "link-to-itself": replaced_by(lambda file: file.symlink_to(file)),
    "link-elsewhere": replaced_by(lambda file: file.symlink_to(file.parent.parent / "HEAD")),
    "gone": Path.unlink,
    "another-schema": lambda file: sqlite(file, "PRAGMA user_version = 7"),
    "no-tables": lambda file: sqlite(file, "DROP TABLE names", "DROP TABLE blobs"),
    "lost-symbols": lambda file: sqlite(file, "DELETE FROM symbols"),
    "lost-tree": lambda file: sqlite(file, "DELETE FROM trees"),
    "journal-folder": lambda file: file.with_name(f"{file.name}-journal").mkdir(),
}


def sqlite(file: Path, *statements: str) -> None:
    import sqlite3

    connection = sqlite3.connect(file, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_damaged_is_made_again(make_repository: MakeRepository, damage: Callable[[Path], None]) -> None:
    top = make_repository(FILES)
    alive = opened(top)
    (file,) = kept(top)
    head = (top / ".git/HEAD").read_bytes()
    damage(file)
    assert answers(opened(top)) == EXPECTED
    assert answers(alive) == EXPECTED
    assert (top / ".git/HEAD").read_bytes() == head
    if not file.with_name(f"{file.name}-journal").is_dir():
        healed = opened(top)
        assert answers(healed) == EXPECTED
        assert healed.parsed == 0


def no_folder(top: Path) -> None:
    (top / ".git/orefactor").write_text("no folder")


def link(top: Path) -> None:
    (top / "elsewhere").mkdir()
    (top / ".git/orefactor").symlink_to(top / "elsewhere")


def taken(top: Path) -> None:
    opened(top)
    (file,) = kept(top)
    file.write_bytes(b"nothing\n" * 1000)
    file.with_name(file.name.replace(".1.", ".2.")).mkdir()
    file.with_name(file.name.replace(".1.", ".3.")).mkdir()
    file.with_name(file.name.replace(".1.", ".4.")).symlink_to("nowhere")


@pytest.mark.parametrize("prepare", [no_folder, link, taken])
def test_where_nothing_can_be_kept(make_repository: MakeRepository, prepare: Callable[[Path], None]) -> None:
    top = make_repository(FILES)
    prepare(top)
    for _ in range(2):
        assert answers(opened(top)) == EXPECTED
    assert not (top / "elsewhere").exists() or not list((top / "elsewhere").iterdir())


def test_without_a_key_nothing_is_kept(make_repository: MakeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    top = make_repository(FILES)
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    assert answers(opened(top)) == EXPECTED
    assert kept(top) == []


def test_what_other_trees_left_goes_when_it_is_too_much(make_repository: MakeRepository) -> None:
    top = make_repository(FILES)
    secret = derived_key("symbols")
    assert secret is not None
    store = IndexFile(top / ".git", secret).open_next()
    assert store is not None
    store.add((f"{number}:python", EMPTY) for number in range(50_013))
    store.close()
    (file,) = kept(top)
    assert answers(opened(top)) == EXPECTED
    assert kept(top)[0] != file
    assert kept(top)[0].stat().st_size < 1 << 20
    assert opened(top).parsed == 0


def test_sources_are_read_once_and_not_all_kept(make_repository: MakeRepository) -> None:
    files = {f"{number}": b"%d" % number for number in range(70)}
    index = opened(make_repository(files))
    for _ in range(2):
        assert {path: index.source(path) for path in index.paths} == files


def test_nothing_is_made_for_a_tree_without_code(make_repository: MakeRepository) -> None:
    top = make_repository({"data": b"\0", "LICENSE": b"words"})
    assert list(opened(top).paths) == ["LICENSE", "data"]
    assert opened(top).folded(["words"]) == {}
    assert kept(top) == []
