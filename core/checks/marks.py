"""Names a finding so that other programs know it again in the next run, wherever its line has moved to.

Comparing two runs needs no such names: `fingerprints` pairs findings by what is closest. Here one value has to do, so
it is the digest of what an edit elsewhere leaves alone: check, rule, path, symbol, the line's words, and the message
with its numbers left out.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence

from .findings import Finding

_NUMBER = re.compile(r"\d+")
_LENGTH = 32
"""Hexadecimal digits."""


def marks(check: str, findings: Sequence[Finding]) -> list[str]:
    """A mark for each finding, in the given order; findings that are alike are counted from the top of their file.

    Args:
        check: the check's name.
        findings: all that the check found in one tree.
    """
    digests = [_digest(check, finding) for finding in findings]
    seen: Counter[str] = Counter()
    told = dict.fromkeys(range(len(findings)), "")
    for place in sorted(told, key=lambda at: findings[at].line):
        seen[digests[place]] += 1
        told[place] = f"{digests[place]}:{seen[digests[place]]}"
    return list(told.values())


def _digest(check: str, finding: Finding) -> str:
    text = _NUMBER.sub("#", finding.text)
    parts = "\0".join((check, finding.rule, finding.path, finding.symbol, finding.source, text))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]
