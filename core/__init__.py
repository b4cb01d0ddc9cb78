"""Decides: the loop, tools, providers, checks, guards, gate and trace. It knows no terminal.

The names below are the Python interface; each loads what it needs when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import refactor as refactor
    from .errors import UserError as UserError
    from .messages import Message as Message
    from .messages import ProviderRequest as ProviderRequest
    from .messages import ProviderResponse as ProviderResponse
    from .messages import ToolCall as ToolCall
    from .result import RefactorResult as RefactorResult
    from .tools import TOOL_SCHEMAS as TOOL_SCHEMAS
    from .tools.toolbox import RefactorTools as RefactorTools

_HOMES = {
    "refactor": "api",
    "UserError": "errors",
    "Message": "messages",
    "ProviderRequest": "messages",
    "ProviderResponse": "messages",
    "ToolCall": "messages",
    "RefactorResult": "result",
    "TOOL_SCHEMAS": "tools",
    "RefactorTools": "tools.toolbox",
}
__all__ = [
    "TOOL_SCHEMAS",
    "Message",
    "ProviderRequest",
    "ProviderResponse",
    "RefactorResult",
    "RefactorTools",
    "ToolCall",
    "UserError",
    "refactor",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - one of the names above
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
