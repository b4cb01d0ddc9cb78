"""Settings from every source: any text gives settings that keep to whose word counts, or a message for the person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fuzz.mutations import mutated_bytes, odd_text, repeated_bytes
from fuzz.profiles import fuzzed, in_time
from hypothesis import example, given
from hypothesis import strategies as st

from orefactor.core.errors import UserError
from orefactor.core.setting_names import git_name
from orefactor.core.setting_sources import from_environment, from_git, from_pyproject, policy_from_git
from orefactor.core.settings import LIMITS, NAMED, Settings, Source, resolve_with_sources
from orefactor.sandbox.repository import ConfigEntry, Scope

USER_ONLY = ("provider", "base_url", "key_variable", "sandbox", "python", "fixture", "fallback", "allow", "model")
TOML = b"""[tool.other]
x = 1
[tool.orefactor]
checks = ["ruff", "tests"]
contract = "docstrings,imports"
max-iterations = 7
max_tokens = 7_000
max-cost = 0.5
maxSeconds = 7.5
[tool.orefactor.commands]
tests = "python -m pytest -q"
[tool.orefactor.review]
enabled = true
failOn = "warning"
checks = ["ruff"]
[tool.orefactor.review.deliberation]
maxRounds = 3
perToolTimeoutSeconds = 1e3
"""
TOKENS = [
    *(
        b"provider = 'openai'\n",
        b"base-url = 'http://x'\n",
        b"a.b.c = 1\n",
        b"[[tool]]\n",
        b'"""',
        b"'''",
        b"inf",
        b"0x9",
    ),
    *(b"1e400", b"true", b"-1", b"1979-05-27", b"[tool.orefactor.policy]\n", b"allow = ['tests']\n", b"x." * 60),
]
values = odd_text | st.sampled_from(
    ["1", "-1", "0", "1e9", "nan", "inf", "true", "off", "ruff,mypy", "http://x/v1", "http://u:secret@x", "openai",
     "none", "docstrings", "warning", "9" * 5000, "tests", "deepseek:m, groq", "a b"]
)  # fmt: skip
names = st.sampled_from(NAMED) | odd_text
variables = st.dictionaries(
    st.builds("OREFACTOR_{}".format, names.map(str.upper))
    | st.sampled_from(["OREFACTOR_API_KEY", "PATH", "orefactor_x"]),
    values,
    max_size=3,
)
scopes: st.SearchStrategy[Scope] = st.sampled_from(["system", "global", "local", "worktree", "command"])
MIDDLES = ["policy.", "prices.", "servers.x.", "check.a.", "forge.x.", "review.", "review.deliberation.", "m.", "m:x."]
lasts = names.map(lambda name: git_name(name) if name in NAMED else name) | st.sampled_from(
    ["price", "provider", "command", "trusted", "forge", "maxRounds", "failOn", "cachedTokens", "concurrency"]
)
keys = st.builds("orefactor.{}{}".format, st.sampled_from(["", *MIDDLES]), lasts.map(str.lower)) | odd_text
configs = st.lists(st.builds(ConfigEntry, scopes, keys, values), max_size=4)
tables = mutated_bytes([TOML], TOKENS)


def only_told(read: Callable[[], Any]) -> Any:
    """What it gives; None where it says to a person what is wrong."""
    try:
        return read()
    except UserError as error:
        # Control characters are spelled out where it is printed; see `say`.
        assert len(error.message) < 2000 and len(error.hint) < 4000
        return None


@fuzzed()
@given(variables)
def test_any_environment(environment: dict[str, str]) -> None:
    only_told(lambda: resolve_with_sources(from_environment(environment)))


@fuzzed()
@example([ConfigEntry("local", f"orefactor.{'a key as long as its author likes ' * 99}.price", "")])
@example([ConfigEntry("global", f"orefactor.x.{'a key as long as its author likes ' * 99}", "")])
@given(configs)
def test_any_configuration_of_git(config: list[ConfigEntry]) -> None:
    sources = only_told(lambda: from_git(config))
    policy = only_told(lambda: policy_from_git(config))
    resolved = only_told(lambda: resolve_with_sources(sources or [], policy=policy))
    users = {entry.value for entry in config if entry.scope in ("system", "global", "command")}
    if sources is not None and resolved is not None:
        for name in (*USER_ONLY[:2], "key_variable", "sandbox", "python"):
            value = getattr(resolved.settings, name)
            assert value == Settings.model_fields[name].default or str(value) in users


@fuzzed()
@given(tables, configs)
def test_a_repository_only_tightens(text: bytes, config: list[ConfigEntry]) -> None:
    told = only_told(lambda: from_pyproject(text))
    users: list[Source] = only_told(lambda: from_git([e for e in config if e.scope == "global"])) or []
    alone = only_told(lambda: resolve_with_sources(users))
    resolved = only_told(lambda: resolve_with_sources(users, repository=told))
    if told is None or alone is None or resolved is None:
        return
    for name in USER_ONLY:
        assert getattr(resolved.settings, name) == getattr(alone.settings, name)
    for name in LIMITS:
        most, limit = getattr(alone.settings, name), getattr(resolved.settings, name)
        assert most is None or limit <= most


@pytest.mark.untraced
@fuzzed(cost=4)
@given(repeated_bytes([TOML]))
def test_long_files_take_linear_time(text: bytes) -> None:
    with in_time(len(text)):
        only_told(lambda: from_pyproject(text))
