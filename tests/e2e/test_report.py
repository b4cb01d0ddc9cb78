"""The report in a real browser: hostile text runs nothing and asks nobody, boxes make the command.

Chromium is started as few times as possible, since each start takes about a second. It prints the page's elements as
they are after the script ran; what a person would tick is ticked by the address (`#hunks=1,3`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository
from e2e.processes import run_here
from e2e.scenes import DOCUMENT, FILES, REPLIES, TASK, read, run_folders
from report_scenes import hostile_run, reported

from orefactor.core.outputs.report.page import report_page
from orefactor.core.redact import Redactor

CHROMIUM = shutil.which("chromium")
in_chromium = pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="chromium is not installed")
FixtureFile = Callable[..., Path]
Capture = pytest.CaptureFixture[bytes]
_OPTIONS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--dump-dom"),
]


def _dumped(tmp_path: Path, address: str, *options: str) -> str:
    """The page's elements as Chromium has them once the script has run."""
    assert CHROMIUM is not None, "CI must try the page in Chromium"
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    done = subprocess.run(
        [CHROMIUM, *_OPTIONS, profile, *options, address], capture_output=True, timeout=120, check=True
    )
    return done.stdout.decode()


@contextmanager
def _counting() -> Generator[tuple[str, list[str]]]:
    """A server on this machine that notes what it is asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@in_chromium
def test_hostile_text_runs_nothing_and_asks_nobody(tmp_path: Path) -> None:
    page = report_page(hostile_run(), Redactor({}))
    with _counting() as (url, asked):
        # Were something to slip through the escaping, the policy would still stop it.
        slipped = (
            "<script>document.title = 'owned'</script><img src='x' onerror=\"document.title = 'owned'\"/>"
            f"<img src='{url}/image'/><link rel='stylesheet' href='{url}/style'/><script src='{url}/script'></script>"
            f"<iframe src='{url}/frame'></iframe><style>body {{ background: url('{url}/background') }}</style>"
        )
        (tmp_path / "hostile.html").write_text(page)
        holed = page.replace('<main id="main">', f'<main id="main">{slipped}')
        (tmp_path / "slipped.html").write_text(holed)
        (tmp_path / "open.html").write_text(holed.replace("Content-Security-Policy", "x"))
        hostile = _dumped(tmp_path, f"file://{tmp_path}/hostile.html")
        slipped_in = _dumped(tmp_path, f"file://{tmp_path}/slipped.html")
        assert asked == []
        # Without the policy all of that would have happened.
        assert "<title>owned</title>" in _dumped(tmp_path, f"file://{tmp_path}/open.html")
        assert {"/image", "/style", "/script", "/frame"} <= set(asked)
    for dumped in (hostile, slipped_in):
        title = re.search(r"<title>(.*?)</title>", dumped, re.DOTALL)
        assert title is not None
        assert title[1].startswith("&lt;/script&gt;")
        # Our own script has run all the same.
        assert "tick hunks to take only these" in dumped


@in_chromium
@pytest.mark.parametrize(
    ("hash_", "ticked", "command"),
    [
        ("#hunks=1,3", ["1", "3"], " --hunks 1,3"),
        ("#hunks=1-3", ["1", "2", "3"], ""),
    ],
)
def test_ticked_boxes_make_the_command(tmp_path: Path, hash_: str, ticked: list[str], command: str) -> None:
    run = reported()
    (tmp_path / "r.html").write_text(report_page(run, Redactor({})))
    dumped = _dumped(tmp_path, f"file://{tmp_path}/r.html{hash_}")
    output = re.search(r"<output[^>]*><code>(.*?)</code>", dumped)
    assert output is not None
    assert output[1] == f"git orefactor apply {run.trace.run_id}{command}"
    assert re.findall(r'class="hunk picked" id="hunk-(\d)"', dumped) == ticked
    assert "hidden" not in re.findall(r'<button[^>]* id="copy"[^>]*>', dumped)[0]


@in_chromium
def test_it_is_drawn_on_a_narrow_screen(tmp_path: Path) -> None:
    (tmp_path / "r.html").write_text(report_page(reported(), Redactor({})))
    picture = tmp_path / "r.png"
    _dumped(tmp_path, f"file://{tmp_path}/r.html", f"--screenshot={picture}", "--window-size=420,2000")
    # A blank page of this size takes some 10 kB.
    assert picture.stat().st_size > 40_000


@pytest.mark.parametrize("fails", [False, True])
def test_the_main_job_writes_it_also_on_failure(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, fails: bool
) -> None:
    repository = make_repository(FILES)
    replies = [read(), DOCUMENT, {**read(), "every_round": True}] if fails else list(REPLIES)
    words = ["--no-check", "--max-iterations", "4", "--report", "r.html", "--fixture", str(fixture_file(*replies))]
    done = run_here(capfdbinary, repository, TASK, "src", *words)
    page = (repository / "r.html").read_text()
    (run,) = run_folders(repository)
    assert (done.returncode, "was not delivered" in page) == ((4, True) if fails else (0, False))
    assert (f"git orefactor apply {run.name}" in page) != fails
    assert b"note: the report is in `r.html`" in done.stderr
    assert ("Multiply." in page, b"Multiply." in done.stdout) == (True, not fails)


def test_a_report_that_cannot_be_written(
    make_repository: MakeRepository, fixture_file: FixtureFile, capfdbinary: Capture, tmp_path: Path
) -> None:
    repository = make_repository(FILES)
    words = [TASK, "src", "--no-check", "-q", "--fixture", str(fixture_file(*REPLIES)), "--report"]
    done = run_here(capfdbinary, repository, *words, "none/r.html")
    assert (done.returncode, done.stdout, run_folders(repository)) == (2, b"", [])
    assert b"--report report.html" in done.stderr
    # What stands in the way shows only when it is written.
    folder = tmp_path / "reports"
    folder.mkdir()
    (folder / f".orefactor-{os.getpid()}.part").mkdir()
    done = run_here(capfdbinary, repository, *words, str(folder / "r.html"))
    assert (done.returncode, b"Multiply." in done.stdout) == (6, True)
    assert b"can't write the report" in done.stderr
    assert not (folder / "r.html").exists()
