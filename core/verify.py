"""Verification: guards and required checks on the result; failures go back to the model while limits allow."""

from __future__ import annotations

from dataclasses import dataclass

from orefactor.sandbox.patch import Change

from .checks.required import CheckResult, run_required
from .events import CheckFinished, ChecksStarted, GuardJudged, IsolationProbed, Listener, OriginsFound, RepairAsked
from .gate import GuardResult
from .guards import GUARDS
from .prompts import repair
from .redact import Redactor, printable
from .session import Session
from .workshop import Workshop

MAX_REPAIRS = 3
_DETAIL = 2000
"""Characters of a check's words that the trace keeps."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What is known of the result.

    Attributes:
        tree: the result's tree; the base's own where nothing changed.
        answer: the model's last words.
    """

    tree: str
    changes: tuple[Change, ...]
    guards: tuple[GuardResult, ...]
    checks: tuple[CheckResult, ...]
    answer: str

    @property
    def failures(self) -> list[str]:
        """What is wrong, a line each, for the model."""
        lines = [f"- {guard.name}: {guard.detail}" for guard in self.guards if not guard.ok]
        for check in self.checks:
            if check.outcome == "failed":
                lines += [f"- {check.name}: {finding}" for finding in check.new] or [f"- {check.name}: {check.detail}"]
        return lines


class Verifier:
    """Runs the session to its end, verifies, and lets the model repair."""

    def __init__(self, workshop: Workshop, session: Session, redactor: Redactor, emit: Listener) -> None:
        self._workshop = workshop
        self._session = session
        self._redactor = redactor
        self._emit = emit

    def run(self) -> Verification:
        """Go on until the result passes, or the model had its repairs.

        Raises:
            RunStopped: as `Session.run`.
        """
        for number in range(MAX_REPAIRS + 1):
            verified = self._verify(self._session.run())
            if not verified.failures or number == MAX_REPAIRS:
                return verified
            text = repair([self._redactor.text(line) for line in verified.failures])
            self._emit(RepairAsked(number + 1, text))
            self._session.say(text)
        raise AssertionError("unreachable: the last round returns")

    def _verify(self, answer: str) -> Verification:
        workshop = self._workshop
        tree = workshop.result_tree()
        changes = workshop.changes(tree)
        names = workshop.prepared.checks if changes else ()
        self._emit(ChecksStarted(names))
        guards = tuple(guard(changes, workshop.scope) for guard in GUARDS.values())
        for guard in guards:
            self._emit(GuardJudged(guard.name, guard.ok, self._redactor.text(guard.detail)))
        checks = run_required(names, workshop.changed_files(changes), workshop.host, workshop.base_host, workshop.abort)
        for check in checks:
            self._emit(self._finished(check))
        return Verification(tree, changes, guards, tuple(checks), answer)

    def _finished(self, check: CheckResult) -> CheckFinished:
        detail = "\n".join(map(str, check.new)) or check.detail
        return CheckFinished(
            check.name,
            check.required,
            check.when,
            check.outcome,
            len(check.new),
            check.old,
            self._redactor.text(detail)[:_DETAIL],
            round(check.seconds * 1000),
            check.isolated,
        )


def located(workshop: Workshop) -> OriginsFound | None:
    """Where the project's modules were imported from; None where no check had to know."""
    origins = workshop.host.origins_if_asked
    if origins is None:
        return None
    modules = tuple((module.name, printable(module.place), module.in_tree) for module in origins.modules)
    return OriginsFound(modules, origins.search_path)


def probed(workshop: Workshop) -> IsolationProbed | None:
    """What the isolation said of itself; None where no check has run."""
    isolation = workshop.host.isolation_if_used
    if isolation is None:
        return None
    said = printable("; ".join(failure.line for failure in isolation.failures)) or None
    return IsolationProbed(isolation.tier, said, tuple((line.name, line.ok, line.detail) for line in isolation.probe))
