"""Secrets of the environment: which are some, and how they are kept from child processes."""

from __future__ import annotations

import pytest

from orefactor.core.keys import name_secret, secrets_of, secrets_taken_out, whole_environment

VALUE = "s3cr3t-value-of-mine"


@pytest.mark.traces("SEC-103-003")
def test_secrets_are_gone_while_it_lasts_but_known() -> None:
    environment = {"MY_TOKEN": VALUE, "PATH": "/bin:/usr/bin", "SHORT_KEY": "1"}
    with secrets_taken_out(environment):
        assert environment == {"PATH": "/bin:/usr/bin", "SHORT_KEY": "1"}
        assert whole_environment()["MY_TOKEN"] == VALUE
    assert environment == {"MY_TOKEN": VALUE, "PATH": "/bin:/usr/bin", "SHORT_KEY": "1"}
    assert "MY_TOKEN" not in whole_environment()


def test_they_come_back_after_an_error() -> None:
    environment = {"MY_TOKEN": VALUE}
    with pytest.raises(ZeroDivisionError), secrets_taken_out(environment):
        raise ZeroDivisionError
    assert environment == {"MY_TOKEN": VALUE}


@pytest.mark.traces("SEC-103-003")
def test_a_variable_that_is_named_as_a_secret() -> None:
    environment = {"PLAINLY_NAMED": VALUE}
    with secrets_taken_out(environment):
        assert environment == {"PLAINLY_NAMED": VALUE}
        name_secret("PLAINLY_NAMED")
        assert environment == {}
        assert whole_environment()["PLAINLY_NAMED"] == VALUE
    assert secrets_of(environment) == {"PLAINLY_NAMED": VALUE}
