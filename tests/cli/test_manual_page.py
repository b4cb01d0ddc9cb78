"""The manual page is what the command table and its prose make, and roff reads it without a complaint."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from orefactor import __version__
from orefactor.cli.dispatch import make_application
from orefactor.cli.manual_markup import body
from orefactor.cli.manual_page import Prose, manual_page, read_prose

DOCS = Path(__file__).parents[2] / "docs"
PROSE = Prose("2026-01-02\n\n# NAME\n\n{{commands}}\n\n# OPTIONS\n\n{{options}}\n", "", "", {})


def made(prose: Prose) -> str:
    return manual_page(make_application().commands, prose, "1.2")


def test_the_committed_page_is_the_generated_one() -> None:
    page = manual_page(make_application().commands, read_prose(DOCS / "manual"), __version__)
    committed = (DOCS / "git-orefactor.1").read_text("utf-8")
    assert page == committed, "scripts/write-manual writes it anew"


@pytest.mark.skipif(not shutil.which("groff"), reason="groff isn't installed")
def test_roff_reads_the_page_without_a_warning() -> None:
    words = ["groff", "-man", "-ww", "-Tutf8", str(DOCS / "git-orefactor.1")]
    done = subprocess.run(words, capture_output=True, check=True)
    assert done.stderr == b""
    assert b"{" + b"default}" not in done.stdout


@pytest.mark.parametrize(
    ("markdown", "roff"),
    [
        pytest.param("one\ntwo\n\nthree", ["one\ntwo", ".PP", "three"], id="paragraphs"),
        pytest.param("**--to** *NAME*-x", [r"\fB\-\-to\fR \fINAME\fR\-x"], id="fonts"),
        pytest.param(".so /etc/passwd\n'x\\y", ["\\&.so /etc/passwd\n\\&'x\\ey"], id="requests"),
        pytest.param("**a**.", [r"\fBa\fR."], id="a full stop behind a font"),
        pytest.param("```\na  b\n\n.c\n```", [".nf", "a  b\n\n\\&.c", ".fi"], id="fence"),
        pytest.param("word\n: what it\nmeans\n\nend", [".TP", "word", "what it\nmeans", ".PP", "end"], id="definition"),
        pytest.param("2 * 3 * 4", ["2 * 3 * 4"], id="stars that mark nothing"),
    ],
)
def test_prose_becomes_roff(markdown: str, roff: list[str]) -> None:
    assert list(body(markdown)) == roff


def test_what_has_no_prose_has_the_words_of_its_help() -> None:
    page = made(PROSE)
    assert page.startswith('.TH GIT\\-OREFACTOR 1 "2026-01-02" "git-orefactor 1.2"')
    assert ".TP\n\\fB\\-\\-max\\-iterations\\fR N\nRounds (25).\n" in page
    assert ".TP\n\\fBruns\\fR\nList the runs" in page
    assert "\\fB\\-\\-keep\\fR N: " in page


def test_prose_takes_in_defaults_and_lists() -> None:
    page = made(replace(PROSE, options="## --max-iterations\n\nRounds {default} {kinds}.", words={"kinds": "x, y"}))
    assert "\nRounds 25 x, y.\n" in page


@pytest.mark.parametrize(
    ("prose", "named"),
    [
        pytest.param(replace(PROSE, options="## --gone\n\nx"), "`--gone`, which is no option", id="option"),
        pytest.param(replace(PROSE, commands="## gone\n\nx"), "`gone`, which is no command", id="command"),
        pytest.param(replace(PROSE, commands="## runs\n\n**--gone**"), "no option of `runs`", id="command's option"),
    ],
)
def test_prose_about_what_is_not_there_is_refused(prose: Prose, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        made(prose)
