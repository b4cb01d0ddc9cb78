"""What `site-packages` say, read without running any of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from orefactor.sandbox.search_path import editable_projects, path_lines, site_packages


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (None, ["base/lib/python3.11/site-packages", "base/lib/python3/dist-packages"]),
        ("home = x\n", ["venv/lib/python3.11/site-packages"]),
        ("include-system-site-packages = false\n", ["venv/lib/python3.11/site-packages"]),
        (
            "include-system-site-packages = True\n",
            [
                "venv/lib/python3.11/site-packages",
                "base/lib/python3.11/site-packages",
                "base/lib/python3/dist-packages",
            ],
        ),
    ],
)
def test_folders_with_packages(tmp_path: Path, config: str | None, expected: list[str]) -> None:
    for folder in (
        "venv/lib/python3.11/site-packages",
        "base/lib/python3.11/site-packages",
        "base/lib/python3/dist-packages",
    ):
        (tmp_path / folder).mkdir(parents=True)
    if config is not None:
        (tmp_path / "venv" / "pyvenv.cfg").write_text(config)
    prefix = tmp_path / "venv" if config is not None else None
    found = site_packages(prefix, tmp_path / "base", (3, 11))
    assert [str(path.relative_to(tmp_path)) for path in found] == expected


def test_only_path_lines_of_pth_files_count(tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    (packages / "inner").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    lines = [
        "# comment",
        "import os; raise SystemExit",
        "",
        "inner",
        str(tmp_path / "project"),
        "/no/such",
        "a\0b",
    ]
    (packages / "a.pth").write_text("\n".join(lines))
    (packages / "b.pth").mkdir()
    assert path_lines([packages]) == [packages / "inner", tmp_path / "project"]


@pytest.mark.parametrize(
    ("record", "found"),
    [
        ({"url": "file://{project}", "dir_info": {"editable": True}}, True),
        ({"url": "file://{project}", "dir_info": {}}, False),
        ({"url": "file://{project}", "dir_info": {"editable": False}}, False),
        ({"url": "https://example.org/x", "dir_info": {"editable": True}}, False),
        ({"url": "file:///no/such", "dir_info": {"editable": True}}, False),
        ({"url": "file://{project}"}, False),
        ({"url": "file://[x", "dir_info": {"editable": True}}, False),
        ([], False),
    ],
)
def test_editable_installs_name_their_project(tmp_path: Path, record: object, found: bool) -> None:
    project = tmp_path / "my project"
    info = tmp_path / "packages" / "x-1.dist-info"
    project.mkdir()
    info.mkdir(parents=True)
    text = json.dumps(record).replace("{project}", str(project).replace(" ", "%20"))
    (info / "direct_url.json").write_text(text)
    assert editable_projects([tmp_path / "packages"]) == ([project] if found else [])


def test_a_broken_record_names_nothing(tmp_path: Path) -> None:
    info = tmp_path / "x-1.dist-info"
    info.mkdir()
    (info / "direct_url.json").write_text("{")
    assert editable_projects([tmp_path]) == []
