"""The last screen of a run: its whole outcome in ten rows of a terminal at most, and the same facts as plain lines.

What is said is made here from the result; `last_screen` lays it out for a terminal.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import say
from .fact import Fact as Fact
from .result_review_words import last_review_words
from .shard_words import left_out_facts
from .wording import inert, money, plain, seconds, shortened, tokens

if TYPE_CHECKING:
    from orefactor.core.patch_hunks import PatchFile
    from orefactor.core.result import RefactorResult

_LARGEST = 4 << 20
"""Bytes of a patch up to which its lines are counted."""
_FILES, _FOLLOW_UPS = 5, 3
"""How many are named on a line."""
_LONGEST = 300
"""Characters of a stranger's text."""


def say_outcome(result: RefactorResult, *, quiet: bool) -> None:
    """Say on standard error how a run ended. `quiet`: nothing but the error of one that failed."""
    if quiet:
        if result.status != "completed" or result.left_out:
            for fact in (*left_out_facts(result.left_out), Fact("error", result.message), Fact("hint", result.hint)):
                say(fact.name, inert(fact.text))
        return
    head, facts, tail = headline(result), list(facts_of(result)), list(closing(result))
    from .progress import is_live, make_console

    if is_live():
        from .last_screen import screen

        console = make_console()
        console.print(*screen(head, facts, tail, console), sep="\n", soft_wrap=True)
        return
    for fact in (*head, *facts, *tail):
        say(fact.name, inert(fact.text + fact.more))


def headline(result: RefactorResult) -> list[Fact]:
    """What was done; of a run that failed nothing, as it ends with that."""
    if result.status != "completed":
        return []
    if not result.files_changed:
        told = "nothing was changed" if result.left_out else "the task needed no change"
        return [Fact("note", told)]
    return [Fact("done", shortened(result.trace.summary.title, _LONGEST))]


def facts_of(result: RefactorResult) -> Iterator[Fact]:
    """What is known of the run, the most telling first."""
    trace = result.trace
    yield from _files(result)
    yield from _checks(result)
    yield from _promises(result)
    yield from left_out_facts(result.left_out)
    if trace.reviews:
        yield Fact("review", last_review_words(trace))
    yield Fact("used", _used(result))
    if trace.isolation is not None and trace.isolation.tier != "bwrap" and trace.checks:
        yield Fact("isolation", _isolation(trace.isolation.tier, trace.isolation.failure))
    if trace.user_state is not None and not trace.user_state.same:
        before, after = trace.user_state.before, trace.user_state.after
        differing = ", ".join(name for name, digest in before.items() if after.get(name) != digest)
        yield Fact("yours", f"changed meanwhile, by somebody else: {differing}")
    if trace.summary.follow_ups and result.status == "completed":
        yield Fact("later", "; ".join(shortened(text, 100) for text in trace.summary.follow_ups[:_FOLLOW_UPS]))
    is_whole = result.status == "completed" and not result.left_out
    reason = "" if is_whole else f", exit {int(result.exit_code)}, {plain(result.reason)}"
    yield Fact("run", f"{result.run_id}{reason}", more=f", trace: {_near(result.trace_path)}")


def closing(result: RefactorResult) -> Iterator[Fact]:
    """What to do next; of a run that failed, why, and what is kept of it."""
    if result.status != "completed":
        yield Fact("error", result.message)
        yield Fact("hint", result.hint)
        yield from _kept(result)
        return
    if result.left_out:
        yield Fact("error", result.message)
        yield Fact("hint", result.hint)
    hooks = ", ".join(name for delivery in result.trace.delivered for name in delivery.hooks_not_run)
    if hooks:
        run_them = f"git switch {shlex.quote(result.branch or '')} && git commit --amend --no-edit"
        yield Fact("note", f"hooks were not run ({hooks}); to run them: `{run_them}`")
    commands = list(_next(result))
    named = tuple(("" if number else "next", command) for number, command in enumerate(commands))
    yield Fact("next", "; ".join(f"`{command}`" for command in commands), commands=named)


def _kept(result: RefactorResult) -> Iterator[Fact]:
    """What is left of a run that failed, and how a model may go on with it."""
    said: list[str] = []
    commands: list[tuple[str, str]] = []
    if not result.trace.delivered and _rejected(result).exists():
        commands.append(("kept", f"git orefactor show {result.run_id}"))
        said.append(f"the rejected change is kept: `{commands[-1][1]}`")
    if _can_go_on(result):
        commands.append(("next", f"git orefactor replay {result.run_id} --from auto"))
        said.append(f"a model can go on where it was stopped: `{commands[-1][1]}`")
    if said:
        yield Fact("note", "; ".join(said), commands=tuple(commands))


def _can_go_on(result: RefactorResult) -> bool:
    """Whether a model may go on where it was stopped."""
    stopped = result.status in ("limit", "max_iterations", "cancelled") or result.reason.startswith("provider:")
    return stopped and any(entry.finish_reason for entry in result.trace.rounds)


