"""What the model is told, as Markdown files beside this one, and the code that fills them in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from importlib.resources import files

from ..messages import Message

_PAGE = 4000
"""Characters of a repair message: about a page."""


def _text(name: str) -> str:
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8")


def digest() -> str:
    """A digest, 64 hex digits, of all that a model may be told from here."""
    texts = [file for file in files(__name__).iterdir() if file.name.endswith(".md")]
    told = {file.name: file.read_text(encoding="utf-8") for file in texts}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def opening(
    task: str,
    paths: Sequence[str],
    checks: Sequence[str],
    contract: str = "",
    context: str = "",
    *,
    tools: Collection[str] = (),
    costs: str = "",
    system: str | None = None,
) -> tuple[Message, Message]:
    """The first two messages of the main job; the first depends on nothing but the tools, so that caches hold it.

    Args:
        contract: what kind of change is promised, in words.
        context: the context pack's text.
        tools: the names of those that are offered; advice on others is left out.
        costs: what their calls cost, in words.
        system: stands in place of the usual first message.
    """
    first = _system(tools, costs) if system is None else system
    return Message("system", first), Message("user", _task(task, paths, checks, contract, context))


def _system(tools: Collection[str], costs: str) -> str:
    lines = _text("system").strip().split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("- ")) + 1
    index = _text("index").strip().split("\n") if "find_references" in tools else []
    lines[start:start] = [*index, *([f"- {costs}"] if costs else [])]
    return "\n".join(lines)


def _task(task: str, paths: Sequence[str], checks: Sequence[str], contract: str, context: str) -> str:
    scope = ", ".join(paths) if paths and "." not in paths else "the whole repository"
    filled = _text("task").format_map({"task": task, "scope": scope, "checks": ", ".join(checks) or "nothing"})
    promise = f"\nContract: {contract}" if contract else ""
    shown = "\n\n" + _text("context").format_map({"context": context}).strip() if context else ""
    return filled.strip() + promise + shown


def fixed(what: str) -> str:
    """A text that nothing is filled into; `what` names it."""
    return _text(what).strip()


def told(what: str, **facts: str) -> str:
    """What the harness says about a reply that it can't act on; `what` names the text."""
    return _text(what).format_map(facts).strip()


def repair(failures: Sequence[str]) -> str:
    """The message that gives the gate's failures back."""
    listed = "\n".join(failures)
    if len(listed) > _PAGE:
        listed = listed[:_PAGE].rpartition("\n")[0] + "\n… and more"
    return _text("repair").format_map({"failures": listed}).strip()
