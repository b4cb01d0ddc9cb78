"""One page that shows a context: the drawing, the frame, a table of the items with their reasons, the text.

It is one file without any network: a policy in its head lets nothing in but its own style and script, by their digests,
so even markup that slipped in could do nothing. It is well-formed XML too, which is how its tests read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..context.frame import TASK_TYPES, LinkedEntity, RequestFrame
from ..context.pack import ContextPack, PackedItem
from .context_graph import draw
from .graph_style import stylesheet
from .graph_text import markup, visible_lines
from .page_parts import page_head

_MOST_ROWS, _MOST_REASONS, _MOST_CANDIDATES = 1000, 12, 50
_COLUMNS = (("score", True), ("what", False), ("why", False), ("lines", True), ("form", False), ("tokens", True))


def page(task: str, targets: Sequence[str], frame: RequestFrame, pack: ContextPack) -> str:
    """The page as HTML.

    Args:
        task: as the user wrote it.
        targets: the paths that may change; none for everything.
    """
    look, script = _part("graph_page.css"), _part("graph_page.js")
    title = markup(" ".join(task.split()))
    drawings = "".join(
        f'<div class="{name}">{draw(pack.items, pack.links, narrow=name == "narrow", name=name)}</div>'
        for name in ("wide", "narrow")
    )
    return (
        page_head(f"context: {title}", look, script, [stylesheet()])
        + f"<body><main><h1>{title}</h1>\n{_frame(targets, frame, pack)}\n"
        f'<div class="picture">{drawings}</div>\n{_table(pack.items)}\n{_text(pack)}\n'
        f"</main><script>{script}</script></body></html>\n"
    )


def _part(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _frame(targets: Sequence[str], frame: RequestFrame, pack: ContextPack) -> str:
    kind = TASK_TYPES[frame.task_type]
    left_out = f", {pack.left_out} more did not fit" if pack.left_out else ""
    facts = [
        ("type", f"{kind.name}: contract {', '.join(kind.contract)}; checks {', '.join(kind.checks)}"),
        ("paths", ", ".join(targets) or "the whole repository"),
        ("pack", f"{pack.pack_id}: {len(pack.items)} item(s), {pack.tokens:,} of {pack.budget:,} tokens{left_out}"),
    ]
    rows = "".join(f"<dt>{name}</dt><dd>{markup(said)}</dd>" for name, said in facts)
    names = "".join(map(_entity, frame.entities)) or "<p>none that the code knows</p>"
    return f"<dl>{rows}<dt>names</dt><dd>{names}</dd>{_conventions(pack)}</dl>"


def _entity(entity: LinkedEntity) -> str:
    token = f"<code>{markup(entity.token)}</code>"
    if not entity.ambiguous:
        return f"<p>{token}: {markup(entity.label)} <code>{markup(entity.node_id)}</code></p>"
    shown = entity.candidates[:_MOST_CANDIDATES]
    listed = "".join(f"<li>{markup(label)} <code>{markup(node)}</code></li>" for label, node in shown)
    return f"<details><summary>{token}: one of {len(entity.candidates)}</summary><ul>{listed}</ul></details>"


def _conventions(pack: ContextPack) -> str:
    if not pack.conventions:
        return ""
    listed = "".join(
        f"<li><code>{markup(section.rule_id)}</code> {markup(section.title)}</li>" for section in pack.conventions
    )
    number = len(pack.conventions)
    summary = f"<summary>{number} section{'s' if number > 1 else ''}</summary>"
    return f"<dt>conventions</dt><dd><details>{summary}<ul>{listed}</ul></details></dd>"


def _table(items: Sequence[PackedItem]) -> str:
    heads = "".join(f"<th{_number(numeric)}>{name}</th>" for name, numeric in _COLUMNS)
    rows = "".join(_row(number, item) for number, item in enumerate(items[:_MOST_ROWS]))
    return f"<h2>Items</h2><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _number(numeric: bool) -> str:
    return ' class="number"' if numeric else ""


def _row(number: int, item: PackedItem) -> str:
    first, last = item.lines
    why = "; ".join(item.why[:_MOST_REASONS])
    what = markup(item.node_id).replace("/", "/<wbr/>").replace("::", "::<wbr/>")
    score = f'data-value="{item.score:.6f}" data-label="score">{item.score:.4f}'
    return (
        f'<tr data-n="{number}"><td class="number" {score}</td>'
        f'<td><a href="#wide-{number}"><code>{what}</code></a></td><td>{markup(why)}</td>'
        f'<td class="number" data-value="{first}" data-label="lines">{first}–{last}</td>'
        f'<td class="form">{item.form}</td>'
        f'<td class="number" data-value="{item.tokens}" data-label="tokens">{item.tokens}</td></tr>\n'
    )


def _text(pack: ContextPack) -> str:
    if not pack.text:
        return ""
    summary = f"<summary>{pack.tokens:,} tokens as the model is shown them</summary>"
    return f"<h2>Text</h2><details>{summary}<pre>{visible_lines(pack.text)}</pre></details>"
