"""Puts the measuring programs, which are no package, where they can be imported."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "bench"))
