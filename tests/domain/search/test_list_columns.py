"""The columns of lists by category."""

from registry.domain.descriptions.descriptions import CATEGORIES
from registry.domain.search.list_columns import (
    ANY_CATEGORY,
    COLUMNS,
    COLUMNS_BY_CATEGORY,
    FAMILY_PLACE,
    MACHINES_FIRST,
    UNKNOWN_PLACE,
    fitting_columns,
    place_of,
)


def names(chosen: list[str], categories: list[str]) -> list[str]:
    return [column.name for column in fitting_columns(chosen, categories)]


def test_every_category_has_columns_and_a_place() -> None:
    assert set(COLUMNS_BY_CATEGORY) == set(CATEGORIES) == set(MACHINES_FIRST)
    assert all(name in COLUMNS for columns in COLUMNS_BY_CATEGORY.values() for name in columns)
    assert place_of("cloud-instance") == 0
    assert place_of("") == place_of("toaster") == UNKNOWN_PLACE == len(CATEGORIES)
    assert place_of("gpu", is_family=True) == place_of("", is_family=True) == FAMILY_PLACE
    assert FAMILY_PLACE > UNKNOWN_PLACE


def test_columns_fit_what_most_of_the_tags_are() -> None:
    assert names([], ["gpu", "gpu", "board"]) == ["memory", "bandwidth", "compute_units", "year"]
    assert names([], ["microcontroller"]) == ["memory", "flash", "clock"]
    for mixed in ([], ["gpu", "board"], ["", "", "gpu"]):
        assert names([], mixed) == list(ANY_CATEGORY)


def test_chosen_columns_come_in_the_order_of_all_and_unknown_ones_are_ignored() -> None:
    assert names(["year", "nonsense", "memory"], ["gpu"]) == ["memory", "year"]
