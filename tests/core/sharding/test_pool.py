"""Threads that work off a list of shards."""

from __future__ import annotations

import threading

import pytest

from orefactor.core.sharding.pool import Pool


def test_each_job_once_and_so_many_at_once() -> None:
    lock, now, most = threading.Lock(), [0], [0]
    together = threading.Barrier(3, timeout=10)

    def work(job: int) -> int:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        together.wait()
        with lock:
            now[0] -= 1
        return job * job

    woken: list[bool] = []
    pool = Pool(range(9), 3, work, lambda: woken.append(True))
    with pool.results(lambda: False) as results:
        assert sorted(results) == [(job, job * job) for job in range(9)]
    assert most == [3]
    assert not woken


def test_a_fault_ends_all() -> None:
    begun: list[int] = []

    def work(job: int) -> int:
        begun.append(job)
        if job == 1:
            raise ZeroDivisionError
        return job

    pool = Pool(range(1000), 1, work)
    with pytest.raises(ZeroDivisionError), pool.results(lambda: False) as results:
        list(results)
    assert pool.stopping.is_set()
    assert begun[:2] == [0, 1]


def test_what_is_waited_for_is_broken_off() -> None:
    answered, begun = threading.Event(), threading.Semaphore(0)

    def work(job: int) -> int:
        begun.release()
        answered.wait(20)
        return job

    pool = Pool(range(5), 2, work, answered.set)

    def both_have_begun() -> bool:
        return begun.acquire(timeout=10) and begun.acquire(timeout=10)

    with pool.results(both_have_begun) as results:
        assert not list(results)
    assert answered.is_set()
    assert not begun.acquire(blocking=False)
