"""The addresses that webhooks may reach."""

import pytest

from registry.domain.webhooks.public_addresses import is_public


@pytest.mark.parametrize(
    "address",
    [
        *("93.184.216.34", "8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001::200e"),
        *("::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"),
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
        *("2002:a00:1::1", "2001:0:7f00:1::", "2001:0:0:0:0:0:80ff:fffe"),
        # no address
        *("", "localhost", "example.org", "127.1", "0x7f.1", "2130706433", "1.2.3.4.5", "::1::"),
    ],
)
def test_any_other_address_is_not(address: str) -> None:
    assert not is_public(address)
