"""The page: its policy, what it says, and that it stays well-formed whatever strangers send."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from graph_scenes import FRAME, PACK, SHAPES, item

from orefactor.core.context.conventions import Section
from orefactor.core.context.frame import LinkedEntity, RequestFrame
from orefactor.core.context.pack import ContextPack
from orefactor.core.outputs.graph_page import page

HOSTILE = "</title></svg><script>alert('1')</script>\"\x1b\x00\u202e\udce9"


def _page(task: str = "document area", frame: RequestFrame = FRAME, pack: ContextPack = PACK) -> ElementTree.Element:
    return ElementTree.fromstring(page(task, ("src/shapes.py",), frame, pack))


def _text(root: ElementTree.Element, tag: str) -> list[str]:
    return [re.sub(r"\s+", " ", "".join(element.itertext())) for element in root.iter(tag)]


def test_its_policy_lets_in_its_own_style_and_script_only() -> None:
    text = page("document area", (), FRAME, PACK)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    named = dict(part.strip().split(" ", 1) for part in policy[1].split(";"))
    inline = re.findall(r"<(style|script)>(.*?)</\1>", text, re.DOTALL)
    wanted: dict[str, set[str]] = {"style": set(), "script": set()}
    for kind, body in inline:
        wanted[kind].add(f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'")
    assert {kind: set(named[f"{kind}-src"].split()) for kind in wanted} == wanted
    assert (named["default-src"], named["base-uri"], named["form-action"]) == ("'none'", "'none'", "'none'")
    assert [len(digests) for digests in wanted.values()] == [2, 1]
    assert not re.search(r"\s(?:style|on\w+|src)=|@import|url\((?!#)|https?://(?!www\.w3\.org/2000/svg)", text)
    assert text.index("Content-Security-Policy") < text.index("<style>")


def test_it_tells_the_frame_the_items_and_the_text() -> None:
    root = _page()
    facts = dict(zip(_text(root, "dt"), _text(root, "dd"), strict=True))
    assert facts == {
        "type": "document: contract docstrings; checks py_compile, ruff",
        "paths": "src/shapes.py",
        "pack": "0123456789abcdef: 7 item(s), 1,234 of 6,000 tokens, 3 more did not fit",
        "names": "area: function src/shapes.py::areax: one of 2class a.py::Xfunction b.py::x",
        "conventions": "1 sectionAGENTS.md#docstrings Docstrings",
    }
    assert _text(root, "th") == ["score", "what", "why", "lines", "form", "tokens"]
    assert _text(root, "tr")[2] == "0.9000src/shapes.py::areanamed in the task; target3–4signature10"
    (shown,) = root.iter("pre")
    assert shown.text == PACK.text
    # Each row is joined to its place in the wide and in the narrow drawing.
    numbers = [element.attrib["data-n"] for element in root.iter() if "data-n" in element.attrib]
    assert sorted(numbers) == sorted(3 * [str(number) for number in range(len(SHAPES))])
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    assert {link.attrib["href"][1:] for link in root.iter("a")} <= set(ids)


def test_hostile_text_stays_text() -> None:
    evil = item(f"{HOSTILE}::{HOSTILE}", HOSTILE)
    entities = (
        LinkedEntity(HOSTILE, HOSTILE, HOSTILE, False),
        LinkedEntity(HOSTILE, "", "", True, ((HOSTILE, HOSTILE),) * 200),
    )
    section = Section(HOSTILE, HOSTILE, HOSTILE, (1, 1))
    pack = replace(PACK, items=(evil,), text=HOSTILE, conventions=(section, section))
    text = page(HOSTILE, (HOSTILE,), RequestFrame("fix", entities), pack)
    root = ElementTree.fromstring(text)
    assert len(list(root.iter("script"))) == 1
    assert all(c.isprintable() or c == "\n" for c in text)
    assert "2 sections" in _text(root, "dd")[-1]
    assert len(list(root.iter("li"))) == 50 + 2


@pytest.mark.parametrize("text", ["", "x"])
def test_an_empty_pack(text: str) -> None:
    pack = replace(PACK, items=(), links=(), text=text, conventions=(), left_out=0)
    root = _page(frame=RequestFrame("general"), pack=pack)
    assert [bool(list(root.iter("pre"))), "conventions" in _text(root, "dt")] == [bool(text), False]
    assert "none that the code knows" in _text(root, "dd")
