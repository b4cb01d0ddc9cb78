"""Who we are at a forge: its own program's login, else a token from the environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..errors import ExitCode, UserError
from .place import Kind, Place
from .program import PROGRAMS, find_program
from .reply import Api
from .rest import RestApi

_GITHUB = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}

# kind -> (variable, headers), the first one that is set counts.
_TOKENS: Mapping[Kind, tuple[tuple[str, Callable[[str], Mapping[str, str]]], ...]] = {
    "github": tuple(
        (variable, lambda token: {**_GITHUB, "Authorization": f"Bearer {token}"})
        for variable in ("GH_TOKEN", "GITHUB_TOKEN")
    ),
    "gitlab": (
        ("GITLAB_TOKEN", lambda token: {"PRIVATE-TOKEN": token}),
        ("CI_JOB_TOKEN", lambda token: {"JOB-TOKEN": token}),
    ),
    "gitea": tuple(
        (variable, lambda token: {"Authorization": f"token {token}"}) for variable in ("GITEA_TOKEN", "FORGEJO_TOKEN")
    ),
}
# What git's credential helpers and askpass programs read from the environment.
_FOR_GIT = ("GIT", "GH_", "CI_", "FORGEJO_", "SSH")


def log_in(place: Place, environment: Mapping[str, str]) -> Api:
    """The way to call the forge.

    Args:
        environment: with the secrets.

    Raises:
        UserError: there is neither a login nor a token, or it can't be one.
    """
    program = find_program(place)
    if program is not None:
        return program
    for variable, headers in _TOKENS[place.kind]:
        token = environment.get(variable, "").strip()
        if token:
            if not (token.isascii() and token.isprintable()):
                raise UserError(
                    f"the token in {variable} holds characters that no token has",
                    hint="copy it once more",
                    exit_code=ExitCode.ENVIRONMENT,
                )
            return RestApi(place.api, headers(token))
    names = " or ".join(variable for variable, _ in _TOKENS[place.kind])
    own = PROGRAMS.get(place.kind)
    by_program = f", or log in: `{own} auth login --hostname {place.host}`" if own else ""
    raise UserError(
        f"there is no login for {place.host}", hint=f"set {names}{by_program}", exit_code=ExitCode.ENVIRONMENT
    )


def secrets_for_git(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that may be needed to push; a model's key is not among them."""
    return {name: value for name, value in environment.items() if name.startswith(_FOR_GIT)}
