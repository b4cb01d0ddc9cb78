"""Who decides about a review: the central policy, the user, the repository."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from review_sources import found, git, ruled, toml

from orefactor.core.errors import UserError
from orefactor.core.review_settings import DOTTED, REVIEW_LIMITS
from orefactor.core.setting_sources import from_environment, from_git, from_pyproject, policy_from_git
from orefactor.core.settings import OPTION, Settings, Source, resolve
from orefactor.sandbox.repository import ConfigEntry, Scope

LOOSE = "[tool.orefactor.review.deliberation]\nmax_rounds = 2\nmax-cost-tokens = 50\nenabled = false\n"
IGNORED = "the repository's [tool.orefactor.{0}] is ignored: orefactor.policy.{0} decides"


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("review.model", "known are: orefactor.policy.review.deliberation.enabled, "),
        ("review.checks", "known are: "),
        ("review.deliberation.rounds", "did you mean `orefactor.policy.review.deliberation.maxRounds`?"),
        ("Review.failon", "did you mean `orefactor.policy.review.failOn`?"),
        ("deliberation.maxrounds", "did you mean `orefactor.policy.review.deliberation.maxRounds`?"),
    ],
    ids=str,
)
def test_unknown_keys_of_a_policy(key: str, hint: str) -> None:
    with pytest.raises(UserError, match="is no setting") as raised:
        policy_from_git([ConfigEntry("system", f"orefactor.policy.{key}", "1")])
    assert hint in raised.value.hint


@pytest.mark.parametrize(("name", "default"), [(n, Settings.model_fields[n].default) for n in REVIEW_LIMITS], ids=str)
def test_a_repositorys_limits_only_tighten_the_default(name: str, default: float) -> None:
    key = DOTTED[name].rpartition(".")[2]
    for value, expected in ((int(default) - 1, int(default) - 1), (int(default) + 1, default)):
        assert getattr(found(repository=toml("review.deliberation", f"{key} = {value}")).settings, name) == expected
        by_user = found({name: default * 2}, repository=toml("review.deliberation", f"{key} = {value}"))
        assert getattr(by_user.settings, name) == default * 2


def test_a_repository_may_do_without_deliberation_and_choose_checks() -> None:
    got = found(repository=from_pyproject((LOOSE + "[tool.orefactor.review]\nchecks = ['mypy']\n").encode()))
    assert (got.settings.review.enabled, got.settings.review.checks) == (False, ("mypy",))
    assert found({"review_enabled": True}, repository=from_pyproject(LOOSE.encode())).settings.review.enabled is True


@pytest.mark.parametrize(
    ("repository", "user", "expected"),
    [
        ("never", None, "error"),
        ("error", None, "error"),
        ("warning", None, "warning"),
        ("never", "error", "error"),
        ("error", "never", "error"),
        ("warning", "never", "warning"),
        ("error", "warning", "warning"),
        ("never", "never", "never"),
    ],
)
def test_fail_on_from_a_repository_is_only_stricter(repository: str, user: str | None, expected: str) -> None:
    told = toml("review", f"fail_on = '{repository}'")
    got = found({"review_fail_on": user} if user else None, repository=told)
    assert got.settings.review.fail_on == expected
    is_overruled = user is not None and expected != user
    who = "the repository's [tool.orefactor.review]"
    said = f"`review.fail_on` is {expected}, as {who} says, not {user} (from an option)"
    assert got.warnings == ((said,) if is_overruled else ())
    origin = got.sources.get("review_fail_on")
    assert (origin is told) is (is_overruled or (user is None and repository == expected))


@pytest.mark.parametrize(
    ("local", "user", "may"),
    [("never", None, False), ("error", None, True), ("warning", None, True), ("error", "warning", False),
     ("never", "never", True), ("error", "never", True), ("x", None, True)],
)  # fmt: skip
def test_a_repositorys_own_configuration_lets_nothing_pass(local: str, user: str | None, may: bool) -> None:
    entries = [*(git(review_fail_on=user) if user else []), *git("local", review_fail_on=local)]
    if may:
        assert from_git(entries)[0].values == {"review_fail_on": local}
    else:
        with pytest.raises(UserError, match="may not be set in a repository's own configuration"):
            from_git(entries)


# What the policy says, what the user says, what holds.
RULINGS: list[tuple[str, str, str | None, Any]] = [
    ("review_max_rounds", "5", None, 5),
    ("review_max_rounds", "5", "4", 4),
    ("review_max_rounds", "5", "9", 5),
    ("review_max_cost_tokens", "90000", None, 90_000),
    ("review_max_cost_tokens", "90000", "99999", 90_000),
    ("review_per_tool_timeout_seconds", "0.5", "60", 0.5),
    ("review_per_tool_timeout_seconds", "300", "0.25", 0.25),
    ("review_enabled", "true", "false", False),
    ("review_enabled", "false", "true", False),
    ("review_enabled", "true", None, True),
    ("review_fail_on", "error", "warning", "warning"),
    ("review_fail_on", "error", "never", "error"),
    ("review_fail_on", "never", None, "never"),
    ("review_fail_on", "never", "error", "error"),
    ("review_inconclusive_exit", "0", None, 0),
    ("review_inconclusive_exit", "6", "0", 6),
    ("review_inconclusive_exit", "0", "6", 0),
]


@pytest.mark.parametrize(("name", "policy", "user", "expected"), RULINGS)
@pytest.mark.parametrize("source", ["option", "environment", "git"])
def test_the_user_only_tightens_what_the_policy_says(
    source: str, name: str, policy: str, user: str | None, expected: object
) -> None:
    users: list[Source] = []
    if user is not None:
        users = {
            "option": [Source(OPTION, {name: user})],
            "environment": from_environment({f"OREFACTOR_{name.upper()}": user}),
            "git": from_git(git(**{name: user})),
        }[source]
    ruling = ruled(**{name: policy})
    got = found(users=users, policy=ruling)
    value = getattr(got.settings, name)
    assert (value, type(value)) == (expected, type(expected))
    holds = users and resolve(users) == got.settings
    assert got.sources[name] is (users[0] if holds else ruling)
    # Whoever says something that doesn't count is told so.
    assert len(got.warnings) == (1 if users and not holds else 0)
    for warning in got.warnings:
        assert warning.startswith(f"`{DOTTED[name]}` is {policy}, as orefactor.policy.review")
        assert warning.endswith(f", not {user} (from {users[0].origin})")


@pytest.mark.parametrize(
    ("policy", "ignored"),
    [
        pytest.param({"review_max_rounds": "5"}, ["review.deliberation"], id="one-key-of-deliberation"),
        pytest.param({"review_enabled": "true"}, ["review.deliberation"], id="enabled-alone"),
        pytest.param({"review_fail_on": "error"}, ["review"], id="one-key-of-review"),
        pytest.param({"review_inconclusive_exit": "4"}, ["review"], id="exit-code-alone"),
        pytest.param({"review_enabled": "1", "review_fail_on": "never"}, ["review.deliberation", "review"], id="both"),
        pytest.param({"max_tokens": "5000"}, [], id="silent-on-reviews"),
        pytest.param({}, [], id="no-policy"),
    ],
)
def test_where_the_policy_declares_a_section_the_repositorys_counts_no_more(
    policy: Mapping[str, str], ignored: list[str]
) -> None:
    repository = from_pyproject((LOOSE + "[tool.orefactor.review]\nfail_on = 'warning'\nchecks = []\n").encode())
    got = found(repository=repository, policy=ruled(**policy))
    review = got.settings.review
    assert got.warnings == tuple(map(IGNORED.format, ignored))
    deliberation = (review.enabled, review.max_rounds, review.max_cost_tokens)
    if "review.deliberation" in ignored:
        assert deliberation == (True, int(policy.get("review_max_rounds", "3")), 60_000)
    else:
        assert deliberation == (False, 2, 50)
    if "review" in ignored:
        assert (review.fail_on, review.checks) == (policy.get("review_fail_on", "error"), ("py_compile",))
    else:
        assert (review.fail_on, review.checks) == ("warning", ())


def test_nothing_is_ignored_where_the_repository_says_nothing_in_that_section() -> None:
    policy = ruled(review_max_rounds="5")
    for text in (
        "max-tokens = 5",
        "[tool.orefactor.review]\nfail_on = 'warning'",
        "[tool.orefactor.review.deliberation]",
    ):
        assert found(repository=from_pyproject(f"[tool.orefactor]\n{text}".encode()), policy=policy).warnings == ()


def test_what_the_policy_leaves_open_is_the_users() -> None:
    got = found({"review_max_cost_tokens": 70_000, "review_model": "m"}, policy=ruled(review_max_rounds="5"))
    assert (got.settings.review.max_cost_tokens, got.settings.review.model, got.warnings) == (70_000, "m", ())


def test_a_policy_of_reviews_leaves_the_ceilings_as_they_are() -> None:
    policy = ruled("system", max_tokens="5000", review_max_rounds="2")
    got = found({"max_tokens": 9000, "review_max_rounds": 1}, policy=policy)
    assert (got.settings.max_tokens, got.settings.review.max_rounds) == (5000, 1)


@pytest.mark.parametrize("scope", ["local", "worktree"])
def test_the_repository_has_no_policy(scope: Scope) -> None:
    assert ruled(scope, review_max_rounds="9") is None
    assert from_git([ConfigEntry(scope, "orefactor.policy.review.deliberation.maxrounds", "9")]) == []


@pytest.mark.parametrize("scope", ["system", "global", "command"])
def test_who_may_write_a_policy(scope: Scope) -> None:
    assert found(policy=ruled(scope, review_max_rounds="9")).settings.review.max_rounds == 9


@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_a_wrong_policy_is_said(value: str) -> None:
    with pytest.raises(UserError, match=r"`review.deliberation.max_rounds` is wrong: .* \(from git's configuration"):
        found(policy=ruled(review_max_rounds=value))
