"""The text of the hooks that `install-hook` writes, for people without the pre-commit tool.

A hook is a few lines of POSIX shell which say what to run, and nothing more: what is staged or pushed, and what is to
be done with it, is decided by `--staged` and `--since`. A hook that stood there before runs first.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Literal

HookName = Literal["pre-commit", "pre-push"]
MARK = b"# Made by `git orefactor install-hook`"
"""What tells our hooks from others; a line begins with it."""
BEFORE = ".before-orefactor"
"""The ending of the file that holds the hook which stood there before."""

# Without `-P`, a module of the repository could stand in the place of one of ours.
_HEAD = """\
#!/bin/sh
{mark}; `git orefactor install-hook --hook {hook} --uninstall` takes it away.
# `git {verb} --no-verify` goes without it for once.

orefactor() {{
    if [ -x {python} ]; then
        {python} -P -m orefactor "$@"
    elif command -v git-orefactor >/dev/null; then
        git-orefactor "$@"
    else
        echo 'error: git-orefactor is not installed any more' >&2
        echo 'hint: install it, remove this hook, or use `git {verb} --no-verify`' >&2
        return 6
    fi
}}

"""

_COMMIT = """\
# A hook that stood here before runs first.
if [ -x "$0{before}" ]; then
    "$0{before}" "$@" || exit
fi
# What changes is put on the working tree; the commit stops then, so that it can be looked at and staged.
orefactor run --staged --apply --exit-code {words} >/dev/null
"""

# `$1` is the remote's name; each line of the input is `LOCAL_REF LOCAL_ID REMOTE_REF REMOTE_ID`, zeros for none.
_PUSH = """\
pushed=$(cat)
# A hook that stood here before runs first.
if [ -x "$0{before}" ]; then
    printf '%s\\n' "$pushed" | "$0{before}" "$@" || exit
fi
status=0
while read -r _ local _ remote; do
    # Nothing is looked at where a branch is deleted.
    local=$(git rev-parse --quiet --verify "$local^{{commit}}") || continue
    if ! since=$(git rev-parse --quiet --verify "$remote^{{commit}}"); then
        first=$(git rev-list --topo-order --reverse "$local" --not --remotes="$1" | head -n 1)
        since=$(git rev-parse --quiet --verify "$first^") || continue
    fi
    # The working tree may be another one; the change is kept with the run.
    orefactor run --base "$local" --since "$since" --exit-code {words} </dev/null >/dev/null || status=$?
done <<PUSHED
$pushed
PUSHED
exit $status
"""

_SCRIPTS: Mapping[HookName, tuple[str, str]] = {"pre-commit": ("commit", _COMMIT), "pre-push": ("push", _PUSH)}


def hook_script(hook: HookName, python: str, task: str, options: Sequence[str] = ()) -> bytes:
    """The hook's text.

    Args:
        python: the interpreter that has this package; where it is gone, the command on PATH takes its place.
        task: what to do, in words.
        options: options of the main job.
    """
    verb, body = _SCRIPTS[hook]
    # The task comes last, behind a `--`, so that it can't be an option.
    words = shlex.join([*options, "--", task])
    mark = MARK.decode()
    text = _HEAD.format(mark=mark, hook=hook, verb=verb, python=shlex.quote(python))
    return (text + body.format(before=BEFORE, words=words)).encode("utf-8", "surrogateescape")


def is_ours(script: bytes) -> bool:
    """Whether a hook's text is one that this made."""
    return any(line.startswith(MARK) for line in script[:1000].splitlines())
