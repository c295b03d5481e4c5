"""The network whose share a request takes."""

import pytest
from pytest_django.fixtures import Settings

from registry.server.client_addresses import scope_network
from tests.server.exchanges import Header, SentHeaders, SentScope


def network_of(client: str, *headers: Header) -> str:
    return scope_network(SentScope(client=client, headers=SentHeaders([*headers])))


@pytest.mark.parametrize(
    ("client", "network"),
    [
        ("192.0.2.1:5000", "192.0.2.1"),
        ("[2001:db8::1]:5000", "2001:db8::/64"),
        ("[2001:db8::ffff]:9", "2001:db8::/64"),
        ("[2001:db8:0:1::1]:5000", "2001:db8:0:1::/64"),
        ("", "local"),
    ],
)
def test_network_of_a_socket(client: str, network: str) -> None:
    assert network_of(client) == network


@pytest.mark.parametrize(
    ("headers", "network"),
    [
        ([("forwarded", "for=192.0.2.7")], "192.0.2.7"),
        ([("forwarded", "for=192.0.2.6, for=192.0.2.7")], "192.0.2.7"),
        ([("forwarded", "for=192.0.2.6"), ("forwarded", "for=192.0.2.7")], "192.0.2.7"),
        ([("forwarded", 'for="[2001:db8::1]:80"')], "2001:db8::/64"),
        ([("forwarded", "for=unknown")], "192.0.2.1"),
        ([("x-forwarded-for", "192.0.2.7")], "192.0.2.1"),
        ([], "192.0.2.1"),
    ],
)
def test_behind_a_proxy_it_is_the_one_that_the_proxy_reports(
    settings: Settings, headers: list[Header], network: str
) -> None:
    settings.PROXIES = 1
    assert network_of("192.0.2.1:5000", *headers) == network


def test_without_a_proxy_nobody_chooses_a_network() -> None:
    assert network_of("192.0.2.1:5000", ("forwarded", "for=192.0.2.7")) == "192.0.2.1"
