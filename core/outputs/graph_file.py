"""Writes a drawn context to the user's file, `.svg` the drawing and `.html` the page: whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..context.frame import RequestFrame
from ..context.pack import ContextPack
from ..errors import UserError
from .page_parts import write_whole

SUFFIXES = (".svg", ".html")


def require_graph_file(path: Path) -> None:
    """Say what is wrong with such a file before any work is done.

    Raises:
        UserError: another suffix, no such folder, something there that is no regular file.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise UserError(
            f"can't draw the graph as `{path.name}`", hint="name a file that ends in .svg or .html: `--graph FILE.svg`"
        )
    real = Path(os.path.realpath(path))
    if not real.parent.is_dir() or (real.exists() and not real.is_file()):
        raise UserError(
            f"can't write the graph to `{path}`", hint="name a file in an existing folder: `--graph FILE.svg`"
        )


def write_graph(path: Path, task: str, targets: Sequence[str], frame: RequestFrame, pack: ContextPack) -> None:
    """Write the drawing or the page, by the file's suffix.

    Raises:
        UserError: it can't be written; what stood there before stands there still.
    """
    if path.suffix.lower() == ".svg":
        from .context_graph import draw

        text = draw(pack.items, pack.links)
    else:
        from .graph_page import page

        text = page(task, targets, frame, pack)
    write_whole(path, text, "graph")
