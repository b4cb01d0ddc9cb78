"""The file of an index: one that strangers can't have put there, and nothing of others is touched."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from orefactor.core.index.database import Damaged
from orefactor.core.index.index_file import IndexFile
from orefactor.core.index.symbol_rows import EMPTY


def names(common: Path) -> list[str]:
    return sorted(path.name for path in (common / "orefactor").iterdir())


def made(common: Path, secret: bytes = b"secret") -> str:
    store = IndexFile(common, secret).open_next()
    assert store is not None
    store.add([("key", EMPTY)])
    store.close()
    return names(common)[-1]


def test_the_name_tells_nothing_to_those_without_the_key(tmp_path: Path) -> None:
    mine, others = made(tmp_path / "mine"), made(tmp_path / "others", b"another")
    assert mine != others
    assert made(tmp_path / "again") == mine
    (tmp_path / "mine/orefactor" / others).write_bytes((tmp_path / "others/orefactor" / others).read_bytes())
    (tmp_path / "others/orefactor" / mine).write_bytes(b"made by a stranger")
    for common, secret in (("mine", b"secret"), ("others", b"another")):
        store = IndexFile(tmp_path / common, secret).open_kept()
        assert store is not None
        assert store.has(["key"]) == {"key"}
        store.close()


def test_another_generation_takes_over(tmp_path: Path) -> None:
    first = made(tmp_path)
    second = first.replace(".1.", ".2.")
    one, other = IndexFile(tmp_path, b"secret"), IndexFile(tmp_path, b"secret")
    (tmp_path / "orefactor" / first).write_bytes(b"damaged\n" * 1000)
    for file in (one, other):
        with pytest.raises(Damaged):
            file.open_kept()
    stores = [file.open_next() for file in (one, other)]
    assert names(tmp_path) == [second]
    for store in stores:
        assert store is not None
        store.add([(f"key {id(store)}", EMPTY)])
        assert store.count() in (1, 2)
        store.close()


def test_what_is_over_is_removed_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "orefactor"
    folder.mkdir()
    old, young = f"symbols-{'0' * 24}.3.sqlite", f"symbols-{'1' * 24}.3.sqlite"
    others = ["baselines", "symbols", "symbols-x.1.sqlite", f"symbols-{'0' * 24}.1.sqlite.txt"]
    for name in (old, young, *others):
        (folder / name).touch()
        if name != young:
            os.utime(folder / name, (1, time.time() - 31 * 86_400))
    a_folder = f"symbols-{'2' * 24}.1.sqlite"
    (folder / a_folder).mkdir()
    os.utime(folder / a_folder, (1, 1))
    made(tmp_path)
    left = set(names(tmp_path))
    assert left > {young, a_folder, *others}
    assert len(left) == len(others) + 3
    assert old not in left


def test_where_no_file_can_be_made(tmp_path: Path) -> None:
    file = IndexFile(tmp_path / "none", b"secret")
    assert file.open_kept() is None
    assert not (tmp_path / "none").exists()
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/orefactor").touch()
    assert IndexFile(tmp_path / "taken", b"secret").open_kept() is None
    assert IndexFile(tmp_path / "taken", b"secret").open_next() is None
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/orefactor").symlink_to(tmp_path)
    assert IndexFile(tmp_path / "linked", b"secret").open_kept() is None
    assert IndexFile(tmp_path / "linked", b"secret").open_next() is None
