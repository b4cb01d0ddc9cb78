"""What the model is told, as Markdown files beside this one, and the code that fills them in."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from ..messages import Message

_PAGE = 4000
"""Characters of a repair message: about a page."""


def _text(name: str) -> str:
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8")


def opening(task: str, paths: Sequence[str], checks: Sequence[str], contract: str = "") -> tuple[Message, Message]:
    """The first two messages of the main job; `contract` says what kind of change is promised."""
    scope = ", ".join(paths) if paths and "." not in paths else "the whole repository"
    filled = _text("task").format_map({"task": task, "scope": scope, "checks": ", ".join(checks) or "nothing"})
    promise = f"\nContract: {contract}" if contract else ""
    return Message("system", _text("system").strip()), Message("user", filled.strip() + promise)


def told(what: str, **facts: str) -> str:
    """What the harness says about a reply that it can't act on; `what` names the text."""
    return _text(what).format_map(facts).strip()


def repair(failures: Sequence[str]) -> str:
    """The message that gives the gate's failures back."""
    listed = "\n".join(failures)
    if len(listed) > _PAGE:
        listed = listed[:_PAGE].rpartition("\n")[0] + "\n… and more"
    return _text("repair").format_map({"failures": listed}).strip()
