"""Logs each model turn and each tool call with structlog, in order.

It goes through the standard library's logger `orefactor`, which is silent until a program asks for it: a library must
not print. `cli/log.py` is the command's asking.
"""

from __future__ import annotations

import logging

from . import events

LOGGER_NAME = "orefactor"
_LONGEST = 200


class EventLog:
    """Turns events into log lines."""

    def __init__(self) -> None:
        import structlog

        self._log = structlog.wrap_logger(
            logging.getLogger(LOGGER_NAME), processors=[structlog.stdlib.render_to_log_kwargs]
        )

    def listen(self, event: events.Event) -> None:
        """Log one event, where it is of interest."""
        match event:
            case events.RoundFinished():
                self._log.info(
                    "turn",
                    round=event.round,
                    model=event.model,
                    finish_reason=event.finish_reason,
                    calls=event.calls,
                    prompt_tokens=event.usage.prompt_tokens,
                    completion_tokens=event.usage.completion_tokens,
                    duration_ms=event.duration_ms,
                )
            case events.CallFinished():
                self._log.info(
                    "tool_call",
                    round=event.round,
                    id=event.id,
                    tool=event.name,
                    arguments=event.arguments,
                    status=event.status,
                    result=event.summary[:_LONGEST],
                    duration_ms=event.duration_ms,
                )
                if event.bug:
                    self._log.error("tool_bug", tool=event.name, traceback=event.bug)
            case events.CheckFinished():
                self._log.info("check", check=event.name, outcome=event.outcome, new=event.findings_new)
            case events.OutcomeReached():
                self._log.info("outcome", status=event.status, reason=event.reason, exit_code=event.exit_code)
            case _:
                pass


def make_log() -> EventLog | None:
    """The log, where somebody listens; structlog isn't even loaded otherwise."""
    return EventLog() if logging.getLogger(LOGGER_NAME).isEnabledFor(logging.INFO) else None