def _next(result: RefactorResult) -> Iterator[str]:
    """The commands that one may want to type now."""
    kinds = {delivery.kind: delivery.what for delivery in result.trace.delivered}
    if "branch" in kinds:
        yield f"git switch {shlex.quote(kinds['branch'])}"
    elif "applied" in kinds:
        yield "git diff"
    elif result.files_changed and kinds.get("patch") == "stdout":
        # In a pipe the patch is on its way already.
        if sys.stdout.isatty():
            yield "git orefactor apply"
    elif result.files_changed and "patch" in kinds:
        yield f"git apply {shlex.quote(_near(Path(kinds['patch'])))}"
    yield "git orefactor show"


def _files(result: RefactorResult) -> Iterator[Fact]:
    names = result.files_changed
    if not names:
        return
    fate = "" if result.status == "completed" else ", not delivered"
    files = _patch_files(result)
    each = [f"{shortened(_named(file), _LONGEST)} {_lines(file)}" for file in files]
    each = each or [shortened(path, _LONGEST) for path in names]
    total = f", +{sum(file.added for file in files)} -{sum(file.removed for file in files)} in all" if files else ""
    more = f" and {len(each) - _FILES} more{total}" if len(each) > _FILES else ""
    yield Fact("files", ", ".join(each[:_FILES]) + more + fate, tuple(line + fate for line in each), total=total)


def _patch_files(result: RefactorResult) -> Sequence[PatchFile]:
    """The change, delivered or not; nothing where there is none, or it is so large that reading it would take long."""
    from orefactor.core.patch_hunks import read_patch

    patch = result.patch
    if patch is None:
        kept = _rejected(result)
        patch = kept.read_bytes() if kept.exists() and kept.stat().st_size <= _LARGEST else b""
    return read_patch(patch) if len(patch) <= _LARGEST else ()


def _rejected(result: RefactorResult) -> Path:
    """Where a change is kept that was not delivered."""
    from orefactor.core.trace import REJECTED

    return result.trace_path.parent / REJECTED


def _named(file: PatchFile) -> str:
    return file.path if file.path == file.old_path else f"{file.old_path} => {file.path}"


def _lines(file: PatchFile) -> str:
    kind = "" if file.kind == "changed" else f" {file.kind}"
    return f"{'binary' if file.is_binary else f'+{file.added} -{file.removed}'}{kind}"


def _checks(result: RefactorResult) -> Iterator[Fact]:
    if not result.checks and not result.files_changed:
        return
    each: list[str] = []
    for check in result.checks:
        found = [f"{check.findings_new} new"] if check.findings_new else []
        found += [f"{check.findings_old} old"] if check.findings_old else []
        counts = f" ({', '.join(found)})" if found else ""
        each.append(f"{plain(check.name)} {check.outcome.replace('_', ' ')}{counts}")
    said = ", ".join(each) or "none ran"
    yield Fact("checks", said if result.verified is not None else f"{said}; not verified, as no check could run")


def _promises(result: RefactorResult) -> Iterator[Fact]:
    """Contract and guards, once they have been judged."""
    if not result.guards:
        return
    contract = result.trace.contract
    kinds = plain(",".join(contract.kinds))
    kept = "any change" if contract.kinds == ("any",) else f"{kinds} {'kept' if contract.ok else 'broken'}"
    broken = [guard.name for guard in result.guards if not guard.ok]
    guards = f"refused by {', '.join(broken)}" if broken else f"{len(result.guards)} guards passed"
    spare = f", {len(result.trace.spare)} hunk(s) that nobody asked for" if result.trace.spare else ""
    yield Fact("contract", f"{kept}; {guards}{spare}")


def _used(result: RefactorResult) -> str:
    trace, usage = result.trace, result.usage
    if trace.reused:
        return f"no model: reused run {plain(trace.reused)}, {seconds(trace.duration_ms)}"
    reviews = f" and {len(trace.reviews)} review(s)" if trace.reviews else ""
    parts = [f"{result.iterations} round(s){reviews}"]
    if usage.prompt_tokens:
        parts.append(f"{tokens(usage.prompt_tokens + usage.completion_tokens)} tokens")
        if trace.cost_usd is None:
            parts.append("cost unknown")
    if trace.cost_usd:
        parts.append(money(trace.cost_usd))
    parts.append(seconds(trace.duration_ms))
    if usage.cached_tokens:
        parts.append(f"{tokens(usage.cached_tokens)} tokens cached")
    return ", ".join(parts)


def _isolation(tier: str, failure: str | None) -> str:
    from .progress.lines import isolation_words

    return f"checks {isolation_words(tier)}" + (f": {shortened(failure, _LONGEST)}" if failure else "")


def _near(path: Path) -> str:
    """A path as one would type it here, if that is shorter."""
    try:
        return min(os.path.relpath(path), str(path), key=len)
    except OSError:  # the current folder is gone
        return str(path)
