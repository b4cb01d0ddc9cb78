"""The project's Python: which one it is, and what must be visible so that it starts.

Nothing that lies in the repository is executed to find out: an interpreter in `.venv` counts only when it is
a link to one outside, and it is asked with `-S`, so that no `.pth` line and no `sitecustomize` of an
environment runs. What these would have added to the search path is read from the files (`search_path.py`) in
place of that.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .errors import ExitCode, UserError
from .process import ProcessResult, run_process
from .search_path import editable_projects, path_lines, site_packages

SECONDS_TO_START = 20.0
# Never made visible whole, whatever a search path says; nor are the user's home and what it lies in.
TOO_BROAD = tuple(
    Path("/", name) for name in ("", "dev", "etc", "opt", "proc", "run", "srv", "sys", "tmp", "var", "var/tmp")
)
QUESTION = """
import json, os, sys
base = [sys.base_prefix, sys.base_exec_prefix, os.path.dirname(os.__file__)]
print(json.dumps([sys.executable, *base, sys.version_info[:2]]))
"""


@dataclass(frozen=True, slots=True)
class PythonEnvironment:
    """An interpreter and its packages.

    Attributes:
        python: the interpreter to start; in a virtual environment the link there.
        prefix: the virtual environment's folder, or None.
        version: major and minor.
        read_only: what must be visible besides `prefix` and /usr so that it starts: folders, and links on the
            way to the interpreter.
        packages: its `site-packages` folders.
        installed_in_place: whether packages are imported from the repository itself (`pip install -e .`).
    """

    python: Path
    prefix: Path | None
    version: tuple[int, int]
    read_only: tuple[Path, ...]
    packages: tuple[Path, ...] = ()
    installed_in_place: bool = False


def find_python(repository: Path, *, explicit: Path | None, virtual_env: str | None, path: str) -> Path:
    """The interpreter that the project's checks run with: the first that is an executable file.

    Args:
        repository: the repository's top folder.
        explicit: what the user named; nothing else is tried then.
        virtual_env: the active environment, as VIRTUAL_ENV says it.
        path: folders to search, as PATH says it.

    Raises:
        UserError: the one that the user named isn't there.
    """
    if explicit is not None:
        if not _is_program(explicit):
            raise UserError(
                f"no Python at `{explicit}`",
                hint="name an interpreter, such as `.venv/bin/python`",
                exit_code=ExitCode.ENVIRONMENT,
            )
        return explicit.absolute()
    for candidate in _candidates(repository, virtual_env, path):
        if _is_program(candidate):
            return candidate
    return Path(sys.executable)


def inspect(python: Path, repository: Path) -> PythonEnvironment:
    """Start an interpreter (it may be a version manager's script) and find out what it needs.

    Raises:
        UserError: it doesn't start.
    """
    executable, base, exec_base, library, version = _ask(python, repository)
    prefix = _virtual_environment(executable)
    packages = site_packages(prefix, base, (version[0], version[1]))
    added = [*editable_projects(packages), *path_lines(packages)]
    outside = [path for path in added if not path.is_relative_to(repository)]
    needed = [base, base.resolve(), exec_base, library, *outside, *links(executable)]
    return PythonEnvironment(
        python=executable,
        prefix=prefix,
        version=(version[0], version[1]),
        read_only=_outermost(needed, prefix),
        packages=packages,
        installed_in_place=len(outside) < len(added),
    )


def find_tool(environment: PythonEnvironment, name: str) -> Path | None:
    """The program `name` of the environment; for ruff, which needs no project, else our own."""
    own = environment.python.with_name(name)
    if _is_program(own):
        return own
    return own_ruff() if name == "ruff" else None


def has_module(environment: PythonEnvironment, name: str) -> bool:
    """Whether a top-level module is installed, without starting the interpreter."""
    return any(os.path.isdir(folder / name) or os.path.isfile(folder / f"{name}.py") for folder in environment.packages)


def links(program: Path) -> Iterator[Path]:
    """Each place on the way from a program to its file, symbolic links followed one by one."""
    for _ in range(40):  # the kernel's own limit
        yield program
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent.resolve() / program.readlink()))


def _candidates(repository: Path, virtual_env: str | None, path: str) -> Iterator[Path]:
    if virtual_env:
        yield Path(virtual_env).absolute() / "bin" / "python"
    inside = repository / ".venv" / "bin" / "python"
    if not Path(os.path.realpath(inside)).is_relative_to(os.path.realpath(repository)):
        yield inside
    for folder in path.split(os.pathsep):
        if os.path.isabs(folder):
            yield Path(folder) / "python3"


def _is_program(path: Path) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)  # `Path.is_file` raises where a folder is closed to us


def _ask(python: Path, repository: Path) -> tuple[Path, Path, Path, Path, list[int]]:
    """What the interpreter says: itself, its base, its platform's base, its library, its version."""
    # Version managers' scripts (pyenv) look at the folder and at these to choose an interpreter.
    kept = ("PATH", "HOME", "PYENV_ROOT", "PYENV_VERSION", "ASDF_DATA_DIR", "ASDF_DIR")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    argv = [str(python), "-I", "-S", "-B", "-c", QUESTION]
    result = run_process(argv, env=env, cwd=repository, timeout=SECONDS_TO_START)
    try:
        executable, base, exec_base, library, version = json.loads(result.stdout)
    except ValueError:
        raise _does_not_start(python, result) from None
    return Path(executable), Path(base), Path(exec_base), Path(library), version


def _does_not_start(python: Path, result: ProcessResult) -> UserError:
    lines = result.stderr.decode(errors="replace").strip().splitlines()
    why = lines[-1] if lines else result.ended_by or result.returncode
    return UserError(
        f"the Python `{python}` doesn't start: {why}",
        hint="name another one with `--python`",
        exit_code=ExitCode.ENVIRONMENT,
    )


def _virtual_environment(executable: Path) -> Path | None:
    prefix = executable.parent.parent
    return prefix if (prefix / "pyvenv.cfg").is_file() else None


def _outermost(needed: list[Path], prefix: Path | None) -> tuple[Path, ...]:
    """Those that exist and that nothing else makes visible, in order of appearance."""
    home = Path.home()
    broad = {*TOO_BROAD, home, *home.parents}
    present = [Path("/usr"), *([prefix] if prefix else [])]
    kept: list[Path] = []
    for path in sorted(dict.fromkeys(needed), key=lambda path: len(path.parts)):
        if path in broad or not os.path.lexists(path):
            continue
        if not any(path.is_relative_to(other) for other in (*present, *kept)):
            kept.append(path)
    return tuple(kept)


def own_ruff() -> Path | None:
    """The ruff that is installed together with us."""
    from ruff import find_ruff_bin  # pyright: ignore[reportMissingTypeStubs]

    try:
        return Path(find_ruff_bin())
    except FileNotFoundError:
        return None
