"""Commands on a kept run that is a review: `show` and `runs` tell of it, those that need a patch refuse it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ci_traces import RUN, make_trace
from conftest import MakeRepository, git, user_state, write_files
from e2e.processes import run_here
from review_traces import FILES, INCONCLUSIVE, LIMITED, SECRET_WORDS, review_trace

from orefactor.core.trace_model import Trace

DIFF = "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..d00491f\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+1\n"
Capture = pytest.CaptureFixture[bytes]


@pytest.fixture
def repository(make_repository: MakeRepository, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "100")
    return make_repository(FILES)


def _keep(repository: Path, trace: Trace) -> Path:
    if trace.review is not None:
        review = trace.review.model_copy(update={"tree": git(repository, "rev-parse", "HEAD^{tree}")})
        trace = trace.model_copy(update={"review": review})
    folder = repository / ".git" / "orefactor" / "runs" / trace.run_id
    write_files(folder, {"trace.json": json.dumps(trace.model_dump(mode="json", by_alias=True))})
    return folder


def test_show(repository: Path, capfdbinary: Capture, tmp_path: Path) -> None:
    answer = {"round": 2, "messages": 1, "prompt_tokens_estimated": 1, "text": '{"verdict": "comment"}'}
    folder = _keep(repository, review_trace(rounds=(answer,)))
    page = run_here(capfdbinary, repository, "show").stdout.decode()
    lines = page.splitlines()
    assert lines[:3] == [
        f"run       {RUN}",
        "task      review of the working tree",
        "outcome   reviewed: 2 blocking findings with fail-on error: 1 of the model, 1 of `ruff`",
    ]
    at = lines.index("offered   read_file, check_ruff, check_mypy")
    assert lines[at + 1 : at + 5] == ["requested check_ruff", "declined  read_file, check_mypy", "", "Review"]
    assert "  > 6 |     if a == None:" in lines and "Checks" in lines
    assert "verified" not in page and "files     " not in page
    assert lines[-1] == "round 2  0.0 s, 0 tokens  changes requested"
    # A trace from elsewhere says nothing about the files of this repository.
    copy = tmp_path / "copy.json"
    copy.write_bytes((folder / "trace.json").read_bytes())
    assert b" | " not in run_here(capfdbinary, repository, "show", str(copy)).stdout
    html = tmp_path / "page.html"
    assert run_here(capfdbinary, repository, "show", "--html", str(html)).returncode == 0
    assert 'class="c here"' in html.read_text()


@pytest.mark.parametrize("words", [[], ["--round", "1"]])
def test_where_a_limit_was_reached_show_hides_what_the_model_said(
    repository: Path, capfdbinary: Capture, words: list[str]
) -> None:
    _keep(repository, LIMITED)
    page = run_here(capfdbinary, repository, "show", *words).stdout.decode()
    assert SECRET_WORDS not in page and "  what the model said is left out" in page


@pytest.mark.parametrize(
    ("trace", "outcome"),
    [
        (review_trace(), "blocking:model"),
        (LIMITED, "deliberation_limit:max_rounds"),
        (INCONCLUSIVE, "inconclusive: check:mypy"),
    ],
)
def test_runs(repository: Path, capfdbinary: Capture, trace: Trace, outcome: str) -> None:
    _keep(repository, trace)
    (row,) = json.loads(run_here(capfdbinary, repository, "runs", "--json").stdout)
    assert row == {"run_id": RUN, "outcome": outcome, "files": 2, "task": "review of the working tree"}


@pytest.mark.parametrize(
    "words",
    [["apply"], ["apply", RUN], ["apply", "--hunks", "1"], ["pr", "--dry-run"], ["replay"], ["replay", "--from", "1"],
     ["replay", f".git/orefactor/runs/{RUN}/trace.json"], ["verify", RUN], ["verify", "forged.patch"]],
    ids=" ".join,
)  # fmt: skip
def test_what_needs_a_patch_refuses_a_review(repository: Path, capfdbinary: Capture, words: list[str]) -> None:
    _keep(repository, review_trace())
    names = git(repository, "rev-parse", "HEAD"), git(repository, "rev-parse", "HEAD^{tree}")
    head = f"Orefactor-Run: {RUN}\nOrefactor-Base: {names[0]}\nOrefactor-Tree: {names[1]}\n\n"
    write_files(repository, {"forged.patch": head + DIFF})
    before = user_state(repository)
    done = run_here(capfdbinary, repository, *words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines() == [
        f"error: the run {RUN} is a review; it has no patch",
        f"hint: see what it found: `git orefactor show {RUN}`, or name another run of `git orefactor runs`",
    ]
    assert user_state(repository) == before


def test_the_newest_run_with_a_patch_may_have_been_reviewed_since(repository: Path, capfdbinary: Capture) -> None:
    older = f"20201130T101500{RUN[-7:]}"
    _keep(repository, review_trace())
    write_files(_keep(repository, make_trace(run_id=older)), {"result.patch": DIFF})
    assert run_here(capfdbinary, repository, "apply").stderr == b"done: Document area [src/shapes.py]\n"
    assert (repository / "x").read_bytes() == b"1\n"
