"""Reads TOML that a stranger has written, in time that grows with its length.

`tomllib` takes quadratic time and memory on dotted keys as deep as nobody writes them: 16 kB of one key take 380 MB. So
such a text is refused before it is parsed.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

# Comments and strings as TOML has them, so that a key of very many parts is one. What isn't closed ends with the text.
_TOKEN = re.compile(
    rb"""
    \#[^\n]*+
    | \"{3} (?: [^"\\] | \\[\s\S] | "(?!"") )*+ (?: \"{3,5}+ | \\?\Z )
    | '{3} (?: [^'] | '(?!'') )*+ (?: '{3,5}+ | \Z )
    | (?P<deep> (?: (?: [A-Za-z0-9_-]++ | "(?:[^"\\\n]|\\.)*+" | '[^'\n]*+' ) [ \t]*+ \. [ \t]*+ ){40} )
    | "(?:[^"\\\n]|\\.)*+"?
    | '[^'\n]*+'?
    | [A-Za-z0-9_-]++
    | [^#"'A-Za-z0-9_-]++
    """,
    re.VERBOSE,
)


def read_toml(text: bytes) -> dict[str, Any]:
    """The table that a text is.

    Raises:
        ValueError: it is no UTF-8, no TOML, or has a key of more than 40 parts.
        RecursionError: it nests too deep.
    """
    if any(token.lastgroup for token in _TOKEN.finditer(text)):
        raise ValueError("a key has too many parts")
    return tomllib.loads(text.decode())
