"""`config`: every setting, its value and where it came from, and nothing that is secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, git
from e2e.processes import COMMAND, Terminal, run_here

from orefactor.core.settings import NAMED, option_name

Capture = pytest.CaptureFixture[bytes]
PROJECT = '[tool.orefactor]\nchecks = ["ruff", "lint"]\nmax-seconds = 20\nmax-tokens = 9000000\n'
COMMANDS = '[tool.orefactor.commands]\nlint = "make lint"\n'
SECRET = "sk-abcdefghijklmnopqrstuvwxyz012345"


@pytest.fixture
def repository(make_repository: MakeRepository, sealed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One where each kind of source says something."""
    made = make_repository({"pyproject.toml": PROJECT + COMMANDS})
    (sealed / "more").write_text("[orefactor]\n\tmaxIterations = 9\n")
    for key, value in {
        "orefactor.model": "qwen3",
        "orefactor.policy.maxOutputTokens": "5000",
        "orefactor.qwen3.price": "1 2 3",
        "orefactor.trusted": "/elsewhere",
        "include.path": "more",
    }.items():
        git(made, "config", "--global", "--add", key, value)
    git(made, "config", "orefactor.contract", "any")
    monkeypatch.delenv("OREFACTOR_CONTEXT_TOKENS")
    monkeypatch.setenv("OREFACTOR_BASE_URL", f"https://user:pw@host.example/v1?api_key={SECRET[:9]}&x=1")
    monkeypatch.setenv("OREFACTOR_MINIMIZE", "yes")
    monkeypatch.setenv("DASHSCOPE_API_KEY", SECRET)
    return made


def _listed(capture: Capture, folder: Path) -> Mapping[str, dict[str, Any]]:
    done = run_here(capture, folder, "config", "--json")
    assert done.returncode == 0, done.stderr
    return {setting["name"]: setting for setting in json.loads(done.stdout)["settings"]}


def test_each_setting_with_its_origin(repository: Path, sealed: Path, capfdbinary: Capture) -> None:
    found = _listed(capfdbinary, repository)
    assert list(found)[: len(NAMED)] == [option_name(name) for name in NAMED]
    told = {name: (s["value"], *[part for part in s["origin"].values() if part]) for name, s in found.items()}
    home = str(sealed / ".gitconfig")
    expected = {
        "model": ("qwen3", "git", "orefactor.model", "global", home),
        "provider": ("qwen", "default"),
        "base-url": ("https://[REDACTED]@host.example/v1?api_key=[REDACTED]&x=1", "environment", "OREFACTOR_BASE_URL"),
        "key-variable": ("DASHSCOPE_API_KEY", "default"),
        "minimize": (True, "environment", "OREFACTOR_MINIMIZE"),
        "contract": (["any"], "git", "orefactor.contract", "local", ".git/config"),
        "checks": (["ruff", "lint"], "pyproject", "pyproject.toml"),
        "max-iterations": (9, "git", "orefactor.maxiterations", "global", str(sealed / "more")),
        "max-output-tokens": (5000, "policy", "orefactor.policy.maxoutputtokens", "global", home),
        "max-seconds": (20.0, "pyproject", "pyproject.toml"),
        "max-tokens": (1_000_000, "default"),
        "context-tokens": (6000, "default"),
        "policy.max-output-tokens": ("5000", "git", "orefactor.policy.maxoutputtokens", "global", home),
        "qwen3.price": ("1 2 3", "git", "orefactor.qwen3.price", "global", home),
        "trusted": ("/elsewhere", "git", "orefactor.trusted", "global", home),
        "commands.lint": ("make lint (not trusted, so it isn't run)", "pyproject", "pyproject.toml"),
    }
    assert {name: told[name] for name in expected} == expected
    assert found["key-variable"]["is_set"] is True


