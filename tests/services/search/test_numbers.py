"""Numbers with a unit in a search are compared with facts."""

import pytest

from registry.models import Namespace
from registry.services.search import text_search
from tests.publishing import publish
from tests.services.search.searches import BOARD, search, tags

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _machines(acme: Namespace) -> None:
    for name, cores in (("zen-a", 8), ("zen-b", 16), ("zen-c", 64)):
        hardware = {
            "model": name,
            "cores": cores,
            "threads": 2 * cores,
            "category": "server-cpu",
        }
        publish(f"acme/{name}", BOARD | {"hardware": hardware})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("acme zen 16 cores", ["acme/zen-b"]),
        ("acme zen with 16 cores", ["acme/zen-b"]),
        ("acme zen 16 threads", ["acme/zen-a"]),
        ("acme zen 128 vcpus", ["acme/zen-c"]),
        ("acme zen 32 cores", []),
        ("acme zen 64 threads", []),
    ],
)
def test_a_number_that_no_name_has_excludes_other_machines(text: str, found: list[str]) -> None:
    assert tags(search(text)) == found


def test_words_that_only_describe_find_what_has_the_numbers() -> None:
    found = tags(search("a cpu with 64 cores"))
    assert "acme/zen-c" in found
    assert not {"acme/zen-a", "acme/zen-b"} & {*found}


def test_machines_with_the_number_are_found_behind_many_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text_search, "MAX_MATCHES", 2)
    assert tags(search("acme zen 64 cores")) == ["acme/zen-c"]
    assert tags(search("acme zen 65 cores")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("acme book m3 14 inch", ["acme/book-14-inch-m3", "acme/book-m3"]),
        ('acme book m3 16"', ["acme/book-16-inch-m3", "acme/book-m3"]),
        ("acme book m3 13-inch", ["acme/book-m3"]),  # which states no size
        ("acme book 16 inch m9", []),
    ],
)
def test_a_screen_of_another_size_is_another_machine(text: str, found: list[str]) -> None:
    for name in ("book-14-inch-m3", "book-16-inch-m3", "book-m3"):
        publish(f"acme/{name}", BOARD | {"model": name})
    assert tags(search(text)) == found


def test_inches_that_no_name_states_are_said_of_each_result() -> None:
    (entry,) = search("acme zen-a 7 inch").entries
    assert entry.unstated == ("7 inch",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("zen 5000 ti 20gb", []),
        ("zen 5000 ti 12gb", ["acme/zen-5000-ti", "acme/zen-5000-ti-eagle-laptop"]),
        ("zen 5000 ti", ["acme/zen-5000-ti", "acme/zen-5000-ti-eagle-laptop"]),
        ("zen 5000 ti eagle 20gb", ["acme/zen-5000-ti-eagle-laptop"]),
    ],
)
def test_a_longer_name_does_not_stand_for_the_machine_with_another_number(
    text: str, found: list[str]
) -> None:
    publish("acme/zen-5000-ti", BOARD | {"hardware": {"memory_bytes": 12 << 30}})
    publish("acme/zen-5000-ti-eagle-laptop", BOARD)
    assert tags(search(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("acme zorro 2000", []),  # a number, not the year of any
        ("acme zorro 2015", ["acme/zorro-a", "acme/zorro-b"]),
        ("acme zorro 2021", []),
        ("acme zorro-b 7 2021", []),
    ],
)
def test_a_year_that_no_tag_states_may_be_the_number_of_a_product(
    text: str, found: list[str]
) -> None:
    launched = {"launched": "2015-03"}
    publish("acme/zorro-a", BOARD | {"hardware": launched})
    publish("acme/zorro-b", BOARD)
    publish("acme/other-2000-2015-2021", BOARD)  # names have these numbers
    assert tags(search(text)) == found
