"""Who does the docstring task: we, and each peer as its own documentation says that it is run without a person.

Each is told all that spares it work: no update check, no analytics, no questions, no repository map of one file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from chat_server import Json, tool_call
from docstring_task import FILE, MODEL, NEW, OLD, TASK, Contestant
from peers import Peer

LAST = json.dumps({"title": "Document area", "summary": "Says what it gives.", "follow_ups": []})
OURS: tuple[Json, ...] = (
    {"content": None, "tool_calls": [tool_call("c1", "read_file", path=FILE)]},
    {"content": None, "tool_calls": [tool_call("c2", "edit_file", path=FILE, old_string=OLD, new_string=NEW)]},
    {"content": LAST},
)
_SERVED = ("--provider", "openai-compatible", "--model", MODEL, "--base-url", "URL", "--fresh", "--quiet")
_EDIT = f"<<<<<<< SEARCH\n{OLD}=======\n{NEW}>>>>>>> REPLACE\n"
_AIDER_OFF = (
    "--no-check-update",
    "--analytics-disable",
    "--no-show-model-warnings",
    "--no-show-release-notes",
    "--no-gitignore",
    "--no-pretty",
    "--yes-always",
)
_SED = r"""sed -i 's/^def area(a, b):$/&\n    \"\"\"Multiply two lengths.\"\"\"/' shapes.py""".replace('\\"', '"')


def ours(*more: str) -> Contestant:
    """The whole command: isolation, checks, proof and record included.

    Args:
        more: further options.
    """
    command = (sys.executable, "-m", "orefactor", TASK, FILE, *_SERVED, *more)
    return Contestant("ours", command, OURS, {"XDG_CACHE_HOME": "HOME/cache"})


def contestants(peers: Mapping[str, Peer]) -> dict[str, Contestant]:
    """The peers that do the task, by name; `llm` only asks, as it edits nothing."""
    made = {"aider": _aider, "mini": _mini, "llm": _llm}
    return {name: make(peers[name]) for name, make in made.items() if name in peers}


def _aider(peer: Peer) -> Contestant:
    words = ("--model", f"openai/{MODEL}", "--edit-format", "diff", "--map-tokens", "0", *_AIDER_OFF)
    replies: tuple[Json, ...] = (
        {"content": f"{FILE}\n```python\n{_EDIT}```\n"},
        {"content": "docs: describe area"},
    )
    return Contestant("aider", (peer.program, *words, "--message", TASK, FILE), replies, {"OPENAI_API_BASE": "URL"})


def _mini(peer: Peer) -> Contestant:
    commands = (f"cat {FILE}", _SED, "git diff", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
    replies: tuple[Json, ...] = tuple(
        {"content": "Next.", "tool_calls": [tool_call(f"c{number}", "bash", command=command)]}
        for number, command in enumerate(commands)
    )
    words = ("-m", f"openai/{MODEL}", "-t", f"{TASK} to {FILE}", "-y", "--exit-immediately", "-o", "HOME/mini.json")
    known = {"MSWEA_CONFIGURED": "true", "MSWEA_COST_TRACKING": "ignore_errors", "OPENAI_API_BASE": "URL"}
    return Contestant("mini", (peer.program, *words), replies, {**known, "OPENAI_BASE_URL": "URL"})


def _llm(peer: Peer) -> Contestant:
    models = f"- model_id: {MODEL}\n  model_name: {MODEL}\n  api_base: URL\n"
    words = (peer.program, "prompt", "-m", MODEL, "--no-log", TASK)
    return Contestant(
        "llm", words, ({"content": "Done."},), {"LLM_USER_PATH": "HOME"}, {"extra-openai-models.yaml": models}
    )
