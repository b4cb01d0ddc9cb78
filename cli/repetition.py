"""Words for what a run takes from an earlier one: whether it goes on with it, or gives its result again."""

from __future__ import annotations

from orefactor.core import events

from .wording import plain, shortened

Repetition = events.RunContinued | events.ReuseBegun | events.ReuseTried


def repetition_line(event: Repetition) -> str:
    """The event as one line."""
    run = plain(event.run_id)
    match event:
        case events.RunContinued():
            return f"going on with run {run} from round {event.round}"
        case events.ReuseBegun():
            return f"repeating run {run}, asked the same"
        case events.ReuseTried():
            if not event.difference:
                return f"reused run {run}; no model was asked (`--fresh` asks)"
            return f"not reused: {shortened(event.difference, 100)}, so the model is asked"
