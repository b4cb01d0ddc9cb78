"""Mistakes in a call's form or aim: wrong names, wrong types, unreadable JSON, paths that may not change."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..messages import ProviderResponse
from .fault_moment import Moment, PlannedEdit

Arguments = Mapping[str, Any]


def scope(moment: Moment) -> ProviderResponse | None:
    """A change of something else than the task's file."""
    edit = next(moment.edits(), None)
    return moment.with_call(edit.place, *moment.pick(_AIMS)(edit)) if edit else None


def _edit(path: str, edit: PlannedEdit) -> tuple[str, Arguments]:
    return "edit_file", {"path": path, "old_string": edit.old, "new_string": edit.new}


_AIMS: Sequence[Callable[[PlannedEdit], tuple[str, Arguments]]] = (
    lambda edit: _edit("README.md", edit),
    lambda edit: _edit(f"../{edit.path}", edit),
    lambda edit: _edit(f"/{edit.path}", edit),
    lambda edit: _edit(f"{edit.path}/../other.py", edit),
    lambda _: ("write_file", {"path": "other.py", "content": "x = 1\n"}),
    lambda _: ("write_file", {"path": "README.md", "content": "mine\n"}),
    lambda _: ("write_file", {"path": "../outside.py", "content": "x = 1\n"}),
    lambda _: ("write_file", {"path": "/tmp/outside.py", "content": "x = 1\n"}),  # noqa: S108 - refused, never made
    lambda _: ("write_file", {"path": ".git/hooks/pre-commit", "content": "#!/bin/sh\n"}),
    lambda _: ("delete_file", {"path": "README.md"}),
    lambda edit: ("move_file", {"path": edit.path, "new_path": "moved.py"}),
)


def unreadable(moment: Moment) -> ProviderResponse | None:
    """Arguments that are no JSON."""
    call = next(iter(moment.reply.tool_calls), None)
    return moment.with_call(0, call.name, moment.pick(_JSONS)(call.arguments)) if call else None


_JSONS: Sequence[Callable[[str], str]] = (
    lambda text: text[:-1],
    lambda text: text[: len(text) // 2],
    lambda text: f"{text[:-1]},}}",
    lambda text: str(json.loads(text)),
    lambda text: text.replace("\\n", "\n").replace(" ", "\n", 1) + "\n]",
    lambda text: f"```json\n{text}\n```",
    lambda text: text + text,
)


def arguments(moment: Moment) -> ProviderResponse | None:
    """A call with other names or types than the tool has."""
    edit = next(moment.edits(), None)
    if edit is None:
        return None
    right = {"path": edit.path, "old_string": edit.old, "new_string": edit.new}
    return moment.with_call(edit.place, *moment.pick(_FORMS)(right))


def _renamed(right: Arguments, **names: str) -> Arguments:
    return {names.get(name, name): value for name, value in right.items()}


_FORMS: Sequence[Callable[[Arguments], tuple[str, Arguments]]] = (
    lambda right: ("edit_file", _renamed(right, path="file_path")),
    lambda right: ("edit_file", _renamed(right, old_string="old_str", new_string="new_str")),
    lambda right: ("edit_file", _renamed(right, old_string="search", new_string="replace")),
    lambda right: ("edit_file", {name: value for name, value in right.items() if name != "new_string"}),
    lambda right: ("edit_file", {**right, "replace_all": True}),
    lambda right: ("edit_file", {**right, "new_string": str(right["new_string"]).split("\n")}),
    lambda right: ("edit_file", {**right, "new_string": None}),
    lambda right: ("edit_file", {"edits": [right]}),
    lambda right: ("str_replace_editor", {"command": "str_replace", **right}),
    lambda right: ("apply_patch", {"patch": right["new_string"]}),
    lambda right: ("Edit_File", right),
)
