"""The text of a pull request, from a run's trace: what was done, how it was checked, what it cost, how to prove it.

A pure function from the trace to Markdown. All that the model or the repository has written in it stays text, see
`markdown_text`; secrets have to be gone before. Between two marks, so that what people write around it is theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from orefactor.sandbox.line_counts import LineCount

from ..reporting import before_words, findings_words
from ..trace_model import CheckPart, Trace
from ..trace_review import ReviewFindingPart
from .markdown_text import code, prose, title, words
from .published_review import place_words, result_reviews, result_words

LONGEST_BODY = 65_536
"""Characters: GitHub's limit; the other forges take more."""
LONGEST_TITLE = 250
"""Characters; GitLab takes 255, with its mark for drafts."""
BEGIN, END = "<!-- orefactor:begin -->", "<!-- orefactor:end -->"

# Characters that each part may have at most; together with what is always there they are below the forge's limit.
_ROOM = {"summary": 12_000, "follow_ups": 6_000, "files": 20_000, "checks": 8_000, "guards": 6_000, "review": 6_000}
_LONGEST_TEXT, _LONGEST_PATH, _LONGEST_WORDS = 6_000, 180, 160


def request_title(trace: Trace) -> str:
    """The request's title in the model's words."""
    return title(trace.summary.title or trace.task, LONGEST_TITLE) or "Refactor"


def request_body(trace: Trace, counts: Sequence[LineCount], commit: str, branch: str) -> str:
    """The request's text, of at most `LONGEST_BODY` characters.

    Args:
        trace: without secrets.
        counts: what the change adds and removes, by file.
        commit: the result's commit.
        branch: the branch that it is on.
    """
    follow_ups = [f"- {words(text, 300)}" for text in trace.summary.follow_ups]
    parts = [
        BEGIN,
        _cut(prose(trace.summary.body or trace.summary.title, _LONGEST_TEXT), _ROOM["summary"]),
        *_section("Files", _files(counts), _ROOM["files"]),
        *_section("Checks", _checks(trace.checks), _ROOM["checks"]),
        *_section("Guards and contract", _promises(trace), _ROOM["guards"]),
        *_section("Review", _review(trace), _ROOM["review"]),
        *_section("To do later", follow_ups, _ROOM["follow_ups"]),
        "<details><summary>The run, and how to prove and repeat it</summary>",
        _run(trace),
        _proof(trace, commit, branch),
        "</details>",
        END,
    ]
    return "\n\n".join(part for part in parts if part)


def merged_body(present: str, ours: str) -> str | None:
    """A request's text with our part renewed and all else kept; None where there is no room for ours.

    Args:
        present: as it is now; without our marks it is somebody else's, and ours is put below.
        ours: as `request_body` gives it.
    """
    before, begin, rest = present.partition(BEGIN)
    _, end, after = rest.rpartition(END)
    if not (begin and end):
        before, after = (f"{present.rstrip()}\n\n" if present.strip() else ""), ""
    merged = before + ours + after
    return merged if len(merged) <= LONGEST_BODY else None


def _section(heading: str, lines: list[str], room: int) -> list[str]:
    return [f"### {heading}", _fitting(lines, room)] if lines else []


def _fitting(lines: list[str], room: int) -> str:
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return "\n".join(kept) + f"\n\n… and {len(lines) - len(kept)} more"
        kept.append(line)
    return "\n".join(kept)


def _cut(text: str, room: int) -> str:
    """The lines that fit; in the middle of one, an escape could be torn apart."""
    return text if len(text) <= room else _fitting(text.split("\n"), room)


def _files(counts: Sequence[LineCount]) -> list[str]:
    if not counts:
        return []
    added, removed = (sum(numbers) for numbers in zip(*((c.added or 0, c.removed or 0) for c in counts), strict=True))
    rows = [f"| {_path(count)} | {_signed('+', count.added)} | {_signed('−', count.removed)} |" for count in counts]
    total = f"| {len(counts)} {'file' if len(counts) == 1 else 'files'} | +{added} | −{removed} |"
    return [total, "| :-- | --: | --: |", *rows]


def _path(count: LineCount) -> str:
    path = code(count.path, _LONGEST_PATH)
    return f"{code(count.old_path, _LONGEST_PATH)} → {path}" if count.old_path else path


def _signed(sign: str, number: int | None) -> str:
    return "binary" if number is None else f"{sign}{number}"


