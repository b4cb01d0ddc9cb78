"""What is chosen for a task, in which order and with which reasons."""

from __future__ import annotations

import pytest
from shapes_project import FILES, index

from orefactor.core.context.frame import LinkedEntity, RequestFrame, TaskName, analyze_request
from orefactor.core.context.seeds import most_referred, target_files
from orefactor.core.context.select import select
from orefactor.core.context.selection import Item, Selection
from orefactor.core.index.symbol_index import MemoryIndex

SHAPES = "src/geo/shapes.py"
AREA = f"{SHAPES}::area"


def _select(text: str, *targets: str, files: MemoryIndex | None = None) -> Selection:
    known = files or index()
    return select(analyze_request(text, repo=known, budget=6000, requester="agent"), targets, known)


def _by_id(selection: Selection) -> dict[str, Item]:
    return {item.node_id: item for item in selection.items}


WHY = [
    pytest.param("src/app.py::show", "calls `area`", id="caller"),
    pytest.param(f"{SHAPES}::check", "called by `area`", id="callee"),
    pytest.param(AREA, "named in the task", id="named"),
    pytest.param("src/geo/__init__.py", "imports `area`", id="importer"),
]


@pytest.mark.parametrize(("node", "why"), WHY)
def test_reasons_around_a_function(node: str, why: str) -> None:
    frame = RequestFrame("simplify", (LinkedEntity("area", "function", AREA, ambiguous=False),))
    assert _by_id(select(frame, [], index()))[node].why[0] == why


def test_reasons_around_a_file() -> None:
    found = _by_id(_select("tidy", SHAPES))
    assert found[SHAPES].why == ("target",) and found[SHAPES].score == 1
    assert "tests `Square`" in found["tests/test_shapes.py::test_square"].why
    assert found["src/geo/other.py::total"].why[0] == "calls `check`"
    assert not [node for node in found if node.startswith(f"{SHAPES}::")], "the file shows them"
    assert "src/far.py::lonely" not in found


def test_a_folder_only_says_where_to_look_for_what_is_named() -> None:
    found = _by_id(_select("rework Square", "src/geo"))
    assert [node for node, item in found.items() if item.why[0] == "target"] == []
    assert found[f"{SHAPES}::Square"].score == 1
    both = _by_id(_select("rework Square", "src/geo", SHAPES))
    assert [node for node, item in both.items() if item.why[0] == "target"] == [SHAPES]
    assert _by_id(_select("rework this", "src/geo"))[SHAPES].why[0] == "target"


def test_reasons_around_classes_and_ids() -> None:
    found = _by_id(_select("rework Square"))
    assert found[f"{SHAPES}::Shape"].why[0] == "base of `Square`"
    assert found["tests/test_shapes.py::test_square"].why[0] == "tests `Square`"
    assert _by_id(_select("rework Shape"))[f"{SHAPES}::Square"].why[0] == "inherits from `Shape`"
    required = _by_id(_select("do REQ-1-002"))
    assert required["docs/spec.md#areas"].why == ("mentions REQ-1-002",)
    assert required[f"{SHAPES}::Square.area"].why[0] == "mentions REQ-1-002"
    assert "REQ-1-002" not in required


def test_what_may_be_meant_is_shared_and_targets_decide() -> None:
    found = _by_id(_select("rework area"))
    several = [item for item in found.values() if item.why[0].startswith("one of ")]
    assert {item.why[0] for item in several} == {"one of 3 that `area` may mean"}
    assert len(several) == 3
    files = index(**{"lib/sums.py": b"def total(): ...\n", "src/sums.py": b"def total(): ...\n"})
    scores = _by_id(_select("rework total", "src/sums.py", files=files))
    assert scores["src/sums.py::total"].score > scores["lib/sums.py::total"].score
    assert scores["src/sums.py::total"].why[0] == "one of 3 that `total` may mean"


def test_a_word_that_is_a_title_too_weighs_less() -> None:
    found = _by_id(_select("rework the commits of Square"))
    assert found["AGENTS.md#commits"].score < 0.5 < found["src/geo/shapes.py::Square"].score


def test_a_target_that_is_named_and_many_targets() -> None:
    assert _by_id(_select("rework shapes.py", SHAPES))[SHAPES].why[0] == "target"
    found = _by_id(_select("tidy", "src", "tests", "docs"))
    assert {path for path in FILES if path.startswith(("src/", "tests/", "docs/"))} == {
        node for node, item in found.items() if item.why == ("target",)
    }


