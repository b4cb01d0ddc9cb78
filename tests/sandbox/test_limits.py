"""Limits, and the words that set them."""

from __future__ import annotations

import resource
from pathlib import Path

from orefactor.sandbox.limits import Limits, limit_words, sandbox_words
from orefactor.sandbox.process import run_process


def test_the_rest_of_the_machine_keeps_memory() -> None:
    assert Limits(total_memory=7).total_memory_here == 7
    assert Limits(total_memory=1 << 60).total_memory_here < 1 << 50


def test_names_are_those_of_the_kernel() -> None:
    assert all(hasattr(resource, f"RLIMIT_{name}") for name in Limits().of_a_process)


def test_processes_are_counted_only_inside() -> None:
    inside, outside = sandbox_words(Limits(processes=9)), limit_words(Limits(processes=9))
    assert set(inside) - set(outside) == {"--nproc=9"}


def test_they_hold() -> None:
    limits = Limits(files=77)
    argv = [*limit_words(limits), "sh", "-c", "ulimit -n; ulimit -c"]
    result = run_process(argv, env={"PATH": "/usr/bin:/bin"}, cwd=Path("/"), timeout=20)
    assert result.stdout == b"77\n0\n"
