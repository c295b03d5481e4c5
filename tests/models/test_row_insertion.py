"""Rows that are inserted without Django's work for each value."""

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from registry.models import Attribute, Entry, Namespace, Status, Tag, Term, ValueTotal, Version
from registry.models.row_insertion import (
    TOGETHER,
    add_to_rows,
    delete_rows,
    insert_instances,
    insert_rows,
)

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


@pytest.mark.parametrize("number", [0, 1, TOGETHER - 1, TOGETHER, TOGETHER + 1, 8 * TOGETHER])
def test_any_number_of_rows_is_inserted_in_order(tag: Tag, number: int) -> None:
    values = [("/a", "a", f"{index:x}", float(index)) for index in range(number)]
    insert_rows(Attribute, COLUMNS, [(tag.pk, *value) for value in values])
    assert list(tag.attributes.order_by("pk").values_list(*COLUMNS[1:])) == values


def test_many_rows_can_be_replaced() -> None:
    texts = [f"{number:x}" for number in range(TOGETHER + 1)]
    for tags in (1, 2):
        rows = [(text, tags, False) for text in texts]
        insert_rows(Term, TERM_COLUMNS, rows, replacing_by="text")
    assert set(Term.objects.filter(text__in=texts).values_list("tags", flat=True)) == {2}


def test_existing_rows_can_be_replaced() -> None:
    insert_rows(Term, TERM_COLUMNS, [("zzyzx", 1, False)])
    rows = [("acme", 2, False), ("zzyzx", 3, True)]
    insert_rows(Term, TERM_COLUMNS, rows, replacing_by="text")
    stored = Term.objects.filter(text__in=["acme", "zzyzx"]).order_by("text")
    assert list(stored.values_list(*TERM_COLUMNS)) == rows
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Term, TERM_COLUMNS, rows)


def new_tags(*names: str) -> list[Tag]:
    namespace = Namespace.objects.get(name="arm")
    return [Tag(text=f"arm/{name}", namespace=namespace) for name in names]


def test_instances_have_the_keys_of_their_rows() -> None:
    last = Tag.objects.order_by("-pk")[0]
    tags = insert_instances(new_tags("zebra", "ant", "é"))
    assert {tag.text: tag.pk for tag in tags} == dict(
        Tag.objects.filter(pk__gt=last.pk).values_list("text", "pk")
    )
    tags[0].is_family = True
    tags[0].save()  # as an existing row
    assert Tag.objects.get(text="arm/zebra").is_family
    assert not Tag.objects.get(text="arm/ant").is_family


def test_instances_have_every_value_that_bulk_create_stores() -> None:
    original = Version.objects.select_related("tag").order_by("pk")[0]
    columns = [field.attname for field in Version._meta.concrete_fields if field.name != "id"]
    values = {name: getattr(original, name) for name in columns}
    copies = [Version(**values | {"major": major}) for major in (98, 99)]
    insert_instances(copies[:1])
    Version.objects.bulk_create(copies[1:])
    one, two = (Version.objects.filter(pk=copy.pk).values(*columns).get() for copy in copies)
    assert one | {"major": 99} == two


def test_instances_are_dated_as_bulk_create_dates_them() -> None:
    (tag,) = insert_instances(new_tags("dated"))
    stored = Tag.objects.get(text="arm/dated").created
    assert stored == tag.created
    assert abs(timezone.now() - stored) < timedelta(minutes=1)


def test_instances_replace_rows_with_the_same_key() -> None:
    entry = Entry.objects.get(text="arm/soc:aot")
    version = entry.version
    entry.vendor, entry.published, entry.version, entry.status = "é", None, None, Status.YANKED
    insert_instances([entry], replacing_by="tag_id")
    stored = Entry.objects.get(pk=entry.pk)
    assert (stored.vendor, stored.published, stored.version) == ("é", None, None)
    entry.published, entry.version, entry.status = date(2026, 1, 31), version, Status.ACTIVE
    insert_instances([entry], replacing_by="tag_id")
    stored = Entry.objects.get(pk=entry.pk)
    assert (stored.published, stored.version) == (date(2026, 1, 31), version)


def test_no_instances_are_no_statement() -> None:
    assert insert_instances([]) == []


def test_existing_keys_and_broken_constraints_are_refused() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_instances(new_tags("soc:aot"))
    entry = Entry.objects.get(text="arm/soc:aot")
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_instances([entry])
    entry.version = None  # but not yanked
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_instances([entry], replacing_by="tag_id")


def test_numbers_of_rows_are_added() -> None:
    def add(*rows: tuple[str, str, int]) -> set[tuple[str, str, int]]:
        return set(add_to_rows(ValueTotal, ("option", "text"), rows))

    text = "é'\"\\ {}"
    assert add() == set()
    assert add(("a/x", text, 2), ("a/x", "", 1)) == {("a/x", text, 2), ("a/x", "", 1)}
    assert add(("a/x", text, 3), ("a/x", "", -1)) == {("a/x", text, 5), ("a/x", "", 0)}
    rows = ValueTotal.objects.filter(option="a/x").values_list("text", "number")
    assert list(rows) == [(text, 5)]  # without the one that became 0


@pytest.mark.parametrize("deleted", [(), (0,), (0, 2), (0, 1, 2)])
def test_exactly_the_rows_with_these_keys_are_deleted(tag: Tag, deleted: tuple[int, ...]) -> None:
    insert_rows(Attribute, COLUMNS, [(tag.pk, "/a", "a", str(number), None) for number in range(3)])
    keys = list(tag.attributes.order_by("pk").values_list("pk", flat=True))
    others = Attribute.objects.exclude(tag=tag).count()
    delete_rows(Attribute, [keys[number] for number in deleted])
    left = [key for number, key in enumerate(keys) if number not in deleted]
    assert list(tag.attributes.order_by("pk").values_list("pk", flat=True)) == left
    assert Attribute.objects.exclude(tag=tag).count() == others
