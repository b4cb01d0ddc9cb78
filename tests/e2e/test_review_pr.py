"""`review --pr`: the statuses of a reviewed commit, at a server with the forges' documented answers over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepository, git, user_state, write_files
from e2e.processes import Done, run_here
from e2e.publishing import PROJECTS, SECRET, TOKENS
from e2e.scenes import SHAPES, run_folders
from forge_server import Answer, ForgeServer, serving

Capture = pytest.CaptureFixture[bytes]
FixtureFile = Callable[..., Path]
SAID = "MODEL SAID @everyone \x1b[2J"
CHANGED = SHAPES.replace("2 * a", "a + a")
OUR_LIMIT = "deliberation_limit:max_rounds was reached, so that nothing of the model's counts"
PASSED = "passed: nothing blocks with fail-on error; "


def answer(verdict: str = "approve", *severities: str) -> dict[str, Any]:
    """The model answers, with a finding of each of these weights in a changed line."""
    findings = [
        {"rule": "bug", "severity": severity, "path": "src/shapes.py", "start_line": 6, "end_line": 6,
         "message": f"{SAID} {number}", "suggestion": None, "confidence": 0.9}
        for number, severity in enumerate(severities)
    ]  # fmt: skip
    return {"content": json.dumps({"verdict": verdict, "summary": SAID, "findings": findings})}


ASKS: dict[str, Any] = {"content": SAID, "tool_calls": [{"name": "check_ruff", "arguments": {}}], "every_round": True}


@dataclass(frozen=True, slots=True)
class Scene:
    """A repository whose second commit is reviewed, and the forge that its remote is at."""

    folder: Path
    commit: str
    server: ForgeServer
    capture: Capture
    fixture_file: FixtureFile

    def at(self, kind: str) -> tuple[str, ...]:
        """Let the remote be at the server as this kind of forge, and give the words that say so."""
        git(self.folder, "remote", "set-url", "origin", f"{self.server.url}/{PROJECTS[kind]}.git")
        return "--pr", "--forge", kind

    def review(self, *words: str, replies: tuple[dict[str, Any], ...] = (), options: tuple[str, ...] = ()) -> Done:
        """Review the commit, or what the words name."""
        self.server.asked.clear()
        script = ("--provider", "fixture", "--fixture", str(self.fixture_file(*replies))) if replies else ()
        return run_here(self.capture, self.folder, "review", *(words or ("HEAD",)), *script, *options)

    def told(self) -> list[tuple[str, str]]:
        """State and description of both statuses, in the order of their names' meaning: the review's, the gate's."""
        posts = [asked for asked in self.server.asked if "/statuses/" in asked.path]
        assert all(asked.path.endswith(f"/statuses/{self.commit}") for asked in posts)
        names = [asked.body.get("context", asked.body.get("name")) for asked in posts]
        assert names == ["orefactor/review", "orefactor/gate"], names
        return [(asked.body["state"], asked.body["description"]) for asked in posts]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Generator[ForgeServer]:
    """A forge, and a token for it in the environment."""
    for variable in TOKENS.values():
        monkeypatch.setenv(variable, SECRET)
    with serving() as forge:
        yield forge


@pytest.fixture
def scene(
    make_repository: MakeRepository, server: ForgeServer, capfdbinary: Capture, fixture_file: FixtureFile
) -> Scene:
    folder = make_repository({"src/shapes.py": SHAPES})
    write_files(folder, {"src/shapes.py": CHANGED})
    git(folder, "commit", "-qam", "second")
    git(folder, "remote", "add", "origin", "https://forge.invalid/a/b.git")
    return Scene(folder, git(folder, "rev-parse", "HEAD"), server, capfdbinary, fixture_file)


