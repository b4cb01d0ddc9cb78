"""Makes the manual page: options and commands come from typer, as the help does, and the prose from `docs/manual/`.

So the page names what the program takes, in the form in which it takes it. An option without prose gets the words of
its help, and prose about an option that is no more is refused. `scripts/write-manual` writes the page; the prose isn't
installed with the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .manual_markup import body, escaped, inline, sections

MAIN_JOB = "run"
_MANY_SHARED = 4
"""Options of the main job that a command's synopsis names one by one; more of them become `[OPTIONS]`."""
_DEFAULT = re.compile(r"\(([^()]*)\)\.?$")


@dataclass(frozen=True, slots=True)
class Prose:
    """What people wrote, in the Markdown of `manual_markup`.

    Attributes:
        page: the date as `YYYY-MM-DD` on the first line, then sections; `{{synopsis}}`, `{{options}}` or `{{commands}}`
            alone stands for what is generated, and `{name}` for one of `words`.
        options: a heading `## --name` for each option of the main job.
        commands: a heading `## name` for each other command.
        words: lists that the program has, by the name under which the prose takes them in.
    """

    page: str
    options: str
    commands: str
    words: Mapping[str, str]


def read_prose(folder: Path) -> Prose:
    """The prose of a folder, with the lists that the program has.

    Raises:
        OSError: a file of it isn't there.
    """
    from orefactor.core.providers.quirks import OFFLINE, PROVIDERS

    keys = dict.fromkeys(row.key_variable for row in PROVIDERS.values() if row.key_variable)
    words = {"providers": ", ".join(PROVIDERS), "offline": ", ".join(OFFLINE), "keys": ", ".join(keys)}
    page, options, commands = ((folder / f"{name}.md").read_text("utf-8") for name in ("page", "options", "commands"))
    return Prose(page, options, commands, words)


def manual_page(commands: Mapping[str, Any], prose: Prose, version: str) -> str:
    """The page in roff.

    Args:
        commands: typer's, by name; `run` is the main job.

    Raises:
        ValueError: the prose tells of an option or a command that there isn't; the message names it.
    """
    run = commands[MAIN_JOB]
    others = {name: command for name, command in commands.items() if name != MAIN_JOB}
    prose = _filled(prose)
    generated = {
        "{{synopsis}}": _synopsis(others, run),
        "{{options}}": _main_options(run, sections(prose.options, "##")),
        "{{commands}}": _commands(others, run, sections(prose.commands, "##")),
    }
    date = prose.page.partition("\n")[0]
    lines = [f'.TH {escaped("GIT-OREFACTOR")} 1 "{date}" "git-orefactor {version}" "Git Manual"']
    for title, text in sections(prose.page, "#").items():
        lines += [f".SH {title}", *(generated[text] if text in generated else body(text))]
    return "\n".join(lines) + "\n"


def _filled(prose: Prose) -> Prose:
    """The prose with the program's lists in it."""
    page, options, commands = prose.page, prose.options, prose.commands
    for name, words in prose.words.items():
        page, options, commands = (text.replace(f"{{{name}}}", words) for text in (page, options, commands))
    return Prose(page, options, commands, {})


def _synopsis(others: Mapping[str, Any], run: Any) -> Iterator[str]:  # noqa: ANN401 - typer's own, not public
    # Hanging, ragged and without hyphens: a form is read word by word.
    yield from (".nh", ".ad l", ".PD 0", ".HP 4", r"\fIgit orefactor\fR [OPTIONS] TASK [PATH]...")
    for name, command in others.items():
        own, shared = _parted(command, run)
        options = [_bracketed(option) for option in own] + (["[OPTIONS]"] if shared else [])
        words = [escaped(name), *options, *(escaped(_argument(one)) for one in _arguments(command))]
        yield from (".HP 4", rf"\fIgit orefactor\fR {' '.join(words)}")
    yield from (".PD", ".ad b", ".hy")


