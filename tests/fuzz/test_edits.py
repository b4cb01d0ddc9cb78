"""Sequences of changes by tools against a simple model: a dictionary of lines, each with its own end.

The model knows nothing of encodings, syntax or hints. It says which edit must be taken, what the tree holds then, and
that a refused one leaves all as it was.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

from fuzz.mutations import is_unicode
from fuzz.profiles import fuzzed
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from orefactor.core.redact import Redactor
from orefactor.core.tools import TOOLS
from orefactor.core.tools.base import Scope, Workspace
from orefactor.core.tools.toolbox import Answer, Toolbox
from orefactor.sandbox.files import Root

STEPS = 12
PATHS = ("a.txt", "b.txt", "d/c.txt", "d/e/f.txt", "d")
START = {"a.txt": b"one\r\ntwo\nthree\rfour", "b.txt": b"\xef\xbb\xbfx\r\nx\r\ny\r\n"}
_NUMBERS = itertools.count()
_END = re.compile(r"\r\n|\r|\n")
words = st.text(st.sampled_from("abx \n\r\té\u2028"), max_size=8)
paths = st.sampled_from(PATHS)


def shown(data: bytes) -> str:
    return _END.sub("\n", data.decode("utf-8-sig"))


class Edits(RuleBasedStateMachine):
    """The tree in `self.place`, and what it must hold in `self.model`."""

    above: Path

    def __init__(self) -> None:
        super().__init__()
        self.place = self.above / str(next(_NUMBERS))
        self.place.mkdir()
        self.model: dict[str, bytes] = dict(START)
        self.seen: set[str] = set()
        for path, data in START.items():
            (self.place / path).write_bytes(data)
        self.toolbox = Toolbox(TOOLS, Workspace(Root(self.place), Scope()), Redactor({}))

    def call(self, name: str, **arguments: Any) -> Answer:
        answer = self.toolbox.call(name, arguments)
        assert answer.bug is None
        return answer

    def is_free(self, path: str) -> bool:
        """Whether a file could come into being there."""
        above = {path.rsplit("/", count)[0] for count in range(1, path.count("/") + 1)}
        return path not in self.model and not above & self.model.keys() and not self.is_folder(path)

    def is_folder(self, path: str) -> bool:
        return any(known.startswith(f"{path}/") for known in self.model)

    @rule(path=paths)
    def read(self, path: str) -> None:
        answer = self.call("read_file", path=path)
        assert (answer.status == "executed") == (path in self.model)
        if answer.status == "executed":
            self.seen.add(path)
            text = shown(self.model[path])
            assert answer.text == (text or "[orefactor: the file is empty]")

    @rule(path=paths, content=words)
    def write(self, path: str, content: str) -> None:
        answer = self.call("write_file", path=path, content=content)
        may = self.is_free(path) or (path in self.model and path in self.seen)
        assert (answer.status == "executed") == may, answer.text
        if may:
            wanted = _END.sub("\n", content)
            self.take(path, wanted)

    @precondition(lambda self: bool(self.model))
    @rule(data=st.data(), new=words)
    def edit(self, data: st.DataObject, new: str) -> None:
        path = data.draw(st.sampled_from(sorted(self.model)))
        text = shown(self.model[path])
        begin = data.draw(st.integers(0, len(text)))
        old = text[begin : begin + data.draw(st.integers(0, 12))] if data.draw(st.booleans()) else data.draw(words)
        answer = self.call("edit_file", path=path, old_string=old, new_string=new)
        old, new = _END.sub("\n", old), _END.sub("\n", new)
        count = sum(text.startswith(old, at) for at in range(len(text)))
        is_exact = bool(old) and old != new and count == 1
        # A new text that stands there already, the old one within it, is taken for a repetition.
        is_there = bool(new.strip()) and old in new and new in text
        if not is_exact or path not in self.seen:
            assert answer.status == "failed", answer.text
        elif not is_there:
            assert answer.status == "executed", answer.text
        if answer.status == "executed":
            self.require_kept_ends(path, text, old, new)
            self.take(path, text.replace(old, new, 1))

    def require_kept_ends(self, path: str, text: str, old: str, new: str) -> None:
        """Fail where a line that the edit doesn't touch changed as much as its end."""
        before, after = self.model[path].decode("utf-8-sig"), (self.place / path).read_bytes().decode("utf-8-sig")
        start = text.index(old)
        first = text.count("\n", 0, start)
        rest = text.count("\n") - text.count("\n", 0, start + len(old))
        was, now = _lines(before), _lines(after)
        assert was[:first] == now[:first] or "\r" in before
        assert was[len(was) - rest :] == now[len(now) - rest :] or "\r" in before

    def take(self, path: str, wanted: str) -> None:
        """Believe the ends of a file that was changed as it should be."""
        held = (self.place / path).read_bytes()
        assert shown(held) == wanted.removeprefix("\ufeff")
        self.model[path] = held
        self.seen.add(path)

    @rule(path=paths)
    def delete(self, path: str) -> None:
        answer = self.call("delete_file", path=path)
        assert (answer.status == "executed") == (path in self.model and path in self.seen), answer.text
        if answer.status == "executed":
            del self.model[path]

    @rule(path=paths, new_path=paths)
    def move(self, path: str, new_path: str) -> None:
        # A folder that goes with its last file may be asked for as the file's new place.
        assume(not path.startswith(f"{new_path}/"))
        answer = self.call("move_file", path=path, new_path=new_path)
        may = path in self.model and path in self.seen and self.is_free(new_path)
        assert (answer.status == "executed") == may, answer.text
        if may:
            self.model[new_path] = self.model.pop(path)
            self.seen.add(new_path)

    @invariant()
    def is_as_the_model_says(self) -> None:
        found = {str(path.relative_to(self.place)): path for path in self.place.rglob("*") if path.is_file()}
        assert {name: path.read_bytes() for name, path in found.items()} == self.model
        folders = {str(path.relative_to(self.place)) for path in self.place.rglob("*") if path.is_dir()}
        assert all(self.is_folder(folder) for folder in folders)
        assert all(is_unicode(shown(data)) for data in self.model.values())


def _lines(text: str) -> list[str]:
    """The lines with their ends."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)


def test_changes_are_those_of_the_model(tmp_path: Path) -> None:
    class Here(Edits):
        above = tmp_path

    run_state_machine_as_test(Here, settings=settings(fuzzed(), stateful_step_count=STEPS))
