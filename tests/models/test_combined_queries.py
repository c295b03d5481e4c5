"""Several limited queries as one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import Term
from registry.models.combined_queries import rows_of_each

pytestmark = pytest.mark.django_db


def test_each_query_keeps_its_filter_order_and_limit() -> None:
    Term.objects.bulk_create(Term(text=f"zz{number}", tags=number) for number in range(5))
    terms = Term.objects.filter(text__startswith="zz")
    queries = [
        terms.order_by("-tags").values_list("text", "tags")[:2],
        terms.filter(tags__gt=99).values_list("text", "tags"),
        terms.filter(text="zz1' OR 1=1 -- %s").values_list("text", "tags"),
        terms.order_by("tags").values_list("text", "tags")[:1],
    ]
    with CaptureQueriesContext(connection) as captured:
        rows = rows_of_each(queries)
    assert len(captured) == 1
    assert [sorted(part) for part in rows] == [[("zz3", 3), ("zz4", 4)], [], [], [("zz0", 0)]]


def test_no_queries_take_none() -> None:
    with CaptureQueriesContext(connection) as captured:
        assert rows_of_each([]) == []
    assert not captured
