"""The user's own git on the network: with his configuration, his ssh and his credential helpers.

Everywhere else git runs with none of that (`git`). Here it can't: pushing is done with the user's credentials. What the
repository's own configuration says counts only where it runs nothing, since a `.git/config` can come with a download:
the programs that it names are set aside and replaced by the user's, its hooks don't run, and `ext::` is no transport.
Where a remote is and what headers it wants (CI puts its token there) does count.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .errors import ExitCode, UserError
from .git import git_program
from .repository import ConfigEntry, Repository, user_environment
from .user_program import Ended, run_user_program

Service = Literal["upload-pack", "receive-pack"]

_USER_SCOPES = ("system", "global", "command")
_PROTOCOLS = "file:http:https:ssh"
# What git would start, and what it starts where nothing is configured.
_PROGRAMS = {"core.sshcommand": "ssh", "core.askpass": ""}
_REMOTE_PROGRAMS = ("uploadpack", "receivepack")
_ALWAYS = (
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.alternateRefsCommand", "true"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
)
# Credentials and ways to the network that the environment holds; `user_environment` drops them for all other calls.
_NETWORK = ("GIT_SSH", "GIT_ASKPASS", "GIT_SSL_", "GIT_HTTP_", "GIT_TERMINAL_PROMPT")


@dataclass(frozen=True, slots=True)
class NetworkGit:
    """git at a repository, allowed to use the network.

    Attributes:
        secrets: variables that credential helpers and askpass programs may need; they are in no other child.
        interactive: whether git and ssh may ask for a password on the terminal.
    """

    repository: Repository
    secrets: Mapping[str, str]
    interactive: bool = False

    def run(self, *arguments: str, remote: str, seconds: float, settings: Sequence[tuple[str, str]] = ()) -> Ended:
        """Run one command, whatever its exit code.

        Args:
            remote: the remote that it talks to.
            settings: further configuration for it.

        Raises:
            UserError: time is over, or the remote needs a program that the repository itself names.
        """
        _require_no_helper(self.repository.config, remote)
        pairs = [*_ALWAYS, *own_programs(self.repository.config, remote), *settings]
        return run_user_program(
            [git_program(), "-C", str(self.repository.place), "--no-pager", *arguments],
            environment=_environment(pairs, self.secrets, interactive=self.interactive),
            folder="/",
            seconds=seconds,
            interactive=self.interactive,
        )


def is_interactive() -> bool:
    """Whether a person sits at a terminal and sees what is asked."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr.isatty())


def set_aside(config: Sequence[ConfigEntry], remote: str) -> tuple[str, ...]:
    """The keys of the repository's own configuration that name programs, and therefore don't count."""
    named = (entry.key for entry in config if entry.scope not in _USER_SCOPES and _names_program(entry.key, remote))
    return tuple(dict.fromkeys(named))


def own_programs(config: Sequence[ConfigEntry], remote: str) -> list[tuple[str, str]]:
    """Configuration that puts the user's programs in the place of the repository's."""
    keys = set_aside(config, remote)
    mine = [entry for entry in config if entry.scope in _USER_SCOPES]
    pairs = [
        (key, next((entry.value for entry in reversed(mine) if entry.key == key), default))
        for key, default in _PROGRAMS.items()
        if key in keys
    ]
    if any(_is_helper(key) for key in keys):
        # An empty one empties the list, for all addresses.
        helpers = [(entry.key, entry.value) for entry in mine if _is_helper(entry.key)]
        pairs += [("credential.helper", ""), *helpers]
    return pairs


def remote_program(config: Sequence[ConfigEntry], remote: str, service: Service) -> list[str]:
    """The option for the program at the other end, where the repository's own configuration names one.

    For a remote in a folder it runs here. Of several values in the configuration git takes the first, so that only an
    option outranks it.
    """
    key = f"remote.{remote}.{service.replace('-', '')}"
    if key not in set_aside(config, remote):
        return []
    mine = (entry.value for entry in config if entry.scope in _USER_SCOPES and entry.key == key)
    return [f"--{service}={next(mine, f'git-{service}')}"]


def _names_program(key: str, remote: str) -> bool:
    return key in _PROGRAMS or _is_helper(key) or key in {f"remote.{remote}.{name}" for name in _REMOTE_PROGRAMS}


def _is_helper(key: str) -> bool:
    return key.startswith("credential.") and key.endswith(".helper")


def _require_no_helper(config: Sequence[ConfigEntry], remote: str) -> None:
    if any(entry.key == f"remote.{remote}.vcs" and entry.scope not in _USER_SCOPES for entry in config):
        raise UserError(
            f"the repository's own configuration names a program to reach the remote `{remote}`",
            hint=f"push by yourself, or remove it: `git config --unset remote.{remote}.vcs`",
            exit_code=ExitCode.ENVIRONMENT,
        )


def _environment(pairs: Sequence[tuple[str, str]], secrets: Mapping[str, str], *, interactive: bool) -> dict[str, str]:
    environment = {
        **{name: value for name, value in os.environ.items() if name.startswith(_NETWORK)},
        **user_environment(),
        **secrets,
        "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
        "GIT_OPTIONAL_LOCKS": "0",
    }
    if not interactive:
        # A program with a window of its own would ask, too.
        environment |= {"GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never"}
        environment.pop("SSH_ASKPASS", None)
    count = environment.get("GIT_CONFIG_COUNT", "0")
    first = int(count) if count.isascii() and count.isdigit() else 0
    for number, (key, value) in enumerate(pairs, start=first):
        environment[f"GIT_CONFIG_KEY_{number}"] = key
        environment[f"GIT_CONFIG_VALUE_{number}"] = value
    environment["GIT_CONFIG_COUNT"] = str(first + len(pairs))
    return environment
