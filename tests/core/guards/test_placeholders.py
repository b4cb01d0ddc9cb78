"""No comment stands for code that was left out."""

from __future__ import annotations

import pytest
from file_changes import added, deleted, modified

from orefactor.core.guards import placeholders
from orefactor.core.guards.change import FileChange


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([modified("a\n", "b\n")], id="plain"),
        pytest.param([modified("# rest unchanged\na\n", "# rest unchanged\nb\n")], id="was-there"),
        pytest.param([deleted("# ...\n", "a.py"), added("    # ...\n", "b.py")], id="moved-and-indented"),
        pytest.param([added("# the rest of the codes\n")], id="other-words"),
        pytest.param([modified("# ... existing code ...\n", "")], id="removed"),
    ],
)
def test_passes(changes: list[FileChange]) -> None:
    found = placeholders.judge(changes)
    assert (found.name, found.ok) == ("placeholders", True)


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        pytest.param([modified("a\nb\n", "a\n# ... existing code ...\n")],
                     "`x.py:2`: `# ... existing code ...` stands for code", id="edited"),
        pytest.param([added("// rest of the file unchanged\n", "x.js")], "`x.js:1`", id="written"),
        pytest.param([modified("# ...\na\nb\n", "# ...\na\n# ...\n")], "`x.py:3`", id="one-more"),
        pytest.param([modified("a\n", "# rest unchanged\n" * 3)], "(and 2 more)", id="several"),
    ],
)  # fmt: skip
def test_fails(changes: list[FileChange], detail: str) -> None:
    found = placeholders.judge(changes)
    assert not found.ok
    assert detail in found.detail
