"""The rule which network addresses a webhook may reach: those of the public internet only."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

# Prefixes whose addresses stand for IPv4 addresses: translation (RFC 6052, RFC 8215).
TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))


# Decision 171: whoever owns a namespace must not reach what only the registry's machine can.
def is_public(address: str) -> bool:
    """Return whether an address is one of the public internet.

    False for private, loopback, link-local, shared, reserved and multicast addresses, and for
    those of IPv6 that stand for such addresses of IPv4.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, IPv4Address):
        return _is_global(parsed)
    return all(map(_is_global, _inner(parsed))) and not _has_zone(address)


def _has_zone(address: str) -> bool:
    return "%" in address


def _inner(address: IPv6Address) -> list[IPv4Address | IPv6Address]:
    """Return the addresses of IPv4 that an address of IPv6 stands for; or else itself."""
    if address.ipv4_mapped:
        return [address.ipv4_mapped]
    if any(address in network for network in TRANSLATED):
        return [IPv4Address(int(address) & 0xFFFFFFFF)]
    if address.sixtofour:
        return [address, address.sixtofour]
    if address.teredo:
        return [address, *address.teredo]
    return [address]


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    is_special = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not is_special
