"""A patch in JSON."""

from __future__ import annotations

import pytest

from orefactor.core.result import encoded_patch


@pytest.mark.parametrize(
    ("patch", "text", "encoding"),
    [(None, None, "utf-8"), (b"", "", "utf-8"), ("é\n".encode(), "é\n", "utf-8"), (b"caf\xe9", "Y2Fm6Q==", "base64")],
)
def test_text_where_it_is_text(patch: bytes | None, text: str | None, encoding: str) -> None:
    assert encoded_patch(patch) == {"patch": text, "patch_encoding": encoding}
