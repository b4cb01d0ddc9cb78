"""`eval`: runs a suite of tasks over several settings, compares what came of it, shows what was kept."""

from __future__ import annotations

import fnmatch
import sys
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from orefactor.core.errors import UserError
from orefactor.core.json_text import json_text

from .. import options as o
from ..errors import say
from ..pages import page_width
from ..terminal import write_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orefactor.core.evaluation.summary import Difference
    from orefactor.core.evaluation.task import Arm, Attempt, Suite

Words = Annotated[
    list[str] | None,
    Argument(
        metavar="SUITE",
        help="A folder of tasks or LOADER:PATH; or `compare A B`, or `show DIR`.",
        show_default=False,
    ),
]
Arms = Annotated[Path | None, Option("--arms", metavar="FILE", help="The arms, as [[arm]] tables of settings (TOML).")]
Vary = Annotated[
    list[str] | None,
    Option("--vary", metavar="NAME=V,V", help="A setting with its values, repeatable: all combinations are arms."),
]
Only = Annotated[list[str] | None, Option("--task", metavar="GLOB", help="Only tasks of such names, repeatable.")]
Repeats = Annotated[int, Option("--repeats", metavar="N", help="Of each task in each arm (1).", min=1)]
Jobs = Annotated[int, Option("--jobs", metavar="N", help="Attempts at once (1).", min=1)]
MaxCost = Annotated[float | None, Option("--max-cost", metavar="USD", help="Ceiling of the cost of all attempts.")]
Out = Annotated[
    Path | None, Option("--out", metavar="DIR", help="Where results are kept, and gone on with (./eval-SUITE).")
]
Html = Annotated[Path | None, Option("--html", metavar="FILE", help="Also write the page with charts and the matrix.")]
Json = Annotated[bool, Option("--json", help="Print everything as JSON.")]


