"""Queries whose SQL is built once per process."""

import pytest
from django.db import connection
from django.db.models import F, QuerySet
from django.test.utils import CaptureQueriesContext

from registry.models import LogRange, Name, Tag
from registry.models.aggregates import Joined
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery

pytestmark = pytest.mark.django_db

by_text: PreparedQuery[Name] = PreparedQuery(
    lambda: Name.objects.filter(text__among=PLACEHOLDER).order_by("text")
)

within: PreparedQuery[LogRange] = PreparedQuery(
    lambda: LogRange.objects.filter(size__within=PLACEHOLDER).order_by("size")
)


def test_rows_equal_those_of_the_queryset() -> None:
    texts = list(Name.objects.order_by("text").values_list("text", flat=True)[:40])
    rows = list(by_text(texts))
    assert rows == list(Name.objects.filter(text__in=texts).order_by("text"))
    assert vars(rows[0]).keys() == vars(Name.objects.all()[0]).keys()


def test_values_can_be_numbers() -> None:
    by_key: PreparedQuery[Tag] = PreparedQuery(
        lambda: Tag.objects.filter(pk__among=PLACEHOLDER).order_by("pk")
    )
    pks = list(Tag.objects.order_by("pk").values_list("pk", flat=True)[:3])
    assert [tag.pk for tag in by_key(pks)] == pks


def test_columns_and_annotations_equal_those_of_the_queryset() -> None:
    query: PreparedQuery[Name] = PreparedQuery(
        lambda: (
            Name.objects.filter(text__among=PLACEHOLDER)
            .only("text")
            .annotate(tag_text=F("tag__text"))
        )
    )
    (name,) = query(["nvidia/a100"])
    assert vars(name)["tag_text"] == "nvidia/nvidia-a100"
    assert "folded" in name.get_deferred_fields()


SIZES = 2**40, 2**40 + 1, 2**50  # more than the log of any test


@pytest.mark.parametrize(
    ("above", "up_to", "found"),
    [
        (2**40 - 1, 2**63 - 1, SIZES),
        (2**40, 2**50, SIZES[1:]),
        (2**40 - 1, 2**40, SIZES[:1]),
        (2**40, 2**40, ()),
        (2**50, 2**40, ()),
        (2**50, 2**63 - 1, ()),
    ],
)
def test_bounds_exclude_the_first_and_include_the_second(
    above: int, up_to: int, found: tuple[int, ...]
) -> None:
    LogRange.objects.bulk_create(LogRange(size=size, hashes=b"") for size in SIZES)
    assert tuple(row.size for row in within([above, up_to])) == found


def test_no_values_match_no_rows() -> None:
    assert list(by_text([])) == []


@pytest.mark.parametrize("text", ["'", '"', "%s", "%", "{}", '["a"]', "\\", "a,b", "Ω", ""])
def test_values_are_never_part_of_the_statement(text: str) -> None:
    name = Name.objects.filter(is_alias=True)[0]
    Name.objects.create(
        text=text, tag_id=name.tag_id, namespace_id=name.namespace_id, is_alias=True, folded=""
    )
    assert [name.text for name in by_text([text, "acme/nothing"])] == [text]


def test_any_number_of_values_is_one_query_and_the_same_statement() -> None:
    with CaptureQueriesContext(connection) as captured:
        list(by_text(["arm/soc"]))
        names = list(by_text([f"acme/{number}" for number in range(5000)] + ["arm/soc"]))
    assert [name.text for name in names] == ["arm/soc"]
    assert len(captured) == 2


def test_the_queryset_is_built_once() -> None:
    querysets: list[QuerySet[Name]] = []

    def build() -> QuerySet[Name]:
        querysets.append(Name.objects.filter(text__among=PLACEHOLDER))
        return querysets[-1]

    rows: PreparedQuery[Name] = PreparedQuery(build)
    assert [len(rows([text])) for text in ("arm/soc", "acme/nothing", "nvidia/a100")] == [1, 0, 1]
    assert len(querysets) == 1


if connection.vendor == "postgresql":

    def test_a_statement_is_planned_once_for_a_connection() -> None:
        rows: PreparedQuery[Name] = PreparedQuery(
            lambda: Name.objects.filter(text__among=PLACEHOLDER).only("folded")
        )
        for text in ("arm/soc", "acme/nothing", "nvidia/a100", "arm/soc"):
            rows([text])
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT generic_plans > 1, custom_plans FROM pg_prepared_statements"
                " WHERE statement LIKE %s",
                ['SELECT "registry_name"."id", "registry_name"."folded" FROM%'],
            )
            assert cursor.fetchall() == [(True, 0)]


def test_texts_are_joined_without_parameters() -> None:
    names = Name.objects.filter(text="arm/soc").annotate(
        joined=Joined(F("text"), Joined(F("tag__text"), F("folded"), separator="."), separator="@")
    )
    (name,) = names
    assert name.joined == f"arm/soc@arm/soc.{name.folded}"
    assert names.query.sql_with_params()[1] == ("arm/soc",)


@pytest.mark.parametrize("number", [0, 1, 40])
def test_among_rows_finds_what_in_does(number: int) -> None:
    rows = Tag.objects.order_by("pk").values("pk")[:number]
    found = Name.objects.filter(tag__among_rows=rows).order_by("text")
    assert list(found) == list(Name.objects.filter(tag__in=list(rows.values_list("pk", flat=True))))
    assert found.values("tag").distinct().count() == number
