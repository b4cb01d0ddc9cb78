"""Builds the typer application and runs one command line through it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from orefactor.core.errors import ExitCode, UserError
from orefactor.core.keys import KEY_VARIABLE, name_secret, secrets_taken_out
from orefactor.sandbox.shield import Stopped, stop_on_signals

from .commands import COMMANDS
from .errors import report
from .hook_words import require_plain_files

DEFAULT_COMMAND = "run"
_HELP = {"help_option_names": ["-h", "--help"]}
_EPILOG = """Examples:

git orefactor "add docstrings" src/x.py --provider recipes

git orefactor "rename area to surface" src tests --branch auto

git orefactor apply

More: git orefactor --help (the manual page)"""


class DefaultGroup(TyperGroup):
    """A group whose first word may be the task: what is no command's name belongs to `run`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own, not public
        """Put the command's name in front, wherever it stands, or `run` where there is none."""
        return super().parse_args(ctx, arranged(args, self._valued_options(), list(self.commands)))

    def format_usage(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """The main job needs no command's name, so it stands first."""
        formatter.write_usage("git orefactor", "[OPTIONS] TASK [PATH]...")
        formatter.write_usage("git orefactor", "COMMAND [ARGS]...", prefix="       ")

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """The options of the main job, then the commands."""
        run = self.commands[DEFAULT_COMMAND]
        run.format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def _valued_options(self) -> frozenset[str]:
        """The options of any command that take a value."""
        return frozenset(
            name
            for command in self.commands.values()
            for parameter in command.params
            if parameter.param_type_name == "option" and not getattr(parameter, "is_flag", False)
            for name in parameter.opts
        )


def arranged(words: Sequence[str], valued: frozenset[str], commands: Sequence[str]) -> list[str]:
    """The words with the command first.

    Args:
        valued: options whose value is the next word.
        commands: the known commands.
    """
    position = 0
    while position < len(words):
        word = words[position]
        if word == "--":
            break
        if not word.startswith("-") or word == "-":
            if word in commands:
                return [word, *words[:position], *words[position + 1 :]]
            break
        position += 2 if word in valued else 1
    if list(words) in (["-h"], ["--help"]):
        return list(words)
    return [DEFAULT_COMMAND, *words]


def make_application() -> TyperGroup:
    """The application with all its commands."""
    app = typer.Typer(
        cls=DefaultGroup,
        context_settings=_HELP,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help="Refactor code with a language model, and get back a patch that is proven.",
        epilog=_EPILOG,
        no_args_is_help=False,
    )
    for name, function in COMMANDS.items():
        app.command(name, context_settings=_HELP, cls=TyperCommand)(function)
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return group


def dispatch(words: Sequence[str]) -> int:
    """Run one command line and give the exit code."""
    as_json = "--json" in words
    if variable := os.environ.get(KEY_VARIABLE):
        name_secret(variable)
    try:
        with secrets_taken_out(os.environ), stop_on_signals():
            require_plain_files(words)
            if words[:1] == ["completion"] and words[2:3] == ["--"]:
                # To call a command typer loads pydantic, which takes longer than a shell's user wants to wait.
                from .commands.completion import completion_command

                completion_command(words[1], list(words[3:]))
                return 0
            code = make_application().main(list(words), prog_name="git orefactor", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except (Stopped, KeyboardInterrupt) as stop:
        terminated = isinstance(stop, Stopped) and stop.signal.name != "SIGINT"
        return int(ExitCode.TERMINATED if terminated else ExitCode.INTERRUPTED)
    except (BrokenPipeError, SystemExit):
        # The reader has gone, as `| head` does (typer leaves then, and only then); Python must not complain when it
        # flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13
    except Exception as error:  # noqa: BLE001 - the border of the program
        # What typer raises for a wrong command line knows how to say it.
        wrong_usage = hasattr(error, "format_message")
        return int(report(_usage(error) if wrong_usage else error, as_json=as_json))


def _usage(error: Exception) -> UserError:
    message = str(getattr(error, "format_message", lambda: error)()).strip().rstrip(".")
    first, _, rest = message.partition("\n")
    return UserError(first[:1].lower() + first[1:] + (" " + rest if rest else ""), hint="see `git orefactor -h`")
