"""Amounts that requests share."""

import pytest
from hypothesis import given, strategies as st

from registry.server.quotas import Quota, QuotaUsed

NETWORKS = ("192.0.2.1", "192.0.2.2", "2001:db8::/64")
TAKES = st.lists(st.tuples(st.sampled_from(NETWORKS), st.integers(0, 7)), max_size=30)


@given(TAKES, st.integers(0, 20), st.integers(0, 20))
def test_nothing_beyond_the_limits_is_taken_and_all_comes_back(
    takes: list[tuple[str, int]], limit: int, of_network: int
) -> None:
    quota, taken = Quota(limit, of_network), dict.fromkeys(NETWORKS, 0)
    for network, amount in takes:
        fits = sum(taken.values()) + amount <= limit and taken[network] + amount <= of_network
        if fits:
            quota.take(network, amount)
            taken[network] += amount
        else:
            with pytest.raises(QuotaUsed):
                quota.take(network, amount)
        assert quota.used == sum(taken.values())
    for network, amount in taken.items():
        quota.give_back(network, amount)
    assert quota.used == 0
    assert not quota._by_network, "networks that use nothing take no memory"


def test_one_comes_back_after_an_error() -> None:
    quota = Quota(1, 1)
    with pytest.raises(ZeroDivisionError), quota.one("192.0.2.1"):
        raise ZeroDivisionError
    assert quota.used == 0
