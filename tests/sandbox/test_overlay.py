"""The view's making, in a process of its own that looks at it; `test_tree_views.py` runs it as it is run."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from orefactor.sandbox import overlay

NOBODY = 65534
needs_rights = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has mount namespaces")


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in ("top", "low", "stage"):
        (tmp_path / name).mkdir()
    (tmp_path / "low" / "file").write_text("low")
    (tmp_path / "low" / "both").write_text("low")
    (tmp_path / "top" / "both").write_text("top")
    return tmp_path


@needs_rights
@pytest.mark.sandbox
def test_the_layers_are_one_tree_that_the_owner_may_change(base: Path) -> None:
    owner = NOBODY if os.geteuid() == 0 else os.geteuid()
    layers = [str(base / "top"), str(base / "low")]
    done = python(f"""
        import os
        from orefactor.sandbox import overlay
        overlay.prepare({str(base / "stage")!r}, 1 << 20, {owner}, {layers!r})
        tree = {str(base / "stage" / "tree")!r}
        print([open(os.path.join(tree, name)).read() for name in ("both", "file")])
        print({{os.stat(os.path.join(tree, name)).st_uid for name in ("", "both", "file")}})
        try:
            open(os.path.join(tree, "big"), "wb").write(bytes(2 << 20))
        except OSError as error:
            print(error.strerror)
    """)
    assert done.stdout.splitlines() == ["['top', 'low']", f"{{{owner}}}", "No space left on device"], done.stderr
    assert list((base / "stage").iterdir()) == []
    assert sorted(path.name for path in (base / "low").iterdir()) == ["both", "file"]


@needs_rights
def test_a_layer_that_is_not_there_is_said(base: Path) -> None:
    words = [str(base / "stage"), "4096", str(os.geteuid()), str(base / "none"), "--", "/bin/true"]
    done = python(f"from orefactor.sandbox import overlay; overlay.main({words!r})")
    assert done.returncode == 1
    assert done.stderr.startswith("orefactor-overlay: ")


def test_a_failed_call_is_an_error() -> None:
    with pytest.raises(OSError, match="what"):
        overlay.check("what", -1)
    assert overlay.check("what", 3) == 3


@needs_rights
@pytest.mark.sandbox
def test_the_command_has_no_environment_and_the_usual_signals(base: Path) -> None:
    owner = NOBODY if os.geteuid() == 0 else os.geteuid()
    words = [str(base / "stage"), "65536", str(owner), str(base / "low"), "--", "/bin/sh", "-c"]
    script = "env; grep SigIgn /proc/self/status; ls stage/tree"
    program = [sys.executable, "-I", "-S", "-B", overlay.__file__, *words, f"cd {base}; {script}"]
    done = subprocess.run(program, capture_output=True, text=True, check=True, env={"A": "1"})
    lines = [line for line in done.stdout.splitlines() if not line.startswith(("PWD=", "OLDPWD=", "_=", "SHLVL="))]
    assert lines == ["SigIgn:\t0000000000000000", "both", "file"]
