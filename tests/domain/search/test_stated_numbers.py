"""Numbers of a search are compared with the facts of a machine."""

import pytest

from registry.domain.search.stated_numbers import FactAnswer, StatedNumber

GIB = 2**30


def answer(text: str, *stated: float) -> FactAnswer:
    (number,) = StatedNumber.all_in(text)
    return number.answer(stated)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("24gb", 24 * GIB),
        ("24 GB", 24e9),
        ("40gb", 39.56 * GIB),
        ("512 KB", 512 * 1024),
        ("2mb", 2 * 2**20),
        ("64 cores", 64),
        ("350w", 350),
        ("2021", 2021),
    ],
)
def test_a_number_is_met_as_it_is_sold_or_reported(text: str, stated: float) -> None:
    assert answer(text, stated) is FactAnswer.MEETS


@pytest.mark.parametrize(
    ("text", "stated"), [("12gb", 11 * GIB), ("16gb", 24 * GIB), ("8 cores", 16), ("2021", 2020)]
)
def test_another_number_contradicts(text: str, stated: float) -> None:
    assert answer(text, stated) is FactAnswer.CONTRADICTS


def test_one_of_several_sizes_is_enough() -> None:
    assert answer("80gb", 40 * GIB, 80 * GIB) is FactAnswer.MEETS


def test_what_is_not_stated_is_neither_met_nor_contradicted() -> None:
    assert answer("24gb") is FactAnswer.UNSTATED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8 cores", FactAnswer.MEETS),
        ("16 cores", FactAnswer.CONTRADICTS),
        ("16 threads", FactAnswer.MEETS),
        ("16 vcpus", FactAnswer.MEETS),
        ("8 threads", FactAnswer.CONTRADICTS),
        ("8 cus", FactAnswer.UNSTATED),
    ],
)
def test_threads_are_no_cores_where_both_are_stated(text: str, expected: FactAnswer) -> None:
    (number,) = StatedNumber.all_in(text)
    facts = {"/hardware/cores": [8.0], "/hardware/threads": [16.0]}
    assert number.answer(number.stated_by(facts)) is expected


@pytest.mark.parametrize(
    ("text", "pointer", "expected"),
    [
        ("16 cores", "/hardware/threads", FactAnswer.MEETS),
        ("16 vcpu", "/hardware/cores", FactAnswer.MEETS),
        ("16 cores", "/hardware/gpu/compute_units", FactAnswer.MEETS),
        ("16 threads", "/hardware/compute_units", FactAnswer.UNSTATED),
        ("16 sms", "/hardware/cores", FactAnswer.UNSTATED),
        ("16gb", "/hardware/cores", FactAnswer.UNSTATED),
    ],
)
def test_what_a_unit_counts_is_compared_with_what_is_stated(
    text: str, pointer: str, expected: FactAnswer
) -> None:
    (number,) = StatedNumber.all_in(text)
    assert number.answer(number.stated_by({pointer: [16.0]})) is expected
