"""`py_compile`: whether the project's own interpreter can read a file; nothing is executed or written."""

from __future__ import annotations

import re

from orefactor.sandbox.environment import PythonEnvironment

from ..check import Check, Circumstances, Cost, targets
from ..command import CheckRequest
from ..findings import Finding, Reading, listed, relative

# Never `-m py_compile`: a file of that name in the project would be imported. Reports all files, not only the first.
_COMPILE = """import sys
failed = 0
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as file:
            compile(file.read(), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        failed = 1
        line, text = getattr(error, "lineno", 0) or 0, getattr(error, "msg", None) or str(error)
        print("orefactor-compile", line, path, " ".join(text.split()), sep="\\t")
sys.exit(failed)
"""
_LINE = re.compile(r"^orefactor-compile\t(?P<line>\d{1,9})\t(?P<path>[^\t\n]*)\t(?P<text>.*)$", re.MULTILINE)


def command(environment: PythonEnvironment, request: CheckRequest, _circumstances: Circumstances) -> list[str]:
    """The command line."""
    return [str(environment.python), "-I", "-S", "-B", "-c", _COMPILE, *targets(request)]


def parse(output: str, top: str) -> Reading:
    """The findings that the program above prints."""
    return listed(
        tuple(
            Finding(relative(match["path"], top), int(match["line"]), "syntax", match["text"])
            for match in _LINE.finditer(output)
        )
    )


CHECK = Check("py_compile", "static", command, parse, lambda _environment: True, Cost("low", 1, 2), seconds=120.0)
