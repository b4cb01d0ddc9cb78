"""Judges a choice of a run's hunks as the run was judged: by its contract, the guards, and its required checks.

What the trace says of checks are names; commands of the project's own are those that the person's configuration, or a
repository that they trust, says now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orefactor.sandbox.objects import read_blobs

from .changed_files import read_changes
from .checks.catalogue import CHECKS
from .checks.own import OwnCommand
from .checks.result import CheckResult
from .errors import ExitCode, UserError
from .gate import ContractResult, Facts, GuardResult, Outcome, judge
from .guards.contracts.contract import Contract
from .guards.contracts.parsing import parse_contract
from .guards.table import Inspection, judge_all, with_outcomes
from .judging import judge_contract
from .keys import whole_environment
from .picking import Pickable, Picked
from .recheck import recheck, wanted_checks
from .redact import printable
from .request import own_checks
from .setting_sources import from_environment, from_git, from_pyproject, is_trusted, policy_from_git
from .settings import OPTION, Settings, Source, resolve
from .tools.base import Scope

_ANYWHERE = Scope()
"""A choice changes no path that the whole change doesn't, and that was in the scope."""


@dataclass(frozen=True, slots=True)
class PickingRules:
    """What a choice has to pass.

    Attributes:
        checks: the names of the required checks.
        own: those commands of the project's own that may be checks here.
    """

    checks: tuple[str, ...]
    own: tuple[OwnCommand, ...]
    settings: Settings


def find_rules(pickable: Pickable, options: Mapping[str, Any]) -> PickingRules:
    """The run's required checks, and how they run here.

    Args:
        options: the isolation and the interpreter, by the names of `Settings`; they are never the trace's.

    Raises:
        UserError: a required check isn't known here (exit 6), or a setting is wrong (2).
    """
    repository = pickable.repository
    (project,) = read_blobs(repository.git, [f"{pickable.proof.start}:pyproject.toml"])
    users = [Source(OPTION, options), *from_environment(whole_environment()), *from_git(repository.config)]
    policy = policy_from_git(repository.config)
    settings = resolve(users, repository=from_pyproject(project or b""), policy=policy)
    own = own_checks(settings, trusted=is_trusted(repository.config, repository.place))
    wanted = wanted_checks(pickable.proof)
    known = {command.name for command in own}
    for name in wanted.unknown:
        if name not in known or name in CHECKS:
            raise UserError(
                f"the run required `{printable(name)[:60]}`, a command of the project's own that isn't known here",
                hint="say what it runs: `git config --global orefactor.check.NAME.command COMMAND`; or take the "
                "choice unchecked, with `--unverified`",
                exit_code=ExitCode.ENVIRONMENT,
            )
    return PickingRules((*wanted.names, *wanted.unknown), own, settings)


def judge_choice(pickable: Pickable, picked: Picked, rules: PickingRules) -> tuple[Outcome, list[CheckResult]]:
    """The gate's word on a choice, and what the checks found; they don't run where it is refused without them.

    Raises:
        UserError: the base can't be checked, or no isolation works here.
    """
    trace = pickable.trace
    contract = _contract(trace.contract.kinds)
    files = read_changes(pickable.repository.git, picked.proof.changes)
    seen, allowed = Inspection(files, _ANYWHERE, None, contract.renames), _texts(trace.settings.get("allow"))
    kept, guards = judge_contract(contract, files), judge_all(seen, allowed)
    outcome = _outcome((), guards, kept)
    if outcome.exit_code:
        return outcome, []
    checks = list(recheck(pickable.repository, picked.proof, rules.checks, rules.settings, rules.own))
    return _outcome(checks, with_outcomes(guards, seen, checks, allowed), kept), checks


def _contract(kinds: Sequence[str]) -> Contract:
    try:
        return parse_contract(kinds)
    except ValueError as error:
        raise UserError(
            f"the trace of the run names no contract that there is: {error}",
            hint="it was changed after the run; see `git orefactor verify`",
            exit_code=ExitCode.GATE,
        ) from None


def _outcome(checks: Sequence[CheckResult], guards: Sequence[GuardResult], contract: ContractResult) -> Outcome:
    return judge(Facts(changed=True, checks=checks, guards=guards, contract=contract))


def _texts(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - JSON
    """The texts of a list of a stranger's."""
    if not isinstance(value, list):
        return ()
    return tuple(text for text in value if isinstance(text, str))  # pyright: ignore[reportUnknownVariableType]
