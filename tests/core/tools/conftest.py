"""Tools at a tree of files that is indexed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Files, write_files

from orefactor.core.index.symbol_index import MemoryIndex
from orefactor.core.redact import Redactor
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import Scope, Workspace
from orefactor.core.tools.toolbox import Toolbox
from orefactor.sandbox.files import Root

OpenTree = Callable[[Files], Toolbox]


@pytest.fixture
def open_tree(tmp_path: Path) -> OpenTree:
    """Write files and give every tool at them, with their index."""

    def opened(files: Files) -> Toolbox:
        write_files(tmp_path / "tree", files)
        data = {path: text if isinstance(text, bytes) else text.encode() for path, text in files.items()}
        workspace = Workspace(Root(tmp_path / "tree"), Scope(), index=lambda: MemoryIndex(data))
        return Toolbox(TOOLS, workspace, Redactor({}))

    return opened
