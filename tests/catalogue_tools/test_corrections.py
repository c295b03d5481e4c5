"""A row in the table of corrections wins over what generators state."""

from typing import Any

import pytest

from catalogue_tools.corrections import TABLE, correct_facts
from catalogue_tools.facts import Table, replaced_tables
from catalogue_tools.tags import GeneratedTag

PAGE, OTHER = "https://example.org/list", "https://example.org/page"
FACTS: dict[str, Any] = {
    "cores": 4,
    "memory_bytes": 1,
    "memory_type": "GDDR6",
    "sources": {"counts": [PAGE], "memory": [PAGE]},
}
CARD = GeneratedTag("acme/card", "acme/card", {"hardware": FACTS}, "Card", (PAGE,))


def corrected(*rows: tuple[str, Any], tag: str = "acme/card") -> tuple[GeneratedTag, list[str]]:
    """Return the card as rows of a fact and its value correct it, and the problems."""
    columns = {"tag": tag, "reason": "The page shows it.", "source": OTHER}
    table = Table(
        TABLE, {}, tuple({**columns, "fact": fact, "value": value} for fact, value in rows)
    )
    with replaced_tables({TABLE: table}):
        (card,), problems = correct_facts([CARD])
    return card, problems


def facts(card: GeneratedTag) -> dict[str, Any]:
    hardware: Any = card.body["hardware"]
    return dict(hardware)


def test_value_and_its_page_replace_those_of_the_generator() -> None:
    card, problems = corrected(("cores", 8))
    assert problems == []
    assert facts(card)["cores"] == 8
    assert facts(card)["sources"] == {"counts": [OTHER], "memory": [PAGE]}
    assert card.correction == "The page shows it."
    assert card.sources == (PAGE, OTHER)


def test_other_facts_of_the_group_keep_their_page() -> None:
    card, _ = corrected(("memory_bytes", 2))
    assert facts(card)["sources"]["memory"] == [PAGE, OTHER]


def test_pages_that_are_added_to_inherited_ones_stay_so() -> None:
    assert joined_pages(OTHER) == {"identity": {"$append": [PAGE, OTHER]}}


def test_page_that_is_there_already_is_named_once() -> None:
    assert joined_pages(PAGE) == {"identity": {"$append": [PAGE]}}


def joined_pages(source: str) -> Any:
    """Return the pages of a tag with one of its own, whose model a row with this page corrects."""
    hardware: dict[str, Any] = {
        "model": "A",
        "vendor": "B",
        "sources": {"identity": {"$append": [PAGE]}},
    }
    tag = GeneratedTag("acme/card", "acme/card", {"tag": "x/y@1", "hardware": hardware}, "", ())
    row = {"tag": tag.name, "fact": "model", "value": "C", "reason": "x.", "source": source}
    with replaced_tables({TABLE: Table(TABLE, {}, (row,))}):
        ((card,), _) = correct_facts([tag])
    return facts(card)["sources"]


def test_fact_is_left_out_with_its_page() -> None:
    card, problems = corrected(("cores", None))
    assert problems == []
    assert "cores" not in facts(card)
    assert facts(card)["sources"] == {"memory": [PAGE]}


def test_inherited_fact_is_taken_back() -> None:
    card, problems = corrected(("power_watts", None))
    assert problems == []
    assert facts(card)["power_watts"] is None


def test_rows_of_one_tag_add_up() -> None:
    card, _ = corrected(("cores", 8), ("memory_bytes", 2))
    assert (facts(card)["cores"], facts(card)["memory_bytes"]) == (8, 2)
    assert card.correction == "The page shows it. The page shows it."


@pytest.mark.parametrize(
    ("tag", "fact", "value", "problem"),
    [
        ("acme/card", "cores", 4, "acme/card states this cores without it"),
        ("acme/none", "cores", 4, "acme/none is no generated tag"),
    ],
)
def test_rows_that_are_no_use_are_problems(tag: str, fact: str, value: Any, problem: str) -> None:
    _, problems = corrected((fact, value), tag=tag)
    assert problems == [f"{TABLE}: {problem}."]


def test_unknown_fact_is_an_error() -> None:
    with pytest.raises(KeyError, match="speed"):
        corrected(("speed", 4))


def test_tags_without_rows_stay() -> None:
    with replaced_tables({TABLE: Table(TABLE, {}, ())}):
        assert correct_facts([CARD]) == ([CARD], [])
