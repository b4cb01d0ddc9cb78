"""Finds what may stand at the cursor of a command line: the part of completion that all shells share.

typer's own completion isn't used: it knows no `git orefactor` beside `git-orefactor`, its script for zsh evaluates what
it is given, names of branches and files included, and it can't tell a first word that is a task from a command.
Commands, options and their help are read from typer all the same, so nothing is listed twice. The scripts are in
`completion_scripts`, values that have to be looked up in `completion_values`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from .completion_values import VALUES, Candidate, Values, by_metavar
from .wording import plain

if TYPE_CHECKING:
    from typer.core import TyperGroup

Shell = Literal["bash", "zsh", "fish"]
_BREAKS = ("=", ":")
"""Words of their own to bash, wherever they stand."""
_MOST = 2000
"""Candidates; nobody reads more, and a shell takes long over them."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What may stand at the cursor.

    Attributes:
        files: whether names of files may; the shells complete them better.
    """

    candidates: tuple[Candidate, ...] = ()
    files: bool = False

    def lines(self) -> str:
        """For the scripts: `files` or `words`, then `VALUE TAB HELP` lines."""
        shown = [c for c in self.candidates if c.value.isprintable()][:_MOST]
        rows = [f"{candidate.value}\t{plain(candidate.help)}" for candidate in shown]
        return "\n".join(["files" if self.files else "words", *rows]) + "\n"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the cursor is: in which command, after how many words that are no options, behind which option."""

    command: str | None
    position: int
    option: Any
    only_words: bool


def complete(words: Sequence[str], shell: Shell, folder: Path) -> Completion:
    """What may stand at the cursor.

    Args:
        words: those behind the command's name, the unfinished one last.
        folder: where the user stands.
    """
    joined, cut = _joined(words, shell)
    before, current = joined[:-1], joined[-1]
    from .dispatch import make_application

    application = make_application()
    place = _place(application, before)
    if place.option is None and not place.only_words and current.startswith("--") and "=" in current:
        name, _, current_value = current.partition("=")
        head = "" if shell == "zsh" else f"{name}="
        found = _of_option(place.command, _option(application, place.command, name), current_value, folder)
        found = replace(found, candidates=tuple(replace(c, value=head + c.value) for c in found.candidates))
    elif place.option is not None:
        found = _of_option(place.command, place.option, current, folder)
    elif current.startswith("-") and not place.only_words:
        found = _options(application, place.command, current)
    else:
        found = _of_argument(application, place, current, folder)
    return replace(found, candidates=tuple(replace(c, value=c.value[cut:]) for c in found.candidates))


def _joined(words: Sequence[str], shell: Shell) -> tuple[list[str], int]:
    """The words as they were typed, and how many characters of the last one the shell doesn't replace."""
    joined: list[str] = []
    glue = False
    for word in words:
        is_break = shell == "bash" and word in _BREAKS
        if joined and (glue or is_break):
            joined[-1] += word
        else:
            joined.append(word)
        glue = is_break and len(joined) > 0 and joined[-1] != word
    joined = joined or [""]
    raw = words[-1] if words else ""
    kept = 0 if shell == "bash" and raw in _BREAKS and joined[-1] != raw else len(raw)
    return joined, len(joined[-1]) - kept


def _place(application: TyperGroup, before: Sequence[str]) -> _Place:
    """Read the words before the cursor, as `dispatch.arranged` and typer would."""
    command: str | None = None
    position = 0
    option: Any = None
    for number, word in enumerate(before):
        if option is not None:
            option = None
        elif word == "--":
            rest = len(before) - number - 1
            return _Place(command or ("run" if rest else None), position + rest, None, only_words=True)
        elif word.startswith("-") and word != "-":
            found = _option(application, command, word)
            option = found if found is not None and not getattr(found, "is_flag", False) else None
        elif command is None and word in application.commands:
            command = word
        else:
            command, position = command or "run", position + 1
    return _Place(command, position, option, only_words=False)


def _parameters(application: TyperGroup, command: str | None) -> list[Any]:
    return list(application.commands[command or "run"].params)


def _option(application: TyperGroup, command: str | None, name: str) -> Any:  # noqa: ANN401 - typer's own, not public
    options = (p for p in _parameters(application, command) if p.param_type_name == "option")
    return next((option for option in options if name in option.opts), None)


def _options(application: TyperGroup, command: str | None, current: str) -> Completion:
    found = [
        Candidate(name, str(getattr(parameter, "help", "") or ""))
        for parameter in _parameters(application, command)
        if parameter.param_type_name == "option" and not getattr(parameter, "hidden", False)
        for name in parameter.opts
    ]
    found.append(Candidate("--help", "Show the help."))
    return Completion(tuple(c for c in found if c.value.startswith(current)))


def _of_option(command: str | None, option: Any, current: str, folder: Path) -> Completion:  # noqa: ANN401 - as above
    if option is None:
        return Completion()
    values = VALUES.get(f"{command} {option.opts[0]}") or VALUES.get(option.opts[0]) or by_metavar(option.metavar or "")
    return _looked_up(values, current, folder)


def _of_argument(application: TyperGroup, place: _Place, current: str, folder: Path) -> Completion:
    if place.command is None:
        names = [(name, command.get_short_help_str(80)) for name, command in application.commands.items()]
        return Completion(tuple(Candidate(name, text) for name, text in names if name.startswith(current)))
    arguments = [p for p in _parameters(application, place.command) if p.param_type_name == "argument"]
    if not arguments or (place.position >= len(arguments) and arguments[-1].nargs == 1):
        return Completion()
    argument = arguments[min(place.position, len(arguments) - 1)]
    values = VALUES.get(f"{place.command} {argument.name}") or by_metavar(argument.metavar or "")
    return _looked_up(values, current, folder)


def _looked_up(values: Values, current: str, folder: Path) -> Completion:
    # Of a list with commas the last item is completed, of a range the right side.
    head = current[: current.rfind(",") + 1] if values.is_list else ""
    if values.is_range and ".." in current:
        head = current[: current.rfind("..") + 2]
    found = values.look_up(folder) if values.look_up else ()
    candidates = [replace(c, value=head + c.value) for c in found if c.value.startswith(current[len(head) :])]
    return Completion(tuple(candidates), values.files)
