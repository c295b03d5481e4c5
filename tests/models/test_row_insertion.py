"""Rows that are inserted without instances of their model."""

import pytest
from django.db import IntegrityError, transaction

from registry.models import Attribute, Tag, Term, ValueTotal
from registry.models.row_insertion import add_to_rows, insert_rows

pytestmark = pytest.mark.django_db

TERM_COLUMNS = ("text", "tags", "is_word")

COLUMNS = ("tag_id", "pointer", "name", "text", "number")


@pytest.fixture
def tag() -> Tag:
    """Return a tag without values in the search index."""
    tag = Tag.objects.get(text="arm/soc:aot")
    Attribute.objects.filter(tag=tag).delete()
    return tag


def test_rows_equal_those_of_instances(tag: Tag) -> None:
    values = [("/a", "a", "1.5", 1.5), ("/b", "b", "é'\"\\ {}", None), ("/c", "c", "", -0.0)]
    insert_rows(Attribute, COLUMNS, [(tag.pk, *value) for value in values])
    stored = list(tag.attributes.order_by("pointer").values_list(*COLUMNS[1:]))
    Attribute.objects.filter(tag=tag).delete()
    Attribute.objects.bulk_create(
        Attribute(tag=tag, **dict(zip(COLUMNS[1:], value, strict=True))) for value in values
    )
    assert stored == list(tag.attributes.order_by("pointer").values_list(*COLUMNS[1:])) == values


def test_rows_have_keys_of_their_own(tag: Tag) -> None:
    insert_rows(Attribute, COLUMNS, [(tag.pk, "/a", "a", str(number), number) for number in (1, 2)])
    assert len(set(tag.attributes.values_list("pk", flat=True))) == 2


def test_any_number_of_rows_can_be_inserted() -> None:
    Term.objects.all().delete()
    insert_rows(Term, TERM_COLUMNS, [])
    assert not Term.objects.exists()
    texts = {f"{number:03x}" for number in range(4000)}
    insert_rows(Term, TERM_COLUMNS, [(text, 1, False) for text in texts])
    assert set(Term.objects.values_list("text", flat=True)) == texts


def test_existing_rows_can_be_replaced() -> None:
    insert_rows(Term, TERM_COLUMNS, [("zzyzx", 1, False)])
    rows = [("acme", 2, False), ("zzyzx", 3, True)]
    insert_rows(Term, TERM_COLUMNS, rows, replacing_by="text")
    stored = Term.objects.filter(text__in=["acme", "zzyzx"]).order_by("text")
    assert list(stored.values_list(*TERM_COLUMNS)) == rows
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Term, TERM_COLUMNS, rows)


def test_numbers_of_rows_are_added() -> None:
    def add(*rows: tuple[str, str, int]) -> set[tuple[str, str, int]]:
        return set(add_to_rows(ValueTotal, ("option", "text"), rows))

    text = "é'\"\\ {}"
    assert add() == set()
    assert add(("a/x", text, 2), ("a/x", "", 1)) == {("a/x", text, 2), ("a/x", "", 1)}
    assert add(("a/x", text, 3), ("a/x", "", -1)) == {("a/x", text, 5), ("a/x", "", 0)}
    rows = ValueTotal.objects.filter(option="a/x").values_list("text", "number")
    assert list(rows) == [(text, 5)]  # without the one that became 0
