"""Where an interpreter's packages lie, read from the files of `site-packages`; nothing of them is executed.

Covers what `site.py` does with `.pth` files except for their `import` lines. Those are how editable installs
hook in, and every installer of these leaves a `direct_url.json` (PEP 610), which says the project's folder.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

NO_PATH = ("#", "import ", "import\t")


def site_packages(prefix: Path | None, base: Path, version: tuple[int, int]) -> tuple[Path, ...]:
    """The folders with installed packages that exist.

    Args:
        prefix: the virtual environment, or None.
        base: the interpreter's own prefix.
        version: major and minor.
    """
    python = f"python{version[0]}.{version[1]}"
    folders: list[Path] = []
    if prefix:
        folders.append(prefix / "lib" / python / "site-packages")
    if not prefix or _sees_system(prefix):
        folders.append(base / "lib" / python / "site-packages")
        folders.append(base / "local" / "lib" / python / "dist-packages")  # Debian's
        folders.append(base / "lib" / "python3" / "dist-packages")
    return tuple(folder for folder in folders if os.path.isdir(folder))


def path_lines(packages: Sequence[Path]) -> list[Path]:
    """The folders outside that `.pth` files add to the search path."""
    files = [file for folder in packages for file in sorted(folder.glob("*.pth"))]
    lines = [(file.parent, line) for file in files for line in _text(file).splitlines()]
    added = [folder / line.strip() for folder, line in lines if line.strip() and not line.startswith(NO_PATH)]
    return [path for path in added if os.path.isdir(path)]


def editable_projects(packages: Sequence[Path]) -> list[Path]:
    """The folders of projects that are installed in place."""
    found: list[Path] = []
    for folder in packages:
        for file in sorted(folder.glob("*.dist-info/direct_url.json")):
            project = _project(file)
            if project and os.path.isdir(project):
                found.append(project)
    return found


def installed_copies(packages: Sequence[Path], repository: Path, name: str | None) -> list[str]:
    """The top-level modules that were copied into the environment when the project was installed.

    Args:
        repository: where the project lies.
        name: the project's name, lower case with underscores, for copies whose record doesn't say where they are from.
    """
    found: list[str] = []
    for folder in packages:
        for info in sorted(folder.glob("*.dist-info")):
            is_named = re.sub(r"[-_.]+", "_", info.name.partition("-")[0]).lower() == name
            if is_named or _copied_from(info / "direct_url.json") == repository:
                found += _modules(info / "RECORD")
    return list(dict.fromkeys(found))


def _modules(record: Path) -> list[str]:
    """The top-level names of what a RECORD lists: one path a line, then a digest and a size."""
    tops = [line.partition(",")[0].partition("/") for line in _text(record).splitlines()]
    names = [top if rest else top.removesuffix(".py") for top, _, rest in tops if rest.endswith(".py") or not rest]
    return [name for name in names if name.isidentifier()]


def _sees_system(prefix: Path) -> bool:
    for line in _text(prefix / "pyvenv.cfg").splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "include-system-site-packages":
            return value.strip().lower() == "true"
    return False


def _text(file: Path) -> str:
    """What stands in a file; nothing where it can't be read, as `site.py` has it."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _project(file: Path) -> Path | None:
    """The folder of a project that is installed in place."""
    return _recorded(file, is_editable=True)


def _copied_from(file: Path) -> Path | None:
    """The folder that a copy was made from."""
    return _recorded(file, is_editable=False)


def _recorded(file: Path, *, is_editable: bool) -> Path | None:
    try:
        record: Any = json.loads(file.read_bytes())
        url = urlsplit(str(record["url"]))
        is_meant = bool(record["dir_info"].get("editable")) == is_editable
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return Path(unquote(url.path)) if is_meant and url.scheme == "file" else None
