"""`install-hook`: a git hook for people without the pre-commit tool."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from ..errors import say
from ..wording import plain

if TYPE_CHECKING:
    from orefactor.core.hook_file import HookFile
    from orefactor.core.hook_script import HookName

Hook = Annotated[str, Option("--hook", metavar="NAME", help="pre-commit or pre-push (pre-commit).", show_default=False)]
Task = Annotated[str | None, Option("--task", metavar="TASK", help="What the hook does, in words.")]
ProviderName = Annotated[str | None, Option("--provider", metavar="NAME", help="The provider that the hook uses.")]
Model = Annotated[str | None, Option("--model", metavar="NAME", help="The model that the hook uses.")]
Force = Annotated[bool, Option("--force", help="Where another hook is there, keep it and let it run first.")]
Uninstall = Annotated[bool, Option("--uninstall", help="Take our hook away, and put the one before it back.")]


def install_hook_command(
    hook: Hook = "pre-commit",
    task: Task = None,
    provider: ProviderName = None,
    model: Model = None,
    force: Force = False,
    uninstall: Uninstall = False,
) -> None:
    """Write a git hook that does a task before each commit or push."""
    from orefactor.core.errors import UserError
    from orefactor.core.hook_file import hook_file, install
    from orefactor.core.hook_script import hook_script
    from orefactor.sandbox.repository import find_repository

    name = _hook_name(hook)
    file = hook_file(find_repository(Path.cwd()), name)
    if uninstall:
        if task is not None or force:
            again = f"git orefactor install-hook --hook {name} --uninstall"
            raise UserError("`--uninstall` takes no task and no `--force`", hint=f"`{again}`")
        _take_away(file)
        return
    words = " ".join((task or "").split())
    if not words:
        raise UserError(
            "the hook has no task",
            hint='say it: `git orefactor install-hook --task "add docstrings" --provider recipes`',
        )
    options = _checked_options(words, provider, model)
    kept = install(file, hook_script(name, sys.executable, words, options), force=force)
    print(plain(str(file.path)))
    if kept:
        say("note", f"the hook that stood there is kept as `{file.before.name}` and runs first")
    _explain(name, words)


def _hook_name(written: str) -> HookName:
    from orefactor.core.errors import UserError

    match written:
        case "pre-commit" | "pre-push":
            return written
        case _:
            raise UserError(f"`{written}` is no hook that can be installed", hint="there are pre-commit and pre-push")


def _checked_options(task: str, provider: str | None, model: str | None) -> list[str]:
    """The hook's options, after it is clear that the provider exists, and knows the task where it is a program."""
    from orefactor.core.messages import RunFacts
    from orefactor.core.providers.choose import find_row
    from orefactor.core.providers.quirks import OFFLINE
    from orefactor.core.providers.recipes import RecipesProvider
    from orefactor.core.settings import OPTION, Source, resolve

    named = {name: value for name, value in (("provider", provider), ("model", model)) if value is not None}
    settings = resolve([Source(OPTION, named)])
    if provider == "recipes":
        RecipesProvider(RunFacts(task))
    elif provider not in OFFLINE:
        find_row(settings)
    return [f"--{name}={value}" for name, value in named.items()]


def _take_away(file: HookFile) -> None:
    from orefactor.core.hook_file import uninstall

    if not uninstall(file):
        say("note", f"there is no hook at `{file.path}`")
    elif file.is_there:
        say("done", f"took the hook away; the one before it is back at `{file.path}`")
    else:
        say("done", f"took the hook away: `{file.path}`")


def _explain(hook: HookName, task: str) -> None:
    if hook == "pre-commit":
        say("done", f'before each commit, "{task}" is done on the staged files')
        say("note", "where that changes a file, the commit stops: look at the change, stage it, commit again")
        verb = "commit"
    else:
        say("done", f'before each push, "{task}" is tried on the files that the push changes')
        say("note", "where that would change a file, the push stops, and says how to take the change")
        verb = "push"
    say(
        "hint",
        f"once without it: `git {verb} --no-verify`; for good: `git orefactor install-hook --hook {hook} --uninstall`",
    )