def _checks(checks: Iterable[CheckPart]) -> list[str]:
    last = {check.name: check for check in checks if check.when == "final"}
    if not last:
        return []
    rows = [
        f"| {code(check.name, 60)}{'' if check.required else ' (not required)'} "
        f"| {before_words(check)} | {_after(check)} |"
        for check in last.values()
    ]
    return ["| Check | Before | After |", "| :-- | :-- | :-- |", *rows]


def _after(check: CheckPart) -> str:
    match check.outcome:
        case "passed":
            kept = f", {findings_words(check.findings_old)} as before" if check.findings_old else ""
            return f"✓ passed{kept}" + ("" if check.counts else " (but says nothing about this change)")
        case "failed":
            return f"✗ failed, {check.findings_new} new"
        case _:
            why = f": {words(check.detail, _LONGEST_WORDS)}" if check.detail else ""
            return check.outcome.replace("_", " ") + why


def _promises(trace: Trace) -> list[str]:
    kinds = ", ".join(trace.contract.kinds)
    kept = "kept" if trace.contract.ok else "broken"
    contract = [] if kinds in ("", "any") else [f"- contract {code(kinds, 100)}: {kept}"]
    silent = [guard.name for guard in trace.guards if guard.ok and not guard.detail.startswith("allowed: ")]
    spoke = [guard for guard in trace.guards if guard.name not in silent]
    passed = [f"- passed: {words(', '.join(silent), 400)}"] if silent else []
    said = [f"- {words(g.name, 40)}: {words(g.detail or 'objects', _LONGEST_WORDS)}" for g in spoke]
    spare = [
        f"- not asked for, as it seems: {code(f'{part.path}:{part.line}', _LONGEST_PATH)} ({words(part.why, 100)})"
        for part in trace.spare
    ]
    return contract + passed + said + spare


def _review(trace: Trace) -> list[str]:
    """What the last review of the result left standing; nothing where there is none."""
    reviews = result_reviews(trace)
    if not reviews:
        return []
    last = reviews[-1]
    by = f" by {code(last.model, 100)}" if last.model else ""
    more = f", after {len(reviews) - 1} that went back" if len(reviews) > 1 else ""
    return [f"- {words(result_words(last), _LONGEST_WORDS)}{by}{more}", *map(_finding, last.findings)]


def _finding(finding: ReviewFindingPart) -> str:
    place = f"{code(place_words(finding), _LONGEST_PATH)} " if finding.path else ""
    return f"- {finding.severity}: {place}({words(finding.rule, 60)}) {words(finding.message, 300)}"


def _run(trace: Trace) -> str:
    used = trace.usage
    models = list(dict.fromkeys(entry.model for entry in trace.rounds if entry.model))
    model = ", ".join(models) or str(trace.settings.get("model") or trace.provider)
    cost = "unknown" if trace.cost_usd is None else f"${trace.cost_usd:.4f}" if trace.cost_usd else "nothing"
    base = f"{code(trace.base.commit, 64)} ({words(trace.base.source, 60)})" if trace.base else "none"
    verified = {True: "yes", False: "no", None: "no check could run"}[trace.verified]
    rows = [
        ("task", words(trace.task, 500)),
        ("verified", verified),
        ("model", code(model, 120) + (f" ({words(trace.provider, 60)})" if trace.provider else "")),
        ("rounds", f"{trace.iterations}, {len(trace.tool_calls)} tool calls, {trace.duration_ms / 1000:.1f} s"),
        ("tokens", f"{used.prompt_tokens} in ({used.cached_tokens} cached), {used.completion_tokens} out"),
        ("cost", cost),
        ("run", code(trace.run_id, 60)),
        ("base", base),
        ("tree", code(trace.tree or "none", 64)),
    ]
    return "\n".join(["| | |", "| :-- | :-- |", *(f"| {name} | {value} |" for name, value in rows)])


def _proof(trace: Trace, commit: str, branch: str) -> str:
    """Commands; ids and a branch that was checked hold nothing that a shell or a fence would mind."""
    return (
        f"The commit {code(commit, 64)} on {code(branch, _LONGEST_PATH)} holds exactly the tree above. Where the run "
        f"is kept, this proves it offline, runs its checks again, and repeats it from its recorded replies:\n\n"
        f"```sh\ngit orefactor verify --checks {commit}\ngit orefactor show {trace.run_id}\n"
        f'git orefactor replay "$(git rev-parse --git-common-dir)/orefactor/runs/{trace.run_id}/trace.json"\n```'
    )
