"""Which changes of settings weaken tests or checks: a table of keys, and what may not happen to each.

    gains      nothing may be added, as to `omit`
    loses      nothing may be taken away, as from `select`
    narrows    as `loses`, and nothing may be set where everything counted, as `testpaths`
    lowers     the number may not fall
    level      it may not fall in a line of words
    off        it may not be switched off
    on         it may not be switched on

`addopts` is judged by its options: only those that change how results are shown may come and go.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from .settings_files import Setting

_Rule = Literal["gains", "loses", "narrows", "lowers", "off", "on", "options", "level"]

_GAINS = {
    "pytest": "norecursedirs filterwarnings",
    "coverage": "omit exclude_lines exclude_also partial_branches partial_also disable_warnings",
    "mypy": "disable_error_code exclude",
    "ruff": "ignore extend_ignore per_file_ignores extend_per_file_ignores exclude extend_exclude",
    "flake8": "ignore extend_ignore per_file_ignores exclude extend_exclude",
    "pylint": "disable ignore ignore_paths ignore_patterns ignored_modules ignored_classes",
    "pyright": "exclude ignore",
    "bandit": "skips exclude exclude_dirs",
}
_LOSES = {
    "pytest": "python_files python_classes python_functions",
    "coverage": "source source_pkgs",
    "mypy": "enable_error_code packages modules plugins",
    "ruff": "select extend_select",
    "flake8": "select extend_select enable_extensions",
    "pylint": "enable load_plugins",
    "pyright": "strict",
}
_NARROWS = {"pytest": "testpaths", "coverage": "include", "mypy": "files", "pyright": "include"}
_LOWERS = {"coverage": "fail_under", "pylint": "fail_under"}
_OFF = {
    "pytest": "xfail_strict strict strict_config strict_markers strict_xfail strict_parametrization_ids",
    "coverage": "branch",
    "mypy": "check_untyped_defs extra_checks no_implicit_optional no_implicit_reexport",
}
_ON = {
    "mypy": "ignore_errors ignore_missing_imports implicit_optional implicit_reexport",
    "flake8": "exit_zero",
}
_LEVELS = ("off", "none", "false", "information", "basic", "warning", "standard", "error", "true", "strict")
"""Pyright's words, from the weakest on."""
_FOLLOWING = ("skip", "silent", "normal", "error")
"""The same for mypy's `follow_imports`."""
_DEFAULTS = {
    "python_files": ("test_*.py", "*_test.py"),
    "python_classes": ("Test",),
    "python_functions": ("test",),
}
_SHOWN_ONLY = re.compile(
    r"-[qvsl]+|-r\w+|--(?:verbose|quiet|showlocals|strict-markers|strict-config|strict|doctest-modules)"
    r"|--(?:tb|color|durations|durations-min|import-mode|cov|cov-report|junit-?xml)(?:=.*)?|--cov-branch"
)
_HARMLESS_LOST = re.compile(r"-[qvslx]+|-r\w+|--(?:verbose|quiet|showlocals|lf|ff)|--(?:tb|color|durations|maxfail)=.*")


@dataclass(frozen=True, slots=True)
class Weakening:
    """One setting that asks less of tests or checks than before; `line` is 0 where the setting is gone."""

    path: str
    line: int
    what: str


def weakenings(before: Sequence[Setting], after: Sequence[Setting]) -> list[Weakening]:
    """The settings that were weakened, all files of the change taken together."""
    old, new = _by_name(before), _by_name(after)
    strict = {group for (tool, group, key), found in new.items() if (tool, key) == ("mypy", "strict") and _is_on(found)}
    found: list[Weakening] = []
    for name in [*new, *(name for name in old if name not in new)]:
        tool, group, key = name
        rule = _rule(tool, key)
        # `strict` says the same for all that are left out.
        if rule is None or (rule == "off" and name not in new and tool == "mypy" and {group, ""} & strict):
            continue
        if what := _judged(rule, key, old.get(name, []), new.get(name, [])):
            place = (new.get(name) or old[name])[0]
            found.append(Weakening(place.path, place.line if name in new else 0, f"[{tool}] {key}: {what}"))
    return sorted(found, key=lambda weakening: weakening.line)


def _by_name(settings: Iterable[Setting]) -> Mapping[tuple[str, str, str], list[Setting]]:
    found: defaultdict[tuple[str, str, str], list[Setting]] = defaultdict(list)
    for setting in settings:
        found[setting.tool, setting.group, setting.key].append(setting)
    return dict(found)