@pytest.mark.parametrize("kind", ["github", "gitlab", "gitea"])
def test_each_forge_gets_both_statuses(scene: Scene, kind: str) -> None:
    words = scene.at(kind)
    before = user_state(scene.folder)
    done = scene.review(replies=(answer("request_changes", "error", "note"),), options=(*words, "--json"))
    assert done.returncode == 1, done.stderr
    state = "failed" if kind == "gitlab" else "failure"
    expected = [
        (state, "changes requested: 1 error, 1 note"),
        (state, "blocking:model: 1 blocking finding of the model with fail-on error"),
    ]
    assert scene.told() == expected
    statuses = json.loads(done.stdout)["statuses"]
    assert [(each["commit"], each["context"], each["state"], each["set"]) for each in statuses] == [
        (scene.commit, "orefactor/review", "failure", True),
        (scene.commit, "orefactor/gate", "failure", True),
    ]
    assert f"done: orefactor/gate at {scene.server.url.removeprefix('http://')} on {scene.commit[:12]}" in str(
        done.stderr
    )
    assert SECRET not in str(done)
    assert user_state(scene.folder) == before


Case = tuple[tuple[dict[str, Any], ...], tuple[str, ...], int, tuple[str, str], tuple[str, str]]
OUTCOMES: dict[str, Case] = {
    "approved": ((answer(),), (), 0, ("success", "approved: no findings"), ("success", f"{PASSED}no findings")),
    "commented": (
        (answer("comment", "warning"),), (), 0,
        ("success", "commented: 1 warning"), ("success", f"{PASSED}1 warning"),
    ),
    "asks for changes that don't block": (
        (answer("request_changes", "warning"),), (), 0,
        ("failure", "changes requested: 1 warning"), ("success", f"{PASSED}1 warning"),
    ),
    "a limit": (
        (ASKS,), ("--max-rounds", "1", "--fail-on", "never"), 1,
        ("failure", f"not reviewed: {OUR_LIMIT}"), ("failure", OUR_LIMIT),
    ),
    "unreadable": (
        ({"content": f"looks good {SAID}"},), (), 1,
        ("failure", "model review inconclusive: the model's answer could not be read: "),
        ("failure", "model:unreadable_answer: the model's answer could not be read: "),
    ),
    "no change": (
        (answer(),), (), 0,
        ("success", "there is no change to review"), ("success", "passed: there is no change to review"),
    ),
    "no such model": (
        (), ("--model", "x", "--base-url", "SERVER/v1", "--provider", "openai-compatible"), 5,
        ("error", "not reviewed: provider:not_found: "), ("error", "provider:not_found: "),
    ),
    "no key": (
        (), ("--provider", "openai"), 5,
        ("error", "not reviewed: no key for `openai`: "), ("error", "provider: no key for `openai`: "),
    ),
    "no such check here": (
        (answer(),), ("--check", "mypy", "--sandbox", "none"), 6,
        ("error", "not reviewed: "), ("error", "environment: "),
    ),
}  # fmt: skip


def test_each_outcome_is_told(scene: Scene) -> None:
    words = scene.at("github")
    for name, (replies, options, code, review, gate) in OUTCOMES.items():
        told = [word.replace("SERVER", scene.server.url) for word in options]
        done = scene.review("HEAD..HEAD" if name == "no change" else "HEAD", *told, replies=replies, options=words)
        assert (name, done.returncode) == (name, code), done.stderr
        for (state, description), (wanted, start) in zip(scene.told(), (review, gate), strict=True):
            assert (name, state, description[: len(start)]) == (name, wanted, start), description
            assert len(description) <= 140 and "MODEL SAID" not in description
            # What has no width keeps an address from becoming a link.
            assert description.replace("\u200b", "").isprintable()
        assert b"done: orefactor/review at " in done.stderr


def test_a_place_that_can_t_be_written_to_is_told(scene: Scene) -> None:
    words = scene.at("github")
    (scene.folder / ".git" / "orefactor").write_text("no folder\n")
    done = scene.review(replies=(answer(),), options=(*words, "-q"))
    assert done.returncode == 6, done.stderr
    (review, said), (gate, why) = scene.told()
    assert (review, gate) == ("error", "error")
    assert said.startswith("not reviewed: ") and why.startswith("environment: "), (said, why)
    assert b"done: " not in done.stderr and done.stderr.startswith(b"error: ")


