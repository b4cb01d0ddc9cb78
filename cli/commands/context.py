"""`context`: what a run would show the model first, and why; no model is asked and nothing is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from orefactor.core.json_text import json_text

from .. import options as o
from ..errors import say
from ..terminal import show, write_bytes

Paths = Annotated[
    list[str] | None,
    Argument(metavar="PATH", help="Files and folders that the task is about (everything).", show_default=False),
]
Base = Annotated[str | None, Option("--base", metavar="REV", help="HEAD, index, worktree or a revision (worktree).")]
Type = Annotated[
    str | None, Option("--type", metavar="NAME", help="The type of task, such as rename (by the task's words).")
]
Graph = Annotated[
    Path | None, Option("--graph", metavar="FILE", help="Draw what was chosen into a file: .svg or .html.")
]
Text = Annotated[bool, Option("--text", help="Print the text itself, as the model is shown it.")]
Json = Annotated[bool, Option("--json", help="Print everything as JSON.")]


def context_command(
    task: o.Task = None,
    paths: Paths = None,
    context_tokens: o.ContextTokens = None,
    base: Base = None,
    task_type: Type = None,
    graph: Graph = None,
    text: Text = False,
    as_json: Json = False,
) -> None:
    """Show what the model would be shown first, and why; no model is asked."""
    from orefactor.core.context_request import ContextRequest, find_context
    from orefactor.core.errors import UserError
    from orefactor.core.outputs.graph_file import require_graph_file, write_graph

    from ..context_page import context_lines
    from ..pages import page_width, show_page

    if text and as_json:
        raise UserError("`--text` and `--json` exclude each other", hint="leave one of them out; JSON holds the text")
    if graph is not None:
        require_graph_file(graph)
    named = {"context_tokens": context_tokens, "base": base}
    options = {name: value for name, value in named.items() if value is not None}
    found = find_context(ContextRequest(task or "", Path.cwd(), tuple(paths or ()), options, task_type))
    context = found.context
    if graph is not None:
        write_graph(graph, found.task, found.paths, context.frame, context.pack)
    if as_json:
        from orefactor.core.context.build import to_json

        write_bytes(json_text(to_json(context)).encode() + b"\n")
    elif text:
        from orefactor.core.redact import printable

        show(printable(context.pack.text).encode(), Path.cwd(), patch=False)
    else:
        show_page(context_lines(found, page_width()), Path.cwd())
    if graph is not None:
        say("done", f"drew {len(context.pack.items)} item(s) in `{graph}`")
