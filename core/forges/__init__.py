"""The servers that hold repositories and their requests: which one a remote is at, how to talk to it, what to ask.

A new forge is one file and one line here. `address` and `place` tell where a remote is, `login` who we are there,
`rest` and `program` carry a call; each forge's file spells the calls, `forge` says what they have in common, and
`commit_status` what is the same of statuses. `destination` puts the way there together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .forge import Forge
from .gitea import Gitea
from .github import GitHub
from .gitlab import GitLab
from .place import Kind, Place
from .reply import Api

FORGES: Mapping[Kind, Callable[[Place, Api], Forge]] = {"github": GitHub, "gitlab": GitLab, "gitea": Gitea}
