"""Rows that are inserted without instances of their model."""

import pytest

from registry.models import Attribute, Gram, Name, Tag
from registry.models.row_insertion import insert_rows

pytestmark = pytest.mark.django_db

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
    name = Name.objects.get(text="arm/soc:aot")
    Gram.objects.filter(name=name).delete()
    insert_rows(Gram, ("name_id", "text"), [])
    assert not Gram.objects.filter(name=name).exists()
    texts = {f"{number:03x}" for number in range(4000)}
    insert_rows(Gram, ("name_id", "text"), [(name.pk, text) for text in texts])
    assert set(Gram.objects.filter(name=name).values_list("text", flat=True)) == texts
