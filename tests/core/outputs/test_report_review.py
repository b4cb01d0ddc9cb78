"""The report of a review: a section of its own in place of the changes, whatever strangers send."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from ci_traces import HOSTILE, reported
from review_traces import CLEAN, INCONCLUSIVE, LIMITED, OF_RUFF, SECRET_WORDS, finding, review_trace, source

from orefactor.core.outputs.report.page import report_page
from orefactor.core.outputs.report.review import MOST_FINDINGS
from orefactor.core.outputs.source_files import no_source
from orefactor.core.redact import Redactor
from orefactor.core.trace_model import RoundPart, Trace

ANSWER = RoundPart(round=1, messages=1, prompt_tokens_estimated=1, text='{"verdict": "comment"}')


def _page(trace: Trace, *, is_known: bool = True, redactor: Redactor | None = None) -> str:
    run = replace(reported(trace), source=source if is_known else no_source)
    return report_page(run, redactor or Redactor({}))


def _texts(page: str, path: str) -> list[str]:
    found = ElementTree.fromstring(page).iterfind(f".//{path}")
    return [re.sub(r"\s+", " ", "".join(element.itertext())).strip() for element in found]


def test_what_it_tells() -> None:
    page = _page(review_trace({"reused": "20301129T000000-abcdef"}, rounds=(ANSWER.model_dump(),)))
    root = ElementTree.fromstring(page)
    assert [part.attrib["id"] for part in root.iter("section")][:3] == ["outcome", "review", "checks"]
    links = {element.attrib["href"][1:] for element in root.iter() if "href" in element.attrib}
    assert links <= {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    assert _texts(page, "p[@class='badge bad']") == [
        "✗ reviewed: 2 blocking findings with fail-on error: 1 of the model, 1 of `ruff` (blocking:model), exit 1"
    ]
    assert "changes requested, 2 errors, 1 warning, 1 note, 1 dropped" in _texts(page, "section[@id='review']/p")
    facts = dict(zip(_texts(page, "dt"), _texts(page, "dd"), strict=True))
    assert facts["paths"] == "the whole change" and "verified" not in facts
    assert (facts["requested"], facts["declined"]) == ("check_ruff", "read_file, check_mypy")
    assert facts["reused"] == "the verdict of the review 20301129T000000-abcdef"
    assert _texts(page, "article[@class='finding']/h3") == [
        "error src/shapes.py:6-7 bug the model, 90% sure blocking",
        "error src/shapes.py:8 E101 ruff blocking",
        "warning b.txt:1 naming the model, 40% sure",
        "note scope the model",
    ]
    meant = [row for row in root.iter("div") if row.get("class") == "c here"]
    assert [(row.get("data-n"), "".join(row.itertext()).strip()) for row in meant] == [
        ("6", "if a == None:"),
        ("7", "return 0"),
        ("8", "return a / 2"),
        ("1", r"caf\xe9 \x1b[31mred"),
    ]
    assert _texts(page, "div[@class='o']") + _texts(page, "div[@class='n']") == [*("−if a == None:", "+if a is None:")]
    assert "contract" not in page.lower() and 'id="changes"' not in page
    assert "changes requested The guard against None is wrong." in _texts(page, "blockquote")


def test_without_the_files_it_has_no_excerpts() -> None:
    page = _page(review_trace(), is_known=False)
    assert "c here" not in page and "if a is None:" in "".join(_texts(page, "div[@class='n']"))


@pytest.mark.parametrize(
    ("trace", "badge"),
    [
        (CLEAN, "✓ reviewed: nothing blocks with fail-on error, exit 0"),
        (INCONCLUSIVE, "? inconclusive: the requested check `mypy` could not run (check:mypy), exit 1"),
        (LIMITED, "✗ not reviewed: the limit max_rounds"),
    ],
)
def test_how_it_ended(trace: Trace, badge: str) -> None:
    page = _page(trace)
    assert _texts(page, "section[@id='outcome']/p")[0].startswith(badge)
    assert SECRET_WORDS not in page
    assert ("what the model said is left out" in page) == (trace is LIMITED)
    limitations = trace.review.limitations if trace.review else ()
    assert _texts(page, "section[@id='review']/p[@class='note']") == list(limitations)


def test_secrets_are_taken_out_of_files_and_suggestions() -> None:
    page = _page(review_trace(), redactor=Redactor({"X_TOKEN": "return a", "Y_TOKEN": "a is None"}))
    text = " ".join(_texts(page, "section[@id='review']"))
    assert "return a" not in text and "a is None" not in text and text.count("[REDACTED:environment]") == 3


def test_strangers_text_stays_text_and_short() -> None:
    evil = finding(HOSTILE, message=HOSTILE, rule=HOSTILE, origin=HOSTILE)
    evil["suggestion"] = {"old_string": HOSTILE + "\n" * 70, "new_string": HOSTILE * 2}
    review = {"findings": [evil, *[OF_RUFF] * MOST_FINDINGS], "summary": HOSTILE, "limitations": [HOSTILE] * 60}
    page = _page(review_trace(review, message=HOSTILE, offered=(HOSTILE,), requested=(HOSTILE,), undecided=HOSTILE))
    assert "1 more finding left out." in page and "10 more limitations." in page and "more lines" in page
    assert not re.search("[\x00-\x08\x1b\u202e\ud800]|<script>alert", page)
    assert len(page) < 2_000_000