def test_plain_words_count_only_alone() -> None:
    files = index(**{"src/words.py": b"def add(): ...\ndef lone(): ...\n"})
    assert "src/words.py::add" not in _by_id(_select("add docstrings", SHAPES, files=files))
    assert "src/words.py::add" in _by_id(_select("add things", files=files))


def test_neighbours_stand_above_strangers() -> None:
    """One function is called once by a caller that calls a hundred others, and a hub is called by all of these."""
    calls = "\n    ".join(f"f{number}()" for number in range(100))
    many = "".join(f"def f{number}():\n    hub()\n\n" for number in range(100))
    files = MemoryIndex(
        {"a.py": f"def goal(): ...\ndef hub(): ...\n{many}def caller():\n    goal()\n    {calls}\n".encode()}
    )
    items = _select("rework goal", files=files).items
    assert [item.symbol for item in items[:2]] == ["goal", "caller"]
    assert items[1].why == ("calls `goal`",)
    assert all(item.score < items[1].score for item in items[2:])
    assert len(items) <= 10


def test_files_of_no_known_language_are_targets_all_the_same() -> None:
    files = index(**{"Makefile": b"all:\n\tmake\n", "a.bin": b"\0"})
    found = _by_id(_select("tidy", "Makefile", "a.bin", files=files))
    assert (found["Makefile"].why, found["Makefile"].end_line) == (("target",), 2)
    assert found["a.bin"].end_line == 1


def test_order_scores_and_links() -> None:
    chosen = _select("rework Square", "src/app.py")
    assert list(chosen.items) == sorted(chosen.items, key=lambda item: (-item.score, item.node_id))
    assert max(item.score for item in chosen.items) == 1
    assert all(0 < item.score == round(item.score, 6) and 1 <= len(item.why) <= 3 for item in chosen.items)
    known = {item.node_id for item in chosen.items}
    assert list(chosen.links) == sorted(chosen.links, key=lambda link: (link.source, link.target))
    assert chosen.links and all({link.source, link.target} <= known for link in chosen.links)


def test_without_any_start_the_most_used_comes_first() -> None:
    found = _select("tidy up").items
    assert {SHAPES, AREA, f"{SHAPES}::check"} & {item.node_id for item in found[:6]}
    assert _select("tidy up", "").items == _select("tidy up", ".").items == found
    assert select(RequestFrame("general"), [], MemoryIndex({})).items == ()
    assert select(RequestFrame("general"), [], MemoryIndex({"a.bin": b"\0"})).items == ()


@pytest.mark.parametrize(
    ("task_type", "rules"),
    [("document", {"AGENTS.md#docstrings"}), ("test", set[str]()), ("general", set[str]())],
)
def test_conventions_for_a_type_of_task(task_type: TaskName, rules: set[str]) -> None:
    items = select(RequestFrame(task_type), [SHAPES], index()).items
    assert {item.node_id for item in items if item.why == ("conventions",)} == rules


def test_paths_that_no_model_can_name_are_left_out() -> None:
    files = index(**{"src/\udcff.py": b"from geo import area\ndef f():\n    return area()\n"})
    frame = RequestFrame("simplify", (LinkedEntity("area", "function", AREA, ambiguous=False),))
    chosen = select(frame, ["src/\udcff.py"], files)
    assert all("\udcff" not in item.node_id for item in chosen.items)


@pytest.mark.parametrize(
    ("targets", "files"),
    [
        pytest.param(["src/geo"], ["src/geo/__init__.py", "src/geo/other.py", SHAPES], id="folder"),
        pytest.param(
            ["src/geo/", "src/app.py"], ["src/app.py", "src/geo/__init__.py", "src/geo/other.py", SHAPES], id="both"
        ),
        pytest.param(["src/ge"], [], id="no-whole-name"),
        pytest.param(["src/app.py", "."], [], id="everything"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_target_files(targets: list[str], files: list[str]) -> None:
    assert target_files(targets, index()) == files


def test_of_a_huge_folder_the_most_referred_files_are_targets() -> None:
    files = index(**{f"src/m{number:03}/__init__.py": b"import shapes\n" for number in range(130)})
    found = target_files(["src"], files)
    assert len(found) == 48 and SHAPES in found
    assert most_referred(FILES, index(), 2) == [SHAPES, "src/geo/__init__.py"]
