"""Shows the log on standard error: readable lines with `-v`, one JSON object a line with `--log-json`."""

from __future__ import annotations

import logging
import sys


def show_log(*, as_json: bool, debug: bool) -> None:
    """Attach a structlog renderer to the logger that `orefactor.core.log` writes to."""
    import structlog
    from structlog.typing import Processor

    renderer: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                renderer,
            ],
            foreign_pre_chain=[structlog.stdlib.add_log_level, structlog.stdlib.ExtraAdder()],
        )
    )
    logger = logging.getLogger("orefactor")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.DEBUG if debug else logging.INFO)
    logger.propagate = False
