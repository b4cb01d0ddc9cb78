"""The made-up files of /etc."""

from __future__ import annotations

from pathlib import Path

import pytest

from orefactor.sandbox.etc import write_etc


@pytest.mark.parametrize(("uid", "users"), [(1000, ["root", "sandbox"]), (0, ["root"])])
def test_passwd_names_the_user(tmp_path: Path, uid: int, users: list[str]) -> None:
    write_etc(tmp_path / "etc", uid, 100)
    write_etc(tmp_path / "etc", uid, 100)
    lines = (tmp_path / "etc" / "passwd").read_text().splitlines()
    assert [line.split(":")[0] for line in lines] == users
    assert lines[-1].split(":")[2] == str(uid)
    assert sorted(path.name for path in (tmp_path / "etc").iterdir()) == [
        "group",
        "hosts",
        "nsswitch.conf",
        "passwd",
    ]
