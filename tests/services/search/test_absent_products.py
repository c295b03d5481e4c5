"""Reasons why there is no tag of a name."""

import pytest
from pytest_django import DjangoAssertNumQueries

from registry.services.search import series
from registry.services.search.absent_products import known_reasons
from tests.publishing import publish

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "nvidia/geforce-rtx-2099",
            "Not in the catalogue: geforce rtx 2099: 4 machines have names that",
        ),
        ("intel/gaudi-3", "Not in the catalogue: Intel Gaudi 3: "),
        ("aws/p5.48xlarge", "Not in the catalogue: AWS p5, p5e: "),
    ],
)
def test_what_is_known_to_be_absent_is_said(
    name: str, reason: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(1):
        (sentence,) = known_reasons(name)
    assert sentence.startswith(reason)


@pytest.mark.parametrize(
    "name",
    [
        "nvidia/jetson-nanno",  # a typing error in words
        "nvidia/geforce-rtx-2080",  # a tag
        "arm/sco",
        "acme/board-9",  # of no series
        "acme/x",
        "9/9",
    ],
)
def test_nothing_is_said_of_other_names(name: str) -> None:
    assert known_reasons(name) == ()


def test_a_series_that_was_not_read_whole_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "nvidia/geforce-rtx-2099"
    for limit in range(2, 100):
        monkeypatch.setattr(series, "MAX_ROWS", limit)
        (sentence,) = known_reasons(name) or ("",)
        if ": 4 machines have names" in sentence:
            break
        assert (
            not sentence
            or " or more machines have names that begin with “geforce rtx 20”" in sentence
        )
    assert 4 < limit < 99


@pytest.mark.parametrize(
    ("name", "sizes", "reason"),
    [
        (
            "acme/m5.5xlarge",
            ("2", "4", "12", "24"),
            "2 machines have names that begin with “acme m5” and one more",
        ),
        (
            "acme/m5.32xlarge",
            ("2", "4", "8", "12", "24"),
            "2 machines have names that begin with “acme m5” and 2 more",
        ),
        ("acme/m5.5xlarge", ("2", "12"), ""),
    ],
)
@pytest.mark.usefixtures("acme")
def test_only_names_that_differ_in_the_digits_are_counted(
    name: str, sizes: tuple[str, ...], reason: str
) -> None:
    for size in ("", *sizes):
        publish(f"acme/m5.{size}xlarge", {"kind": "llvm"})
    assert reason in " ".join(known_reasons(name))
    assert bool(known_reasons(name)) is bool(reason)
