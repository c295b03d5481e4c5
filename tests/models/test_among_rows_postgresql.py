"""The lookup `among_rows` on PostgreSQL."""

import pytest

from registry.models import Name, Tag


@pytest.mark.django_db
def test_rows_are_read_first_and_each_is_looked_up() -> None:
    """By its estimates the server would read all names, of which half have such a tag."""
    half = Tag.objects.order_by("pk").values("pk")[: Tag.objects.count() // 2]
    whole = "Seq Scan on registry_name"
    assert whole in Name.objects.filter(tag__in=half).explain()
    assert whole not in Name.objects.filter(tag__among_rows=half).explain()
