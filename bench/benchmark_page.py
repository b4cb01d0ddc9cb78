"""Writes `docs/benchmarks.md` and its picture from results, so that no figure there was typed by a person."""

from __future__ import annotations

from pathlib import Path

from figures import amount, markdown
from kept import Results
from peers import PEERS
from plot import draw

PICTURE = "growth.svg"
_HEAD = """# How fast it is

Measured by `python bench/run.py`, which writes this page too. Machines differ, so what counts is the ratio: ours and
the peer's are measured in turn, in one run, on one machine, each warm and in an environment of its own, and the middle
one of the pairs' ratios is told. Peers: {peers}.
The model is a local server that answers at once, so what is left is what each program takes itself. Tokens are
characters by four for everybody, and costs are at DeepSeek's prices with the prompt cache counted.

"""
_COMMAND = """
## Measure it yourself

<!-- not run: it takes minutes, and installs other programs -->
```console
$ python bench/run.py --peers peers --install-peers --docs
$ python bench/run.py --grow --docs
```

The first installs the peers, pinned, below `peers`, and takes about eight minutes once they are there, the second about
six. `--row NAME` measures one part. Each run is kept as JSON in `bench/results`.
"""


def write_page(docs: Path, results: Results) -> None:
    """Write the page, and the picture where there are curves."""
    if results.curves:
        (docs / "pictures" / PICTURE).write_text(draw(results.curves), encoding="utf-8")
    (docs / "benchmarks.md").write_text(page(results), encoding="utf-8")


def page(results: Results) -> str:
    """The page's text."""
    peers = ", ".join(pinned.requirement.replace("==", " ") for pinned in PEERS.values())
    rows = [row for found in results.rows.values() for row in found]
    return f"{_HEAD.format(peers=peers)}{_measured(results)}\n{markdown(rows)}{_growth(results)}{_COMMAND}"


def _measured(results: Results) -> str:
    machine = results.machine
    memory = f"{machine.memory_mb / 1024:.0f} GB of memory"
    where = f"{machine.cores} cores of {machine.processor}, {memory}, {machine.kernel}"
    told = (
        f"On {results.day.isoformat()}: {where}, Python {machine.python}, git {machine.git}, load {machine.load:g}.\n"
    )
    return told + ("\nSizes were tiny, so these figures mean nothing.\n" if results.is_quick else "")


def _growth(results: Results) -> str:
    if not results.curves:
        return ""
    lines = ["| what | of | seconds | megabytes |", "| --- | --- | --- | --- |"]
    for curve in results.curves:
        for count, seconds, megabytes in curve.points:
            figures = f"{amount(seconds, '')} | {megabytes:.0f}"
            lines.append(f"| {curve.name} | {count:,} {curve.along} | {figures} |")
    table = "\n".join(lines)
    return f"""
## How it grows

Time and memory by the files of a repository, the rounds of a run, and the edits of one file that grows with them. Both
axes are logarithmic: the dotted line is what growing in proportion looks like. Memory is that of a run's largest
process, and of all processes for the pack alone.

```{{raw}} html
:file: pictures/{PICTURE}
```

{table}
"""