def eval_command(
    words: Words = None,
    arms: Arms = None,
    vary: Vary = None,
    task: Only = None,
    repeats: Repeats = 1,
    jobs: Jobs = 1,
    model: o.Model = None,
    provider: o.ProviderName = None,
    base_url: o.BaseUrl = None,
    fixture: o.Fixture = None,
    max_cost: MaxCost = None,
    out: Out = None,
    html: Html = None,
    as_json: Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Run a suite of tasks with several settings, and compare what came of it."""
    given = list(words or ())
    if given[:1] == ["compare"]:
        _compare(given[1:], as_json=as_json)
        return
    if given[:1] == ["show"]:
        _show(_one(given[1:], "`show` needs the folder of an evaluation"), html, as_json=as_json)
        return
    named = _one(given, "there is no suite")
    folder = out or Path(f"eval-{_plain(named)}")
    suite = _suite(named, task or ())
    given_options = {"model": model, "provider": provider, "base_url": base_url, "fixture": fixture and str(fixture)}
    options: dict[str, Any] = {name: value for name, value in given_options.items() if value is not None}
    chosen = _arms(arms, vary or (), options)
    found = _run(suite, chosen, folder, repeats=repeats, jobs=jobs, max_cost=max_cost, quiet=quiet)
    _print(found, folder, html, as_json=as_json)


def _one(words: Sequence[str], wrong: str) -> str:
    if len(words) != 1:
        raise UserError(wrong if not words else "too many words", hint="see `git orefactor eval -h`")
    return words[0]


def _plain(named: str) -> str:
    """A suite's name as part of a folder's."""
    kind, mark, rest = named.partition(":")
    last = Path(rest if mark else named).resolve().name
    return "-".join(filter(None, [kind if mark else "", last.removesuffix(".tar.gz")]))


def _suite(named: str, globs: Sequence[str]) -> Suite:
    from orefactor.core.evaluation.loaders import load

    suite = load(named)
    if not globs:
        return suite
    tasks = tuple(task for task in suite.tasks if any(fnmatch.fnmatchcase(task.name, glob) for glob in globs))
    if not tasks:
        raise UserError("no task has such a name", hint=f"the first of {len(suite.tasks)} is `{suite.tasks[0].name}`")
    return replace(suite, tasks=tasks)


def _arms(file: Path | None, axes: Sequence[str], options: dict[str, Any]) -> tuple[Arm, ...]:
    from orefactor.core.evaluation.arms import read_arms, varied

    if file is None:
        return varied(options, axes)
    if axes:
        raise UserError("`--arms` and `--vary` exclude each other", hint="leave one of them out")
    return tuple(replace(arm, options={**options, **arm.options}) for arm in read_arms(file))


def _run(
    suite: Suite,
    arms: Sequence[Arm],
    folder: Path,
    *,
    repeats: int,
    jobs: int,
    max_cost: float | None,
    quiet: bool,
) -> tuple[Attempt, ...]:
    from orefactor.core.evaluation.results import Results
    from orefactor.core.evaluation.running import Wanted, evaluate

    from ..evaluation_words import attempt_line

    def tell(attempt: Attempt, number: int, total: int) -> None:
        if not quiet:
            print(attempt_line(attempt, number, total), file=sys.stderr, flush=True)

    wanted = Wanted(suite, arms, repeats, jobs, max_cost)
    return evaluate(wanted, Results(folder), tell)


def _show(named: str, html: Path | None, *, as_json: bool) -> None:
    folder = Path(named)
    _print(_read(folder), folder, html, as_json=as_json)


def _read(folder: Path) -> tuple[Attempt, ...]:
    from orefactor.core.evaluation.results import Results

    results = Results(folder)
    if results.head() is None:
        raise UserError(f"`{folder}` holds no evaluation", hint="name the folder that `eval --out` has written")
    return results.read()


def _print(found: Sequence[Attempt], folder: Path, html: Path | None, *, as_json: bool) -> None:
    from orefactor.core.evaluation.summary import summarize
    from orefactor.core.outputs.evaluation_text import summary_lines

    if html is not None:
        from orefactor.core.outputs.evaluation_page import write_evaluation_page

        write_evaluation_page(html, folder, found)
    if as_json:
        told = {"attempts": [asdict(each) for each in found], "arms": [asdict(each) for each in summarize(found)]}
        write_bytes(json_text(told).encode() + b"\n")
        return
    if not found:
        say("note", "nothing has been tried yet")
        return
    with suppress(BrokenPipeError):
        print("\n".join(summary_lines(summarize(found), page_width())))


def _compare(words: Sequence[str], *, as_json: bool) -> None:
    from orefactor.core.evaluation.summary import compare
    from orefactor.core.outputs.evaluation_text import difference_lines

    if len(words) != 2:
        raise UserError("`compare` needs two arms", hint="name them: `eval compare DIR:ARM DIR:ARM`")
    (first, one), (second, other) = (_arm(word) for word in words)
    told: tuple[Difference, ...] = compare(one, other)
    if as_json:
        shown = [{**asdict(each), "more_than_noise": each.is_more_than_noise} for each in told]
        write_bytes(json_text({"first": first, "second": second, "differences": shown}).encode() + b"\n")
        return
    print("\n".join(difference_lines(first, second, told)))


def _arm(word: str) -> tuple[str, list[Attempt]]:
    """The attempts of an arm: of a folder with one arm, or of `DIR:ARM`."""
    folder, _, name = (word, "", "") if Path(word).is_dir() else word.partition(":")
    found = _read(Path(folder))
    arms = list(dict.fromkeys(each.arm for each in found))
    if not name and len(arms) == 1:
        name = arms[0]
    if name not in arms:
        said = f"`{name}` is no arm of `{folder}`" if name else f"`{folder}` has {len(arms)} arms"
        raise UserError(said, hint=f"name one: `{folder}:ARM`, of {', '.join(arms[:8]) or 'none'}")
    return (name if len(arms) > 1 else f"{folder}:{name}"), [each for each in found if each.arm == name]
