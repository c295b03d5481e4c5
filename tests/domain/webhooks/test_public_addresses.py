"""The addresses that webhooks may reach."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import pytest
from hypothesis import given, strategies as st

from registry.domain.webhooks.public_addresses import SPECIAL, is_public


@pytest.mark.parametrize(
    "address",
    [
        *("93.184.216.34", "8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001::200e"),
        *("::ffff:8.8.8.8", "64:ff9b::808:808", "2400:cb00::1", "2a0f:ffff::"),
        # beside what is special
        *("1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"),
        *("126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255"),
        *("172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.88.98.255"),
        *("192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0"),
        *("198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255"),
        *("2000::", "2001:200::", "2001:db7:ffff::", "2001:db9::", "2003::", "3ffe::"),
    ],
)
def test_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        # this host, loopback, private, link-local (clouds' metadata), shared, documentation
        *("0.0.0.0", "127.0.0.1", "127.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1"),  # noqa: S104
        *("169.254.169.254", "100.64.0.1", "192.0.2.1", "198.18.0.1", "192.0.0.1"),
        *("224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1"),
        # IPv6 for one of these
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1"),
        *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2002:7f00:1::1"),
        # tunnels, and what stands for an address in a network of its own only
        *("2002:808:808::1", "2001:0:808:808::f7f7:f7f7", "64:ff9b:1::808:808"),
        *("2002:a00:1::1", "2001:0:7f00:1::", "2001:0:0:0:0:0:80ff:fffe"),
        # no address
        *("", "localhost", "example.org", "127.1", "0x7f.1", "2130706433", "1.2.3.4.5", "::1::"),
    ],
)
def test_any_other_address_is_not(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("network", SPECIAL, ids=str)
def test_a_special_network_reaches_from_its_first_to_its_last_address(
    network: IPv4Network | IPv6Network,
) -> None:
    assert not is_public(str(network[0]))
    assert not is_public(str(network[-1]))


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6) | st.ip_addresses(v=6, network="2000::/3"))
def test_no_address_that_python_calls_private_is_public(address: IPv4Address | IPv6Address) -> None:
    if is_public(str(address)):
        assert (getattr(address, "ipv4_mapped", None) or address).is_global
