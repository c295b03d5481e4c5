"""How often somebody may ask, wherever they do."""

import pytest

from registry.services import limits

pytestmark = pytest.mark.django_db


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three a minute."""
    monkeypatch.setitem(limits.RATES, limits.ANONYMOUS, "3/min")


@pytest.mark.usefixtures("three")
def test_a_minute_slides_and_what_does_not_pass_does_not_count() -> None:
    said = [limits.count(limits.ANONYMOUS, "x", now=now) for now in (0, 10, 20, 30, 59.5, 60)]
    assert said == [0, 0, 0, 30, 1, 0]


@pytest.mark.usefixtures("three")
def test_each_scope_and_each_of_them_has_a_count_of_their_own() -> None:
    for _ in range(3):
        assert limits.count(limits.ANONYMOUS, "x", now=0) == 0
    assert limits.count(limits.ANONYMOUS, "x", now=0) == 60
    assert limits.count(limits.ANONYMOUS, "y", now=0) == 0
    assert limits.count(limits.ACCOUNT, "x", now=0) == 0


def test_no_rate_is_no_limit() -> None:
    assert limits.number(limits.ANONYMOUS) is None
    assert not any(limits.count(limits.ANONYMOUS, "x") for _ in range(5))


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("", "local"),
        ("unix:", "unix:"),
    ],
)
def test_a_network_is_who_asks(address: str, network: str) -> None:
    assert limits.network(address) == network
