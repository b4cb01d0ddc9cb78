"""The options of the main job, as typer reads them; the manual page and the README list the same."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

_SOURCE, _LIMITS, _OUTPUT, _TALK = "Model", "Limits", "Result", "Messages"

Task = Annotated[str | None, Argument(metavar="TASK", help="What to do, in words.", show_default=False)]
Paths = Annotated[
    list[str] | None,
    Argument(metavar="PATH", help="Files and folders that may change (everything).", show_default=False),
]
Model = Annotated[str | None, Option("--model", metavar="NAME", help="The model (deepseek-v4-pro).")]
ProviderName = Annotated[
    str | None,
    Option(
        "--provider",
        metavar="NAME",
        help="deepseek, openai, …, openai-compatible, fixture, recipes, replay (by the model's name).",
    ),
]
BaseUrl = Annotated[str | None, Option("--base-url", metavar="URL", help="Any OpenAI-compatible server.")]
Fallback = Annotated[
    list[str] | None,
    Option("--fallback", metavar="NAME", help="The next provider, repeatable; NAME:MODEL names its model too."),
]
ToolProtocol = Annotated[
    str | None, Option("--tool-protocol", metavar="MODE", help="auto, native or text: how calls are sent (auto).")
]
Python = Annotated[
    Path | None,
    Option("--python", metavar="FILE", help="The project's interpreter (VIRTUAL_ENV, .venv, python3)."),
]
Fixture = Annotated[
    Path | None, Option("--fixture", metavar="FILE", help="Replies of `fixture`, or the trace that `replay` plays.")
]
Output = Annotated[Path | None, Option("-o", "--output", metavar="FILE", help="Write the patch there (stdout).")]
Branch = Annotated[
    str | None,
    Option("--branch", metavar="NAME", help="Commit on a new branch instead; `auto` names one."),
]
Pr = Annotated[bool, Option("--pr", help="Also push the branch and open a draft pull request, see `pr`.")]
Apply = Annotated[bool, Option("--apply", help="Also put the patch on the working tree.")]
TraceFile = Annotated[Path | None, Option("--trace", metavar="FILE", help="Copy the JSON trace there.")]
Sarif = Annotated[Path | None, Option("--sarif", metavar="FILE", help="Write what was found there as SARIF 2.1.0.")]
Junit = Annotated[Path | None, Option("--junit", metavar="FILE", help="Write the checks there as JUnit XML.")]
SummaryFile = Annotated[Path | None, Option("--summary", metavar="FILE", help="Write the outcome there as Markdown.")]
Annotations = Annotated[
    Path | None, Option("--annotations", metavar="FILE", help="Write GitHub's annotation lines there.")
]
Report = Annotated[
    Path | None, Option("--report", metavar="FILE", help="Write the report (HTML) there, also on failure.")
]
Json = Annotated[bool, Option("--json", help="Print the result as JSON in place of the patch.")]
BaseRevision = Annotated[
    str | None,
    Option("--base", metavar="REV", help="HEAD, index, worktree or a revision (worktree; HEAD for a branch)."),
]
Staged = Annotated[bool, Option("--staged", help="The text files that are staged, as the index has them.")]
Since = Annotated[
    str | None, Option("--since", metavar="REV", help="The text files that the base has changed since REV.")
]
Checks = Annotated[
    list[str] | None,
    Option(
        "--check",
        metavar="NAME",
        help="Required check, repeatable: py_compile, ruff, ruff-format, mypy, pyright, pytest, or NAME=COMMAND.",
    ),
]
NoCheck = Annotated[bool, Option("--no-check", help="No required check.")]
Contract = Annotated[
    list[str] | None,
    Option(
        "--contract",
        metavar="LIST",
        help="What kind of change is promised: auto, any, or from docstrings, comments, annotations, imports, "
        "formatting, rename, move (auto).",
    ),
]
Allow = Annotated[
    list[str] | None,
    Option(
        "--allow",
        metavar="KIND",
        help="Let a guard's objection pass, repeatable: tests, secrets, size, syntax, placeholders.",
    ),
]
Minimize = Annotated[bool, Option("--minimize", help="Drop hunks that nothing in the task names and no check needs.")]
Review = Annotated[bool, Option("--review", help="Have the result reviewed; what blocks goes back to the model.")]
ReviewModel = Annotated[str | None, Option("--review-model", metavar="NAME", help="The model that reviews (the same).")]
MaxIterations = Annotated[int | None, Option("--max-iterations", metavar="N", help="Rounds (25).")]
MaxOutputTokens = Annotated[int | None, Option("--max-output-tokens", metavar="N", help="Ceiling of one reply (8192).")]
MaxTokens = Annotated[
    int | None, Option("--max-tokens", metavar="N", help="Tokens in and out of all rounds (1000000).")
]
MaxCost = Annotated[float | None, Option("--max-cost", metavar="USD", help="Ceiling of the cost of all rounds (none).")]
MaxSeconds = Annotated[float | None, Option("--max-seconds", metavar="N", help="Wall time of the run (1800).")]
ToolTimeout = Annotated[float | None, Option("--tool-timeout", metavar="N", help="Wall time of one tool call (300).")]
ContextTokens = Annotated[
    int | None, Option("--context-tokens", metavar="N", help="Ceiling of the context pack in tokens (6000).")
]
NoContext = Annotated[bool, Option("--no-context", help="No context pack.")]
Jobs = Annotated[
    int | None, Option("--jobs", metavar="N", help="Split the task by files, and work on N of them at once (1).")
]
Fresh = Annotated[bool, Option("--fresh", help="Ask the model, even where an earlier run's result holds here.")]
Sandbox = Annotated[
    str | None, Option("--sandbox", metavar="MODE", help="auto, bwrap, landlock, external or none (auto).")
]
ExitCodeFlag = Annotated[bool, Option("--exit-code", help="Exit 1 when there are changes.")]
Quiet = Annotated[bool, Option("-q", "--quiet", help="No progress.")]
Verbose = Annotated[bool, Option("-v", "--verbose", help="Show the log as well.")]
LogJson = Annotated[bool, Option("--log-json", help="The log as JSON lines on stderr.")]
