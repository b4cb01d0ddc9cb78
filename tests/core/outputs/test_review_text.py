"""The text of a review: its first and last line, findings with their lines, and no stranger's control characters."""

from __future__ import annotations

import re

import pytest
from ci_traces import HOSTILE, make_trace
from review_traces import CLEAN, FILES, INCONCLUSIVE, LIMITED, SECRET_WORDS, finding, make_review, review_trace, source

from orefactor.core.outputs.graph_text import width
from orefactor.core.outputs.redacted_lines import RedactedLines
from orefactor.core.outputs.review_text import MOST_FINDINGS, review_lines, review_text
from orefactor.core.outputs.source_files import no_source
from orefactor.core.redact import Redactor
from orefactor.core.trace_model import Trace

WHOLE = """\
reviewed: changes requested; 2 errors, 1 warning, 1 note, 1 dropped
the working tree, 2 files, 12 changed lines
The guard against None is wrong.

error   src/shapes.py:6-7  bug (the model, 90% sure) blocking
  Compare with `None` by identity: a number that defines `__eq__` may say
  anything.
    4 |
    5 | def half(a):
  > 6 |     if a == None:
  > 7 |         return 0
    8 |     return a / 2
  suggestion
    - if a == None:
    + if a is None:

error   src/shapes.py:8  E101 (ruff) blocking
  Indentation mixes spaces and tabs
    6 |     if a == None:
    7 |         return 0
  > 8 |     return a / 2

warning b.txt:1  naming (the model, 40% sure)
  What is é?
  > 1 | caf\\xe9 \\x1b[31mred
    2 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…

note    the change as a whole  scope (the model)
  The change has no test.

decided: 2 blocking findings with fail-on error: 1 of the model, 1 of `ruff`
         (blocking:model), exit 1
"""


def test_the_whole_text() -> None:
    assert review_text(review_trace(), source, 80) == WHOLE
    bare = review_text(review_trace(), no_source, 80)
    assert "|" not in bare and "    + if a is None:\n" in bare
    assert review_text(make_trace(), source, 80) == ""


@pytest.mark.parametrize(
    ("trace", "first", "last"),
    [
        (CLEAN, "reviewed: approved; no findings", "decided: nothing blocks with fail-on error, exit 0"),
        (INCONCLUSIVE, "inconclusive: no findings, 1 dropped",
         "decided: the requested check `mypy` could not run (check:mypy), exit 1"),
        (LIMITED, "not reviewed: 1 error, 1 dropped",
         "         of the model's counts (deliberation_limit:max_rounds), exit 1"),
        (review_trace({"verdict": None, "findings": (), "dropped": 0}), "reviewed: no verdict; no findings",
         "         (blocking:model), exit 1"),
    ],
    ids=["clean", "inconclusive", "limit", "no verdict"],
)  # fmt: skip
def test_first_and_last_line(trace: Trace, first: str, last: str) -> None:
    lines = review_text(trace, source, 80).splitlines()
    assert (lines[0], lines[-1]) == (first, last)


def test_limitations_and_an_earlier_verdict() -> None:
    text = review_text(INCONCLUSIVE, source, 60)
    assert "limitation: the check `mypy` could not run: it is not\n            installed\nlimitation: the file" in text
    assert SECRET_WORDS not in review_text(LIMITED, source, 60)
    assert "2 files, 12 changed lines; as in the review 2030" in review_text(
        review_trace({"reused": "2030"}), source, 80
    )


def test_a_long_place_is_never_cut_and_leaves_the_rest_to_the_next_line() -> None:
    path = "src/" + "long/" * 20 + "x.py"
    lines = review_text(review_trace({"findings": [finding(path)]}), source, 60).splitlines()
    at = lines.index(f"error   {path}:6-7")
    assert lines[at + 1] == "        bug (the model, 90% sure)"


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("a\nb\nc\n", "a\nB\nc\n", ["  a", "- b", "+ B", "  c"]),
        ("a\n", "", ["- a"]),
        ("\ta\r\n", "    a\r\n", ["-     a", "+     a"]),
        ("a\n" * 999, "", [*["- a"] * 30, "… 969 more lines"]),
        ("a" + "\n" * 50, "b" + "\n" * 50, ["- a", "+ b", *[""] * 28, "… 21 more lines"]),
    ],
)
def test_a_suggestion(old: str, new: str, shown: list[str]) -> None:
    suggested = finding(suggestion={"old_string": old, "new_string": new})
    lines = review_text(review_trace({"findings": [suggested]}), no_source, 80).splitlines()
    at = lines.index("  suggestion") + 1
    assert [line[4:] for line in lines[at : at + len(shown)]] == shown
    assert lines[at + len(shown)] == ""


def test_it_is_bounded() -> None:
    many = {"findings": [finding()] * (MOST_FINDINGS + 1), "limitations": ["x"] * 60, "blocking_findings": []}
    text = review_text(review_trace(many), source, 80)
    assert "\nand 1 more finding\n" in text and "\nand 10 more limitations\n" in text
    long = review_trace({"findings": [finding(message="x " * 100_000, rule="r" * 9000, origin="o" * 9000)]})
    assert len(review_text(long, source, 80)) < 6000


@pytest.mark.parametrize("columns", [1, 60, 120])
def test_strangers_text_is_visible_and_fits(columns: int) -> None:
    evil = {
        **finding(HOSTILE, rule=HOSTILE, origin=HOSTILE, message=f"{HOSTILE}\n\t{HOSTILE} 漢字漢字漢字"),
        "suggestion": {"old_string": HOSTILE, "new_string": HOSTILE * 2},
    }
    review = make_review(findings=[evil], blocking_findings=[evil], summary=HOSTILE, limitations=[HOSTILE])
    trace = review_trace()
    assert trace.review is not None
    built = trace.review.model_copy(update={"source": HOSTILE, "reused": HOSTILE})
    whole = review_trace({name: review[name] for name in ("summary", "limitations")})
    texts = [
        review_text(trace.model_copy(update={"review": built, "message": HOSTILE}), lambda _: HOSTILE_FILE, columns),
        review_text(whole, no_source, columns),
        review_text(review_trace({"findings": [evil], "blocking_findings": [evil]}), lambda _: HOSTILE_FILE, columns),
    ]
    for text in texts:
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800]", text)
        text.encode()
        others = [line for line in text.splitlines() if not re.match(r"error   |warning |note    ", line)]
        assert all(width(line) <= max(columns, 40) for line in others)


HOSTILE_FILE = b"::error::x\x1b[2J\r\n" * 20


def test_secrets_are_taken_out_of_the_lines() -> None:
    redact = RedactedLines(Redactor({"X_TOKEN": "return a"}))
    lines = review_lines(review_trace(), FILES.get, 80, redact)
    text = "\n".join("".join(piece.text for piece in line) for line in lines)
    assert "return a" not in text and "[REDACTED:environment] / 2" in text


def test_styles_tell_weight_and_sides() -> None:
    pieces = [piece for line in review_lines(review_trace(), source, 80) for piece in line]
    styled = {piece.text.strip(): piece.style for piece in pieces}
    assert styled["error"] == styled["blocking"] == styled["reviewed"] == styled["decided:"] == "bad"
    assert (styled["warning"], styled["src/shapes.py:8"]) == ("warn", "name")
    assert (styled["- if a == None:"], styled["+ if a is None:"]) == ("old", "new")
    assert next(iter(review_lines(CLEAN, source, 80)))[0].style == "strong"
