"""Words that a request says anyway, so what they happen to name (`add`, `in`, `test`) is hardly what it is about."""

from __future__ import annotations

from ..code.words import fold
from .task_types import SUBJECTS

_VERBS = """
add allow apply avoid become break bring build call change check combine create cut delete do drop enable ensure
exclude expose find get give handle have help implement improve include insert introduce keep let load look make merge
modify need note order pass please prefer prevent print provide put raise read rebuild reduce remove reorder replace
return reuse rewrite run save see set should show start stop support swap switch take tell try turn unify update use
using want work wrap write
"""
_NOUNS = """
api argument arguments attribute attributes behavior behaviour body case change changes class classes code config
constant constants default description error errors example exception exceptions feature field fields file files
folder function functions helper helpers import imports input issue key keys line lines list logic main method methods
module modules name names new number object old option options order output package parameter parameters part parts
path place project request result results root section settings something string strings task text thing things type
types usage value values variable variables version way word words
"""
_OTHERS = """
a about above after all also an and any are as at available back be because been before being below better between both
but by can could current different does down during each either else empty every everything existing explicit false
fast faster few first for from full good has here how i if in instead into is it its itself just last less like many
may me missing more most much must my neither next no none nor not now of off on once one only or other our out over
own private public same shared short similar simple single slow so some still such than that the their them then there
these they this those three to together too true twice two under unless until up us very via was we well were what when
where whether which while who whole whose why will with within without would yes yet you your
"""
PLAIN_WORDS: frozenset[str] = frozenset(
    fold(word) for words in (_VERBS, _NOUNS, _OTHERS, *SUBJECTS) for word in words.split()
)
"""Folded."""


def is_plain_word(token: str) -> bool:
    """Whether a word is written as any other of a sentence, and is one of those that a request says anyway."""
    return token.isalpha() and (token.islower() or token.istitle()) and fold(token) in PLAIN_WORDS
