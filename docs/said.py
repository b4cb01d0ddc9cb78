"""Lists for the documentation that are read from the program: its messages, its reasons, its providers.

So the pages name everything that there is, and a test can compare what people wrote about it. Messages are found in the
source, as most of them need a broken world to be heard.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from orefactor.cli.dispatch import make_application
from orefactor.core.checks.catalogue import CHECKS
from orefactor.core.errors import ExitCode
from orefactor.core.guards.table import GUARDS
from orefactor.core.providers.quirks import PROVIDERS
from orefactor.core.review.deliberation import LIMIT_NAMES

TOP = Path(__file__).parents[1]
_LIMIT, _PROVIDER, _STOPPED = "LimitReached", ("ProviderFailed", "_failed"), "_stopped"
_SPECIAL = re.compile(r"(?P<code>`[^`]*`)|[<*\[]")
_KIND = re.compile(r"[a-z]+(?:_[a-z]+)*")
_WITHOUT_A_RUN = (ExitCode.USAGE, ExitCode.PROVIDER, ExitCode.ENVIRONMENT, ExitCode.CONFLICT, ExitCode.BUG)
_CODES = {"LimitReached": ExitCode.LIMIT, "ProviderFailed": ExitCode.PROVIDER}


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """One message and its hint; what differs from case to case is an ellipsis."""

    exit_code: int
    text: str
    hint: str


def sources() -> Iterator[tuple[Path, ast.Module]]:
    """The program's files, as syntax trees."""
    for folder in ("cli", "core", "sandbox"):
        for path in sorted((TOP / folder).rglob("*.py")):
            yield path, ast.parse(path.read_bytes())


def calls(tree: ast.Module, *names: str) -> Iterator[ast.Call]:
    """The calls of functions or classes that have these names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node


def messages() -> list[Message]:
    """What is said as `error:`, where its words stand at the place where the error is made."""
    found: set[Message] = set()
    for _, tree in sources():
        for call in calls(tree, "UserError", *_CODES):
            place = 0 if _name(call) == "UserError" else 1
            text = _text(call.args[place]) if len(call.args) > place else ""
            keywords = {keyword.arg: keyword.value for keyword in call.keywords}
            hint = _text(keywords["hint"]) if "hint" in keywords else ""
            if text:
                found.add(Message(_exit_code(call, keywords.get("exit_code")), text, hint))
    return sorted(found)


def reasons() -> list[str]:
    """Every reason that a run can end with; such as `check:NAME` stands for those of one kind."""
    limits: set[str] = set()
    kinds: set[str] = set()
    for path, tree in sources():
        limits.update(f"limit:{kind}" for call in calls(tree, _LIMIT) for kind in _kinds(call.args[0]))
        kinds.update(
            f"provider:{kind}" for call in calls(tree, *_PROVIDER) if call.args for kind in _kinds(call.args[0])
        )
        kinds.update(kind for call in calls(tree, _STOPPED) for kind in _kinds(call.args[0], r"[a-z]+:[a-z_]+"))
        if path.name == "failures.py":
            rows = (node for node in ast.walk(tree) if isinstance(node, ast.Tuple) and len(node.elts) == 3)
            kinds.update(f"provider:{kind}" for row in rows for kind in _kinds(row.elts[0]))
        if path.name == "review_gate.py":
            kinds.update(_assigned_reasons(tree))
    # Only a deliberation ends so, and says it by the name that this limit has there.
    limits -= {"limit:tool_timeout"}
    limits.update(f"deliberation_limit:{name}" for name in LIMIT_NAMES.values())
    guards = [f"guard:{name}" for name in GUARDS]
    plain = ["delivered", "no_change_needed", "interrupted", "terminated", "proof"]
    # Where no run began, the reason is the word for the exit code.
    plain += [code.name.lower() for code in ExitCode if code in _WITHOUT_A_RUN]
    return [*plain, "check:NAME", "contract:LIST", "review:REASON", *guards, *sorted(limits), *sorted(kinds)]


def write_lists(folder: Path) -> None:
    """Write the lists as Markdown for the pages to take in, where they differ from what is there."""
    folder.mkdir(exist_ok=True)
    lists = {
        "messages": _message_table(),
        "providers": _provider_table(),
        "checks": _check_table(),
        "commands": _command_tables(),
    }
    for name, text in lists.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def _name(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Name)
    return call.func.id


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else "\u2026" for part in node.values)
    return ""


def _kinds(node: ast.expr, form: str = _KIND.pattern) -> Iterator[str]:
    """The words that an argument may be; another form than a word is no kind."""
    if isinstance(node, ast.IfExp):
        yield from _kinds(node.body, form)
        yield from _kinds(node.orelse, form)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(form, node.value):
        yield node.value


def _assigned_reasons(tree: ast.Module) -> Iterator[str]:
    """The words that stand in a `reason, message, … = …`; `blocking:ORIGIN` stands for those of one kind."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
            continue
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name) and target.elts[0].id == "reason":
            said = _text(node.value.elts[0])
            yield {"blocking:\u2026": "blocking:ORIGIN", "check:\u2026": "check:NAME"}.get(said, said)


def _exit_code(call: ast.Call, named: ast.expr | None) -> int:
    if isinstance(named, ast.Attribute) and named.attr in ExitCode.__members__:
        return int(ExitCode[named.attr])
    return int(_CODES.get(_name(call), ExitCode.USAGE))


def _cell(text: str) -> str:
    """A cell of a table; between backticks only its borders would be read as anything else."""
    escaped = _SPECIAL.sub(lambda found: found[0] if found["code"] else f"\\{found[0]}", text)
    return escaped.replace("|", "\\|")


def _table(head: str, rows: Iterator[str]) -> str:
    columns = head.count("|") - 1
    return "\n".join([head, "| " + " | ".join(["---"] * columns) + " |", *rows]) + "\n"


def _message_table() -> str:
    pieces: list[str] = []
    for code, said in groupby(messages(), lambda message: message.exit_code):
        rows = (f"| {_cell(message.text)} | {_cell(message.hint)} |" for message in said)
        pieces += [f"## Exit code {code}\n", _table("| error | hint |", rows)]
    return "\n".join(pieces)


def _command_tables() -> str:
    pieces: list[str] = []
    for name, command in make_application().commands.items():
        options: list[Any] = [one for one in command.params if one.param_type_name == "option"]
        rows = (
            f"| {', '.join(f'`{word}`' for word in option.opts)}{'' if option.is_flag else f' {option.metavar}'} "
            f"| {_cell(option.help)} |"
            for option in options
        )
        table = [_table("| option | meaning (default) |", rows)] if options else []
        pieces += [f"## {name}\n", f"{command.help}\n", *table]
    return "\n".join(pieces)


def _provider_table() -> str:
    rows = (
        f"| `{row.name}` | {f'`{row.default_model}`' if row.default_model else ''} "
        f"| {f'`{row.key_variable}`' if row.key_variable else ''} | {row.base_url or 'yours'} |"
        for row in PROVIDERS.values()
    )
    return _table("| name | its model where you name none | variable of the key | address |", rows)


def _check_table() -> str:
    rows = (
        f"| `{check.name}` | {check.cost} | {'yes, in isolation' if check.kind == 'executing' else 'no'} |"
        for check in CHECKS.values()
    )
    return _table("| check | usual cost | runs the project's code |", rows)
