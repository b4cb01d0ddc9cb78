"""`completion`: the script that a shell needs to complete the command, and the words that such a script asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument

from ..terminal import write_bytes

ShellName = Annotated[str, Argument(metavar="SHELL", help="bash, zsh or fish.", show_default=False)]
Words = Annotated[
    list[str] | None,
    Argument(metavar="[WORD]...", help="Print what may stand in the place of the last word.", show_default=False),
]


def completion_command(shell: ShellName, words: Words = None) -> None:
    """Print the script that completes the command in a shell."""
    from orefactor.core.errors import UserError

    match shell:
        case "bash" | "zsh" | "fish":
            if words:
                from ..completion import complete

                text = complete(words, shell, Path.cwd()).lines()
            else:
                from ..completion_scripts import SCRIPTS

                text = SCRIPTS[shell]
        case _:
            raise UserError(f"there is no completion for `{shell}`", hint="there is one for bash, zsh and fish")
    write_bytes(text.encode("utf-8", "surrogateescape"))
