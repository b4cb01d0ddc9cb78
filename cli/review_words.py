"""Words for what happens in a review: what is looked at, and what came of the tools that the model was offered."""

from __future__ import annotations

from orefactor.core import events

from .wording import plain, shortened, tokens

Review = events.ChangeTaken | events.DeliberationEnded | events.VerdictReused
_MOST_NAMES = 12


def review_line(event: Review) -> str:
    """The event as one line."""
    match event:
        case events.ChangeTaken():
            files, lines = len(event.paths), event.changed_lines
            return f"the change: {files} file(s), {lines} line(s) added or removed"
        case events.VerdictReused():
            return f"the verdict of review {plain(event.run_id)} holds here; no model was asked (`--fresh` asks)"
        case events.DeliberationEnded():
            return _decision(event)


def _decision(event: events.DeliberationEnded) -> str:
    used = f"{event.rounds} round(s), {tokens(event.tokens)} tokens"
    if event.undecided:
        return f"deliberation: undecided after {used}: {shortened(event.undecided, 160)}; every check runs"
    how = f"the limit {event.limit} was reached" if event.limit else "decided"
    return (
        f"deliberation: {how} after {used}; asked for {_names(event.requested)}, not for {_names(event.not_requested)}"
    )


def _names(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return (", ".join(map(plain, names[:_MOST_NAMES])) or "nothing") + more
