"""Measures `git orefactor` against its peers and the plain tools, and prints the table of ratios.

    python bench/run.py [--row NAME]… [--peers DIR] [--install-peers] [--pairs 5] [--quick] [--grow]
                        [--source DIR] [--target FILE] [--archive FILE] [--out bench/results] [--docs] [--folder DIR]

Each pair alternates in this run. Peers are used where DIR has an environment of theirs (`DIR/aider/bin/python`, …);
`--install-peers` makes those that are missing. Without DIR only what stands against plain tools has a ratio. SOURCE is
a folder of Python code for the repository map, the standard library by default, TARGET a file in it; ARCHIVE is aider's
refactor benchmark. `--docs` writes `docs/benchmarks.md` and its plot from what is kept of today. Measure on an idle
machine: the load at the beginning is kept with the result.
"""

from __future__ import annotations

import argparse
import os
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path

TOP = Path(__file__).parents[1]
sys.path.append(str(TOP / "tests"))

from bench_request import Request  # noqa: E402 - the scripted server is one of the tests' modules
from benchmark_page import write_page  # noqa: E402
from figures import Figure, plain  # noqa: E402
from growth import GROWTHS  # noqa: E402
from kept import Curve, Results, file_for, read_results, today, write_results  # noqa: E402
from machine import describe_machine  # noqa: E402
from peers import find_peers, install_peers  # noqa: E402
from rows import ROWS  # noqa: E402

_DEFAULT_TARGET = "json/decoder.py"


def main(words: Sequence[str] | None = None) -> None:
    """Measure, print, keep."""
    chosen = _parser().parse_args(words)
    if chosen.install_peers:
        if chosen.peers is None:
            sys.exit("error: there is no folder for the peers; name one: --peers DIR")
        install_peers(chosen.peers)
    machine = describe_machine()
    if machine.is_busy:
        print(f"the machine is busy (load {machine.load}): these figures say little", file=sys.stderr)
    fresh = Results(today(), machine, chosen.quick, {})
    path = file_for(chosen.out, fresh)
    with tempfile.TemporaryDirectory(prefix="orefactor-bench-", dir=chosen.folder) as name:
        _seal(Path(name))
        request = _request(chosen, Path(name))
        names: list[str] = chosen.row or ([] if chosen.grow else list(ROWS))
        rows = {row: _measured(row, request) for row in names}
        curves = _grown(request) if chosen.grow else []
    kept = read_results(path) or fresh
    merged = {**kept.rows, **rows}
    ordered = {row: merged[row] for row in ROWS if row in merged}
    results = Results(fresh.day, machine, chosen.quick, ordered, curves or kept.curves)
    write_results(path, results)
    print(f"kept in `{path}`", file=sys.stderr)
    if chosen.docs:
        write_page(TOP / "docs", results)


def _measured(row: str, request: Request) -> list[Figure]:
    """The figures of one row, printed as they come."""
    found: list[Figure] = []
    for figure in ROWS[row](request):
        print(plain([figure]), end="", flush=True)
        found.append(figure)
    return found


def _grown(request: Request) -> list[Curve]:
    found: list[Curve] = []
    for grow in GROWTHS:
        for curve in grow(request):
            print(curve.name, *(f"\n    {x:,} {curve.along}: {s:.2f} s, {mb:.0f} MB" for x, s, mb in curve.points))
            found.append(curve)
    return found


def _seal(folder: Path) -> None:
    """Keep away from the user's own settings and caches, and from what he has measured before."""
    home = folder / "home"
    home.mkdir()
    os.environ.update(HOME=str(home), XDG_CACHE_HOME=str(home / "cache"), GIT_CONFIG_NOSYSTEM="1")
    for name in [name for name in os.environ if name.startswith(("OREFACTOR_", "XDG_CONFIG", "XDG_DATA"))]:
        del os.environ[name]


def _request(chosen: argparse.Namespace, folder: Path) -> Request:
    library = Path(sysconfig.get_path("stdlib"))
    source = chosen.source or (library / "json" if chosen.quick else library)
    target = chosen.target or ("decoder.py" if chosen.quick and not chosen.source else _DEFAULT_TARGET)
    if not (source / target).is_file():
        sys.exit(f"error: there is no `{target}` in `{source}`; name one: --target FILE")
    pairs = chosen.pairs or (1 if chosen.quick else 5)
    return Request(folder, find_peers(chosen.peers), pairs, chosen.quick, source, target, chosen.archive)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--row", action="append", choices=ROWS, help="only this row; again for more")
    parser.add_argument("--peers", type=Path, metavar="DIR", help="a folder of environments")
    parser.add_argument("--install-peers", action="store_true", help="make the environments that are missing in DIR")
    parser.add_argument("--pairs", type=int, help="how often each pair is measured (5)")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to try the command itself")
    parser.add_argument("--grow", action="store_true", help="how time and memory grow; no row unless named")
    parser.add_argument("--source", type=Path, metavar="DIR")
    parser.add_argument("--target", metavar="FILE")
    parser.add_argument("--archive", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path, default=TOP / "bench" / "results", metavar="DIR")
    parser.add_argument("--docs", action="store_true", help="write docs/benchmarks.md and its plot")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where repositories are made")
    return parser


if __name__ == "__main__":
    main()
