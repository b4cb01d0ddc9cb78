"""Calls a forge's API through its own program, `gh` or `glab`, with that program's login.

Both have a command `api` that sends any call and can show the reply's head. So the same calls serve both ways, no token
passes through this process, and what the programs print for people is never read.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping

from orefactor.sandbox.user_program import find_user_program, run_user_program

from ..errors import ExitCode, UserError
from ..keys import secrets_of
from .place import Kind, Place
from .refusals import Reply, one_line
from .reply import Json, Method

PROGRAMS: Mapping[Kind, str] = {"github": "gh", "gitlab": "glab"}
_SECONDS_TO_LOOK, _SECONDS = 30.0, 90.0
_HEAD = re.compile(rb"HTTP/[0-9.]+ ([0-9]{3})[^\n]*\n(.*?)\r?\n\r?\n", re.DOTALL)
# What would lead the programs to another host or repository, or make them talk.
_LEFT_OUT = ("GIT_", "GH_REPO", "GH_HOST", "GH_DEBUG", "GITLAB_HOST", "GITLAB_URI", "GITLAB_REPO", "GL_HOST", "DEBUG")
_QUIET = {
    "GH_PROMPT_DISABLED": "1",
    "GH_NO_UPDATE_NOTIFIER": "1",
    "GLAB_CHECK_UPDATE": "false",
    "NO_PROMPT": "1",
    "NO_COLOR": "1",
    "LC_ALL": "C",
}


class ProgramApi:
    """The API as one program reaches it."""

    def __init__(self, program: str, host: str) -> None:
        self._program = program
        self._host = host

    @property
    def name(self) -> str:
        """The host, and by what it is asked."""
        return f"{self._host} (asked by `{os.path.basename(self._program)}`)"

    def is_logged_in(self) -> bool:
        """Whether the program has a login of its own there."""
        try:
            ended = run_user_program(
                [self._program, "auth", "status", "--hostname", self._host],
                environment=_environment(),
                folder="/",
                seconds=_SECONDS_TO_LOOK,
            )
        except UserError:
            # One that can't be started, or that waits for something, is of no use.
            return False
        return ended.returncode == 0

    def call(self, method: Method, path: str, body: Json | None = None) -> Reply:
        """Make one call.

        Raises:
            UserError: the program gave no reply.
        """
        words = [self._program, "api", "--hostname", self._host, "--method", method, "--include"]
        if body is not None:
            words += ["--header", "Content-Type: application/json", "--input", "-"]
        ended = run_user_program(
            [*words, path],
            environment=_environment(),
            # In a repository they would read that repository's configuration.
            folder="/",
            seconds=_SECONDS,
            stdin=json.dumps(body).encode() if body is not None else b"",
        )
        head = _HEAD.match(ended.stdout)
        if head is None:
            lines = ended.stderr.decode(errors="replace").strip().split("\n")
            said = one_line(lines[-1]) or f"it ended with exit code {ended.returncode}"
            raise UserError(
                f"{self.name} gave no reply: {said}",
                hint=f"see `{os.path.basename(self._program)} auth status --hostname {self._host}`",
                exit_code=ExitCode.PROVIDER,
            )
        pairs = (line.partition(":") for line in head[2].decode("latin-1").splitlines())
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        return Reply(int(head[1]), headers, ended.stdout[head.end() :])


def find_program(place: Place) -> ProgramApi | None:
    """The forge's own program, where it is installed and logged in."""
    name = PROGRAMS.get(place.kind)
    path = find_user_program(name) if name else None
    if path is None:
        return None
    api = ProgramApi(path, place.host)
    return api if api.is_logged_in() else None


def _environment() -> dict[str, str]:
    """Ours without secrets: these programs have a login of their own."""
    secrets = secrets_of(os.environ)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT) and name not in secrets}
    return kept | _QUIET
