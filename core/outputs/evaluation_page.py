"""The page of an evaluation: what each arm reached, as charts with intervals, and a matrix of tasks and arms.

One file without any network, as the other pages; each cell of the matrix opens the report of its run, which is written
beside the run's trace. Names of tasks and arms are strangers'.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from ..evaluation.results import Results
from ..evaluation.summary import MEANS, SHARES, ArmSummary, Figure, compare, summarize
from ..evaluation.task import Attempt
from .evaluation_text import figure_words, number
from .graph_text import markup
from .page_parts import page_head, write_whole

_MOST_ROWS, _MOST_ARMS = 5000, 64
_WIDE, _ROW, _LEFT, _RIGHT = 720, 26, 190, 150
"""Pixels: of a chart, of a row of it, left of the bars for names, right of them for numbers."""
_DRAWN = ("landed", "passed", "first edit well formed", "rounds", "edits refused", "tokens in", "cost, USD", "seconds")


def write_evaluation_page(path: Path, folder: Path, attempts: Sequence[Attempt]) -> None:
    """Write the page, and the reports of the runs that it opens.

    Args:
        folder: where the evaluation's results are kept.

    Raises:
        UserError: it can't be written; what stood there before stands there still.
    """
    links = dict(_reports(path, folder, attempts[: _MOST_ROWS * 4]))
    head = Results(folder).head() or {}
    write_whole(path, evaluation_page(str(head.get("suite", folder.name)), attempts, links), "page")


def evaluation_page(suite: str, attempts: Sequence[Attempt], links: Mapping[str, str] | None = None) -> str:
    """The page as HTML.

    Args:
        links: where the report of a run stands, by its id.
    """
    look = (Path(__file__).parent / "evaluation_page.css").read_text(encoding="utf-8")
    arms = summarize(attempts)[:_MOST_ARMS]
    title = f"evaluation: {markup(suite)}"
    tasks = len({each.task for each in attempts})
    facts = f"{len(attempts)} attempts of {tasks} tasks in {len(arms)} arms"
    return (
        page_head(title, look, "", [])
        + f"<body><main><h1>{title}</h1>\n<p>{facts}. Whiskers and brackets are 95% intervals.</p>\n"
        + "".join(_chart(name, arms) for name in _DRAWN)
        + _figures(arms)
        + _differences(arms, attempts)
        + _matrix(arms, attempts, links or {})
        + "</main></body></html>\n"
    )


def _reports(path: Path, folder: Path, attempts: Sequence[Attempt]) -> Iterator[tuple[str, str]]:
    from ..reporting import read_run
    from ..trace import RunFolder
    from .report.report_file import write_report

    runs = folder.resolve()
    for each in attempts:
        kept = (runs / each.trace).resolve()
        # What the results say is read back from a file, which may have come from elsewhere.
        if not each.trace or not kept.is_relative_to(runs) or not kept.is_dir():
            continue
        report = kept / "report.html"
        if not report.exists():
            write_report(report, read_run(RunFolder(kept)))
        yield each.run_id, quote(os.path.relpath(report, path.resolve().parent))


def _chart(name: str, arms: Sequence[ArmSummary]) -> str:
    """A bar for each arm, with its interval; nothing where no arm has the figure."""
    figures = [arm.figures[name] for arm in arms]
    if all(figure.value is None for figure in figures):
        return ""
    most = 1.0 if name in SHARES else max(figure.interval[1] for figure in figures if figure.value is not None)
    rows = "".join(_bar(place, arm, name, most or 1.0) for place, arm in enumerate(arms))
    height = _ROW * len(arms) + 4
    words = "; ".join(f"{arm.arm}: {figure_words(name, arm.figures[name])}" for arm in arms)
    return (
        f"<section><h2>{markup(name)}</h2>"
        f'<svg viewBox="0 0 {_WIDE} {height}" width="{_WIDE}" height="{height}" role="img" '
        f'aria-label="{markup(words)}">{rows}</svg></section>\n'
    )


def _bar(place: int, arm: ArmSummary, name: str, most: float) -> str:
    figure, top = arm.figures[name], place * _ROW + 4
    label = f'<text x="{_LEFT - 8}" y="{top + 14}" class="name">{markup(_short(arm.arm))}</text>'
    if figure.value is None:
        return f'{label}<text x="{_LEFT}" y="{top + 14}">-</text>'
    room = _WIDE - _LEFT - _RIGHT
    low, high = (_LEFT + room * min(1.0, max(0.0, end / most)) for end in figure.interval)
    wide = room * min(1.0, max(0.0, figure.value / most))
    middle = top + 9
    return (
        f'{label}<rect x="{_LEFT}" y="{top}" width="{wide:.1f}" height="18" class="bar"/>'
        f'<path d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 5}v10M{high:.1f} {middle - 5}v10" '
        'class="whisker"/>'
        f'<text x="{_WIDE - _RIGHT + 10}" y="{top + 14}">{markup(_value(name, figure))}</text>'
    )


def _value(name: str, figure: Figure) -> str:
    assert figure.value is not None
    return f"{figure.hits}/{figure.count} ({figure.value:.0%})" if name in SHARES else number(figure.value)


def _figures(arms: Sequence[ArmSummary]) -> str:
    head = "".join(f"<th>{markup(arm.arm)}</th>" for arm in arms)
    rows = "".join(
        f"<tr><th>{markup(name)}</th>"
        + "".join(f"<td>{markup(figure_words(name, arm.figures[name]))}</td>" for arm in arms)
        + "</tr>"
        for name in (*SHARES, *MEANS)
    )
    rows += f"<tr><th>refused</th>{''.join(f'<td>{_counts(arm.refused)}</td>' for arm in arms)}</tr>"
    rows += f"<tr><th>endings</th>{''.join(f'<td>{_counts(arm.reasons)}</td>' for arm in arms)}</tr>"
    table = f"<table><tr><th></th>{head}</tr>{rows}</table>"
    return f'<section><h2>All figures</h2><div class="scroll">{table}</div></section>\n'


def _counts(counts: Mapping[str, int]) -> str:
    return "<br/>".join(f"{markup(word)}: {count}" for word, count in list(counts.items())[:12])


def _differences(arms: Sequence[ArmSummary], attempts: Sequence[Attempt]) -> str:
    """Each arm against the first one."""
    if len(arms) < 2:
        return ""
    by_arm = {arm.arm: [each for each in attempts if each.arm == arm.arm] for arm in arms}
    first = arms[0].arm
    rows = "".join(
        f'<tr class="{"clear" if told.is_more_than_noise else "noise"}"><th>{markup(other.arm)}</th>'
        f"<td>{markup(told.figure)}</td><td>{number(told.first)} → {number(told.second)}</td>"
        f"<td>{told.pairs}</td><td>{told.p:.3f}</td></tr>"
        for other in arms[1:]
        for told in compare(by_arm[first], by_arm[other.arm])
    )
    return (
        f"<section><h2>Against {markup(first)}</h2><p>Paired by task: McNemar's exact test for shares, random signs "
        'for numbers. What is more than noise is bold.</p><div class="scroll"><table><tr><th>arm</th><th>figure</th>'
        f"<th>from → to</th><th>tasks</th><th>p</th></tr>{rows}</table></div></section>\n"
    )


def _matrix(arms: Sequence[ArmSummary], attempts: Sequence[Attempt], links: Mapping[str, str]) -> str:
    cells: dict[tuple[str, str], list[Attempt]] = {}
    for each in attempts:
        cells.setdefault((each.task, each.arm), []).append(each)
    tasks = list(dict.fromkeys(each.task for each in attempts))
    head = "".join(f"<th>{markup(arm.arm)}</th>" for arm in arms)
    rows = "".join(
        f"<tr><th>{markup(task)}</th>"
        + "".join(f"<td>{' '.join(_cell(each, links) for each in cells.get((task, arm.arm), ()))}</td>" for arm in arms)
        + "</tr>"
        for task in tasks[:_MOST_ROWS]
    )
    cut = f"<p>The first {_MOST_ROWS} of {len(tasks)} tasks.</p>" if len(tasks) > _MOST_ROWS else ""
    return (
        f'<section><h2>Tasks</h2>{cut}<div class="scroll"><table class="matrix"><tr><th>task</th>{head}</tr>{rows}'
        "</table></div></section>\n"
    )


def _cell(each: Attempt, links: Mapping[str, str]) -> str:
    kind = "passed" if each.passed else "landed" if each.landed else "failed"
    words = {"passed": "passed", "landed": "landed", "failed": each.reason}[kind]
    told = f"{each.rounds} rounds, {each.prompt_tokens + each.completion_tokens:,} tokens, {each.seconds:.1f} s"
    why = f"; {each.detail}" if each.detail else ""
    shown = f'<span class="{kind}" title="{markup(told + why)}">{markup(words)}</span>'
    link = links.get(each.run_id)
    return f'<a href="{markup(link)}">{shown}</a>' if link else shown


def _short(text: str) -> str:
    return text if len(text) <= 28 else text[:27] + "…"
