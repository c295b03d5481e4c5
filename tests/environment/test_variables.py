"""Typed values of environment variables."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured

from registry.environment import variables


@pytest.mark.parametrize("blank", ["", " ", "\n"])
def test_an_empty_variable_counts_as_absent(monkeypatch: pytest.MonkeyPatch, blank: str) -> None:
    monkeypatch.setenv("SOME", blank)
    assert variables.text("SOME", "default") == "default"
    assert variables.flag("SOME") is False
    assert variables.count("SOME", 7) == 7
    assert variables.choice("SOME", "first", "second") == "first"
    assert variables.comma_separated("SOME", "a, b") == ["a", "b"]


def test_surrounding_whitespace_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME", " 1 ")
    assert variables.flag("SOME") is True
    assert variables.count("SOME", 7) == 1
    monkeypatch.setenv("SOME", " a,, b ")
    assert variables.comma_separated("SOME", "") == ["a", "b"]


@pytest.mark.parametrize("value", ["1_0", "+1", "1.0", "\u0661", "0x1", "{input}"])
@pytest.mark.parametrize("read", [variables.count, variables.positive_count, variables.rate])
def test_numbers_are_plain_digits(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[str, int], object], value: str
) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match=r"^SOME must be a .*whole number") as refused:
        read("SOME", 1)
    assert repr(value) in str(refused.value)


@pytest.mark.parametrize(("value", "seconds"), [("", 0), ("0", 0), ("60", 60), ("86400", 86400)])
def test_seconds_are_off_by_default(
    monkeypatch: pytest.MonkeyPatch, value: str, seconds: int
) -> None:
    monkeypatch.setenv("SOME", value)
    assert variables.seconds("SOME", at_most=86400) == seconds


@pytest.mark.parametrize("value", ["86401", "9" * 30, "-1", "1m", "60.0", "on", "none"])
def test_other_seconds_are_rejected(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match=r"^SOME must be (a whole|at most 86400)"):
        variables.seconds("SOME", at_most=86400)


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("", None),
        ("2027-06-30", datetime(2027, 6, 30, tzinfo=UTC)),
        ("2027-06-30T12:00:00Z", datetime(2027, 6, 30, 12, tzinfo=UTC)),
        ("2027-06-30T12:00:00+02:00", datetime(2027, 6, 30, 10, tzinfo=UTC)),
    ],
)
def test_instants_are_in_utc(
    monkeypatch: pytest.MonkeyPatch, value: str, moment: datetime | None
) -> None:
    monkeypatch.setenv("SOME", value)
    assert variables.instant("SOME") == moment


@pytest.mark.parametrize("value", ["soon", "2027-13-01", "30.6.2027", "0"])
def test_other_instants_are_rejected(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match="SOME must be a date or a time"):
        variables.instant("SOME")


NUMBERS = [variables.count, variables.positive_count, variables.rate, variables.days]


@pytest.mark.parametrize("read", NUMBERS)
@pytest.mark.parametrize("value", ["1000001", "9" * 30, "1" * 5000])
def test_numbers_that_nothing_can_mean_are_rejected(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[str, int], object], value: str
) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match="SOME must be a whole number up to 1000000"):
        read("SOME", 1)


@pytest.mark.parametrize("read", NUMBERS)
def test_largest_number_is_accepted(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[str, int], object]
) -> None:
    monkeypatch.setenv("SOME", "0001000000")
    assert read("SOME", 1) in {variables.MAX_NUMBER, timedelta(days=variables.MAX_NUMBER)}


@pytest.mark.parametrize("value", [",", " , ,"])
def test_list_of_commas_is_rejected(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match="SOME must list something"):
        variables.comma_separated("SOME", "a")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("OWN_PAGESHARE", " Did you mean OWN_PAGE_SHARE?"),
        ("OWN_page_share", " Did you mean OWN_PAGE_SHARE?"),
        ("OWN_XYZZY_PLUGH_FROBOZZ", ""),
    ],
)
def test_unknown_variable_is_rejected_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch, name: str, hint: str
) -> None:
    variables.text("OWN_PAGE_SHARE")
    monkeypatch.setenv(name, "5")
    with pytest.raises(ImproperlyConfigured) as refused:
        variables.refuse_unknown("OWN_")
    assert str(refused.value) == f"{name} is no setting of this release.{hint}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OWN_PAGE_SHARE", "5"),
        ("OWN_PAGESHARE", " "),  # empty variables count as absent
        ("MY_OWN_PAGESHARE", "5"),
        ("PAGESHARE", "5"),
        *((f"REGISTRY_{name}", "x") for name in ("PORT", "SERVICE_HOST", "SERVICE_PORT_HTTP")),
        *((f"REGISTRY_{name}", "x") for name in ("PORT_8000_TCP_ADDR", "WEB_SERVICE_HOST")),
    ],
)
def test_variables_of_others_are_no_unknown_settings(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    variables.text("OWN_PAGE_SHARE")
    for other in [*os.environ]:
        if other.startswith("REGISTRY_"):
            monkeypatch.delenv(other)
    monkeypatch.setenv(name, value)
    variables.refuse_unknown("OWN_")
    variables.refuse_unknown("REGISTRY_")


def test_moment_before_all_years_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME", "0001-01-01T00:00:00+05:00")
    with pytest.raises(ImproperlyConfigured, match="SOME must be a date or a time"):
        variables.instant("SOME")
