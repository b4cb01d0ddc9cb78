"""The database of symbols: what is put in comes out, everything else is noticed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from orefactor.core.index.database import Damaged, Unusable, connect
from orefactor.core.index.postings import BUCKETS, bucket_of, pairs
from orefactor.core.index.symbol_rows import EMPTY, Row
from orefactor.core.index.symbol_store import SymbolStore, key_of

SECRET = b"secret"
ONE, TWO, THREE = (key_of(digit * 40, "python") for digit in "123")
FIRST = Row(
    b"first",
    {"defined": ["area", "area"], "folded": ["area", "area", "xarea"], "mentioned": ["g"]},
    {"defined": [0, 2], "folded": [0, 2, 2]},
)
SECOND = Row(b"second", {"defined": ["area", "\ud800"], "mentioned": ["g", "h"]}, {"defined": [1, 5]})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "a ?#%41\udce9.sqlite"
    found.touch()
    return found


@contextmanager
def opened(path: Path, secret: bytes = SECRET, *, read_only: bool = False) -> Generator[SymbolStore]:
    with closing(connect(path, "ro" if read_only else "rw", 0)) as connection:
        yield SymbolStore(connection, secret)


def fill(path: Path) -> None:
    with opened(path) as store:
        store.add([(ONE, FIRST), (TWO, SECOND)])
        store.mark_whole(b"tree")


def test_what_is_kept_is_found_again(path: Path) -> None:
    fill(path)
    with opened(path, read_only=True) as store:
        assert store.count() == 2
        assert store.has([ONE, TWO, THREE]) == {ONE, TWO}
        assert store.symbols([ONE, TWO, THREE]) == {ONE: b"first", TWO: b"second"}
        assert store.is_whole(b"tree")
        assert not store.is_whole(b"another")
        assert store.find("mentioned", ["g", "h", "none"]) == {"g": [1, 2], "h": [2], "none": []}
        defined = store.find("defined", ["area", "\ud800"])
        assert pairs("defined", defined["area"]) == [(1, 0), (1, 2), (2, 1)]
        assert pairs("defined", defined["\ud800"]) == [(2, 5)]
        assert pairs("mentioned", [1, 2]) == [(1, -1), (2, -1)]
        assert store.find("folded", ["xarea"]) == {"xarea": [1, 2]}
        assert store.keys_of([2, 1, 2]) == {1: ONE, 2: TWO}
        assert [store.symbols([]), store.find("folded", []), store.keys_of([])] == [{}, {}, {}]


def test_a_key_is_kept_once(path: Path) -> None:
    fill(path)
    with opened(path) as store:
        assert store.find("mentioned", ["h"]) == {"h": [2]}
        store.add([(TWO, FIRST), (THREE, SECOND), (THREE, FIRST), (key_of("4" * 40, "x"), EMPTY)])
        assert store.count() == 4
        assert store.symbols([TWO, THREE]) == {TWO: b"second", THREE: b"second"}
        assert store.find("mentioned", ["g", "h"]) == {"g": [1, 2, 3], "h": [2, 3]}
        store.mark_whole(b"tree")


def test_many_values_in_one_question(path: Path) -> None:
    keys = [key_of(f"{number:040x}", "python") for number in range(2500)]
    with opened(path) as store:
        names = [f"name{number}" for number in range(4000)]
        many = Row(b"", {"defined": names}, {"defined": range(4000)})
        store.add([(key, many if key == keys[0] else EMPTY) for key in keys])
        assert store.has(keys) == set(keys)
        assert store.find("defined", names) == {name: [1, position] for position, name in enumerate(names)}
        assert len(store.keys_of(range(1, 2501))) == 2500


def in_names(change: str) -> str:
    return f"UPDATE names SET {change} WHERE bucket = {bucket_of('mentioned', 'g')}"


DAMAGES = {
    "symbols-changed": "UPDATE symbols SET data = 'x' || data",
    "symbols-text": "UPDATE symbols SET data = 'text'",
    "symbols-number": "UPDATE symbols SET data = 7",
    "symbols-swapped": "UPDATE symbols SET number = CASE number WHEN 1 THEN -2 ELSE -1 END",
    "symbols-gone": "DELETE FROM symbols",
    "blobs-swapped": "UPDATE blobs SET number = 3 - number",
    "blobs-lost": "UPDATE blobs SET number = 99 WHERE number = 2",
    "keys-changed": "UPDATE keys SET data = data || 'x'",
    "keys-gone": "DELETE FROM keys",
    "names-changed": in_names("data = CAST('' AS BLOB)"),
    "names-unsealed": in_names("seal = x''"),
    "names-gone": f"DELETE FROM names WHERE bucket >= {BUCKETS}",
    "names-another": in_names(f"bucket = {10 * BUCKETS}"),
    "trees-forged": "UPDATE trees SET seal = x'00000000000000000000000000000000'",
    "no-table": "DROP TABLE names",
    "no-column": "ALTER TABLE symbols DROP COLUMN seal",
    "another-schema": "PRAGMA user_version = 99",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_noticed(path: Path, damage: str) -> None:
    fill(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(damage)
    with pytest.raises(Damaged), opened(path) as store:
        store.is_whole(b"tree")
        found = store.find("mentioned", ["g"])
        store.keys_of(found["g"])
        store.symbols([ONE, TWO])
        raise AssertionError


def test_rows_of_another_user_count_as_damage(path: Path) -> None:
    fill(path)
    with opened(path, b"another") as store, pytest.raises(Damaged):
        store.find("mentioned", ["g"])


OVERWRITES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "head-only": lambda data: data[:100],
    "text": lambda data: b"no database at all\n" * 1000,
    "zeros": lambda data: data[:4096] + bytes(len(data) - 4096),
}


@pytest.mark.parametrize("overwrite", OVERWRITES.values(), ids=OVERWRITES)
def test_a_damaged_file_is_noticed(path: Path, overwrite: Callable[[bytes], bytes]) -> None:
    fill(path)
    path.write_bytes(overwrite(path.read_bytes()))
    with pytest.raises(Damaged), opened(path) as store:
        store.symbols([ONE, TWO])
        store.find("mentioned", ["g", "h"])
        raise AssertionError


def test_a_number_is_never_given_twice(path: Path) -> None:
    fill(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM symbols WHERE number = 2")
    with opened(path) as store, pytest.raises(Damaged):
        store.add([(THREE, FIRST)])


def test_what_is_in_the_way_is_no_damage(path: Path) -> None:
    fill(path)
    with opened(path, read_only=True) as store, pytest.raises(Unusable) as caught:
        store.mark_whole(b"x")
    assert not isinstance(caught.value, Damaged)
    with pytest.raises(Unusable), opened(path.with_name("none")):
        raise AssertionError
    with opened(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Unusable) as caught:
            store.add([(THREE, FIRST)])
        assert not isinstance(caught.value, Damaged)
        other.execute("ROLLBACK")
        store.close()
        with pytest.raises(Unusable):
            store.has([ONE])


def test_what_fails_in_the_middle_was_never_there(path: Path) -> None:
    fill(path)
    wrong = Row(None, {}, {})  # type: ignore[arg-type]
    with opened(path) as store:
        with pytest.raises(TypeError):
            store.add([(THREE, FIRST), (key_of("4" * 40, "python"), wrong)])
        assert store.has([ONE, THREE]) == {ONE}
        store.add([(THREE, FIRST)])
    assert not os.path.exists(f"{path}-journal")
