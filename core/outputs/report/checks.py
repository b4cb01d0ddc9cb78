"""What was checked: checks before and after the change, guards, contract, isolation."""

from __future__ import annotations

from ...reporting import after_words, before_words
from ...trace_model import CheckPart, Trace
from .text import block, count, line, seconds

_MOST = 200
"""Rows of one table."""
_OK, _OBJECTS = '<span class="good">✓ ok</span>', '<span class="bad">✗ objects</span>'
_WORDS = {"baseline": "before the change", "final": "", "on_demand": "asked for by the model"}


def checks_markup(trace: Trace) -> str:
    """The section."""
    heading = "Checks, guards and contract" if trace.review is None else "Checks"
    return (
        f'<section id="checks"><h2>{heading}</h2>{_checks(trace)}{_contract(trace)}{_guards(trace)}'
        f"{_spare(trace)}{_isolation(trace)}</section>\n"
    )


def _checks(trace: Trace) -> str:
    if not trace.checks:
        return "<p>No check ran.</p>"
    rows = "".join(map(_check, trace.checks[:_MOST]))
    heads = "".join(f'<th scope="col">{words}</th>' for words in ("check", "before", "after"))
    return (
        f'<div class="wide-table"><table class="checks"><caption>Checks before and after the change</caption><thead>'
        f'<tr>{heads}<th scope="col" class="number">time</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _check(check: CheckPart) -> str:
    style = {"passed": "good", "failed": "bad"}.get(check.outcome, "")
    mark = {"passed": "✓ ", "failed": "✗ "}.get(check.outcome, "")
    words = [_WORDS[check.when], "" if check.required else "not required"]
    aside = ", ".join(word for word in words if word)
    about = f' <span class="counts">{aside}</span>' if aside else ""
    return (
        f'<tr><th scope="row"><code>{line(check.name, 60)}</code>{about}</th><td>{before_words(check)}</td>'
        f'<td><span class="{style}">{mark}{after_words(check)}</span>{_detail(check)}</td>'
        f'<td class="number">{seconds(check.duration_ms)}</td></tr>\n'
    )


def _detail(check: CheckPart) -> str:
    lost = "".join(f"<li>lost: {line(name)}</li>" for name in check.lost[:50])
    flaky = "".join(f"<li>flaky: {line(name)}</li>" for name in check.flaky[:50])
    listed = f"<ul>{lost}{flaky}</ul>" if lost or flaky else ""
    if not check.detail.strip():
        return listed
    opened = ' open=""' if check.outcome == "failed" else ""
    output = f"<details{opened}><summary>what it said</summary><pre>{block(check.detail)}</pre></details>"
    return listed + output


def _contract(trace: Trace) -> str:
    kinds, ok = trace.contract.kinds, trace.contract.ok
    if trace.review is not None:
        return ""
    if kinds == ("any",):
        return "<p>Contract: none, any kind of change was allowed.</p>"
    kept = '<span class="good">✓ kept</span>' if ok else '<span class="bad">✗ broken</span>'
    detail = f"<pre>{block(trace.contract.detail)}</pre>" if trace.contract.detail else ""
    return f"<p>Contract <code>{line(', '.join(kinds))}</code>: {kept}</p>{detail}"


def _guards(trace: Trace) -> str:
    if not trace.guards:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{line(guard.name, 60)}</th><td>'
        f"{_OK if guard.ok else _OBJECTS}</td>"
        f"<td>{line(guard.detail, 600)}</td></tr>\n"
        for guard in trace.guards[:_MOST]
    )
    heads = "".join(f'<th scope="col">{words}</th>' for words in ("guard", "verdict", "why"))
    return (
        f'<div class="wide-table"><table class="guards"><caption>Guards</caption><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _spare(trace: Trace) -> str:
    listed = "".join(
        f"<li><code>{line(f'{part.path}:{part.line} {part.symbol}'.strip())}</code>: {line(part.why)}</li>"
        for part in trace.spare[:_MOST]
    )
    return f"<p>Not asked for, as it seems:</p><ul>{listed}</ul>" if listed else ""


def _isolation(trace: Trace) -> str:
    if trace.isolation is None:
        return ""
    failure = f": {line(trace.isolation.failure)}" if trace.isolation.failure else ""
    held = sum(part.ok for part in trace.isolation.probe)
    probe = f", {held} of {count(len(trace.isolation.probe), 'assertion')} held" if trace.isolation.probe else ""
    return f"<p>Isolation: {line(trace.isolation.tier, 40)}{failure}{probe}.</p>"
