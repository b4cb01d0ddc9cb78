"""Where something is to go: the remote that is meant, the forge that it is at, and that forge with our login.

What is published differs; the way there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from orefactor.sandbox.remote import Remote, find_remote
from orefactor.sandbox.repository import Repository

from . import FORGES
from .address import parse_address, shown
from .forge import Forge
from .login import log_in
from .place import Place, find_place


@dataclass(frozen=True, slots=True)
class Destination:
    """A remote, and the project at a forge that it is; None where no forge is known to be there."""

    remote: Remote
    place: Place | None

    @property
    def address(self) -> str:
        """Where people find the remote, without a password."""
        parsed = parse_address(self.remote.address)
        return f"{parsed.web}/{parsed.path}" if parsed else shown(self.remote.address)


def find_destination(
    repository: Repository, remote: str | None, forge: str | None, environment: Mapping[str, str]
) -> Destination:
    """The destination that the words mean; nobody is asked.

    Args:
        remote: the name of a remote; for None the one that git would push to.
        forge: which forge it is at, where that can't be known.

    Raises:
        UserError: there is no such remote (exit 6), or a forge is named and can't be one (2).
    """
    found = find_remote(repository, remote)
    return Destination(found, find_place(found, forge, repository.config, environment))


def open_forge(place: Place, environment: Mapping[str, str]) -> Forge:
    """The project at its forge, with our login.

    Args:
        environment: with the secrets, among which a token may be.

    Raises:
        UserError: there is no login.
    """
    return FORGES[place.kind](place, log_in(place, environment))
