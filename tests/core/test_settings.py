"""Every setting from every source: which wins, which may not, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from orefactor.core.errors import UserError
from orefactor.core.limits import Limits
from orefactor.core.review_settings import DOTTED
from orefactor.core.setting_names import git_name
from orefactor.core.setting_sources import from_environment, from_git, from_pyproject, is_trusted, policy_from_git
from orefactor.core.settings import NAMED, OPTION, Settings, Source, option_name, resolve
from orefactor.sandbox.repository import ConfigEntry, Scope

USER_ONLY = {
    "provider": "openai", "base_url": "http://x/v1", "key_variable": "MY_KEY", "sandbox": "none", "python": "p",
    "fixture": "f", "fallback": "openai", "allow": "tests", "review_inconclusive_exit": "4",
}  # fmt: skip
UNNAMED = {"prices", "servers", "commands", "repository_commands"}
LIMITS = (
    "max_iterations",
    "max_output_tokens",
    "max_tokens",
    "max_cost",
    "max_seconds",
    "tool_timeout",
    "context_tokens",
    "jobs",
)


def git_entry(name: str, value: str, scope: Scope = "global") -> ConfigEntry:
    # git gives the last part of a key in lower case; sections are in it already.
    return ConfigEntry(scope, f"orefactor.{git_name(name).lower()}", value)


def toml(text: str) -> Source | None:
    return from_pyproject(f"[tool.orefactor]\n{text}\n".encode())


VALUES: dict[str, tuple[str, Any]] = {
    "model": ("gpt-5", "gpt-5"),
    "provider": ("openai", "openai"),
    "base_url": ("http://127.0.0.1/v1", "http://127.0.0.1/v1"),
    "key_variable": ("MY_KEY", "MY_KEY"),
    "fixture": ("f.json", "f.json"),
    "fallback": ("openai, groq:llama", ("openai", "groq:llama")),
    "tool_protocol": ("text", "text"),
    "python": ("/bin/python", "/bin/python"),
    "base": ("HEAD", "HEAD"),
    "checks": ("ruff, pytest", ("ruff", "pytest")),
    "contract": ("docstrings,imports", ("docstrings", "imports")),
    "allow": ("tests", ("tests",)),
    "minimize": ("true", True),
    "sandbox": ("none", "none"),
    "max_iterations": ("7", 7),
    "max_output_tokens": ("700", 700),
    "max_tokens": ("7000", 7000),
    "max_cost": ("0.5", 0.5),
    "max_seconds": ("7.5", 7.5),
    "tool_timeout": ("70", 70.0),
    "context_tokens": ("700", 700),
    "jobs": ("7", 7),
    "reuse": ("false", False),
    "review_result": ("true", True),
    "review_enabled": ("off", False),
    "review_max_rounds": ("7", 7),
    "review_max_cost_tokens": ("7000", 7000),
    "review_per_tool_timeout_seconds": ("7.5", 7.5),
    "review_fail_on": ("warning", "warning"),
    "review_inconclusive_exit": ("6", 6),
    "review_checks": ("ruff, mypy", ("ruff", "mypy")),
    "review_model": ("gpt-5", "gpt-5"),
}


def test_the_table_above_is_whole() -> None:
    assert set(VALUES) == set(NAMED) == set(Settings.model_fields) - UNNAMED


@pytest.mark.parametrize(("name", "text", "value"), [(name, *both) for name, both in VALUES.items()])
@pytest.mark.parametrize("source", ["environment", "git"])
def test_each_setting_from_each_source(source: str, name: str, text: str, value: object) -> None:
    if source == "environment":
        sources = from_environment({f"OREFACTOR_{name.upper()}": text, "PATH": "/bin"})
    else:
        sources = from_git([git_entry(name, text)])
    assert getattr(resolve(sources), name) == value


def test_the_strongest_source_wins() -> None:
    option = Source("an option", {"model": "option"})
    environment = from_environment({"OREFACTOR_MODEL": "environment", "OREFACTOR_BASE": "environment"})
    config = from_git(
        [
            git_entry("model", "git"),
            git_entry("base", "git"),
            git_entry("max_tokens", "5"),
            git_entry("max_tokens", "6", "local"),
        ]
    )
    found = resolve([option, *environment, *config], repository=toml("max-tokens = 4\nmax-iterations = 3"))
    assert (found.model, found.base, found.max_tokens, found.max_iterations) == ("option", "environment", 6, 3)
    assert found.tool_timeout == 300.0


def test_the_defaults() -> None:
    found = resolve([])
    assert (found.model, found.provider, found.checks, found.sandbox) == (None, None, None, "auto")
    assert found.limits == Limits(25, 1_000_000, 1800.0, 8192, 300.0, None)


@pytest.mark.parametrize("spelling", ["max-tokens", "max_tokens", "maxTokens", "MAX-TOKENS"])
def test_spellings_in_a_file(spelling: str) -> None:
    assert resolve([], repository=toml(f"{spelling} = 5")).max_tokens == 5


@pytest.mark.parametrize("name", USER_ONLY)
@pytest.mark.parametrize("scope", ["local", "worktree"])
def test_what_a_repositorys_own_configuration_may_not_set(name: str, scope: Scope) -> None:
    with pytest.raises(UserError, match="may not be set in a repository's own configuration") as raised:
        from_git([git_entry(name, USER_ONLY[name], scope)])
    assert "git config --global orefactor." in raised.value.hint


@pytest.mark.parametrize("name", sorted(set(NAMED) - set(USER_ONLY)))
def test_what_it_may_set(name: str) -> None:
    assert getattr(resolve(from_git([git_entry(name, VALUES[name][0], "local")])), name) == VALUES[name][1]


@pytest.mark.parametrize("scope", ["system", "global", "command"])
def test_what_the_users_configuration_may_set(scope: Scope) -> None:
    assert resolve(from_git([git_entry("provider", "openai", scope)])).provider == "openai"


def test_other_keys_are_not_ours() -> None:
    entries = [ConfigEntry("local", "user.name", "x"), ConfigEntry("global", "orefactorx.model", "x")]
    assert from_git(entries) == []
    assert from_environment({"OREFACTOR_API_KEY": "k", "HOME": "/"}) == []


@pytest.mark.parametrize("name", sorted(set(NAMED) - {"checks", "contract", *LIMITS, *DOTTED}))
def test_what_a_file_of_the_repository_may_not_set(name: str) -> None:
    with pytest.raises(UserError, match="may not be set by a file of the repository") as raised:
        toml(f'{option_name(name)} = "x"')
    assert raised.value.hint == (
        "a repository may set: checks, contract, max-iterations, max-output-tokens, max-tokens, max-cost, "
        "max-seconds, tool-timeout, context-tokens, jobs"
    )


@pytest.mark.parametrize("name", [name for name in LIMITS if name not in ("max_cost", "jobs")])
def test_a_file_of_the_repository_only_tightens(name: str) -> None:
    default = getattr(Settings(), name)
    for factor, expected in ((0.5, default / 2), (2, default)):
        found = resolve([], repository=toml(f"{option_name(name)} = {int(default * factor)}"))
        assert getattr(found, name) == int(expected)


def test_a_limit_that_has_no_default_is_tightened_by_any() -> None:
    assert resolve([], repository=toml("max-cost = 0.25")).max_cost == 0.25
    policy = policy_from_git([ConfigEntry("global", "orefactor.policy.maxcost", "0.5")])
    assert resolve([], policy=policy).max_cost == 0.5
    assert resolve([Source("an option", {"max_cost": 3})], policy=policy).max_cost == 0.5
    assert resolve([Source("an option", {"max_cost": 0.1})], policy=policy).max_cost == 0.1


def test_prices_and_servers_are_told_by_name() -> None:
    found = resolve(
        from_git(
            [
                ConfigEntry("system", "orefactor.My-Model.price", "1 2 3"),
                ConfigEntry("global", "orefactor.My-Model.price", "0.1 0.2 0.3"),
                ConfigEntry("global", "orefactor.llm.example.com.nullcontent", "true"),
                ConfigEntry("command", "orefactor.llm.example.com.provider", "vllm"),
            ]
        )
    )
    assert found.prices == {"My-Model": "0.1 0.2 0.3"}
    assert found.servers == {"llm.example.com": {"nullcontent": "true", "provider": "vllm"}}


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        pytest.param("m.price", "cheap", "`orefactor.m.price` is wrong: it should be three numbers", id="price"),
        pytest.param("h.nullcontents", "yes", "has no setting `nullcontents`; did you mean `nullContent`?", id="field"),
        pytest.param("h.nullcontent", "maybe", "`nullContent` must be true or false, not `maybe`", id="value"),
    ],
)
def test_a_wrong_price_or_field(key: str, value: str, words: str) -> None:
    with pytest.raises(UserError) as raised:
        from_git([ConfigEntry("global", f"orefactor.{key}", value)])
    assert words in raised.value.message


def test_commands_of_the_project() -> None:
    entries = [
        ConfigEntry("global", "orefactor.check.lint.command", "make lint"),
        ConfigEntry("command", "orefactor.check.lint.command", "make -k lint"),
    ]
    found = resolve(from_git(entries), repository=toml('[tool.orefactor.commands]\nslow = "make slow"'))
    assert (found.commands, found.repository_commands) == ({"lint": "make -k lint"}, {"slow": "make slow"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("commands = 5", "holds something else than texts", id="no-table"),
        pytest.param("[tool.orefactor.commands]\nlint = 5", "holds something else than texts", id="no-text"),
        pytest.param('checks = ["lint=make lint"]', "is no name of a check", id="a-command-in-the-list"),
        pytest.param('checks = "lint=make"', "is no name of a check", id="a-command-as-the-list"),
    ],
)
def test_a_repositorys_commands_that_are_wrong(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        toml(text)


@pytest.mark.parametrize(
    ("scope", "listed", "trusted"),
    [("global", "{}", True), ("system", "{}/", True), ("local", "{}", False), ("global", "{}/sub", False),
     ("global", "", False)],
)  # fmt: skip
def test_a_repository_is_trusted_by_the_user_alone(tmp_path: Path, scope: Scope, listed: str, trusted: bool) -> None:
    entry = ConfigEntry(scope, "orefactor.trusted", listed.format(tmp_path))
    assert is_trusted([entry], tmp_path) is trusted
    if scope != "local":
        assert from_git([entry]) == []


@pytest.mark.parametrize("key", ["m.price", "h.provider", "check.lint.command", "trusted"])
def test_a_repository_tells_no_prices_and_no_servers(key: str) -> None:
    with pytest.raises(UserError, match="may not be set in a repository's own configuration"):
        from_git([ConfigEntry("local", f"orefactor.{key}", "1 2 3")])


def test_what_the_user_says_beats_the_repository() -> None:
    found = resolve([Source("an option", {"max_tokens": 9_000_000})], repository=toml("max-tokens = 5"))
    assert found.max_tokens == 9_000_000


def test_checks_of_the_repository() -> None:
    assert resolve([], repository=toml('checks = ["pytest"]')).checks == ("pytest",)
    assert resolve([], repository=toml("checks = []")).checks == ()


@pytest.mark.parametrize("text", [b"", b"[project]\nname = 'x'\n", b"# orefactor\n", b"[tool.orefactor]\n"])
def test_a_file_without_settings(text: bytes) -> None:
    assert from_pyproject(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"[tool.orefactor\n", "`pyproject.toml` can't be read"),
        (b"x = '\xff' # orefactor", "`pyproject.toml` can't be read"),
        (b"tool = 'orefactor'\n", "`pyproject.toml` can't be read"),
        (b"[tool]\norefactor = 'x'\n", "`pyproject.toml` can't be read"),
        (b"orefactor = " + b"[" * 100_000, "`pyproject.toml` can't be read"),
    ],
    ids=["no-toml", "no-text", "tool-is-no-table", "orefactor-is-no-table", "deep"],
)
def test_a_file_that_is_wrong(text: bytes, words: str) -> None:
    with pytest.raises(UserError) as raised:
        from_pyproject(text)
    assert words in raised.value.message


def test_policy_is_a_ceiling() -> None:
    policy = policy_from_git(
        [ConfigEntry("global", "orefactor.policy.maxtokens", "5000"), ConfigEntry("system", "user.name", "x")]
    )
    options = Source("an option", {"max_tokens": 9000, "max_iterations": 3})
    found = resolve([options], policy=policy)
    assert (found.max_tokens, found.max_iterations) == (5000, 3)
    assert resolve([Source("an option", {"max_tokens": 40})], policy=policy).max_tokens == 40
    assert from_git([ConfigEntry("global", "orefactor.policy.maxtokens", "5000")]) == []


def test_the_repository_has_no_policy() -> None:
    assert policy_from_git([ConfigEntry("local", "orefactor.policy.maxtokens", "5")]) is None


@pytest.mark.parametrize(
    ("read", "message", "hint"),
    [
        pytest.param(lambda: from_environment({"OREFACTOR_MODL": "x"}),
                     "`OREFACTOR_MODL` is no setting", "did you mean `OREFACTOR_MODEL`?", id="variable"),
        pytest.param(lambda: from_git([ConfigEntry("global", "orefactor.maxtoken", "x")]),
                     "`orefactor.maxtoken` is no setting", "did you mean `orefactor.maxTokens`?", id="git"),
        pytest.param(lambda: toml("max-iteration = 3"),
                     "`max-iteration` in `[tool.orefactor]` is no setting", "did you mean `max-iterations`?",
                     id="toml"),
        pytest.param(lambda: policy_from_git([ConfigEntry("global", "orefactor.policy.model", "x")]),
                     "`orefactor.policy.model` is no setting", "known are: orefactor.policy.maxIterations,",
                     id="policy"),
        pytest.param(lambda: from_environment({"OREFACTOR_ZZZZZZ": "x"}),
                     "is no setting", "known are: OREFACTOR_MODEL, ", id="nothing-near"),
    ],
)  # fmt: skip
def test_unknown_settings(read: Any, message: str, hint: str) -> None:
    with pytest.raises(UserError) as raised:
        read()
    assert message in raised.value.message
    assert hint in raised.value.hint


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("max_iterations", "0", "`max-iterations` is wrong: it should be greater than 0 (from the test)"),
        ("max_iterations", "many", "`max-iterations` is wrong: it should be a valid integer"),
        ("max_iterations", "1.5", "`max-iterations` is wrong: it should be a valid integer"),
        ("max_seconds", "inf", "`max-seconds` is wrong: it should be a finite number"),
        ("max_seconds", "-1", "`max-seconds` is wrong: it should be greater than 0"),
        ("base_url", "localhost:8000", "`base-url` is wrong"),
        ("sandbox", "docker", "`sandbox` is wrong: it should be 'auto', "),
        ("checks", 5, "`checks` is wrong: it should be a valid tuple"),
        ("model", "", "`model` is wrong"),
        ("key_variable", "MY KEY", "`key-variable` is wrong"),
    ],
)
def test_wrong_values(name: str, value: object, words: str) -> None:
    with pytest.raises(UserError) as raised:
        resolve([Source("the test", {name: value})])
    assert words in raised.value.message
    assert "\n" not in raised.value.message


@pytest.mark.parametrize(("name", "shown"), [("max_tokens", "--max-tokens"), ("checks", "--check")])
def test_an_option_is_named_as_it_is_typed(name: str, shown: str) -> None:
    with pytest.raises(UserError, match=f"`{shown}` is wrong"):
        resolve([Source(OPTION, {name: 5.5})])


@pytest.mark.parametrize(
    ("name", "hint"), [("max_token", "did you mean `max_tokens`?"), ("maxTokens", "did you mean `max_tokens`?"),
                       ("zzz", "known are: model, provider,")]
)  # fmt: skip
def test_an_option_that_is_unknown(name: str, hint: str) -> None:
    with pytest.raises(UserError, match=f"`{name}` is no setting") as raised:
        resolve([Source(OPTION, {name: "x"})])
    assert hint in raised.value.hint


def test_a_wrong_policy_is_said() -> None:
    with pytest.raises(UserError, match="from git's configuration"):
        resolve([], policy=policy_from_git([ConfigEntry("global", "orefactor.policy.maxtokens", "lots")]))