def _rule(tool: str, key: str) -> _Rule | None:
    if (tool, key) == ("pytest", "addopts"):
        return "options"
    if (tool == "pyright" and key.startswith(("report", "typecheckingmode"))) or key == "follow_imports":
        return "level"
    tables: tuple[tuple[_Rule, Mapping[str, str]], ...] = (
        ("gains", _GAINS), ("loses", _LOSES), ("narrows", _NARROWS), ("lowers", _LOWERS), ("off", _OFF), ("on", _ON),
    )  # fmt: skip
    for rule, table in tables:
        if key in table.get(tool, "").split():
            return rule
    if tool == "mypy" and key.startswith(("strict", "disallow_", "warn_")):
        return "off"
    return "on" if tool == "mypy" and key.startswith("allow_") else None


def _judged(rule: _Rule, key: str, old: Sequence[Setting], new: Sequence[Setting]) -> str | None:
    match rule:
        case "off" | "on":
            wanted = rule == "on"
            return f"switched {rule}" if _is_on(new) is wanted and _is_on(old) is not wanted else None
        case "lowers":
            was, now = _number(old), _number(new)
            return f"lowered from {was:g} to {now:g}" if now < was else None
        case "level":
            return _lowered(old, new, *((_FOLLOWING, "normal") if key == "follow_imports" else (_LEVELS, "basic")))
        case _:
            return _list_judged(rule, key, _items(key, old), _items(key, new))


def _list_judged(rule: _Rule, key: str, old: Sequence[str], new: Sequence[str]) -> str | None:
    gained, lost = [*(Counter(new) - Counter(old))], [*(Counter(old) - Counter(new))]
    if key == "filterwarnings":
        gained = [item for item in gained if not item.startswith("error")]
        lost = [item for item in lost if item.startswith("error")]
        return _named("gains", gained) or _named("loses", lost)
    match rule:
        case "gains":
            return _named("gains", gained)
        case "options":
            hiding = [option for option in gained if not _SHOWN_ONLY.fullmatch(option)]
            return _named("gains", hiding) or _named(
                "loses", [option for option in lost if not _HARMLESS_LOST.fullmatch(option)]
            )
        case "narrows":
            if not new or (not old and "." in new):
                return None
            return _named("loses", [item for item in lost if not _covered(item, new)]) if old else "set, so less counts"
        case _:
            default = _DEFAULTS.get(key, ())
            kept = new or default
            return _named("loses", [item for item in old or default if item not in kept and "ALL" not in kept])


def _named(verb: str, items: Sequence[str]) -> str | None:
    return f"{verb} {', '.join(items[:3])}" if items else None


def _covered(path: str, by: Iterable[str]) -> bool:
    return any(path == other or path.startswith(f"{other.rstrip('/')}/") or other == "." for other in by)


def _items(key: str, settings: Sequence[Setting]) -> list[str]:
    return [item for setting in settings for item in _split(key, setting.value)]


def _split(key: str, value: Any) -> list[str]:  # noqa: ANN401 - a TOML or JSON value
    if isinstance(value, list):
        return [str(item).strip() for item in cast("Sequence[Any]", value)]
    text = str(value)
    if key in ("filterwarnings", "exclude_lines", "exclude_also", "partial_branches", "partial_also"):
        return [line.strip() for line in text.split("\n") if line.strip()]
    if key == "addopts":
        try:
            return shlex.split(text)
        except ValueError:
            return text.split()
    return [item for item in re.split(r"[\s,]+", text) if item]


def _is_on(settings: Sequence[Setting]) -> bool:
    return bool(settings) and str(settings[-1].value).strip().lower() in ("true", "1", "yes", "on")


def _number(settings: Sequence[Setting]) -> float:
    try:
        return float(str(settings[-1].value)) if settings else 0.0
    except ValueError:
        return 0.0


def _lowered(old: Sequence[Setting], new: Sequence[Setting], levels: Sequence[str], default: str) -> str | None:
    """The word in a line of levels that one setting fell to; nothing is known where it isn't set any more."""
    was, now = (str(settings[-1].value).strip().lower() if settings else "" for settings in (old, new))
    if now not in levels:
        return None
    is_lower = levels.index(now) < levels.index(was if was in levels else default)
    return f"lowered to {now}" if is_lower else None
