"""What the checks gave at the base, for comparison: looked up where it was kept, else measured, each once a run.

When it is measured is a choice between waiting and wasted work:

- Checks of single files are cheap and depend on what changes, so their base is measured when they find something,
  and never where all is clean.
- Checks of the whole project depend on the base alone. Those that cost seconds, and whose result isn't kept, are
  begun beside the first model call, when this machine only waits; one after the other, so that the run's own calls keep
  most of it.
- Types that are clean at the end need no base, so nobody waits for theirs; what still runs is ended with the run.
- Tests need theirs even where all pass, since a test that is gone or skipped fails no more. That wait is hardly
  ever one: the same suite started at the base earlier than at the end, so it ends earlier, unless the later one was
  shortened, which is what has to be found out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from orefactor import __version__

from ..errors import ToolError, UserError
from .baseline_store import BaselineStore
from .command import CheckRequest
from .host import CheckHost
from .installed import distributions, fingerprint
from .outcome import CheckRun
from .result import BaselineSource
from .targets import there
from .under_test import InstalledCopy


@dataclass(frozen=True, slots=True)
class Measured:
    """One check at the base; `run` is None where it would have run another copy of the code, or had no file."""

    run: CheckRun | None = None
    source: BaselineSource = "none"


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where baselines are kept, and for what.

    Attributes:
        tree: the id of the base's tree.
        besides: what else the checks see that the tree doesn't hold, such as a digest of copied build products.
    """

    store: BaselineStore
    tree: str
    besides: str = ""


class Baseline:
    """The checks at the base of one run. Any thread may ask."""

    def __init__(
        self,
        host: CheckHost,
        base_host: Callable[[], CheckHost],
        names: Sequence[str] = (),
        keeping: Keeping | None = None,
    ) -> None:
        """Note which checks look at the whole project; the tree must still be the base's.

        Args:
            host: the checks at the run's tree.
            base_host: makes those at the base's, which costs a checkout; asked only where something is measured.
            names: the checks that may be asked for, required ones and others.
            keeping: None to keep nothing.

        Raises:
            UserError: there is no such check.
        """
        self._host = host
        self._base_host = base_host
        self._keeping = keeping
        checks = [host.check(name) for name in names]
        self._whole = {check.name: CheckRequest(check.name) for check in checks if check.covers_project(host.root)}
        self._expected: tuple[str, ...] = ()
        self._known: dict[CheckRequest, Future[Measured]] = {}
        self._made: CheckHost | None = None
        self._lock = threading.Lock()
        self._making = threading.Lock()
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(1, "baseline")

    def start(self, names: Sequence[str]) -> None:
        """Begin with those that are costly, beside other work; to be called once.

        Args:
            names: the checks that will be needed: the required ones. Of others it isn't known that anybody asks.
        """
        costly = [name for name in names if name in self._whole and self._host.check(name).cost.level != "low"]
        self._expected = tuple(costly)
        if costly:
            self._pool.submit(self._measure_early, costly)

    def close(self) -> None:
        """End what still runs; must come before the base's tree goes."""
        self._stopped.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def expects(self, name: str) -> bool:
        """Whether the check's base is measured whether or not it finds something."""
        return name in self._expected

    def of(self, name: str, paths: Sequence[str]) -> Measured:
        """One check at the base.

        Args:
            paths: the files there that are of interest, where it looks at files.

        Raises:
            ToolError, UserError: as `CheckHost.perform`.
        """
        request = self._whole.get(name) or self._base().request(name, paths)
        return Measured() if request is None else self._measured(request)

    def of_request(self, request: CheckRequest) -> Measured:
        """The same for a part that a model asked for; what the base doesn't have is left out.

        Raises:
            ToolError, UserError: as `CheckHost.perform`.
        """
        whole = self._whole.get(request.check)
        # All tests hold the part's; a type checker may find more in files that were named to it.
        if whole is not None and (request == whole or (request.check == "pytest" and self.expects("pytest"))):
            return self._measured(whole)
        known = there(self._base().root, request)
        return Measured() if known is None else self._measured(known)

    def _base(self) -> CheckHost:
        with self._making:
            if self._made is None:
                self._made = self._base_host().until(self._stopped.is_set)
            return self._made

    def _measure_early(self, names: Sequence[str]) -> None:
        for name in names:
            if not self._stopped.is_set():
                with suppress(ToolError, UserError):  # said to whoever asks
                    self._measured(self._whole[name])

    def _measured(self, request: CheckRequest) -> Measured:
        with self._lock:
            is_mine = request not in self._known
            future = self._known.setdefault(request, Future())
        if is_mine:
            try:
                future.set_result(self._look_up(request))
            except BaseException as error:
                future.set_exception(error)
                raise
        return future.result()

    def _look_up(self, request: CheckRequest) -> Measured:
        keeping = self._keeping if request in self._whole.values() else None
        key = self._key(request, keeping) if keeping else ""
        if keeping and (kept := keeping.store.get(key)):
            return Measured(kept, "kept")
        try:
            run = self._base().perform(request)
        except InstalledCopy:  # the change put the modules where they are found
            return Measured()
        if keeping:
            keeping.store.put(key, run)
        return Measured(run, "measured")

    def _key(self, request: CheckRequest, keeping: Keeping) -> str:
        environment = self._host.environment
        version = distributions(environment).get(self._host.check(request.check).distribution, "")
        parts = [
            __version__,
            keeping.tree,
            keeping.besides,
            fingerprint(environment),
            self._host.isolation.tier,
            request.check,
            version,
            *self._host.command(request),
        ]
        return "\0".join(parts)
