"""The small repository whose context the tests look at."""

from __future__ import annotations

FILES = {
    "src/shapes.py": '"""Shapes."""\n\n\ndef area(a, b):\n    """Multiply."""\n    return a * b\n',
    "src/report.py": "from shapes import area\n\n\ndef total(rows):\n    return sum(area(*row) for row in rows)\n",
    "tests/test_shapes.py": "from shapes import area\n\n\ndef test_area():\n    assert area(2, 3) == 6\n",
    "AGENTS.md": "# Rules\n\n## Docstrings\n\nGoogle style.\n",
}
TASK = "document area"
