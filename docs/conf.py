"""How the documentation is built, see `scripts/docs`; the names in capitals and small letters are Sphinx's."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import said  # noqa: E402 - beside this file, which Sphinx runs by itself

from orefactor import __version__  # noqa: E402
from orefactor.core import api  # noqa: E402

project = "git orefactor"
author = "the git-orefactor authors"
copyright = author  # noqa: A001 - Sphinx's name
version = release = __version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
# What is taken in by other pages, or by the manual page.
exclude_patterns = ["manual", "built", "_said"]
nitpicky = True
# Types of the standard library and of inner modules aren't documented here.
nitpick_ignore_regex = [("py:.*", ".*")]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.strikethrough"]

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

# An alias of thirty classes says more by its name, which `autodoc_type_aliases` shows as the repr of a reference.
api.__dict__["Listener"] = type("Listener", (), {"__module__": "orefactor.core.events"})

# It would make dashes of the two hyphens of an option.
smartquotes = False

html_theme = "furo"
html_title = f"git orefactor {release}"
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "monokai"


def setup(app: Sphinx) -> None:
    """Have the lists from the source written before the pages are read, and docstrings read as they are meant."""
    app.connect("builder-inited", lambda _app: said.write_lists(HERE / "_said"))
    # Before napoleon, which writes roles, and those have backticks too.
    app.connect("autodoc-process-docstring", _mark_code, priority=400)


def _mark_code(_app: Sphinx, _what: str, _name: str, _it: object, _options: object, lines: list[str]) -> None:
    """Our docstrings quote code as Markdown does, in single backticks."""
    lines[:] = [re.sub(r"(?<!`)`([^`]+?) ?`(?!`)", r"``\1``", line) for line in lines]
