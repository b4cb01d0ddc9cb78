"""`show`: one run as text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument

from ..terminal import show
from ..wording import as_text, call_words, money, plain, seconds, shortened, tokens

RunName = Annotated[
    str | None,
    Argument(metavar="[RUN]", help="The run's id or the beginning of one (the newest).", show_default=False),
]


def show_command(run: RunName = None) -> None:
    """Show one run: outcome, rounds, calls, checks and diff."""
    from orefactor.core.trace import find_run
    from orefactor.sandbox.repository import find_repository

    repository = find_repository(Path.cwd())
    folder = find_run(repository.common_dir, run)
    text = "\n".join(_page(folder)) + "\n"
    patch = folder.read("result.patch") or folder.read("rejected.patch") or b""
    show(text.encode() + (b"\n" + patch if patch else b""), Path.cwd(), patch=True)


def _page(folder: Any) -> list[str]:  # noqa: ANN401 - a RunFolder, loaded late
    trace = folder.read_trace()
    if trace is None:
        return _broken_off(folder)
    lines = [
        f"run       {plain(trace.run_id)}",
        f"task      {plain(trace.task)}",
        f"outcome   {plain(trace.status)} ({plain(trace.reason)}), exit {trace.exit_code}: {plain(trace.message)}",
        f"verified  {'yes' if trace.verified else 'no' if trace.verified is False else 'no check could run'}",
    ]
    if trace.summary.title and trace.status == "completed":
        lines.append(f"summary   {plain(trace.summary.title)}")
    if trace.base is not None:
        lines.append(f"base      {plain(trace.base.source)} {plain(trace.base.commit[:12])}")
    if trace.branch is not None:
        lines.append(f"branch    {plain(trace.branch)} {plain((trace.commit or '')[:12])}")
    used = trace.usage
    lines.append(
        f"used      {trace.iterations} round(s), {tokens(used.prompt_tokens)} tokens in "
        f"({tokens(used.cached_tokens)} cached), {tokens(used.completion_tokens)} out, {seconds(trace.duration_ms)}"
    )
    if trace.rounds:
        known = trace.cost_usd is not None
        lines.append(
            f"cost      {money(trace.cost_usd) if known else 'unknown, as the price of the model is not known'}"
        )
    lines.append(f"files     {', '.join(map(plain, trace.files_changed)) or 'none changed'}")
    return [*lines, *_checks(trace), *_isolation(trace), *_rounds(trace)]


def _checks(trace: Any) -> list[str]:  # noqa: ANN401 - a Trace, loaded late
    lines: list[str] = []
    for check in trace.checks:
        counts = (
            f", {check.findings_new} new and {check.findings_old} old finding(s)"
            if check.findings_new or check.findings_old
            else ""
        )
        why = f": {shortened(check.detail, 100)}" if check.outcome == "not_run" and check.detail else ""
        lines.append(f"check     {plain(check.name)}: {check.outcome.replace('_', ' ')}{counts}{why}")
        if check.outcome == "failed":
            lines += [f"          {plain(line)}" for line in check.detail.splitlines()[:10]]
    if trace.contract.kinds != ("any",):
        kept = "kept" if trace.contract.ok else shortened(trace.contract.detail, 100)
        lines.append(f"contract  {plain(','.join(trace.contract.kinds))}: {kept}")
    lines += [f"spare     {plain(s.path)}:{s.line} {plain(s.symbol)}: {plain(s.why)}" for s in trace.spare]
    if trace.minimized is not None:
        dropped = ", ".join(f"{plain(path)}:{line}" for path, line in trace.minimized.dropped) or "nothing could go"
        lines.append(f"dropped   {dropped} ({trace.minimized.trials} trial(s))")
    if trace.user_state is not None and not trace.user_state.same:
        before, after = trace.user_state.before, trace.user_state.after
        differing = ", ".join(name for name, digest in before.items() if after.get(name) != digest)
        lines.append(f"yours     changed meanwhile, by somebody else: {plain(differing)}")
    return lines + _guards(trace)


def _guards(trace: Any) -> list[str]:  # noqa: ANN401 - as above
    """Those that had nothing to say share a line."""
    silent = [guard.name for guard in trace.guards if guard.ok and not guard.detail.startswith("allowed: ")]
    lines = [f"guards    {plain(', '.join(silent))}: ok"] if silent else []
    spoke = [guard for guard in trace.guards if guard.name not in silent]
    return lines + [f"guard     {plain(guard.name)}: {plain(guard.detail)}" for guard in spoke]


def _isolation(trace: Any) -> list[str]:  # noqa: ANN401 - as above
    if trace.isolation is None:
        return []
    return [
        f"isolation {plain(trace.isolation.tier)}"
        + (f" ({plain(trace.isolation.failure)})" if trace.isolation.failure else "")
    ]


def _rounds(trace: Any) -> list[str]:  # noqa: ANN401 - as above
    lines = [""] if trace.rounds else []
    said = _said(trace)
    for entry in trace.rounds:
        lines += [f"  {text}" for number, text in said if entry.round == max(number, 1)]
        used = entry.usage.prompt_tokens + entry.usage.completion_tokens
        took = f"{seconds(entry.duration_ms)}, {tokens(used)} tokens"
        # An answer in the form is told by its title.
        words = trace.summary.title if entry.text.startswith("{") and not entry.calls else entry.text
        lines.append(f"round {entry.round}  {took}  {shortened(words)}".rstrip())
        for call in trace.tool_calls:
            if call.round == entry.round:
                mark = "✓" if call.status == "executed" else "✗"
                why = "" if call.status == "executed" else f": {shortened(call.summary.removeprefix('ERROR: '), 100)}"
                lines.append(f"  {mark} {call_words(call.name, call.arguments)}{why}")
    return lines


def _said(trace: Any) -> list[tuple[int, str]]:  # noqa: ANN401 - as above
    """What happened before a round's reply came; round 0 is before the first."""
    providers = [(c.round, f"→ went on with {plain(c.provider)}", c.reason) for c in trace.provider_changes]
    protocols = [(c.round, f"→ {c.protocol.replace('_', ' ')}", c.reason) for c in trace.protocol_changes]
    retries = [(r.round, f"↻ asked again after {r.seconds:.1f} s", r.message) for r in trace.retries]
    return [(number, f"{what}: {shortened(why, 100)}") for number, what, why in [*retries, *protocols, *providers]]


def _broken_off(folder: Any) -> list[str]:  # noqa: ANN401 - a RunFolder, loaded late
    """A killed run has no trace; its events tell how far it came."""
    lines = [
        f"run       {folder.run_id}",
        "outcome   interrupted: it was killed, and its events end here",
        "",
    ]
    for event in folder.read_events():
        match event.get("event"):
            case "RunStarted":
                lines.insert(1, f"task      {as_text(event.get('task'))}")
            case "CallFinished":
                call = call_words(as_text(event.get("name")), event.get("arguments"))
                lines.append(f"  {as_text(event.get('status'))} {call}")
            case _:
                pass
    return lines
