"""Runs ruff on a text: in an empty folder, with an empty environment and a time limit.

ruff sees no file of the machine and none of the repository, so that the same text and options always give
the same result. Its only configuration is the text in the options.
"""

from __future__ import annotations

import importlib
import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from orefactor.sandbox.cache import private_folder

from ..errors import ProviderFailed
from .base import Options

SECONDS = 60.0
_UNUSED = re.compile(r"`(.+)` imported but unused")


def fix(text: str, options: Options, rules: Sequence[str], *, unsafe: bool = False, allowed: Sequence[str] = ()) -> str:
    """Apply the fixes of some of ruff's rules.

    Args:
        text: the source.
        options: names the file and holds ruff's configuration.
        rules: codes or prefixes such as `I` or `F401`.
        unsafe: also take fixes that ruff calls unsafe.
        allowed: qualified names that count as used imports.

    Returns:
        The new text; the same text where ruff can't parse it.

    Raises:
        ProviderFailed: ruff took too long.
    """
    arguments = ["check", "--fix-only", *_selection(rules, options)]
    arguments += ["--unsafe-fixes"] * unsafe + (_allowing(allowed) if allowed else [])
    fixed = run_ruff(arguments, text, options)
    return text if fixed is None else fixed


def format_text(text: str, options: Options) -> str:
    """Format the source; result and errors as in `fix`."""
    formatted = run_ruff(["format"], text, options)
    return text if formatted is None else formatted


def unused_imports(text: str, options: Options) -> list[str]:
    """The qualified names of all unused imports, relative ones with their dots; errors as in `fix`."""
    arguments = [
        "check",
        "--exit-zero",
        "--output-format",
        "json",
        *_selection(["F401"], options),
        *_allowing([]),
    ]
    found = json.loads(run_ruff(arguments, text, options) or "[]")
    return [name[1] for item in found if (name := _UNUSED.match(item["message"]))]


def run_ruff(arguments: Sequence[str], text: str, options: Options, *, seconds: float = SECONDS) -> str | None:
    """Run a ruff command that reads a text from its standard input.

    A configuration that ruff rejects is replaced by ruff's defaults.

    Returns:
        Its standard output, or None where it failed, as it does for text that isn't Python.

    Raises:
        ProviderFailed: the time is over.
    """
    with private_folder("ruff-") as folder:
        attempts = [["--isolated"]]
        if options.ruff_config:
            config = folder / "ruff.toml"
            config.write_text(options.ruff_config, encoding="utf-8")
            attempts.insert(0, ["--config", str(config)])
        for attempt in attempts:
            command = [_binary(), *arguments, *attempt, "--target-version", options.target_version]
            done = _run(command, text, options.path, folder, seconds)
            # Anything else (2: bad input or configuration; a crash) has no text to trust.
            if done.returncode == 0:
                return done.stdout.decode()
    return None


def _selection(rules: Sequence[str], options: Options) -> list[str]:
    # `--select` alone would also switch off what a configuration ignores.
    ignored = ["--ignore", ",".join(options.ignored_rules)] if options.ignored_rules else []
    return ["--select", ",".join(rules), *ignored]


def _allowing(names: Sequence[str]) -> list[str]:
    return ["--config", f"lint.pyflakes.allowed-unused-imports={json.dumps(list(names), ensure_ascii=False)}"]


def _binary() -> str:
    # By name, since the package has no types.
    return str(importlib.import_module("ruff").find_ruff_bin())


def _run(
    command: Sequence[str], text: str, path: str, folder: Path, seconds: float
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            [*command, "--quiet", "--no-cache", "--stdin-filename", path, "-"],
            input=text.encode("utf-8", "surrogatepass"),
            cwd=folder,
            env={},
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ProviderFailed(
            "ruff_timeout",
            f"ruff took more than {seconds:.0f} seconds for `{path}`",
            hint="leave this file out of the paths",
        ) from error
