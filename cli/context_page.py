"""The page that `context` prints: the frame, what is in the pack and why, in as many columns as there are."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .pages import Line, Span, Style
from .wording import plain, shortened

if TYPE_CHECKING:
    from orefactor.core.context.frame import LinkedEntity, RequestFrame
    from orefactor.core.context.pack import ContextPack, PackedItem
    from orefactor.core.context_request import ContextFound

_HEAD = 13
_WIDE = 100
"""Columns from which on the reasons stand beside the items."""
_MEASURES = 24
"""Columns that score, tokens and form take."""
_LONGEST_TASK, _MOST_CANDIDATES, _MOST_SECTIONS = 1000, 10, 40


def context_lines(found: ContextFound, width: int) -> list[Line]:
    """The page, line by line.

    Args:
        width: columns; only what can't be broken, such as a long path, goes beyond them.
    """
    frame, pack = found.context.frame, found.context.pack
    return [
        *_field("task", " ".join(found.task[:_LONGEST_TASK].split()), width),
        *_field("type", _type_words(frame), width),
        *_field("paths", ", ".join(found.paths) or "the whole repository", width),
        *_field("base", f"{found.base.source} {found.base.commit[:12]}", width),
        *_names(frame.entities, width),
        *_field("pack", _pack_words(pack), width),
        *_items(pack.items, width),
        *_conventions(pack, width),
    ]


def _field(name: str, text: str, width: int) -> Iterator[Line]:
    for number, line in enumerate(_wrapped(text, width - _HEAD)):
        yield (Span(f"{'' if number else name:<{_HEAD}}", "faint"), Span(line))


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(plain(text), max(width, 20), break_long_words=False, break_on_hyphens=False) or [""]


def _type_words(frame: RequestFrame) -> str:
    from orefactor.core.context.frame import TASK_TYPES

    kind = TASK_TYPES[frame.task_type]
    return f"{kind.name}: contract {', '.join(kind.contract)}; checks {', '.join(kind.checks)}"


def _names(entities: Sequence[LinkedEntity], width: int) -> Iterator[Line]:
    if not entities:
        yield from _field("names", "none that the code knows", width)
    for number, entity in enumerate(entities):
        head = Span(f"{'' if number else 'names':<{_HEAD}}", "faint")
        token = Span(entity.token, "head")
        if not entity.ambiguous:
            yield from _beside(head, token, f"{entity.label} {entity.node_id}", width)
            continue
        yield (head, token, Span(f"  one of {len(entity.candidates)}"))
        for label, node_id in entity.candidates[:_MOST_CANDIDATES]:
            yield (Span(f"{'':<{_HEAD + 2}}{label} "), Span(node_id, "name"))
        if len(entity.candidates) > _MOST_CANDIDATES:
            more = len(entity.candidates) - _MOST_CANDIDATES
            yield (Span(f"{'':<{_HEAD + 2}}and {more} more", "faint"),)


def _beside(head: Span, token: Span, text: str, width: int) -> Iterator[Line]:
    """What a word names: beside it, or below it where there is no room."""
    if len(head.text) + len(token.text) + 2 + len(text) <= width:
        yield (head, token, Span(f"  {text}"))
    else:
        yield (head, token)
        yield from ((Span(f"{'':<{_HEAD + 2}}{line}"),) for line in _wrapped(text, width - _HEAD - 2))


def _pack_words(pack: ContextPack) -> str:
    left_out = f"; {pack.left_out} more did not fit" if pack.left_out else ""
    return f"{pack.pack_id}  {len(pack.items)} item(s), {pack.tokens:,} of {pack.budget:,} tokens{left_out}"


def _items(items: Sequence[PackedItem], width: int) -> Iterator[Line]:
    if not items:
        return
    yield ()
    places = [_place(item) for item in items]
    # The reasons get a good third of a wide page; a place that needs more pushes them onto a line of their own.
    column = min(max(map(len, places)), (width - _MEASURES) * 3 // 5)
    head = f"{'score':>6} {'tokens':>6} {'form':<10}"
    yield (Span(f"{head}{'item':<{column}}  why" if width >= _WIDE else f"{head}item, why", "faint"),)
    for item, place in zip(items, places, strict=True):
        yield from _item(item, place, column, width)


def _place(item: PackedItem) -> str:
    first, last = item.lines
    return plain(f"{item.path}:{first}-{last} {item.symbol}".strip())


def _item(item: PackedItem, place: str, column: int, width: int) -> Iterator[Line]:
    measures = Span(f"{item.score:6.4f} {item.tokens:>6} {item.form:<10}")
    style: Style = "strong" if any(reason.startswith(("target", "named ")) for reason in item.why) else "name"
    why = "; ".join(item.why)
    if width < _WIDE:
        yield (measures, Span(place, style))
        for line in _wrapped(why, width - _MEASURES):
            yield (Span(f"{'':<{_MEASURES}}{line}", "faint"),)
        return
    first, *more = _wrapped(why, width - _MEASURES - column - 2)
    if len(place) > column:
        yield (measures, Span(place, style))
        yield (Span(f"{'':<{_MEASURES + column + 2}}{first}"),)
    else:
        yield (measures, Span(place, style), Span(f"{'':<{column - len(place)}}  {first}"))
    for line in more:
        yield (Span(f"{'':<{_MEASURES + column + 2}}{line}"),)


def _conventions(pack: ContextPack, width: int) -> Iterator[Line]:
    for number, section in enumerate(pack.conventions[:_MOST_SECTIONS]):
        if not number:
            yield ()
        head = Span(f"{'' if number else 'conventions':<{_HEAD}}", "faint")
        # Of a settings table the title is the end of its id.
        title = "" if section.rule_id.endswith(f"#{section.title}") else shortened(section.title)
        yield from _beside(head, Span(section.rule_id), title, width)
    if len(pack.conventions) > _MOST_SECTIONS:
        yield (Span(f"{'':<{_HEAD}}and {len(pack.conventions) - _MOST_SECTIONS} more", "faint"),)
