"""The rule which network addresses a webhook may reach: those of the public internet only."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Network, ip_address, ip_network

# Decision 195: written out, because releases of Python differ in what they call global.
# Source: IANA's registries of special-purpose addresses, and of multicast and reserved ones.
SPECIAL = tuple(
    ip_network(text)
    for text in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
)
GLOBAL_UNICAST = IPv6Network("2000::/3")  # the only part of IPv6 whose addresses are assigned
# Prefixes whose addresses stand for those of IPv4: of sockets, and of translation (RFC 6052).
TRANSLATED = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))


# Decision 171: whoever owns a namespace must not reach what only the registry's machine can.
def is_public(address: str) -> bool:
    """Return whether an address is one of the public internet, without a zone.

    False for private, loopback, link-local, shared, reserved and multicast addresses, for those
    of IPv6 that stand for such addresses of IPv4, and for tunnels (6to4, Teredo).
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if "%" in address:
        return False
    if any(parsed in prefix for prefix in TRANSLATED):
        parsed = IPv4Address(int(parsed) & 0xFFFFFFFF)
    is_assigned = parsed.version == 4 or parsed in GLOBAL_UNICAST
    return is_assigned and not any(parsed in network for network in SPECIAL)
