"""Lists that must agree: options, exit codes and commands in the code, README and manual page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import orefactor.cli.commands
from orefactor.cli.dispatch import make_application
from orefactor.core.errors import ExitCode
from orefactor.core.settings import Settings

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text()
MANUAL = (TOP / "docs" / "git-orefactor.1").read_text().replace(r"\-", "-")


def _readme(title: str) -> str:
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def _manual(title: str) -> str:
    return MANUAL.partition(f"\n.SH {title}\n")[2].partition("\n.SH ")[0]


def _options(command: str) -> set[str]:
    parameters = make_application().commands[command].params
    return {name for parameter in parameters if parameter.param_type_name == "option" for name in parameter.opts}


def _readme_rows(title: str) -> list[str]:
    """The first cells of the section's table, without its head."""
    rows = [line.split(" | ")[0].removeprefix("| ") for line in _readme(title).splitlines() if line.startswith("|")]
    return rows[2:]


def test_the_readme_names_each_option_of_the_main_job() -> None:
    named = {word for row in _readme_rows("Options of the main job") for word in re.findall(r"`(-[\w-]+)", row)}
    assert named == _options("run") | {"-h", "--help"}


def test_the_manual_names_each_option_of_the_main_job() -> None:
    heads = re.findall(r"^\.TP\n(.*)$", _manual("OPTIONS"), re.MULTILINE)
    named = {word for head in heads for word in re.findall(r"\\fB(-[\w-]+)", head)}
    assert named == _options("run") | {"-h", "--help", "--version"}


@pytest.mark.parametrize("command", [name for name in make_application().commands if name != "run"])
def test_readme_and_manual_name_the_other_commands_options(command: str) -> None:
    (row,) = [line for line in _readme("Commands").splitlines() if line.startswith(f"| `{command}")]
    long = {option for option in _options(command) if option.startswith("--")}
    synopses = " ".join(line for line in _manual("SYNOPSIS").splitlines() if line.split()[2:3] == [command])
    # What the synopsis leaves out as OPTIONS, the command's own paragraph names.
    rest = _manual("COMMANDS").partition(f"\\fB{command}\\fR")[2].partition("\n.TP")[0] if "OPTIONS" in synopses else ""
    assert set(re.findall(r"--[\w-]+", synopses + rest)) == long
    assert set(re.findall(r"--[\w-]+", row)) <= long


def test_each_command_is_one_file_and_stands_in_both_tables() -> None:
    folder = Path(orefactor.cli.commands.__file__).parent
    files = {path.stem.replace("_", "-") for path in folder.glob("*.py")} - {"--init--"}
    in_manual = set(re.findall(r"^\.TP\n\\fB(\w[\w-]*)", _manual("COMMANDS"), re.MULTILINE))
    in_readme = {row.strip("`").split()[0] for row in _readme_rows("Commands")}
    assert files == set(make_application().commands) == in_readme == in_manual | {"run"}


def test_exit_codes_are_unique_and_stand_in_both_tables() -> None:
    codes = {int(code) for code in ExitCode}
    assert len(codes) == len(ExitCode)
    in_readme = {int(number) for row in _readme_rows("Exit codes") for number in row.split(", ")}
    heads = re.findall(r"^\.TP\n(.*)$", _manual("EXIT STATUS"), re.MULTILINE)
    assert in_readme == {int(number) for head in heads for number in head.split(", ")} == codes


@pytest.mark.parametrize(
    "option",
    ["--max-iterations", "--max-output-tokens", "--max-tokens", "--max-seconds", "--tool-timeout"],
)
def test_defaults_are_the_same_everywhere(option: str) -> None:
    default = Settings.model_fields[option.removeprefix("--").replace("-", "_")].default
    written = f"{default:g}" if isinstance(default, float) else str(default)
    (row,) = [line for line in _readme("Options of the main job").splitlines() if line.startswith(f"| `{option} ")]
    page = next(p for p in _manual("OPTIONS").split(".TP\n") if p.startswith(rf"\fB{option}\fR"))
    (parameter,) = [p for p in make_application().commands["run"].params if option in p.opts]
    assert f"({written})" in row.replace(",", "").replace("`", "")
    assert f"({written})" in str(getattr(parameter, "help", ""))
    assert f"Default: {written}." in page
