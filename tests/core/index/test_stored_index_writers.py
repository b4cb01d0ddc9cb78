"""Several processes with other hash seeds fill one index at once, and one that has no space left."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import textwrap
from pathlib import Path

from conftest import MakeRepository
from stored_indexes import kept, opened

SCRIPT = """
    import hashlib, json, sys
    from pathlib import Path
    from orefactor.core.index.stored_index import open_index
    from orefactor.sandbox.repository import find_repository

    index = open_index(find_repository(Path(sys.argv[1])), "HEAD")
    names = [f"f{number}" for number in range(300)]
    found = [index.symbols(index.paths), index.folded(names), index.defining(names), index.referring(names)]
    print(json.dumps([index.parsed, hashlib.sha256(repr(found).encode()).hexdigest()]))
"""


def start(top: Path, seed: str, most_bytes: int = resource.RLIM_INFINITY) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), str(top)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        stdout=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY)),
    )


def test_several_writers_at_once_and_a_full_disk(make_repository: MakeRepository) -> None:
    filling = "# " + "x" * 8000
    files = {f"m{number}.py": f"def f{number}():\n    f{number + 1}()\n{filling}\n" for number in range(200)}
    top = make_repository(files)
    full = start(top, "0", 300_000)
    outputs = [full.communicate()[0]]
    writers = [start(top, seed) for seed in "012"]
    outputs += [writer.communicate()[0] for writer in writers]
    answers_of_all = [json.loads(output) for output in outputs]
    assert len({digest for _, digest in answers_of_all}) == 1
    assert answers_of_all[0][0] >= 200
    assert opened(top).parsed == 0
    assert len([file for file in kept(top) if file.suffix == ".sqlite"]) == 1
