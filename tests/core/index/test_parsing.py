"""Symbols of many files: the same from any number of processes, whatever becomes of them, and nothing left behind."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from orefactor.core.index.extraction import MAX_BYTES, symbols_of
from orefactor.core.index.parser_process import Died, ParserProcess
from orefactor.core.index.parsing import FEW_BYTES, FEW_FILES, Wanted, parse_all, portions
from orefactor.core.index.parsing_worker import HEADER, READY, request, serve
from orefactor.core.index.symbol_rows import EMPTY, Row, row_of

FILLING = b"# " + b"x" * (FEW_BYTES // FEW_FILES) + b"\n"
MANY = {f"m{number}.py": b"def f%d():\n    g%d()\n" % (number, number) + FILLING for number in range(FEW_FILES)}


def wanted(files: dict[str, bytes]) -> list[Wanted]:
    return [Wanted("", path, path, len(data)) for path, data in files.items()]


def rows(files: dict[str, bytes]) -> list[tuple[str, Row]]:
    return [(path, row_of(symbols_of(data, path))) for path, data in files.items()]


def parsed(
    files: dict[str, bytes], workers: int = 2, start: Callable[[], ParserProcess] = ParserProcess
) -> list[tuple[str, Row]]:
    found = parse_all(wanted(files), lambda blobs: [files[blob] for blob in blobs], workers, start)
    return [(file.path, row) for file, row in found]


def plain(found: list[tuple[str, Row]]) -> list[tuple[str, bytes, list[list[str]]]]:
    return [(path, row.symbols, [list(names) for names in row.names.values()]) for path, row in found]


def children() -> set[str]:
    task = Path(f"/proc/{os.getpid()}/task")
    return {pid for thread in task.iterdir() for pid in (thread / "children").read_text().split()}


@pytest.mark.parametrize("workers", [1, 3])
def test_any_number_of_processes_gives_the_same(workers: int) -> None:
    before = children()
    assert plain(parsed(MANY, workers=workers)) == plain(rows(MANY))
    assert children() == before


def test_few_files_are_read_here() -> None:
    def start() -> ParserProcess:
        raise AssertionError

    few = {"a.py": b"def f(): pass\n", "\udce9.py": b"x = 1\n", "b.unknown": b"def f(): pass\n"}
    assert plain(parsed(few, start=start)) == plain(rows(few))
    assert list(parse_all([], lambda _: [])) == []


def test_what_is_too_long_or_missing_or_binary() -> None:
    asked: list[str] = []

    def read(blobs: Sequence[str]) -> list[bytes | None]:
        asked.extend(blobs)
        return [
            {"binary.py": b"def f(): pass\n\0", "wide.py": "def f(): pass\n".encode("utf-16")}.get(it) for it in blobs
        ]

    sizes = {"long.py": MAX_BYTES + 1, "gone.py": 3, "binary.py": 15, "wide.py": 30}
    found = {file.path: row for file, row in parse_all([Wanted("", path, path, sizes[path]) for path in sizes], read)}
    assert asked == ["gone.py", "binary.py", "wide.py"]
    assert found["long.py"] == found["binary.py"] == EMPTY
    assert list(found) == ["long.py", "binary.py", "wide.py"]
    assert "f" in found["wide.py"].names["defined"]
    assert symbols_of(b"x = 1\n" * MAX_BYTES, "x.py") is None


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([], []),
        ([1, 1, 1], [2, 1]),
        ([9, 9], [1, 1]),
        ([99, 1], [1, 1]),
        ([5, 5, 5], [2, 1]),
        ([0, 0, 0, 0], [2, 2]),
    ],
)
def test_groups_are_bounded(sizes: list[int], expected: list[int]) -> None:
    files = [Wanted("", "", f"{number}.py", size) for number, size in enumerate(sizes)]
    groups = list(portions(files, 2, 10))
    assert [len(group) for group in groups] == expected
    assert [file for group in groups for file in group] == files


# Answers as the real one does, but dies as the names of the files say.
HOSTILE = """
import os, sys, time
from pathlib import Path
sys.path.append(sys.argv[1])
from orefactor.core.index import parsing_worker as real
from orefactor.core.index.extraction import symbols_of
from orefactor.core.index.symbol_rows import row_of

