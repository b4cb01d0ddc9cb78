"""What the model was shown first: the context pack's graph, drawn from the trace, and its items as a table."""

from __future__ import annotations

import json

from ...context.build import context_from_json
from ...context.pack import PackedItem
from ...trace_model import Trace
from ..context_graph import draw
from ..graph_style import stylesheet
from .text import count, line, path_markup

_MOST_ITEMS, _MOST_REASONS = 200, 6
_DARK = "@media (prefers-color-scheme:dark){"


def context_markup(trace: Trace) -> str:
    """The section."""
    head = '<section id="context"><h2>Context</h2>'
    if trace.context_pack is None or trace.frame is None:
        why = f": {line(trace.context_failure)}" if trace.context_failure else ""
        return f"{head}<p>The model was shown nothing of the repository first{why}.</p></section>\n"
    try:
        pack = context_from_json(json.dumps({"frame": trace.frame, **trace.context_pack})).pack
    except ValueError:
        return f"{head}<p>The context pack in the trace is not in a form that is known here.</p></section>\n"
    drawings = "".join(
        f'<div class="{name}">{draw(pack.items, pack.links, narrow=name == "narrow", name=f"graph-{name}")}</div>'
        for name in ("wide", "narrow")
    )
    left_out = f", {pack.left_out:,} more did not fit" if pack.left_out else ""
    words = f"{count(len(pack.items), 'item')}, {pack.tokens:,} of {pack.budget:,} tokens{left_out}"
    return (
        f"{head}<figure>{drawings}<figcaption>What the pack <code>{line(pack.pack_id, 40)}</code> holds: {words}."
        f"</figcaption></figure>{_table(pack.items)}</section>\n"
    )


def _table(items: tuple[PackedItem, ...]) -> str:
    if not items:
        return ""
    rows = "".join(map(_row, items[:_MOST_ITEMS]))
    more = f"<p>… and {count(len(items) - _MOST_ITEMS, 'more item')}.</p>" if len(items) > _MOST_ITEMS else ""
    heads = '<th scope="col">item</th><th scope="col">why</th><th scope="col">form</th>'
    return (
        f"<details><summary>All items with their reasons</summary>"
        f'<div class="wide-table"><table><caption>Items, the best first</caption><thead><tr>{heads}'
        f'<th scope="col" class="number">tokens</th></tr></thead><tbody>{rows}</tbody></table></div>{more}</details>'
    )


def _row(item: PackedItem) -> str:
    first, last = item.lines
    symbol = f" {line(item.symbol, 120)}" if item.symbol else ""
    why = line("; ".join(item.why[:_MOST_REASONS]), 600)
    return (
        f'<tr><th scope="row"><code>{path_markup(item.path)}:{first}–{last}{symbol}</code></th><td>{why}</td>'
        f'<td>{item.form}</td><td class="number">{item.tokens:,}</td></tr>\n'
    )


def switched_stylesheet() -> str:
    """The drawing's style for a page that is switched to light or dark by its reader, whatever the system says."""
    light, _, dark = stylesheet().partition(_DARK)
    return f":root:has(#theme-light:checked){{{light}}}:root:has(#theme-dark:checked){{{dark.removesuffix('}')}}}"