def test_a_check_blocks_what_the_model_approves(scene: Scene) -> None:
    write_files(scene.folder, {"src/shapes.py": "def broken(:\n"})
    git(scene.folder, "commit", "-qam", "third")
    third = Scene(scene.folder, git(scene.folder, "rev-parse", "HEAD"), scene.server, scene.capture, scene.fixture_file)
    done = third.review(replies=(answer(),), options=third.at("github"))
    assert done.returncode == 1, done.stderr
    (review, _), (gate, why) = third.told()
    assert (review, gate) == ("success", "failure") and why.startswith("blocking:") and "`py_compile`" in why, why
    assert "the model" not in why


def test_a_forge_that_refuses_costs_no_review(scene: Scene) -> None:
    words = scene.at("github")
    scene.server.instead[:] = [("statuses", Answer(403, {"message": f"no {SECRET} \x1b[2J"}))]
    refused = scene.review(replies=(answer(),), options=words)
    assert refused.returncode == 5
    said = refused.stderr.decode()
    assert said.count("error: the status `orefactor/") == 2 and SECRET not in said and "\x1b" not in said
    assert said.count("hint: see whether the commit has been pushed") == 2
    assert b"no findings" in refused.stdout
    blocked = scene.review(replies=(answer("request_changes", "error"),), options=(*words, "--json", "-q"))
    assert blocked.returncode == 1
    told = json.loads(blocked.stdout)
    assert [each["set"] for each in told["statuses"]] == [False, False] and told["outcome"] == "reviewed"
    assert SECRET not in blocked.stdout.decode()
    # Another one may be taken.
    scene.server.instead[:] = [
        ("statuses", lambda asked: Answer(500) if asked.body["context"] == "orefactor/review" else None)
    ]
    half = scene.review(replies=(answer(),), options=(*words, "--json"))
    assert (half.returncode, b"hint: try again later" in half.stderr) == (5, True)
    assert [each["set"] for each in json.loads(half.stdout)["statuses"]] == [False, True]


REFUSED: dict[str, tuple[tuple[str, ...], str, int, str]] = {
    "the working tree": (("--pr", "worktree"), "known", 2, "the working tree is no commit"),
    "nothing named": (("--pr",), "known", 2, "the working tree is no commit"),
    "the index": (("--pr", "--staged"), "known", 2, "the index is no commit"),
    "no remote": (("--pr", "HEAD"), "none", 6, "has no remote"),
    "no such remote": (("--pr", "HEAD", "--remote", "fork"), "known", 6, "no remote is called `fork`"),
    "an unknown forge": (("--pr", "HEAD"), "known", 6, "is at no forge that is known here: https://forge.invalid/a/b"),
    "a wrong forge": (("--pr", "HEAD", "--forge", "svn"), "known", 2, "`svn` is no forge"),
    "no login": (("--pr", "HEAD", "--forge", "gitea"), "tokenless", 6, "there is no login for forge.invalid"),
    "with --fix": (("--pr", "HEAD", "--fix"), "known", 2, "exclude each other"),
    "a remote without --pr": (("HEAD", "--remote", "origin"), "known", 2, "`--remote` needs `--pr`"),
    "a forge without --pr": (("HEAD", "--forge", "github"), "known", 2, "`--forge` needs `--pr`"),
    "a wrong option": (
        ("--pr", "HEAD", "--forge", "github", "--max-rounds", "-1"),
        "known",
        2,
        "`--max-rounds` is wrong",
    ),
}


def test_what_is_refused_before_the_model_is_asked(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, (words, at, code, said) in REFUSED.items():
        with monkeypatch.context() as patch:
            if at == "tokenless":
                for variable in TOKENS.values():
                    patch.delenv(variable)
            if at == "none":
                git(scene.folder, "remote", "rename", "origin", "x")
                git(scene.folder, "remote", "remove", "x")
            done = scene.review(*words, replies=(answer(),))
        if at == "none":
            git(scene.folder, "remote", "add", "origin", "https://ann:hidden@forge.invalid/a/b.git")
        told = done.stderr.decode()
        assert (name, done.returncode, said in told) == (name, code, True), told
        assert "\nhint: " in told and "hidden" not in told
        assert (scene.server.asked, run_folders(scene.folder)) == ([], [])