requests, answers = sys.stdin.buffer, sys.stdout.buffer
answers.write(real.READY)
answers.flush()
while head := requests.read(real.COUNT.size):
    files = []
    for _ in range(*real.COUNT.unpack(head)):
        name, content = real.HEADER.unpack(requests.read(real.HEADER.size))
        files.append((requests.read(name).decode(), requests.read(content)))
    for path, data in files:
        if path.startswith("crash"):
            os.kill(os.getpid(), 11)
        if path.startswith("hang"):
            time.sleep(99)
        if path.startswith("once") and not Path(sys.argv[0] + path).exists():
            Path(sys.argv[0] + path).touch()
            os._exit(1)
        answers.write(real.answer(row_of(symbols_of(data, path))))
        answers.flush()
"""


def program(folder: Path, text: str) -> Callable[[], ParserProcess]:
    path = folder / "program.py"
    path.write_text(text)
    return lambda: ParserProcess(path, 0.7)


def test_a_file_that_ends_its_process_costs_only_itself(tmp_path: Path) -> None:
    files = {**MANY, "crash.py": b"def f(): pass\n", "hang.py": b"def f(): pass\n", "once.py": b"def f(): pass\n"}
    files = dict(sorted(files.items()))
    before = children()
    found = parsed(files, start=program(tmp_path, HOSTILE))
    expected = {**dict(rows(files)), "crash.py": EMPTY, "hang.py": EMPTY}
    assert plain(found) == plain(list(expected.items()))
    assert children() == before


@pytest.mark.parametrize("text", ["", "print('hello')", "raise SystemExit(3)"], ids=["ends", "speaks", "fails"])
def test_without_processes_all_is_read_here(tmp_path: Path, text: str) -> None:
    before = children()
    assert plain(parsed(MANY, start=program(tmp_path, f"import sys\n{text}"))) == plain(rows(MANY))
    assert children() == before


def test_a_process_that_can_not_be_started(tmp_path: Path) -> None:
    with pytest.raises(Died):
        ParserProcess(tmp_path / "none.py")
    process = ParserProcess()
    process.kill()
    with pytest.raises(Died):
        list(process.parse([("x.py", FILLING * 100)]))
    process.close()


def test_who_stops_early_leaves_nothing() -> None:
    before = children()
    found = parse_all(wanted(MANY), lambda blobs: [MANY[blob] for blob in blobs], 2)
    next(found)
    assert children() > before
    found.close()  # type: ignore[attr-defined]
    assert children() == before

    def read(_: Sequence[str]) -> list[bytes | None]:
        raise KeyError("git failed")

    with pytest.raises(KeyError, match="git failed"):
        list(parse_all(wanted(MANY), read, 2))
    assert children() == before


def test_a_signal_leaves_nothing() -> None:
    script = """
        import sys
        from orefactor.core.index.parsing import Wanted, parse_all
        from orefactor.core.index.parser_process import ParserProcess

        def start():
            process = ParserProcess()
            print(process.process, flush=True)
            return process

        data = b"def f(): g()\\n" * 50_000
        files = [Wanted("", "", f"{number}.py", len(data)) for number in range(1000)]
        for _ in parse_all(files, lambda blobs: [data] * len(blobs), 2, start):
            pass
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        workers = [int(process.stdout.readline()) for _ in range(2)]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) != 0
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


def test_the_program_answers_each_request() -> None:
    files = [("a.py", b"def f(): pass\n"), ("\udce9.txt", b""), ("b.unknown", b"\0")]
    answers = io.BytesIO()
    serve(io.BytesIO(request(files) + request([]) + request(files[:1])), answers)
    answers.seek(0)
    assert answers.read(len(READY)) == READY
    for path, data in [*files, files[0]]:
        names, symbols = HEADER.unpack(answers.read(HEADER.size))
        answers.seek(names, io.SEEK_CUR)
        assert answers.read(symbols) == row_of(symbols_of(data, path)).symbols
    assert answers.read() == b""
