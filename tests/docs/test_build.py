"""The documentation builds without a warning, and no link within it leads nowhere."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from docs.pages import DOCS, PAGES, TOP

pytestmark = [
    pytest.mark.untraced,
    pytest.mark.skipif(
        importlib.util.find_spec("sphinx") is None, reason="Sphinx isn't installed; the group `docs` has it"
    ),
]


class _Page(HTMLParser):
    """What a built page links to, what can be linked to in it, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {""}
        self.loaded: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.anchors.add(named.get("id", ""))
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        self.loaded += [value for name, value in named.items() if name == "src" or (tag, name) == ("link", "href")]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "built"
    environment = {**os.environ, "PYTHON": sys.executable}
    done = subprocess.run(
        [TOP / "scripts" / "docs", folder], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert "  https://github.com/containers/bubblewrap\n" in done.stdout
    return folder


def test_every_page_is_built_and_every_link_within_leads_somewhere(built: Path) -> None:
    pages = {path.name: _Page(path) for path in built.glob("*.html")}
    assert {page.stem for page in PAGES} <= {Path(name).stem for name in pages}
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = parts.path or name
            assert (built / target).exists(), f"{name}: {link}"
            if target in pages and parts.fragment:
                assert unquote(parts.fragment) in pages[target].anchors, f"{name}: {link}"


def test_pages_load_nothing_from_elsewhere(built: Path) -> None:
    for path in built.glob("*.html"):
        for address in _Page(path).loaded:
            assert not urlsplit(address).netloc, f"{path.name}: {address}"


@pytest.mark.parametrize("picture", sorted((DOCS / "pictures").glob("*.svg")), ids=lambda path: path.stem)
def test_a_picture_is_shown_and_can_be_read_aloud(picture: Path, built: Path) -> None:
    text = picture.read_text("utf-8")
    shown = [page for page in PAGES if f"pictures/{picture.name}" in page.read_text("utf-8")]
    assert shown
    assert 'role="img"' in text
    assert "<title " in text
    assert 'class="picture"' in (built / f"{shown[0].stem}.html").read_text("utf-8")
