"""What a repository's file may say of reviews, with which types, and what it may cost to read."""

from __future__ import annotations

import re
import time

import pytest
from review_sources import found, toml

from orefactor.core.errors import UserError
from orefactor.core.setting_sources import from_pyproject
from orefactor.core.settings import resolve


@pytest.mark.parametrize(
    ("section", "line", "words"),
    [
        pytest.param("review.deliberation", "max_rounds = '3'", "a whole number", id="number-as-text"),
        pytest.param("review.deliberation", "max_rounds = true", "a whole number", id="number-as-switch"),
        pytest.param("review.deliberation", "max_rounds = 3.0", "a whole number", id="fraction"),
        pytest.param("review.deliberation", "max_rounds = [3]", "a whole number", id="list"),
        pytest.param("review.deliberation", "max_rounds.most = 3", "a whole number", id="table"),
        pytest.param("review.deliberation", "max_rounds = nan", "a whole number", id="nan-for-a-whole-number"),
        pytest.param("review.deliberation", "max_rounds = 0", "greater than 0", id="zero"),
        pytest.param("review.deliberation", "max_cost_tokens = -1", "greater than 0", id="negative"),
        pytest.param("review.deliberation", f"max_cost_tokens = 1{'0' * 4000}", "less than or equal", id="huge"),
        pytest.param("review.deliberation", "enabled = 1", "true or false", id="switch-as-number"),
        pytest.param("review.deliberation", "enabled = 'false'", "true or false", id="switch-as-text"),
        pytest.param("review.deliberation", "per_tool_timeout_seconds = nan", "a finite number", id="nan"),
        pytest.param("review.deliberation", "per_tool_timeout_seconds = 1e999", "a finite number", id="infinite"),
        pytest.param("review.deliberation", f"per_tool_timeout_seconds = 1{'0' * 400}", "a valid number", id="wide"),
        pytest.param("review.deliberation", "per_tool_timeout_seconds = 07:32:00", "a number", id="time-of-day"),
        pytest.param("review", "fail_on = 'always'", "'error', 'warning' or 'never'", id="severity"),
        pytest.param("review", "fail_on = 1", "a text", id="severity-as-number"),
        pytest.param("review", "checks = 1", "a list of texts", id="checks-as-number"),
        pytest.param("review", "checks = ['ruff', 1]", "a list of texts", id="check-as-number"),
    ],
)
def test_pyproject_is_strict(section: str, line: str, words: str) -> None:
    with pytest.raises(UserError) as raised:
        toml(section, line)
    message = raised.value.message
    assert re.match(rf"`{re.escape(section)}\.\w+` is wrong: it should be ", message)
    assert words in message and message.endswith(f"(from [tool.orefactor.{section}] in pyproject.toml)")
    assert len(message) < 200


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        pytest.param("[tool.orefactor.review.deliberation]\nmax_round = 1",
                     "`max_round` in `[tool.orefactor.review.deliberation]` is no setting",
                     "did you mean `review.deliberation.max_rounds`?", id="nearest"),
        pytest.param("[tool.orefactor.review]\nmax_rounds = 1", "`max_rounds` in `[tool.orefactor.review]`",
                     "did you mean `review.deliberation.max_rounds`?", id="in-the-other-section"),
        pytest.param("[tool.orefactor.review.deliberation]\nfail_on = 'error'", "`fail_on` in ",
                     "did you mean `review.fail_on`?", id="in-the-inner-section"),
        pytest.param("[tool.orefactor.review.deliberations]", "`deliberations` in ",
                     "did you mean `review.deliberation`?", id="section"),
        pytest.param("[tool.orefactor]\nreview-max-rounds = 1", "`review-max-rounds` in `[tool.orefactor]`",
                     "did you mean `review.deliberation.max_rounds`?", id="flat"),
        pytest.param("[tool.orefactor]\n'review.fail_on' = 'never'", "`review.fail_on` in `[tool.orefactor]`",
                     "did you mean `review.fail_on`?", id="dotted-in-quotes"),
        pytest.param("[tool.orefactor.review]\nzzzz = 1", "`zzzz` in ",
                     "known are: review.deliberation.enabled, ", id="nothing-near"),
        pytest.param("[tool.orefactor.review]\n'" + "x" * 9000 + "' = 1", f"`{'x' * 60}` in ", "known", id="long"),
        pytest.param("[tool.orefactor]\nreview = 1", "`review` in `[tool.orefactor]` is no table",
                     "write `[tool.orefactor.review]`", id="no-table"),
        pytest.param("[tool.orefactor.review]\ndeliberation = [1]",
                     "`review.deliberation` in `[tool.orefactor]` is no table", "", id="no-inner-table"),
        pytest.param("[tool.orefactor.review]\nmodel = 'm'",
                     "`review.model` may not be set by a file of the repository",
                     "a repository may set: review.deliberation.enabled, ", id="model"),
        pytest.param("[tool.orefactor.review]\ninconclusive_exit = 0",
                     "`review.inconclusive_exit` may not be set by a file of the repository", "", id="exit-code"),
        pytest.param("[tool.orefactor.review]\nchecks = ['lint=make lint']", "is no name of a check",
                     "[tool.orefactor.commands]", id="command"),
    ],
)  # fmt: skip
def test_what_a_file_of_the_repository_may_not_say(text: str, message: str, hint: str) -> None:
    with pytest.raises(UserError) as raised:
        from_pyproject(text.encode())
    assert message in raised.value.message and hint in raised.value.hint
    assert len(raised.value.message) < 200