@pytest.mark.parametrize(("columns", "longest"), [(60, 60), (120, 120)])
def test_the_page_is_aligned_and_fits(
    repository: Path, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch, columns: int, longest: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.delenv("OREFACTOR_BASE_URL")
    done = run_here(capfdbinary, repository, "config")
    lines = done.stdout.decode().splitlines()
    assert max(len(line) for line in lines if "https://" not in line) <= longest, "but an address stays whole"
    assert all(line[17:19] == "  " for line in lines if not line.startswith(("policy.", "review."))), (
        done.stdout.decode()
    )
    (line,) = [line for line in lines if line.startswith("review.deliberation.max_rounds")]
    assert line.split()[1:] == (["3", "default"] if columns == 120 else [])
    assert "key-variable       DASHSCOPE_API_KEY (set)  " in done.stdout.decode()
    assert SECRET.encode() not in done.stdout


def test_a_terminal_shows_colours(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_PAGER", "cat")
    code, shown = Terminal(repository, *COMMAND, "config").finish()
    assert code == 0
    assert b"\x1b[36mqwen3" in shown and b"\x1b[1;32mtrue" in shown and b"\x1b[2mdefault" in shown


@pytest.mark.parametrize(
    ("name", "value", "origin"),
    [
        ("model", "qwen3", "git global (~/.gitconfig)"),
        ("OREFACTOR_MODEL", "qwen3", "git global (~/.gitconfig)"),
        ("orefactor.maxIterations", "9", "git global (~/more)"),
        ("--check", "ruff, lint", "pyproject.toml"),
        ("max_output_tokens", "5000", "policy, git global (~/.gitconfig)"),
        ("max-cost", "none", "default"),
        ("max-seconds", "20", "pyproject.toml"),
        ("minimize", "true", "variable OREFACTOR_MINIMIZE"),
        ("base", "worktree (HEAD for a branch)", "default"),
        ("review.deliberation.max-cost-tokens", "60000", "default"),
        ("OREFACTOR_REVIEW_MODEL", "the same", "default"),
        ("review.checks", "py_compile", "default"),
        ("qwen3.price", "1 2 3", "git global (~/.gitconfig)"),
    ],
)
def test_one_setting(repository: Path, capfdbinary: Capture, name: str, value: str, origin: str) -> None:
    done = run_here(capfdbinary, repository, "config", "--", name)
    assert (done.returncode, done.stdout.decode()) == (0, value + "\n")
    assert done.stderr.decode().endswith(f"comes from {origin}\n")
    assert json.loads(run_here(capfdbinary, repository, "config", "--json", "--", name).stdout)["origin"]


def test_a_policy_of_reviews_shows_and_says_what_it_overrules(
    repository: Path, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliberation = "[tool.orefactor.review.deliberation]\nmax_rounds = 2\n"
    (repository / "pyproject.toml").write_text(deliberation + "[tool.orefactor.review]\nfail_on = 'warning'\n")
    git(repository, "config", "--global", "orefactor.policy.review.deliberation.maxRounds", "5")
    git(repository, "config", "orefactor.policy.review.deliberation.maxCostTokens", "1")
    git(repository, "config", "orefactor.review.deliberation.perToolTimeoutSeconds", "9.5")
    monkeypatch.setenv("OREFACTOR_REVIEW_MAX_ROUNDS", "9")
    monkeypatch.setenv("OREFACTOR_REVIEW_DELIBERATION_ENABLED", "off")
    done = run_here(capfdbinary, repository, "config", "--json")
    found = {setting["name"]: setting for setting in json.loads(done.stdout)["settings"]}
    told = {n: (s["value"], *[p for p in s["origin"].values() if p][:3]) for n, s in found.items() if "review" in n}
    policy = "orefactor.policy.review.deliberation.maxrounds"
    assert told == {
        "review-result": (False, "default"),
        "review.deliberation.enabled": (False, "environment", "OREFACTOR_REVIEW_DELIBERATION_ENABLED"),
        "review.deliberation.max_rounds": (5, "policy", policy, "global"),
        "review.deliberation.max_cost_tokens": (60_000, "default"),
        "review.deliberation.per_tool_timeout_seconds":
            (9.5, "git", "orefactor.review.deliberation.pertooltimeoutseconds", "local"),
        "review.fail_on": ("warning", "pyproject", "pyproject.toml"),
        "review.inconclusive_exit": (1, "default"),
        "review.checks": (["py_compile"], "default"),
        "review.model": (None, "default"),
        "policy.review.deliberation.max_rounds": ("5", "git", policy, "global"),
    }  # fmt: skip
    decides = "orefactor.policy.review.deliberation"
    ignored = f"note: the repository's [tool.orefactor.review.deliberation] is ignored: {decides} decides"
    overruled = f"note: `review.deliberation.max_rounds` is 5, as {decides} says, not 9"
    notes = [ignored, f"{overruled} (from the variable OREFACTOR_REVIEW_MAX_ROUNDS)"]
    assert done.stderr.decode().splitlines() == notes
    asked = run_here(capfdbinary, repository, "config", "orefactor.review.deliberation.maxRounds")
    assert (asked.stdout, asked.stderr.decode().splitlines()[1:]) == (b"5\n", notes)
    assert run_here(capfdbinary, repository, "config", "max-tokens").stderr.count(b"note: ") == 1


@pytest.mark.parametrize(
    ("words", "variables", "said"),
    [
        (("modl",), {}, "hint: did you mean `model`?"),
        ((), {"OREFACTOR_MAX_COST": "much"}, "`max-cost` is wrong: it should be a valid number"),
        ((), {"OREFACTOR_MODLE": "x"}, "hint: did you mean `OREFACTOR_MODEL`?"),
        ((), {"OREFACTOR_PROVIDER": "opnai"}, "hint: did you mean `openai`?"),
        ((), {"OREFACTOR_CONTRACT": "nothing"}, "error: "),
        ((), {"OREFACTOR_ALLOW": "nothing"}, "`nothing` is nothing that can be allowed"),
        ((), {"OREFACTOR_CHECKS": "rufff"}, "rufff"),
        ((), {"OREFACTOR_REVIEW_CHECKS": "rufff"}, "rufff"),
        (("review.fail",), {}, "hint: did you mean `review.fail_on`?"),
        ((), {"OREFACTOR_REVIEW_MAX_ROUNDS": "-1"}, "`review.deliberation.max_rounds` is wrong"),
    ],
    ids=["name", "value", "variable", "provider", "contract", "allow", "check", "of-a-review", "section", "limit"],
)
def test_what_is_wrong_is_said(
    make_repository: MakeRepository,
    capfdbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    variables: Mapping[str, str],
    said: str,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    done = run_here(capfdbinary, make_repository({"a.py": "x = 1\n"}), "config", *words)
    assert done.returncode == 2 and said in done.stderr.decode(), done.stderr


def test_outside_of_a_repository_and_before_the_first_commit(
    tmp_path: Path, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OREFACTOR_PROVIDER", "recipes")
    assert _listed(capfdbinary, tmp_path)["provider"]["value"] == "recipes"
    git(tmp_path, "init", "-q")
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    assert _listed(capfdbinary, tmp_path)["max-seconds"]["value"] == 1800


def test_in_a_trusted_repository_its_commands_run(repository: Path, capfdbinary: Capture) -> None:
    git(repository, "config", "--global", "--add", "orefactor.trusted", str(repository))
    found = _listed(capfdbinary, repository)
    assert found["commands.lint"]["value"] == "make lint"
