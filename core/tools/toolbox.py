"""Serves calls by name: validation before anything runs, one answer for every call, never an exception."""

from __future__ import annotations

import difflib
import os
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from orefactor.sandbox.errors import Refused, UserError
from orefactor.sandbox.files import Root

from ..errors import ToolError
from ..keys import whole_environment
from ..messages import ToolSchema
from ..redact import Redactor
from ..result_limits import RESULT_LIMIT
from . import TOOLS
from .base import AnyTool, Effect, Workspace
from .paging import cap
from .schema import function_schema
from .validation import parse_arguments

CallStatus = Literal["executed", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a call.

    Attributes:
        status: `refused` before anything ran, `failed` while it ran, else `executed`.
        text: what the model is told, redacted and capped.
        bug: the traceback of an error that no tool should raise.
    """

    status: CallStatus
    text: str
    bug: str | None = None


class Toolbox:
    """A set of tools at one workspace."""

    def __init__(self, tools: Mapping[str, AnyTool], workspace: Workspace, redactor: Redactor) -> None:
        self._tools = dict(tools)
        self._redactor = redactor
        self.workspace = workspace

    @property
    def tools(self) -> tuple[AnyTool, ...]:
        """The tools themselves, in the order in which they are told."""
        return tuple(self._tools.values())

    def offer(self, tool: AnyTool) -> None:
        """Add a tool at the end, before anything is told of the tools."""
        self._tools[tool.name] = tool

    @property
    def schemas(self) -> tuple[ToolSchema, ...]:
        """What the model is told of the tools."""
        return tuple(function_schema(tool) for tool in self._tools.values())

    def effect(self, name: str) -> Effect | None:
        """The tool's effect; None for an unknown name."""
        tool = self._tools.get(name)
        return tool.effect if tool else None

    def call(self, name: str, arguments: dict[str, Any] | str | None) -> Answer:
        """Serve one call. It never raises, save when the process itself is asked to stop."""
        tool = self._tools.get(name)
        if tool is None:
            return self._answer("refused", f"ERROR: {self._unknown(name)}")
        try:
            parsed = parse_arguments(tool.arguments, arguments)
        except ToolError as error:
            return self._answer("refused", f"ERROR: {error}")
        try:
            return self._answer("executed", tool.run(parsed, self.workspace), tool.result_limit)
        except (ToolError, Refused, UserError) as error:
            return self._answer("failed", f"ERROR: {error}")
        except OSError as error:
            return self._answer("failed", f"ERROR: {error.strerror or error}; try another path or go on without")
        except Exception as error:  # noqa: BLE001 - the border of the loop: a tool's bug is an answer, not an end
            text = f"ERROR: {name} has a bug ({type(error).__name__}); reach the aim another way"
            return Answer("failed", text, self._redactor.text(traceback.format_exc()))

    def _answer(self, status: CallStatus, text: str, limit: int = RESULT_LIMIT) -> Answer:
        return Answer(status, cap(self._redactor.text(text), limit, "ask for a smaller part"))

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self._tools, n=1)
        meant = f"; did you mean `{near[0]}`?" if near else "."
        shown = name if len(name) <= 64 else name[:64] + "…"
        return f"there is no tool `{shown}`{meant} The tools are: {', '.join(self._tools)}"


class RefactorTools:
    """The tools on a folder of your own; the scope is the whole of it.

    >>> RefactorTools(".").dispatch("read_file", {"path": "README.md"})  # doctest: +SKIP
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        """Open the folder.

        Raises:
            UserError: there is no such folder.
        """
        from ..checks.host import CheckHost
        from ..index.folder_index import FolderIndex

        top = Path(root)
        if not top.is_dir():
            raise UserError(f"`{root}` is no folder", hint="name an existing folder")
        place = Path(os.path.realpath(top))
        files = Root(place)
        checks = CheckHost.standalone(place, files)
        workspace = Workspace(files, checks=checks, skip_ignored=True, index=FolderIndex(files))
        self._toolbox = Toolbox(TOOLS, workspace, Redactor(whole_environment()))

    def dispatch(self, name: str, arguments: dict[str, Any] | str | None = None) -> str:
        """Serve one call by name.

        Args:
            arguments: an object, or the JSON text of one.

        Returns:
            What the tool says; a failure begins with `ERROR: `. It never raises.
        """
        return self._toolbox.call(str(name), arguments).text

    def read_file(self, path: str, start_line: int | None = None, end_line: int | None = None) -> str:
        """A file's text, or lines of it (1-based, inclusive)."""
        return self.dispatch("read_file", {"path": path, "start_line": start_line, "end_line": end_line})

    def list_dir(self, path: str = ".", offset: int = 0) -> str:
        """The names in a folder."""
        return self.dispatch("list_dir", {"path": path, "offset": offset})

    def grep(self, pattern: str, path: str = ".", glob: str = "*.py") -> str:
        """Lines that match a regular expression, as `path:line:text`."""
        return self.dispatch("grep", {"pattern": pattern, "path": path, "glob": glob})

    def ast_outline(self, path: str, offset: int = 0) -> str:
        """Classes, functions and methods of a Python file."""
        return self.dispatch("ast_outline", {"path": path, "offset": offset})

    def codebase_context(self, target: str) -> str:
        """Callers, callees, importers and tests of a path or symbol."""
        return self.dispatch("codebase_context", {"target": target})

    def find_references(self, symbol: str, offset: int = 0) -> str:
        """Every place that refers to a symbol."""
        return self.dispatch("find_references", {"symbol": symbol, "offset": offset})

    def skill_section(self, rule_id: str) -> str:
        """One section of the project's conventions."""
        return self.dispatch("skill_section", {"rule_id": rule_id})

    def edit_file(self, path: str, old_string: str, new_string: str) -> str:
        """Replace one exact, unique occurrence."""
        return self.dispatch("edit_file", {"path": path, "old_string": old_string, "new_string": new_string})

    def write_file(self, path: str, content: str) -> str:
        """Create a file, or overwrite one that was read."""
        return self.dispatch("write_file", {"path": path, "content": content})

    def delete_file(self, path: str) -> str:
        """Delete a file that was read."""
        return self.dispatch("delete_file", {"path": path})

    def move_file(self, path: str, new_path: str) -> str:
        """Move a file that was read."""
        return self.dispatch("move_file", {"path": path, "new_path": new_path})

    def run_check(self, command: str) -> str:
        """Run one whitelisted check."""
        return self.dispatch("run_check", {"command": command})