def _main_options(run: Any, prose: Mapping[str, str]) -> Iterator[str]:  # noqa: ANN401 - as above
    options = {_name(option): option for option in _options(run)}
    # These are no parameters: the help is every command's, and the version is answered before anything is loaded.
    heads = {name: _head(option) for name, option in options.items()}
    heads |= {"--help": r"\fB\-h\fR, \fB\-\-help\fR", "--version": r"\fB\-\-version\fR"}
    _require_known("option", prose, heads)
    for name, head in heads.items():
        help_text = options[name].help if name in options else ""
        text = prose.get(name) or help_text
        default = _DEFAULT.search(help_text)
        if default:
            text = text.replace("{default}", default[1])
        yield from (".TP", head, *body(text, ".sp"))


def _commands(others: Mapping[str, Any], run: Any, prose: Mapping[str, str]) -> Iterator[str]:  # noqa: ANN401
    _require_known("command", prose, others)
    for name, command in others.items():
        own, shared = _parted(command, run)
        text = prose.get(name) or str(command.help)
        named = set(re.findall(r"\*\*(--[\w-]+)\*\*", text))
        known = [name for option in _options(command) for name in option.opts]
        _require_known(f"option of `{name}`", named, known)
        arguments = " ".join(_argument(one) for one in _arguments(command))
        yield from (".TP", rf"\fB{escaped(name)}\fR {escaped(arguments)}".rstrip(), *body(text, ".sp"))
        silent = [option for option in own if _name(option) not in named and not _is_of(run, option)]
        for option in silent:
            yield from (".sp", f"{_head(option)}: {inline(option.help)}")
        if shared:
            listed = ", ".join(rf"\fB{escaped(_name(option))}\fR" for option in shared)
            yield from (".sp", f"Of the main job's options it takes {listed}.")


def _require_known(kind: str, written: Iterable[str], known: Iterable[str]) -> None:
    if unknown := sorted(set(written) - set(known)):
        raise ValueError(f"the manual's prose tells of `{unknown[0]}`, which is no {kind}")


def _parted(command: Any, run: Any) -> tuple[list[Any], list[Any]]:  # noqa: ANN401 - as above
    """The options that the synopsis names, and those of the main job that it doesn't."""
    options = _options(command)
    shared = [option for option in options if _is_of(run, option)]
    if len(shared) <= _MANY_SHARED:
        return options, []
    return [option for option in options if option not in shared], shared


def _is_of(run: Any, option: Any) -> bool:  # noqa: ANN401 - as above
    return any((option.opts, option.help) == (other.opts, other.help) for other in _options(run))


def _options(command: Any) -> list[Any]:  # noqa: ANN401 - as above
    return [parameter for parameter in command.params if parameter.param_type_name == "option"]


def _arguments(command: Any) -> list[Any]:  # noqa: ANN401 - as above
    return [
        parameter for parameter in command.params if parameter.param_type_name == "argument" and not parameter.hidden
    ]


def _argument(argument: Any) -> str:  # noqa: ANN401 - as above
    name = str(argument.metavar)
    return f"[{name}]..." if argument.nargs == -1 and not name.startswith("[") else name


def _name(option: Any) -> str:  # noqa: ANN401 - as above
    names: list[str] = option.opts
    return next(name for name in names if name.startswith("--"))


def _value(option: Any) -> str:  # noqa: ANN401 - as above
    return "" if option.is_flag else f" {escaped(option.metavar)}"


def _head(option: Any) -> str:  # noqa: ANN401 - as above
    return ", ".join(rf"\fB{escaped(name)}\fR" for name in option.opts) + _value(option)


def _bracketed(option: Any) -> str:  # noqa: ANN401 - as above
    value = _value(option).replace(" ", r"\ ")
    return f"[{escaped(_name(option))}{value}]{'...' if option.multiple else ''}"
