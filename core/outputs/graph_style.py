"""How a drawn context looks: colours of the kinds of links in light and dark, each with a dash of its own.

Plain selectors in place of custom properties, which programs other than browsers don't know. Colours keep a contrast of
3:1 and more; a kind is told by its dash and by the text on hover as well.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..context.selection import LinkKind
from .graph_roles import Role


@dataclass(frozen=True, slots=True)
class LineStyle:
    """How links of one kind are drawn. `dash`: as SVG takes it; empty for a whole line."""

    light: str
    dark: str
    dash: str = ""


LINES: dict[LinkKind, LineStyle] = {
    "calls": LineStyle("#0969da", "#58a6ff"),
    "inherits": LineStyle("#8250df", "#bc8cff"),
    "imports": LineStyle("#1a7f37", "#3fb950", "7 3"),
    "tests": LineStyle("#bc4c00", "#f0883e", "2 3"),
    "uses": LineStyle("#bf3989", "#f778ba", "5 3 1 3"),
    "holds": LineStyle("#6e7781", "#8b949e", "1 4"),
}
HEADINGS: dict[Role, str] = {
    "users": "who uses it",
    "centre": "what the task is about",
    "used": "what it uses",
    "tests": "tests",
    "documents": "documents",
}


def stylesheet() -> str:
    """The style sheet of a drawing; its rules hold inside of `.context-graph` only."""
    rules = [
        "text{font:11.5px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1f2328;white-space:pre}",
        ".heading,.legend{font-family:system-ui,'DejaVu Sans',sans-serif;fill:#57606a}",
        ".heading{font-size:13px;font-weight:600}",
        ".ground{fill:#fff}.box{fill:#f6f8fa;stroke:#d0d7de}.centre .box{stroke:#0969da;stroke-width:1.5}",
        ".path,.central{font-weight:700}.lines{fill:#57606a;font-size:10.5px}",
        ".hit{fill:transparent}.track{fill:#d0d7de}.score,.mark{fill:#0969da}.scale{stroke:#0969da;stroke-width:6;stroke-linecap:round}",
        ".link{fill:none;stroke-width:1.4;opacity:.6}.reach{fill:none;stroke:transparent;stroke-width:9}",
        ".edge:hover .link{stroke-width:2.6;opacity:1}.row:hover .hit{fill:#0969da1f}",
        *(_line(kind, style.light, style.dash) for kind, style in LINES.items()),
    ]
    dark = [
        "text{fill:#e6edf3}.heading,.legend,.lines{fill:#9198a1}.ground{fill:#0d1117}",
        ".box{fill:#161b22;stroke:#3d444d}.centre .box{stroke:#58a6ff}.track{fill:#3d444d}",
        ".score,.mark{fill:#58a6ff}.scale{stroke:#58a6ff}.row:hover .hit{fill:#58a6ff2e}",
        *(_line(kind, style.dark, style.dash) for kind, style in LINES.items()),
    ]
    size = "svg.context-graph{max-width:100%;height:auto}"
    return size + _scoped(rules) + "@media (prefers-color-scheme:dark){" + _scoped(dark) + "}"


def _line(kind: LinkKind, colour: str, dash: str) -> str:
    dashed = f";stroke-dasharray:{dash}" if dash else ""
    return f".link.{kind}{{stroke:{colour}{dashed}}}.tip.{kind}{{fill:{colour}}}"


def _scoped(rules: list[str]) -> str:
    """The rules with `.context-graph` before each selector, since the drawing may stand in a page."""
    scoped: list[str] = []
    for rule in "".join(rules).split("}")[:-1]:
        selectors, _, body = rule.partition("{")
        scoped.append(",".join(f".context-graph {selector}" for selector in selectors.split(",")) + f"{{{body}}}")
    return "".join(scoped)
