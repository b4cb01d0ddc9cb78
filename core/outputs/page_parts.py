"""What the pages of this package share: the head with its policy, and writing a file whole.

A page loads nothing and runs nothing but its own style and script, which the policy names by digest.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ..errors import ExitCode, UserError


def page_head(title: str, look: str, script: str, others: Sequence[str]) -> str:
    """The page up to the end of its head.

    Args:
        title: as markup.
        look: the page's style.
        script: its only script, which stands at its end.
        others: further styles that stand in the page, such as those of drawings.
    """
    styles = " ".join(map(_digest, (look, *others)))
    policy = (
        f"default-src 'none'; style-src {styles}; script-src {_digest(script)}; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f'<meta name="referrer" content="no-referrer"/><title>{title}</title><style>{look}</style></head>\n'
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def write_whole(path: Path, text: str, what: str) -> None:
    """Write a file that somebody asked for, whole or not at all; a link stays one, and what it names is written.

    Args:
        what: the file's kind, for the message.

    Raises:
        UserError: it can't be written; what stood there before stands there still.
    """
    real = Path(os.path.realpath(path))
    part = real.with_name(f".orefactor-{os.getpid()}.part")
    try:
        with open(part, "xb") as file:
            file.write(text.encode())
        part.replace(real)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise UserError(
            f"can't write the {what} to `{path}`: {error.strerror}",
            hint="check the folder, its permissions and the free space",
            exit_code=ExitCode.ENVIRONMENT,
        ) from None
