"""Says whether a SARIF log is valid, by the format's own schema."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from orefactor.core.json_text import json_text

# From npm's @microsoft/jest-sarif 1.0.0-beta.0 (MIT); what it asks for is what code scanning services check.
SCHEMA = Path(__file__).parent / "data" / "sarif-2.1.0-rtm.5.json"


@cache
def _validator() -> Any:
    schema = json.loads(SCHEMA.read_bytes())
    # Links to nothing else than itself.
    assert '"$ref": "http' not in SCHEMA.read_text()
    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())


def told_run(log: dict[str, Any]) -> dict[str, Any]:
    """The log's one run, after the log has been found valid as it is written."""
    written = json.loads(json_text(log))
    (run,) = written["runs"]
    # One result is as good as the next where there are thousands, and the validator is slow.
    _validator().validate({**written, "runs": [{**run, "results": run["results"][-20:]}]})
    read: dict[str, Any] = run
    return read
