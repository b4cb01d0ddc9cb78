"""The report page: what it tells, its policy, and that it stays well-formed and small whatever strangers send."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from report_scenes import RUN_ID, call, check, hostile_run, one_round, reported, trace_values

from orefactor.core.outputs.report.page import report_page
from orefactor.core.redact import Redactor
from orefactor.core.reporting import ReportedRun


def _root(run: ReportedRun, redactor: Redactor | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(report_page(run, redactor or Redactor({})))


def _texts(root: ElementTree.Element, path: str) -> list[str]:
    return [re.sub(r"\s+", " ", "".join(element.itertext())).strip() for element in root.iterfind(f".//{path}")]


def _section(root: ElementTree.Element, name: str) -> ElementTree.Element:
    found = root.find(f".//section[@id='{name}']")
    assert found is not None
    return found


def test_its_policy_lets_in_its_own_styles_and_script_only() -> None:
    text = report_page(reported(), Redactor({}))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    named = dict(part.strip().split(" ", 1) for part in policy[1].split(";"))
    wanted: dict[str, set[str]] = {"style": set(), "script": set()}
    for kind, body in re.findall(r"<(style|script)>(.*?)</\1>", text, re.DOTALL):
        wanted[kind].add(f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'")
    assert {kind: set(named[f"{kind}-src"].split()) for kind in wanted} == wanted
    assert (named["default-src"], named["base-uri"], named["form-action"]) == ("'none'", "'none'", "'none'")
    assert not re.search(r"<[^>]*\s(?:style|on\w+|src)=|@import|url\((?!#)|https?://(?!www\.w3\.org/2000/svg)", text)
    assert text.index("Content-Security-Policy") < text.index("<style>")


def test_it_has_what_people_without_a_mouse_or_screen_need() -> None:
    root = _root(reported())
    assert root.attrib["lang"] == "en"
    assert [len(list(root.iter(tag))) for tag in ("main", "header", "footer", "nav", "h1")] == [1, 1, 1, 1, 1]
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    links = {element.attrib["href"] for element in root.iter() if "href" in element.attrib}
    assert {link[1:] for link in links} <= set(ids)
    assert all(link.startswith("#") for link in links)
    assert all(table.find("caption") is not None for table in root.iter("table"))
    levels = [int(element.tag[1]) for element in root.iter() if re.fullmatch(r"h[1-6]", element.tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_what_it_tells() -> None:
    root = _root(reported())
    outcome = _section(root, "outcome")
    assert _texts(outcome, "p") == ["✓ completed (delivered): the change passed the gate"]
    facts = dict(zip(_texts(outcome, "dt"), _texts(outcome, "dd"), strict=True))
    assert facts["used"] == "4 rounds, 5 calls, 9.0 s"
    assert facts["model"] == "m1 (deepseek)"
    assert _texts(_section(root, "checks"), "td")[:6] == [
        *("clean", "✓ passed", "0.3 s", "clean", "✗ failed, 1 newwhat it saidx.py:1: bad", "0.3 s")
    ]
    assert "✗ broken" in _texts(_section(root, "checks"), "p")[0]
    rows = _texts(_section(root, "rounds"), "tr")
    assert rows[2] == "2m1tool_calls11.5 s≈ 1,000400≈ 50$0.0010"
    assert rows[4].endswith("unknown")
    assert _texts(_section(root, "rounds"), "blockquote") == [
        *("I look first.", "Now the <docstring>.", "Document area It says what `area` does.")
    ]
    assert "✗ refused write_file outside.txt 0.0 s" in _texts(_section(root, "rounds"), "summary")
    titles = _texts(_section(root, "timeline"), "rect")
    assert titles[:3] == [
        "round 1: waited 1.0 s after: slow down",
        "round 1: 1.5 s, 50 tokens out",
        "read_file src/shapes.py: 0.0 s",
    ]
    assert "0123456789abcdef" in _texts(_section(root, "context"), "figcaption")[0]
    assert len(list(_section(root, "context").iter("{http://www.w3.org/2000/svg}svg"))) == 2


def test_each_hunk_has_its_lines_and_what_made_it() -> None:
    changes = _section(_root(reported()), "changes")
    assert _texts(changes, "caption") == ["2 files, 3 hunks, +4 −2"]
    assert _texts(changes, "h4") == ["hunk 1 lines 1–4", "hunk 2 lines 11–12 · def twice(a):", "hunk 3 the whole file"]
    origins = _texts(changes, "div[@class='origin']")
    assert origins == [
        "round 2: edit_file src/shapes.pyNow the <docstring>.",
        "round 2: edit_file src/shapes.pyNow the <docstring>.",
        "round 3: write_file new.txt",
    ]
    first, second, third = changes.iterfind(".//div[@class='lines']")
    # The line that was changed stands beside its new form, and what was added beside nothing.
    block = first.findall("div")[1]
    assert [(line.get("class"), line.get("data-n"), "".join(line.itertext())) for line in block] == [
        ("o f", None, ""),
        ("o", "2", "−    return a*b"),
        ("n", "2", '+    """Multiply."""'),
        ("n", "3", "+    return a * b"),
    ]
    assert ["".join(mark.itertext()) for mark in first.iter("mark")] == [" ", " "]
    assert [part.get("class") for part in second] == ["block two"] * 3
    assert [part.get("class") for part in third] == ["block"]
    assert _texts(third, "i") == ["no line end"]


@pytest.mark.parametrize(
    ("fate", "changed", "boxes", "said"),
    [
        ("delivered", {}, 3, "git orefactor apply " + RUN_ID),
        ("delivered", {"run_id": "x; rm -rf"}, 0, ""),
        ("rejected", {}, 0, "This change was not delivered"),
    ],
)
def test_hunks_can_be_chosen_where_they_can_be_applied(
    fate: str, changed: dict[str, Any], boxes: int, said: str
) -> None:
    root = _root(reported(fate=fate, **changed))
    assert [box.get("value") for box in root.iterfind(".//input[@class='pick']")] == ["1", "2", "3"][:boxes]
    assert said in " ".join(root.itertext())
    assert (root.find(".//footer") is not None) == bool(boxes)


def test_hostile_text_stays_text() -> None:
    text = report_page(hostile_run(), Redactor({}))
    root = ElementTree.fromstring(text)
    assert len(list(root.iter("script"))) == 1
    assert len(list(root.iter("img"))) == 0
    assert all(c.isprintable() or c in "\n\t" for c in text)
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]


LARGE: dict[str, tuple[bytes, int, str]] = {
    "a hunk of 10,000 lines": (
        b"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -0,0 +1,10000 @@\n" + b"+    return x\n" * 10_000,
        100_000,
        "10,000 lines left out",
    ),
    "5 MB in hunks": (
        b"diff --git a/x.txt b/x.txt\n--- a/x.txt\n+++ b/x.txt\n"
        + b"".join(
            b"@@ -%d,3 +%d,3 @@\n a\n-%s\n+%s\n b\n" % (n, n, b"x = 1 " * 80, b"y = 2 " * 80) for n in range(5000)
        ),
        6_000_000,
        "3,000 more hunks left out",
    ),
    "a line of 5 MB": (
        b"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-" + b"(" * 5_000_000 + b"\n+x\n",
        100_000,
        "4,999,400 more characters",
    ),
    "3,000 files": (
        b"".join(
            b"diff --git a/%d.py b/%d.py\n--- a/%d.py\n+++ b/%d.py\n@@ -1 +1 @@\n-a\n+b\n" % ((n,) * 4)
            for n in range(3000)
        ),
        3_000_000,
        "2,000 more files",
    ),
}


@pytest.mark.parametrize(("patch", "largest", "said"), LARGE.values(), ids=LARGE)
def test_a_large_change_is_cut_and_that_is_said(patch: bytes, largest: int, said: str) -> None:
    text = report_page(reported(patch, rounds=[], tool_calls=[], context_pack=None), Redactor({}))
    assert len(text) < largest
    assert said in "".join(ElementTree.fromstring(text).itertext())


def test_a_long_run_is_cut_too() -> None:
    rounds = [one_round(number, text="x" * 4100) for number in range(1, 500)]
    calls = [call("read_file", number % 400, path="x.py", content="y" * 4100) for number in range(3000)]
    text = report_page(reported(rounds=rounds, tool_calls=calls, checks=[check("c")] * 300), Redactor({}))
    said = " ".join(ElementTree.fromstring(text).itertext())
    assert len(text) < 8_000_000
    for words in (
        "199 more rounds and 1,000 more calls left out",
        "the first 1,500 of",
        "left out, as there are too many calls",
        "the first 250 rounds",
    ):
        assert words in said


def _pack(size: int) -> dict[str, Any]:
    pack = dict(trace_values()["context_pack"])
    item = pack["items"][0]
    items = [{**item, "path": f"x{n}.py", "node_id": f"x{n}.py"} for n in range(size)]
    return {**pack, "items": items, "links": [], "left_out": 0}


EMPTY: dict[str, tuple[dict[str, Any], str, str]] = {
    "no change": ({"patch": b""}, "changes", "No file was changed."),
    "no rounds": ({"rounds": [], "tool_calls": []}, "rounds", "The model was not asked."),
    "calls without rounds": ({"rounds": []}, "rounds", "Other calls"),
    "no time": ({"rounds": [], "tool_calls": [], "checks": [], "retries": []}, "timeline", "Nothing took time."),
    "no tokens": ({"rounds": [one_round(1, usage={})]}, "cost", "No round reported tokens."),
    "odd costs": ({"rounds": [one_round(1, cost_usd=float("nan")), one_round(1, cost_usd=-1)]}, "cost", "1,050"),
    "no checks": ({"checks": [], "guards": []}, "checks", "No check ran."),
    "no contract": ({"contract": {"kinds": ["any"]}}, "checks", "any kind of change was allowed"),
    "a pack of nothing": ({"context_pack": _pack(0)}, "context", "0 items, 1,234 of"),
    "a large pack": ({"context_pack": _pack(300)}, "context", "… and 100 more items."),
    "no context": ({"context_pack": None, "context_failure": "no index"}, "context", "first: no index."),
    "an odd pack": ({"context_pack": {"items": "x"}}, "context", "not in a form that is known here"),
    "odd numbers": (
        {"retries": [{"round": 1, "attempt": 1, "attempts": 1, "kind": "", "message": "", "seconds": float("inf")}]},
        "rounds",
        "asked again after inf s",
    ),
    "a long time": ({"duration_ms": 3_700_000}, "timeline", "61 min 40 s"),
    "seconds": ({"rounds": [one_round(1, duration_ms=40_000)]}, "timeline", "20 s"),
    "milliseconds": (
        {"rounds": [one_round(1, duration_ms=90)], "tool_calls": [], "checks": [], "retries": []},
        "timeline",
        "50 ms",
    ),
    "nobody's words": ({"tool_calls": []}, "changes", "made by no call that was recorded"),
    "a weak tier": ({"isolation": {"tier": "none", "failure": "no bwrap"}}, "checks", "none: no bwrap"),
    "lost tests": (
        {"checks": [check("pytest", "failed", lost=["test_a"], flaky=["test_b"])]},
        "checks",
        "lost: test_a",
    ),
    "a free run": ({"rounds": [one_round(1, cost_usd=0.0)], "cost_usd": 0.0}, "cost", "cost $0.00"),
}


@pytest.mark.parametrize(("changed", "section", "said"), EMPTY.values(), ids=EMPTY)
def test_parts_that_are_not_there(changed: dict[str, Any], section: str, said: str) -> None:
    assert said in re.sub(r"\s+", " ", " ".join(_section(_root(reported(**changed)), section).itertext()))


@pytest.mark.parametrize(
    ("changed", "style", "said"),
    [
        ({"verified": None}, "badge unsure", "? completed"),
        ({"status": "gate"}, "badge bad", "✗ gate"),
        ({"branch": "topic", "delivered": [{"kind": "branch", "what": "topic"}]}, "badge good", "✓ completed"),
    ],
)
def test_the_badge(changed: dict[str, Any], style: str, said: str) -> None:
    (badge,) = (p for p in _root(reported(**changed)).iter("p") if "badge" in str(p.get("class")))
    assert badge.get("class") == style
    assert str(badge.text).startswith(said)
    killed = replace(reported(), is_complete=False)
    assert "The run was killed" in report_page(killed, Redactor({}))


KEY = "-----BEGIN PRIVATE KEY-----\n+abc\n+def\n+-----END PRIVATE KEY-----"


@pytest.mark.parametrize("secret", ["ghp_" + "a" * 36, KEY])
def test_secrets_of_the_change_are_taken_out(secret: str) -> None:
    lines = secret.count("\n") + 1
    head = f"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,{lines + 2} @@\n keep\n"
    text = report_page(reported(f"{head}+{secret}\n+last\n".encode()), Redactor({}))
    assert not [part for part in (secret, "abc", "def<") if f">{part}" in text]
    assert text.count("[REDACTED:") == lines
    assert ">last<" in text


SHAPES: list[tuple[str, bytes, str]] = [
    ("binary", b"diff --git a/x b/x\nGIT binary patch\nliteral 1\nxx\n", "A binary file; its content is not shown."),
    ("mode", b"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", "changed, mode 100644 → 100755"),
    (
        "renamed",
        b"diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-a\n+b\n",
        "⋯",
    ),
    ("empty", b"diff --git a/x b/x\nnew file mode 100644\n", "No line is changed."),
]


@pytest.mark.parametrize(("patch", "said"), [(p, s) for _, p, s in SHAPES], ids=[name for name, _, _ in SHAPES])
def test_files_of_other_kinds(patch: bytes, said: str) -> None:
    assert said in " ".join(_section(_root(reported(patch)), "changes").itertext())


def test_a_hunk_of_many_calls_names_some() -> None:
    calls = [call("write_file", 1, path="new.txt", content=f"{n}\n") for n in range(12)]
    lines = b"".join(b"+%d\n" % n for n in range(12))
    patch = b"diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,12 @@\n"
    changes = _section(_root(reported(patch + lines, tool_calls=calls)), "changes")
    assert "… and 6 more calls" in _texts(changes, "div[@class='origin']")[0]
