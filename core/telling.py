"""Tells a run from its first event to its last, whatever happens in between: the main job's, and a review's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from orefactor.sandbox.shield import Stopped, shield

from .book import RunBook
from .endings import cancelled
from .errors import RunStopped, UserError

W = TypeVar("W")
R = TypeVar("R")


def tell(
    book: RunBook,
    work: Callable[[], tuple[W | None, RunStopped | None]],
    finish: Callable[[W | None, RunStopped | None], R],
    *,
    is_part: bool = False,
) -> R:
    """Work, then judge and close the trace.

    Args:
        work: does it, and says what came of it or what stopped it.
        finish: judges, delivers and ends the books; no signal falls into it.
        is_part: whether it is part of another run.

    Raises:
        UserError: bad input that shows only now; nothing of the run is left.
        Stopped, KeyboardInterrupt: a signal that came at the very end of what is part of another run.
    """
    try:
        book.open()
    except BaseException:
        # Nothing has happened yet.
        with shield():
            book.discard()
        raise
    result: R | None = None
    try:
        came, stopped = work()
        with shield():
            result = finish(came, stopped)
    except UserError:
        # The model was not asked.
        book.discard()
        raise
    except (Stopped, KeyboardInterrupt) as error:
        # Once the result has been delivered, it stands.
        if result is None:
            with shield():
                result = finish(None, cancelled(error))
        elif is_part:
            # The other run must hear of it.
            raise
    except BaseException:
        with shield():
            book.end()
        raise
    return result
