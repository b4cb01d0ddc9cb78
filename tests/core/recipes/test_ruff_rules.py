"""The recipes that ruff does, and how it is run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from orefactor.core.errors import ExitCode, ProviderFailed
from orefactor.core.recipes.base import Options
from orefactor.core.recipes.ruff_process import format_text, run_ruff
from orefactor.core.recipes.ruff_rules import modernize, tidy_imports

IMPORTS = "import sys\nimport os\nfrom shop import cart\nimport requests\nprint(sys, cart, requests)\n"


@pytest.mark.parametrize(
    ("recipe", "options", "before", "after"),
    [
        (
            tidy_imports,
            Options(import_rules=("I",)),
            IMPORTS,
            "import os\nimport sys\n\nimport requests\nfrom shop import cart\n\nprint(sys, cart, requests)\n",
        ),
        (
            tidy_imports,
            Options(import_rules=("F401",)),
            IMPORTS,
            "import sys\nfrom shop import cart\nimport requests\nprint(sys, cart, requests)\n",
        ),
        (
            tidy_imports,
            Options(ruff_config='[lint.isort]\nknown-first-party = ["shop"]\n'),
            IMPORTS,
            "import sys\n\nimport requests\n\nfrom shop import cart\n\nprint(sys, cart, requests)\n",
        ),
        (
            tidy_imports,
            Options(path="shop/__init__.py", ruff_config='[lint.per-file-ignores]\n"__init__.py" = ["F401"]\n'),
            "import os\n",
            "import os\n",
        ),
        (format_text, Options(), "x = 'a'", 'x = "a"\n'),
        (format_text, Options(ruff_config='[format]\nquote-style = "single"\n'), 'x = "a"', "x = 'a'\n"),
        (format_text, Options(ruff_config='line-length = "wrong"\n'), "x = 'a'", 'x = "a"\n'),
        (
            modernize,
            Options(target_version="py310"),
            "from typing import List, Optional\nx: List[int]\ny: Optional\n",
            "from typing import Optional\nx: list[int]\ny: Optional\n",
        ),
        (
            modernize,
            Options(target_version="py310"),
            "import os, re\nfrom typing import Union, Text, Any\nx: Union[int, str]\n",
            "import os, re\nfrom typing import Text, Any\nx: int | str\n",
        ),
        (
            modernize,
            Options(target_version="py310"),
            "from .a import b\nfrom typing import Union\nx: Union[int, str]\n",
            "from .a import b\nfrom typing import Union\nx: int | str\n",
        ),
        (modernize, Options(), "import os\n", "import os\n"),
        (modernize, Options(ignored_rules=("UP018",)), 'x = str("a")\n', 'x = str("a")\n'),
    ],
)
def test_recipes(recipe: Callable[[str, Options], str], options: Options, before: str, after: str) -> None:
    assert recipe(before, options) == after


@pytest.mark.parametrize("recipe", [tidy_imports, format_text, modernize])
@pytest.mark.parametrize("text", ["def (:\n", "", "\udc80"])
def test_what_ruff_can_not_read_stays(recipe: Callable[[str, Options], str], text: str) -> None:
    assert recipe(text, Options()) == text


def test_a_time_limit() -> None:
    with pytest.raises(ProviderFailed, match=r"took more than 0 seconds for `a.py`") as caught:
        run_ruff(["format"], "x = 1\n", Options(path="a.py"), seconds=0.0)
    assert caught.value.exit_code is ExitCode.PROVIDER
