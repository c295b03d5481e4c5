"""Publishing many bodies together."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings, strategies as st

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Event, Tag, User, Version
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor, require_all
from registry.services.core.transactions import authorized_write
from registry.services.operations import verify
from registry.services.tags import aliases
from registry.services.versions import bulk_publishing
from registry.services.versions.bulk_publishing import Publication
from tests.profiles import examples
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}

Body = dict[str, Any]


def publication(tag: str, body: Body | str, *, is_family: bool = False, message: str = "") -> Any:
    source = body if isinstance(body, str) else json.dumps(body)
    return Publication(TagName.parse(tag), source, message, is_family=is_family)


def publish_all(*publications: Publication) -> tuple[list[str], dict[str, Refused]]:
    """Publish together; return the versions, and the errors by tag."""
    alice = User.objects.get(username="alice")
    prepared = bulk_publishing.prepare_all(publications)
    tags = [item.tag for item in publications]
    with authorized_write(require_all(Actor.operator(alice), Action.PUBLISH, tags)):
        versions = bulk_publishing.finish_all(prepared, publisher=alice)
    refused = {str(item.publication.tag): item.refusal for item in prepared if item.refusal}
    return [version.exact for version in versions], refused


def test_versions_of_one_tag_follow_each_other() -> None:
    publish("acme/board", BOARD)
    versions, refused = publish_all(
        publication("acme/board", BOARD | {"num-cores": 8}),
        publication("acme/other", BOARD),
        publication("acme/board", BOARD | {"num-cores": 8, "hardware": {"vendor": "Acme"}}),
    )
    assert not refused
    assert versions == ["acme/board@2.0.0", "acme/other@1.0.0", "acme/board@2.0.1"]


def test_unchanged_version_is_left_out_and_the_next_one_follows() -> None:
    versions, refused = publish_all(
        publication("acme/board", BOARD),
        publication("acme/board", BOARD),
        publication("acme/board", BOARD | {"num-cores": 8}),
    )
    assert versions == ["acme/board@1.0.0", "acme/board@2.0.0"]
    assert refused["acme/board"].code == Code.NOTHING_CHANGED


def test_rejected_version_stops_only_its_tag() -> None:
    versions, refused = publish_all(
        publication("acme/board", BOARD),
        publication("acme/board", BOARD | {"num-cores": "many"}),
        publication("acme/board", BOARD | {"num-cores": 8}),
        publication("acme/other", BOARD),
    )
    assert versions == ["acme/board@1.0.0", "acme/other@1.0.0"]
    assert [fault.pointer for fault in refused["acme/board"].faults] == ["/num-cores"]


@pytest.mark.parametrize(
    ("tag", "body", "message", "code"),
    [
        ("nowhere/board", BOARD, "", Code.NAMESPACE_UNKNOWN),
        ("acme/board", "{", "", Code.JSON_INVALID),
        ("acme/board", BOARD, "bell \x07", Code.REQUEST_INVALID),
        ("acme/board", {"tag": "acme/nothing"}, "", Code.BODY_INVALID),
        ("acme/board", {"tag": "acme/withdrawn@1"}, "", Code.BODY_INVALID),
        ("acme/board", {"tag": "acme/withdrawn@1.0.0"}, "", Code.PARENT_INVALID),
        ("acme/alias", BOARD, "", Code.CONFLICT),
        ("acme/board", {"kind": "composite", "devices": ["acme/mixin"]}, "", Code.NOT_A_TARGET),
    ],
)
def test_publication_is_rejected_as_a_single_one(
    alice: User, tag: str, body: Body, message: str, code: Code
) -> None:
    publish("acme/withdrawn", BOARD)
    yank("acme/withdrawn@1.0.0", "wrong cores")
    publish("acme/mixin", {"runtime": "crt"})
    aliases.point_alias("acme/alias", Reference("acme/mixin"), actor=Actor.operator(alice))
    before = Event.objects.count()
    with pytest.raises(Refused) as single:
        publish(tag, body, message=message)
    versions, refused = publish_all(publication(tag, body, message=message))
    bulk = refused[tag]
    assert (bulk.code, bulk.detail, bulk.faults) == (
        single.value.code,
        single.value.detail,
        single.value.faults,
    )
    assert bulk.code == code
    assert versions == []
    assert Event.objects.count() == before


def test_cycle_through_an_earlier_publication_is_refused(alice: User) -> None:
    """Each body alone would be accepted."""
    for name in ("a", "b"):
        publish(f"acme/{name}", BOARD)
        publish(f"acme/{name}-link", {"tag": f"acme/{name}"})
    versions, refused = publish_all(
        publication("acme/a", {"tag": "acme/b-link"}),
        publication("acme/b", {"tag": "acme/a-link"}),
    )
    assert versions == ["acme/a@1.0.1"]
    assert refused["acme/b"].code == Code.CYCLE


def test_new_family_has_an_event_and_no_lint_for_its_cores() -> None:
    triple = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}
    publish_all(
        publication("acme/family", triple, is_family=True), publication("acme/board", triple)
    )
    families = Tag.objects.filter(text__startswith="acme/", is_family=True)
    assert list(families.values_list("text", flat=True)) == ["acme/family"]
    events = Event.objects.filter(namespace="acme").order_by("number")
    assert list(events.values_list("action", "subject"))[-3:] == [
        ("tag.family_set", "acme/family"),
        ("version.published", "acme/family@1.0.0"),
        ("version.published", "acme/board@1.0.0"),
    ]
    linted = Version.objects.filter(tag__text__startswith="acme/", lint_report__isnull=False)
    assert list(linted.values_list("tag__text", flat=True)) == ["acme/board"]


def test_existing_tag_does_not_become_a_family() -> None:
    publish("acme/board", BOARD)
    publish_all(publication("acme/board", BOARD | {"num-cores": 8}, is_family=True))
    assert not Tag.objects.get(text="acme/board").is_family


@pytest.mark.usefixtures("no_tiles")
@pytest.mark.parametrize("is_new", [True, False])
def test_number_of_queries_does_not_depend_on_the_number_of_tags(*, is_new: bool) -> None:
    publish("acme/base", BOARD)

    def bodies(count: int, cores: int) -> list[Publication]:
        body = {"tag": "acme/base", "num-cores": cores}
        return [publication(f"acme/board-{count}-{number}", body) for number in range(count)]

    def count_queries(count: int) -> int:
        """Return the number of queries without INSERT, which depends on the rows."""
        if not is_new:
            publish_all(*bodies(count, 1))
        with CaptureQueriesContext(connection) as captured:
            versions, _ = publish_all(*bodies(count, 2))
        assert len(versions) == count
        return sum("INSERT" not in query["sql"] for query in captured)

    few, many = count_queries(10), count_queries(100)
    assert few == many
    assert many <= 30


def test_stored_rows_pass_verification() -> None:
    publish_all(publication("acme/base", BOARD), publication("acme/mixin", {"runtime": "crt"}))
    publish_all(
        publication("acme/board", {"tag": ["acme/base", "acme/mixin"]}),
        publication("acme/board", {"tag": "acme/base", "num-cores": 2}),
        publication("acme/pair", {"kind": "composite", "devices": ["acme/base", "acme/base@1"]}),
    )
    assert list(verify.verify()) == []


CORES = st.sampled_from([1, 2, 4])
BODIES = st.one_of(
    st.builds(lambda cores: {"kind": "llvm", "mcpu": "haswell", "num-cores": cores}, CORES),
    st.builds(lambda cores: {"tag": "acme/base@1", "num-cores": cores}, CORES),
    st.just({"tag": ["acme/base", "acme/mixin"]}),
    st.just({"kind": "composite", "devices": {"a": "acme/base", "b": "acme/base@1.0.0"}}),
    st.just({"kind": "unknown"}),
)


@given(st.lists(st.tuples(st.sampled_from(("acme/a", "acme/b")), BODIES), max_size=6))
@settings(
    max_examples=examples(0.2),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_stores_what_publishing_one_by_one_stores(
    acme: object, publications: Sequence[tuple[str, Body]]
) -> None:
    rows = [_rows_after(publications, together=together) for together in (True, False)]
    assert rows[0] == rows[1]


def _rows_after(publications: Sequence[tuple[str, Body]], *, together: bool) -> list[Any]:
    """Return what publishing bodies stores, and roll it back. Each tag stops at an error."""
    with transaction.atomic():
        publish("acme/base", BOARD)
        publish("acme/mixin", {"runtime": "crt"})
        if together:
            publish_all(*(publication(tag, body) for tag, body in publications))
        else:
            _publish_one_by_one(publications)
        columns = ("tag__text", "major", "minor", "patch", "target", "provenance", "lineage")
        versions = Version.objects.filter(tag__text__startswith="acme/").order_by("pk")
        rows: list[Any] = list(versions.values_list(*columns, "entry__text", "build_digest"))
        rows += list(Event.objects.order_by("number").values_list("action", "subject", "detail"))
        transaction.set_rollback(True)
    return rows


def _publish_one_by_one(publications: Sequence[tuple[str, Body]]) -> None:
    rejected = set()
    for tag, body in publications:
        try:
            if tag not in rejected:
                publish(tag, body)
        except Refused as refusal:
            if refusal.code is not Code.NOTHING_CHANGED:
                rejected.add(tag)