ATTACKS = {
    "one-deep-key": "[tool.orefactor.review]\n" + "a." * 500_000 + "b = 1\n",
    "quoted-deep-key": "orefactor = 1\n" + r'"\"". ' + "'' . " * 200_000 + "b = 1\n",
    "deep-name-of-a-table": f"[[ tool.orefactor.review.{'a.' * 250_000}b ]]\n" + "k = 1\n" * 80_000,
    "deep-value": "[tool.orefactor.review]\nchecks = " + "[" * 1_000_000,
    "one-deep-key-in-a-value": '[tool.orefactor.review]\nchecks = {\'#\' = """x""""", ' + "a." * 400_000 + "a = 1}",
    "strings-without-an-end": 'orefactor = """\n' + '\\"""\n' * 200_000,
    "strings-without-an-end-in-a-line": "orefactor = " + r'"\"' * 300_000,
    "inline-tables": "[tool.orefactor.review]\nchecks = " + "{a=" * 300_000,
    "digits": "[tool.orefactor.review.deliberation]\nmax_rounds = " + "9" * 1_000_000,
}


@pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS)
def test_a_megabyte_of_nested_tables_is_refused_at_once(text: str) -> None:
    began = time.process_time()
    with pytest.raises(UserError) as raised:
        from_pyproject(text.encode())
    assert "`pyproject.toml` can't be read" in raised.value.message and len(raised.value.message) < 400
    assert time.process_time() - began < 3


def test_values_that_nest_as_deep_as_can_be_read_are_no_trouble() -> None:
    deep = "{a=" * 90 + "{" + "a." * 39 + "a = 1}" + "}" * 90
    with pytest.raises(UserError, match=r"`review\.checks` is wrong: it should be a list of texts"):
        toml("review", f"checks = {deep}")
    with pytest.raises(UserError, match="`checks` is wrong: it should be a valid tuple"):
        resolve([], repository=from_pyproject(f"[tool.orefactor]\nchecks = {deep}".encode()))


def test_tables_as_people_nest_them_are_read() -> None:
    text = "[tool.orefactor]\n" + "\n".join(f"[tool.{'.'.join('abcdefghij')}.t{n}]" for n in range(99))
    text += '\n[tool.text]\nlong = """\na.b.c.d\n' + "word. " * 200 + '"""\n[tool.orefactor.review]\nfail_on="warning"'
    assert found(repository=from_pyproject(text.encode())).settings.review.fail_on == "warning"
