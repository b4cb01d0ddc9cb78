"""What a recipe made untidy is mended; what was untidy before stays."""

from __future__ import annotations

import pytest

from orefactor.core.recipes.base import Options
from orefactor.core.recipes.tidying import tidied

PLAIN = "class A:\n    pass\n"
DOCUMENTED = 'class A:\n    """An a."""\n\n    pass\n'
CONFIG = 'lint.select = ["PIE", "I"]\n'


@pytest.mark.parametrize(
    ("before", "after", "config", "expected"),
    [
        (PLAIN, DOCUMENTED, CONFIG, 'class A:\n    """An a."""\n\n'),
        (PLAIN, DOCUMENTED, "", DOCUMENTED),
        (PLAIN, DOCUMENTED, 'lint.select = ["F"]\n', DOCUMENTED),
        (DOCUMENTED, DOCUMENTED + DOCUMENTED.replace("A", "B"), CONFIG, None),
        ("import os\n", "import os\nfrom abc import ABC\n", CONFIG, "import os\nfrom abc import ABC\n"),
        ("import sys\n", "import sys\nimport os\n", CONFIG, "import os\nimport sys\n"),
        (PLAIN, PLAIN, CONFIG, PLAIN),
        ("import sys\nimport os\n", "import sys\nimport os\nx = 1\n", CONFIG, None),
    ],
)
def test_tidied(before: str, after: str, config: str, expected: str | None) -> None:
    result = tidied(before, after, Options(ruff_config=config))
    assert result.rstrip("\n") == (after if expected is None else expected).rstrip("\n")
