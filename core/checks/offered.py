"""Which checks the project's own configuration shows that it uses, and which of them can run here.

They are offered to the model and never required: whoever wants them required names them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from orefactor.sandbox.files import Root

from .configuration import configures_pyright, configures_pytest, configures_ruff_format, mypy_settings
from .host import CheckHost

_SIGNS: dict[str, Callable[[Root], bool]] = {
    "ruff-format": configures_ruff_format,
    "mypy": lambda root: mypy_settings(root) is not None,
    "pyright": configures_pyright,
    "pytest": configures_pytest,
}


def used(root: Root) -> tuple[str, ...]:
    """The checks that the files at one tree show, in the catalogue's order."""
    return tuple(name for name, is_used in _SIGNS.items() if is_used(root))


def offered(host: CheckHost, required: Collection[str] = ()) -> tuple[str, ...]:
    """Those of them that are installed, that can run here, and that aren't required anyhow.

    Args:
        host: the checks at the base's tree.

    Raises:
        UserError: the project's interpreter doesn't start, or the wanted isolation doesn't work.
    """

    def runs(name: str) -> bool:
        check = host.check(name)
        return check.is_installed(host.environment) and (check.kind == "static" or host.isolation.isolated)

    return tuple(name for name in used(host.root) if name not in required and runs(name))
