r"""Says whether lines kept their ends (`\n`, `\r\n` or `\r`), in a file that may mix them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..code.line_diff import Hunk, hunks
from ..code.text import line_ends, shown
from .faults import Fault

_NAMES = {"\n": "LF", "\r\n": "CRLF", "\r": "CR", "": "no line break"}

_Line = tuple[str, str]
"""Text and end."""


def end_faults(path: str, before: str, after: str, *, judge_last: bool) -> Iterator[Fault]:
    """The lines whose ends changed, or that were added with an end that fits nothing around them.

    Args:
        judge_last: whether the last line break must stay there or stay missing while the last line stays.
    """
    old, new = _lines(before), _lines(after)
    kinds = {end for _, end in old if end}
    if len(kinds) > 1:
        yield from _mixed(path, old, new)
    else:
        usual = next(iter(kinds), None)
        for number, (_, end) in enumerate(new, 1):
            usual = usual or end
            if end and end != usual:
                yield Fault(path, number, f"the line ends in {_NAMES[end]}, the file's lines in {_NAMES[usual]}")
    if judge_last:
        yield from _last(path, old, new)


def _lines(text: str) -> list[_Line]:
    return list(zip(shown(text).split("\n"), line_ends(text), strict=True))


def _last(path: str, old: Sequence[_Line], new: Sequence[_Line]) -> Iterator[Fault]:
    """An empty last line means that the one before it has a line break."""
    texts_old, texts_new = [text for text, _ in old], [text for text, _ in new]
    was, is_now = texts_old[-1] == "", texts_new[-1] == ""
    if was != is_now and _last_text(texts_old) == _last_text(texts_new):
        there = "is gone" if was else "is new"
        yield Fault(path, len(new) - is_now, f"the line break at the end of the file {there}")


def _last_text(texts: Sequence[str]) -> str:
    return texts[-2] if texts[-1] == "" and len(texts) > 1 else texts[-1]


def _mixed(path: str, old: Sequence[_Line], new: Sequence[_Line]) -> Iterator[Fault]:
    texts_old, texts_new = [text for text, _ in old], [text for text, _ in new]
    by_text, differences = hunks(texts_old, texts_new), hunks(old, new)
    # More lines differ by their bytes than by their texts: some differ by their ends only.
    if sum(hunk.size for hunk in differences) > sum(hunk.size for hunk in by_text):
        once = _single(texts_old) & _single(texts_new)
        for hunk in differences:
            yield from _changed_ends(path, old, new, hunk, once)
    allowed = _allowed(old, differences)
    for hunk in differences:
        for j in hunk.new:
            text, end = new[j]
            # An empty line's LF behind a CR would make one end of two, so a CR stands there.
            if end and end not in allowed and (text or end != "\r"):
                yield Fault(path, j + 1, f"the new line ends in {_NAMES[end]}, unlike the lines around it")


def _allowed(old: Sequence[_Line], differences: Sequence[Hunk]) -> set[str]:
    """The ends that new lines may have: where lines are only added at one place, its neighbours' or the usual one."""
    ends = [end for _, end in old if end]
    if len(differences) != 1 or differences[0].old:
        return set(ends)
    at = differences[0].old.start
    return {Counter(ends).most_common(1)[0][0], *(end for _, end in old[max(at - 1, 0) : at + 1])}


def _single(texts: Sequence[str]) -> set[str]:
    return {text for text, count in Counter(texts).items() if count == 1}


def _changed_ends(path: str, old: Sequence[_Line], new: Sequence[_Line], hunk: Hunk, once: set[str]) -> Iterator[Fault]:
    """Lines of one place whose ends changed; of lines that aren't told apart, only where no text changed there."""
    if len(hunk.old) != len(hunk.new):
        return  # some were added, removed or joined: nobody can say which of them stayed
    pairs = [(old[i], new[j], j + 1) for i, j in zip(hunk.old, hunk.new, strict=True)]
    is_ends_only = all(was[0] == now[0] for was, now, _ in pairs)
    for (text, was), (now, end), number in pairs:
        if text == now and was and end and was != end and (is_ends_only or text in once):
            yield Fault(path, number, f"the line's end {_NAMES[was]} became {_NAMES[end]}")
