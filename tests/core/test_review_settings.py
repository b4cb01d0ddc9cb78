"""The settings of reviews: their names, types and defaults, and what is said of a wrong one."""

from __future__ import annotations

from typing import Any

import pytest
from review_sources import found, git, ruled, toml

from orefactor.core.errors import UserError
from orefactor.core.review_settings import DOTTED, REVIEW_LIMITS, ReviewSettings
from orefactor.core.setting_sources import from_environment, from_git
from orefactor.core.settings import OPTION, Source, resolve
from orefactor.sandbox.repository import ConfigEntry

DEFAULTS = ReviewSettings(True, 3, 60_000, 120.0, "error", 1, ("py_compile",), None)


def test_the_defaults() -> None:
    assert resolve([]).review == DEFAULTS
    assert found().warnings == ()


def test_the_dotted_names() -> None:
    assert list(DOTTED.values()) == [
        "review.deliberation.enabled",
        "review.deliberation.max_rounds",
        "review.deliberation.max_cost_tokens",
        "review.deliberation.per_tool_timeout_seconds",
        "review.fail_on",
        "review.inconclusive_exit",
        "review.checks",
        "review.model",
    ]


def test_a_trace_of_the_main_job_shows_none_of_them() -> None:
    shown = resolve([Source(OPTION, {"review_max_rounds": 1, "model": "m"})]).model_dump(mode="json", exclude_none=True)
    assert shown["model"] == "m" and not any(name.startswith("review") for name in shown)


@pytest.mark.parametrize(
    "variable", ["REVIEW_MAX_ROUNDS", "REVIEW_DELIBERATION_MAX_ROUNDS", "REVIEWMAXROUNDS"], ids=str
)
def test_the_environment(variable: str) -> None:
    assert resolve(from_environment({f"OREFACTOR_{variable}": "2"})).review.max_rounds == 2


@pytest.mark.parametrize(
    "key",
    ["review.deliberation.maxrounds", "review.deliberation.max-rounds", "reviewmaxrounds"],
    ids=["as-git-lists-it", "with-a-hyphen", "flat"],
)
def test_gits_configuration(key: str) -> None:
    assert resolve(from_git([ConfigEntry("local", f"orefactor.{key}", "2")])).review.max_rounds == 2


@pytest.mark.parametrize("key", ["max_rounds", "max-rounds", "maxRounds", "MAX_ROUNDS"])
def test_pyproject(key: str) -> None:
    assert resolve([], repository=toml("review.deliberation", f"{key} = 2")).review.max_rounds == 2


def test_the_strongest_source_wins() -> None:
    environment = from_environment({"OREFACTOR_REVIEW_MAX_ROUNDS": "8", "OREFACTOR_REVIEW_MODEL": "environment"})
    config = from_git(git(review_max_rounds="7", review_model="git", review_max_cost_tokens="70000"))
    repository = toml("review.deliberation", "max_rounds = 1", "max_cost_tokens = 1", "per_tool_timeout_seconds = 1")
    got = found({"review_max_rounds": 9}, users=[*environment, *config], repository=repository)
    review = got.settings.review
    assert (review.max_rounds, review.model, review.max_cost_tokens) == (9, "environment", 70_000)
    assert review.per_tool_timeout_seconds == 1.0
    assert got.sources["review_max_rounds"].origin == OPTION
    assert got.warnings == ()


@pytest.mark.parametrize("text", ["true", "yes", "on", "1", "TRUE", "false", "no", "off", "0", "Off"])
@pytest.mark.parametrize("source", ["environment", "git", "policy"])
def test_switches_as_git_writes_them(source: str, text: str) -> None:
    sources, policy = [], None
    match source:
        case "environment":
            sources = from_environment({"OREFACTOR_REVIEW_ENABLED": text})
        case "git":
            sources = from_git(git(review_enabled=text))
        case _:
            policy = ruled(review_enabled=text)
    assert resolve(sources, policy=policy).review.enabled is (text.lower() in ("true", "yes", "on", "1"))


WRONG: dict[str, tuple[tuple[Any, ...], str]] = {
    "review_enabled": (("", "maybe", "2", 1, None), "true or false"),
    "review_max_rounds": (("0", "-1", 0, -3), "greater than 0"),
    "review_max_cost_tokens": (("0", "-60000"), "greater than 0"),
    "review_per_tool_timeout_seconds": (("0", "-0.5", 0.0, "-1e-9"), "greater than 0"),
    "review_fail_on": (("always", "Error", "", 1), "'error', 'warning' or 'never'"),
    "review_inconclusive_exit": (("2", "3", "-1", "70", "8"), "one of 0, 1, 4, 5, 6, 7"),
    "review_checks": ((5,), "a valid tuple"),
    "review_model": (("",), "at least 1 character"),
}
NO_NUMBERS = {
    "review_max_rounds": (True, "1.5", 3.0, "three", "", "9" * 5000, "\ud800", "1_0", float("nan")),
    "review_inconclusive_exit": (True, False, "x", 1.0),
    "review_per_tool_timeout_seconds": (True, "x", 10**400, "\ud800"),
}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        *((name, value, words) for name, (values, words) in WRONG.items() for value in values),
        *((name, value, "") for name, values in NO_NUMBERS.items() for value in values),
        *((name, str(10**17), "less than or equal to 1000000000") for name in REVIEW_LIMITS),
        *(("review_per_tool_timeout_seconds", text, "a finite number") for text in ("nan", "1e999", "inf")),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_a_wrong_value_is_said_with_its_name_and_source(name: str, value: object, words: str) -> None:
    with pytest.raises(UserError) as raised:
        resolve([Source("the test", {name: value})])
    message = raised.value.message
    assert message.startswith(f"`{DOTTED[name]}` is wrong: it should be ")
    assert words in message and message.endswith("(from the test)") and len(message) < 200


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("review_fail_on", "--fail-on"),
        ("review_max_rounds", "--max-rounds"),
        ("review_enabled", DOTTED["review_enabled"]),
    ],
    ids=["severity", "limit", "in-settings-alone"],
)
def test_a_wrong_option_is_named_as_it_is_written(name: str, shown: str) -> None:
    with pytest.raises(UserError, match=f"`{shown}` is wrong: .*from an option"):
        resolve([Source(OPTION, {name: "x"})])


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("review.deliberation.maxround", "did you mean `orefactor.review.deliberation.maxRounds`?"),
        ("review.maxrounds", "did you mean `orefactor.review.deliberation.maxRounds`?"),
        ("review.failsat", "did you mean `orefactor.review.failOn`?"),
        ("Review.failon", "did you mean `orefactor.review.failOn`?"),
        ("review.Deliberation.enabled", "did you mean `orefactor.review.deliberation.enabled`?"),
        ("review.zzzz", "known are: orefactor.review.deliberation.enabled, "),
    ],
    ids=str,
)
def test_unknown_keys_of_gits_configuration(key: str, hint: str) -> None:
    with pytest.raises(UserError, match="is no setting") as raised:
        from_git([ConfigEntry("global", f"orefactor.{key}", "1")])
    assert hint in raised.value.hint


def test_an_unknown_variable() -> None:
    with pytest.raises(UserError, match="is no setting") as raised:
        from_environment({"OREFACTOR_REVIEW_MAX_ROUND": "1"})
    assert raised.value.hint == "did you mean `OREFACTOR_REVIEW_MAX_ROUNDS`?"
