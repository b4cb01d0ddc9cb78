"""`help`: the help of the main job or of another command; the same text as `--help` behind it."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

Name = Annotated[str | None, Argument(metavar="[COMMAND]", help="The command (the main job).", show_default=False)]


def help_command(command: Name = None) -> None:
    """Show the help of a command."""
    from orefactor.core.errors import UserError

    from ..dispatch import make_application
    from ..wording import plain

    application = make_application()
    if command is not None and command not in application.commands:
        known = ", ".join(application.commands)
        raise UserError(f"`{plain(command)[:60]}` is no command", hint=f"known are: {known}")
    words = [command] if command else []
    application.main([*words, "--help"], prog_name="git orefactor", standalone_mode=False)
