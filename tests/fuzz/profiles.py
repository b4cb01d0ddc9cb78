"""How much a fuzz test tries: a little, always the same, in `scripts/check`; much, by chance, in `scripts/fuzz`.

`FUZZ_PROFILE=long` chooses the second, `FUZZ_DATABASE` names the folder that keeps what failed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import contextmanager

from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

IS_LONG = os.environ.get("FUZZ_PROFILE") == "long"
_EXAMPLES = 600 if IS_LONG else 30
_KEPT = os.environ.get("FUZZ_DATABASE", "")

settings.register_profile(
    "short",
    deadline=None,
    derandomize=True,
    database=None,
    # Folders and repositories are shared by the examples of a test, which put them back.
    suppress_health_check=list(HealthCheck),
)
settings.register_profile(
    "long",
    parent=settings.get_profile("short"),
    derandomize=False,
    database=DirectoryBasedExampleDatabase(_KEPT) if _KEPT else None,
    print_blob=True,
)


def fuzzed(cost: float = 1) -> settings:
    """The settings of a test, as its decorator.

    Args:
        cost: how dear one example is; a test whose examples cost 10 gets a tenth of them.
    """
    parent = settings.get_profile("long" if IS_LONG else "short")
    return settings(parent=parent, max_examples=max(int(_EXAMPLES / cost), 2))


@contextmanager
def in_time(size: int) -> Generator[None]:
    """Fail where the block takes more processor time than a linear reader of so many bytes may.

    It is very generous, for coverage's tracer; what is quadratic fails all the same at 100 kB.
    """
    begun = time.process_time()
    yield
    taken = time.process_time() - begun
    assert taken < 1 + size * 3e-5, f"{size} bytes took {taken:.2f} s"
