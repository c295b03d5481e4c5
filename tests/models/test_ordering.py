"""Names sort by bytes on every database."""

import pytest
from django.db import connection

from registry.models import Event, Name, Namespace, Tag, User
from registry.models.fields import BytewiseField
from tests.models.rows import own_models

pytestmark = pytest.mark.django_db

BYTEWISE = ["acme/-", "acme/.", "acme/10", "acme/9", "acme/B", "acme/_", "acme/a", "acme/~"]


@pytest.fixture(autouse=True)
def names(acme: Namespace, alice: User) -> None:
    tag = Tag.objects.order_by("pk")[0]
    last = Event.objects.count()
    for number, text in enumerate(reversed(BYTEWISE), start=last + 1):
        Name.objects.create(text=text, tag=tag, namespace=acme, is_alias=True, folded="")
        Event.objects.create(number=number, action="test", subject=text, actor=alice)


def test_names_sort_by_bytes() -> None:
    names = Name.objects.filter(namespace__name="acme").order_by("text")
    assert (
        list(names.values_list("text", flat=True)) == BYTEWISE == sorted(BYTEWISE, key=str.encode)
    )


def test_subjects_of_events_sort_by_bytes() -> None:
    subjects = Event.objects.filter(action="test").order_by("subject")
    assert list(subjects.values_list("subject", flat=True)) == BYTEWISE


def test_names_compare_by_bytes() -> None:
    after = Name.objects.filter(namespace__name="acme", text__gt="acme/B").order_by("text")
    assert list(after.values_list("text", flat=True)) == ["acme/_", "acme/a", "acme/~"]


def test_names_that_differ_in_case_are_different() -> None:
    assert Name.objects.filter(text="acme/b").count() == 0
    assert Name.objects.filter(text="acme/B").count() == 1


def test_every_bytewise_column_has_its_own_collation() -> None:
    """A new PostgreSQL database uses the system's collation."""
    columns = {
        (model._meta.db_table, field.column): field.db_parameters(connection)["collation"]
        for model in own_models()
        for field in model._meta.local_concrete_fields
        if isinstance(field, BytewiseField)
    }
    expected = "C" if connection.vendor == "postgresql" else None  # SQLite's default
    assert set(columns.values()) == {expected}
    with connection.cursor() as cursor:
        for (table, column), collation in columns.items():
            described = connection.introspection.get_table_description(cursor, table)
            assert next(c.collation for c in described if c.name == column) == collation
