"""When the base is measured, and how often: with real checks at real trees."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import PYTEST_INI, Files, write_files

from orefactor.core.checks.baseline import Baseline, Keeping, Measured
from orefactor.core.checks.baseline_store import BaselineStore
from orefactor.core.checks.command import CheckRequest
from orefactor.core.checks.host import CheckHost, HostSettings, SandboxMode
from orefactor.core.checks.own import OwnCommand
from orefactor.core.errors import ToolError
from orefactor.sandbox.files import Root

UNUSED = {"x.py": "import os\n"}


@dataclass
class World:
    """A tree and its base; `made` counts how often the base was asked for."""

    folder: Path
    settings: HostSettings
    made: list[CheckHost] = field(default_factory=list[CheckHost])

    def host(self, name: str = "tree") -> CheckHost:
        scratch = self.folder / f"{name}-scratch"
        scratch.mkdir(exist_ok=True)
        return CheckHost(Root(self.folder / name), lambda: scratch, self.settings)

    def base(self) -> CheckHost:
        self.made.append(self.host("base"))
        return self.made[-1]

    def keeping(self, besides: str = "") -> Keeping:
        return Keeping(BaselineStore(self.folder / "git"), "tree-id", besides)


MakeWorld = Callable[..., World]


@pytest.fixture
def make_world(tmp_path: Path) -> MakeWorld:
    def make(files: Files, mode: SandboxMode = "none", own: tuple[OwnCommand, ...] = ()) -> World:
        for name in ("tree", "base"):
            write_files(tmp_path / name, files)
        place = tmp_path / "tree"
        return World(tmp_path, HostSettings(place, mode, Path(sys.executable), own=own))

    return make


@pytest.fixture
def closing() -> Generator[Callable[[Baseline], Baseline]]:
    made: list[Baseline] = []

    def keep(baseline: Baseline) -> Baseline:
        made.append(baseline)
        return baseline

    yield keep
    for baseline in made:
        baseline.close()


Closing = Callable[[Baseline], Baseline]


def test_nothing_is_measured_before_somebody_asks(make_world: MakeWorld, closing: Closing) -> None:
    world = make_world(UNUSED)
    baseline = closing(Baseline(world.host(), world.base, ("ruff", "py_compile")))
    baseline.start(("ruff", "py_compile"))
    assert (world.made, baseline.expects("ruff")) == ([], False)
    first = baseline.of("ruff", ("x.py",))
    assert first.run is not None
    assert (first.source, first.run.outcome, len(world.made)) == ("measured", "failed", 1)
    assert baseline.of("ruff", ("x.py",)) is first
    assert baseline.of("ruff", ("x.txt",)) == Measured()
    assert len(world.made) == 1


def test_a_failure_is_said_to_all_who_ask(make_world: MakeWorld, closing: Closing) -> None:
    world = make_world(UNUSED)

    def no_base() -> CheckHost:
        raise ToolError("no base")

    baseline = closing(Baseline(world.host(), no_base))
    for _ in range(2):
        with pytest.raises(ToolError, match="no base"):
            baseline.of("ruff", ("x.py",))
    plain = closing(Baseline(world.host(), world.base, ("pytest",)))
    for _ in range(2):
        with pytest.raises(ToolError, match="there is no isolation here"):
            plain.of("pytest", ())


def test_what_a_model_asked_for(make_world: MakeWorld, closing: Closing) -> None:
    world = make_world(UNUSED)
    write_files(world.folder / "tree", {"new.py": "import os\n"})
    baseline = closing(Baseline(world.host(), world.base, ("ruff",)))
    asked = baseline.of_request(CheckRequest("ruff", ("x.py", "new.py")))
    assert asked.run is not None
    assert [finding.path for finding in asked.run.findings] == ["x.py"]
    assert baseline.of_request(CheckRequest("ruff", ("new.py",))) == Measured()


TESTS = {"test_x.py": "def test_a(): pass\ndef test_b(): assert 0\n", "pytest.ini": PYTEST_INI}


@pytest.mark.sandbox
def test_tests_are_measured_early_and_kept(make_world: MakeWorld, closing: Closing) -> None:
    world = make_world(TESTS, "bwrap")
    outcomes = {"test_x.py::test_a": "passed", "test_x.py::test_b": "failed"}
    baseline = closing(Baseline(world.host(), world.base, ("pytest", "ruff"), world.keeping()))
    baseline.start(("pytest", "ruff"))
    assert baseline.expects("pytest")
    first = baseline.of("pytest", ())
    assert first.run is not None
    assert (first.source, first.run.tests, len(world.made)) == ("measured", outcomes, 1)
    part = baseline.of_request(CheckRequest("pytest", nodes=(("test_x.py", "test_b"),)))
    assert part is first

    again = closing(Baseline(world.host(), world.base, ("pytest",), world.keeping()))
    again.start(("pytest",))
    second = again.of("pytest", ())
    assert second.run is not None
    assert (second.source, second.run.tests, len(world.made)) == ("kept", outcomes, 1)

    other = closing(Baseline(world.host(), world.base, ("pytest",), world.keeping("another build product")))
    assert other.of("pytest", ()).source == "measured"


@pytest.mark.sandbox
def test_a_part_is_measured_alone_where_the_whole_is_not_needed(make_world: MakeWorld, closing: Closing) -> None:
    world = make_world(TESTS, "bwrap")
    baseline = closing(Baseline(world.host(), world.base, ("pytest",), world.keeping()))
    baseline.start(())
    part = baseline.of_request(CheckRequest("pytest", nodes=(("test_x.py", "test_b"),)))
    assert part.run is not None
    assert part.run.tests == {"test_x.py::test_b": "failed"}
    assert not (world.folder / "git").exists()


@pytest.mark.sandbox
def test_closing_ends_what_runs(make_world: MakeWorld) -> None:
    slow = OwnCommand("slow", ("sh", "-c", "echo started; sleep 60"))
    world = make_world(UNUSED, "bwrap", (slow, OwnCommand("never", ("sleep", "60"))))
    baseline = Baseline(world.host(), world.base, ("slow", "never"), world.keeping())
    baseline.start(("slow", "never"))
    baseline.close()
    assert not (world.folder / "git").exists()
