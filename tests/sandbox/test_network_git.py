"""The user's own git on the network: his programs and credentials, and none that the repository names."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeRepository, git, write_files

from orefactor.sandbox.errors import ExitCode, UserError
from orefactor.sandbox.network_git import NetworkGit, is_interactive, own_programs, remote_program, set_aside
from orefactor.sandbox.push import has_pre_push, list_remote, push
from orefactor.sandbox.remote import Remote, find_remote
from orefactor.sandbox.repository import ConfigEntry, find_repository


def _network(folder: Path, **secrets: str) -> NetworkGit:
    return NetworkGit(find_repository(folder), secrets)


def _remote(folder: Path) -> Remote:
    return find_remote(find_repository(folder), None)


def test_the_users_programs_take_the_place_of_the_repositorys() -> None:
    config = [
        ConfigEntry("global", "core.sshcommand", "ssh -i mine"),
        ConfigEntry("system", "credential.helper", "store"),
        ConfigEntry("global", "credential.https://h.example.helper", "!mine"),
        ConfigEntry("local", "core.sshcommand", "evil"),
        ConfigEntry("local", "core.askpass", "evil"),
        ConfigEntry("worktree", "credential.https://h.example.helper", "!evil"),
        ConfigEntry("local", "remote.origin.receivepack", "evil"),
        ConfigEntry("local", "remote.other.receivepack", "not this one"),
        ConfigEntry("local", "remote.origin.url", "https://h.example"),
    ]
    keys = ("core.sshcommand", "core.askpass", "credential.https://h.example.helper", "remote.origin.receivepack")
    assert set_aside(config, "origin") == keys
    assert own_programs(config, "origin") == [
        ("core.sshcommand", "ssh -i mine"),
        ("core.askpass", ""),
        ("credential.helper", ""),
        ("credential.helper", "store"),
        ("credential.https://h.example.helper", "!mine"),
    ]
    assert own_programs(config[:3], "origin") == []
    assert remote_program(config, "origin", "receive-pack") == ["--receive-pack=git-receive-pack"]
    assert remote_program(config, "origin", "upload-pack") == []
    mine = ConfigEntry("global", "remote.origin.receivepack", "mine")
    assert remote_program([mine, *config], "origin", "receive-pack") == ["--receive-pack=mine"]


@pytest.fixture
def folder(make_repository: MakeRepository) -> Path:
    """A repository with a bare remote."""
    made = make_repository({"a": "a\n"})
    git(made, "clone", "-q", "--bare", str(made), str(made.parent / "bare.git"))
    git(made, "remote", "add", "origin", str(made.parent / "bare.git"))
    return made


def test_nothing_that_the_repository_names_runs(folder: Path) -> None:
    evil = f"touch '{folder}/ran'"
    bare = folder.parent / "bare.git"
    git(folder, "tag", "-a", "-m", "x", "v1")
    git(folder, "branch", "private")
    settings = {
        "core.sshCommand": evil,
        "core.askPass": evil,
        "core.fsmonitor": evil,
        "core.alternateRefsCommand": evil,
        "credential.helper": f"!{evil}",
        "remote.origin.receivepack": evil,
        "remote.origin.uploadpack": evil,
        "remote.origin.mirror": "true",
        "remote.origin.push": "+refs/heads/*:refs/heads/*",
        "push.gpgSign": "true",
        "push.followTags": "true",
        "push.pushOption": "evil",
        "gpg.program": evil,
        "protocol.ext.allow": "always",
        "protocol.allow": "always",
    }
    for key, value in settings.items():
        git(folder, "config", key, value)
    for name in ("pre-push", "reference-transaction"):
        hook = folder / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\n{evil}\n")
        hook.chmod(0o755)
    head = git(folder, "rev-parse", "HEAD")
    network, remote = _network(folder), _remote(folder)
    assert list_remote(network, remote, "main", "gone").branches == {"main": head}
    assert push(network, remote, head, "result") == ()
    assert git(bare, "for-each-ref", "--format=%(refname)").split() == ["refs/heads/main", "refs/heads/result"]
    for address in (f"ext::sh -c {evil}", "ssh://127.0.0.1:1/a/b", f"git://127.0.0.1:1/{folder}"):
        git(folder, "remote", "set-url", "origin", address)
        with pytest.raises(UserError) as caught:
            list_remote(_network(folder), _remote(folder))
        assert caught.value.exit_code is ExitCode.PROVIDER
    git(folder, "config", "remote.origin.vcs", "evil")
    with pytest.raises(UserError, match="names a program to reach the remote"):
        list_remote(_network(folder), Remote("origin", "x", "x"))
    assert not (folder / "ran").exists()
    assert has_pre_push(find_repository(folder))


def test_the_users_own_programs_run_and_get_the_secrets(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = folder.parent / "seen"
    write_files(
        folder.parent, {"ssh": f"#!/bin/sh\necho \"$MY_TOKEN $GIT_TERMINAL_PROMPT $SSH_ASKPASS|$*\" > '{seen}'\n"}
    )
    (folder.parent / "ssh").chmod(0o755)
    git(folder, "config", "--global", "core.sshCommand", str(folder.parent / "ssh"))
    git(folder, "config", "core.sshCommand", "false")
    git(folder, "remote", "set-url", "origin", "git@h.example:a/b.git")
    monkeypatch.setenv("SSH_ASKPASS", "window")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.abbrev")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "7")
    with pytest.raises(UserError):
        list_remote(_network(folder, MY_TOKEN="secret"), _remote(folder))
    assert seen.read_text().startswith("secret 0 |")
    assert "git@h.example git-upload-pack 'a/b.git'" in seen.read_text()
    with pytest.raises(UserError):
        list_remote(NetworkGit(find_repository(folder), {}, interactive=True), _remote(folder))
    assert seen.read_text().startswith("  window|")


def test_pushed_elsewhere_is_looked_at_there(folder: Path) -> None:
    other = folder.parent / "other.git"
    git(folder, "clone", "-q", "--bare", str(folder), str(other))
    git(other, "branch", "there")
    git(other, "symbolic-ref", "HEAD", "refs/heads/there")
    git(folder, "remote", "set-url", "--push", "origin", str(other))
    refs = list_remote(_network(folder), _remote(folder), "there", "main")
    assert (refs.default, sorted(refs.branches)) == ("there", ["main", "there"])


def test_what_the_remote_has_is_never_lost(folder: Path) -> None:
    bare = folder.parent / "bare.git"
    theirs = git(bare, "commit-tree", "-m", "theirs", "main^{tree}", "-p", "main")
    git(bare, "branch", "result", theirs)
    git(folder, "commit", "-q", "--allow-empty", "-m", "ours")
    with pytest.raises(UserError, match=r"does not take the branch `result`: \[rejected\]") as caught:
        push(_network(folder), _remote(folder), git(folder, "rev-parse", "HEAD"), "result")
    assert (caught.value.exit_code, git(bare, "rev-parse", "result")) == (ExitCode.CONFLICT, theirs)


def test_a_remote_that_is_gone(folder: Path) -> None:
    remote, network = _remote(folder), _network(folder)
    (folder.parent / "bare.git").rename(folder.parent / "moved")
    with pytest.raises(UserError, match="can't be used: fatal: ") as caught:
        push(network, remote, git(folder, "rev-parse", "HEAD"), "result")
    assert caught.value.exit_code is ExitCode.PROVIDER


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("git@h: Permission denied (publickey).", "refuses the login: fatal: x"),
        ("remote: HTTP Basic: Access denied", "refuses the login: remote: HTTP Basic: Access denied"),
        ("ERROR: Repository not found.", "can't be used: ERROR: Repository not found."),
    ],
)
def test_why_it_can_not_be_used(folder: Path, said: str, message: str) -> None:
    script = folder.parent / "ssh"
    script.write_text(f"#!/bin/sh\necho '{said}' >&2\necho 'fatal: x' >&2\nexit 128\n")
    script.chmod(0o755)
    git(folder, "config", "--global", "core.sshCommand", str(script))
    git(folder, "remote", "set-url", "origin", "git@h.example:a/b.git")
    with pytest.raises(UserError) as caught:
        list_remote(_network(folder), _remote(folder))
    assert message in caught.value.message


def test_there_is_no_terminal_in_a_test() -> None:
    assert is_interactive() is False
