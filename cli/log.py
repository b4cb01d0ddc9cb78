"""Shows the log on standard error: readable lines with `-v`, one JSON object a line with `--log-json`."""

from __future__ import annotations

import logging
import sys
from collections.abc import Generator, MutableMapping
from contextlib import contextmanager
from typing import Any

from orefactor.core.json_text import json_text

from .wording import inert, plain


@contextmanager
def shown_log(*, as_json: bool, debug: bool) -> Generator[None]:
    """While the block lasts, a structlog renderer is attached to the logger that `orefactor.core.log` writes to."""
    import structlog
    from structlog.typing import Processor

    renderers: list[Processor] = (
        [structlog.processors.JSONRenderer(serializer=_serialized)]
        if as_json
        else [_spelled_out, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                *renderers,
            ],
            foreign_pre_chain=[structlog.stdlib.add_log_level, structlog.stdlib.ExtraAdder()],
        )
    )
    logger = logging.getLogger("orefactor")
    before = (logger.level, logger.propagate)
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG if debug else logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before[0])
        logger.propagate = before[1]


def _serialized(line: Any, **_options: Any) -> str:  # noqa: ANN401 - structlog's own types
    return json_text(line)


def _spelled_out(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:  # noqa: ANN401 - as above
    """Names and replies of strangers may hold what drives a terminal, or pretend to be further lines."""
    for key, value in line.items():
        if isinstance(value, str):
            # Only a traceback of ours has lines.
            line[key] = "\n".join(map(plain, value.split("\n"))) if key == "traceback" else inert(plain(value))
    return line
