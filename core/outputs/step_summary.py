"""A run as Markdown for a CI job's summary: what came of it, in tables, and the change folded below.

A pure function of the run. Strangers' text stays text, see `markdown_text`; in the change it stands in a fence that is
longer than any in it. GitHub drops a summary above one mebibyte whole, so this stays far below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..patch_hunks import PatchFile
from ..reporting import ReportedRun, after_words, before_words
from ..trace_model import CheckPart, Trace
from .markdown_table import more, section, table
from .markdown_text import code, prose, words
from .problems import Problem, problems, spelled_out
from .published_review import published
from .review_summary import result_section, review_heading, review_sections

LONGEST = 1 << 20
"""Bytes: GitHub's limit for one step."""

_LONGEST_DIFF = 384 << 10
"""Bytes of the change that are shown."""
_MOST_FILES, _MOST_PROBLEMS, _MOST_CHECKS = 200, 100, 50
_LONGEST_LINE, _LONGEST_PATH, _LONGEST_WORDS = 2000, 200, 300
_FENCE = re.compile(r"`{3,}")


def step_summary(run: ReportedRun) -> str:
    """The run as Markdown, below `LONGEST` bytes in UTF-8."""
    review = published(run.trace)
    if review is not None:
        return _joined(
            [
                review_heading(run.trace, review),
                *review_sections(run.trace, review),
                *section("Checks", _checks(run.trace)),
                *section("The run", table([*_facts(run)], ":-- | :--")),
            ]
        )
    parts = [
        _heading(run.trace),
        _outcome(run.trace),
        *section("What stands against it", _problems(problems(run.trace))),
        *section("Checks", _checks(run.trace)),
        *result_section(run.trace),
        *section("Files", _files(run.files)),
        _change(run),
        *section("The run", table([*_facts(run)], ":-- | :--")),
    ]
    return _joined(parts)


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


def _heading(trace: Trace) -> str:
    mark = "✓" if trace.status == "completed" else "✗"
    said = words(trace.summary.title, 200) if trace.status == "completed" else code(trace.reason, 200)
    return f"## {mark} git orefactor: {said or 'done'}"


def _outcome(trace: Trace) -> str:
    told = [words(trace.message, 1000)]
    if trace.status == "completed" and trace.summary.body:
        told.append(prose(trace.summary.body, 4000))
    return "\n\n".join(told)


def _facts(run: ReportedRun) -> Iterator[tuple[str, str]]:
    trace = run.trace
    yield "task", words(trace.task, 500)
    if trace.review is None:
        yield "change", _size(run)
        yield "verified", {True: "yes", False: "no", None: "no check could run"}[trace.verified]
    if trace.contract.kinds not in ((), ("any",)):
        kept = "kept" if trace.contract.ok else "broken"
        yield "contract", f"{code(', '.join(trace.contract.kinds), 100)}, {kept}"
    yield "model", f"{code(str(trace.settings.get('model') or 'none'), 100)} ({words(trace.provider or 'none', 60)})"
    used = trace.usage
    yield "rounds", f"{trace.iterations}, {len(trace.tool_calls)} tool calls, {trace.duration_ms / 1000:.1f} s"
    yield "tokens", f"{used.prompt_tokens:,} in ({used.cached_tokens:,} cached), {used.completion_tokens:,} out"
    yield "cost", "unknown" if trace.cost_usd is None else f"${trace.cost_usd:.4f}"
    if trace.review is not None and trace.review.reused:
        yield "reused", f"the verdict of the review {code(trace.review.reused, 60)}"
    if trace.reused:
        yield "reused", f"the result of run {code(trace.reused, 60)}, proven again"
    if trace.branch:
        yield "branch", code(trace.branch, _LONGEST_PATH)
    yield "run", code(trace.run_id, 60)
    if trace.base:
        yield "base", f"{code(trace.base.commit, 64)} ({words(trace.base.source, 60)})"


def _size(run: ReportedRun) -> str:
    if not run.files:
        return "none"
    added, removed = sum(file.added for file in run.files), sum(file.removed for file in run.files)
    fate = ", **not delivered**" if run.fate == "rejected" else ""
    return f"{len(run.files)} {'file' if len(run.files) == 1 else 'files'}, +{added} −{removed}{fate}"


def _checks(trace: Trace) -> str:
    if not trace.checks:
        return ""
    rows = [
        (
            code(check.name, 60) + ("" if check.required else " (not required)"),
            before_words(check),
            _after(check),
            f"{check.duration_ms / 1000:.1f} s",
        )
        for check in trace.checks[:_MOST_CHECKS]
    ]
    return table([("Check", "Before", "After", "Time"), *rows], ":-- | :-- | :-- | --:")


def _after(check: CheckPart) -> str:
    mark = {"passed": "✓ ", "failed": "✗ ", "not_installed": "✗ "}.get(check.outcome, "")
    why = f": {words(check.detail, 120)}" if check.outcome.startswith("not_") and check.detail else ""
    return f"{mark}{after_words(check)}{why}"


def _problems(told: Sequence[Problem]) -> str:
    fresh = [problem for problem in told if problem.is_new]
    if not fresh:
        return ""
    rows = [(_place(one), code(one.rule, 100), words(one.message, _LONGEST_WORDS)) for one in fresh[:_MOST_PROBLEMS]]
    return table([("Where", "Rule", "What"), *rows], ":-- | :-- | :--") + more(len(fresh) - _MOST_PROBLEMS)


def _place(problem: Problem) -> str:
    if not problem.path:
        return ""
    return code(f"{problem.path}:{problem.line}" if problem.line else problem.path, _LONGEST_PATH)


def _files(files: Sequence[PatchFile]) -> str:
    if not files:
        return ""
    rows = [(_name(file), *_counts(file)) for file in files[:_MOST_FILES]]
    return table([("File", "+", "−"), *rows], ":-- | --: | --:") + more(len(files) - _MOST_FILES)


def _name(file: PatchFile) -> str:
    path = code(file.path, _LONGEST_PATH)
    if file.kind == "renamed":
        return f"{code(file.old_path, _LONGEST_PATH)} → {path}"
    return path if file.kind == "changed" else f"{path} ({file.kind})"


def _counts(file: PatchFile) -> tuple[str, str]:
    return ("binary", "binary") if file.is_binary else (str(file.added), str(file.removed))


def _change(run: ReportedRun) -> str:
    """The change, folded; from the first file on, since what stands above is for programs."""
    if not run.files:
        return ""
    kept, cut = _fitting(run.patch)
    fence = "`" * max(3, 1 + max((len(found) for found in _FENCE.findall(kept)), default=0))
    said = "The rejected change" if run.fate == "rejected" else "The change"
    more = "\n\nThe rest is left out here." if cut else ""
    return f"<details><summary>{said}</summary>\n\n{fence}diff\n{kept}\n{fence}{more}\n\n</details>"


def _fitting(patch: bytes) -> tuple[str, bool]:
    """The lines of the change that there is room for, and whether that is not all."""
    start = max(patch.find(b"diff --git "), 0)
    lines = patch[start : start + _LONGEST_DIFF].decode("utf-8", "backslashreplace").rstrip("\n").split("\n")
    kept: list[str] = []
    room = _LONGEST_DIFF
    for line in lines:
        shown = spelled_out(line[:_LONGEST_LINE]) + ("…" if len(line) > _LONGEST_LINE else "")
        room -= len(shown.encode("utf-8", "backslashreplace")) + 1
        if room < 0:
            break
        kept.append(shown)
    return "\n".join(kept), len(kept) < len(lines) or len(patch) > start + _LONGEST_DIFF
