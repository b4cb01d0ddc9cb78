"""How much a model is shown at once; not beside the tools, which load all that they check arguments with."""

from __future__ import annotations

RESULT_LIMIT = 8 * 1024
"""Bytes of one tool message."""
LONG_RESULT_LIMIT = 32 * 1024
"""Bytes of a `read_file` that asks for certain lines."""
