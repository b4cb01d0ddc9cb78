"""Tables and sections of Markdown; what stands in their cells is `markdown_text`'s."""

from __future__ import annotations

from collections.abc import Sequence


def table(rows: Sequence[tuple[str, ...]], alignment: str) -> str:
    """A table.

    Args:
        rows: the first one is its head.
        alignment: the cells of the line below, such as `:-- | --:`.
    """
    head, *rest = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, f"| {alignment} |", *rest])


def section(heading: str, content: str) -> list[str]:
    """The parts of a section; none where it has no content."""
    return [f"### {heading}", content] if content else []


def more(number: int) -> str:
    """What stands below a table where so many of its rows are left out."""
    return f"\n\n… and {number} more" if number > 0 else ""
