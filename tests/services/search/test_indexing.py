"""The search index follows publications, yanks and deprecations."""

import json
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import post_migrate
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings, strategies as st

from registry.domain.errors import Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.domain.search.attributes import attributes, searchable_attributes
from registry.models import Attribute, Entry, Status, Tag, User, Version
from registry.models.search_index import MAX_NAME, MAX_POINTER, MAX_TEXT
from registry.services.core.permissions import Actor
from registry.services.search import indexing
from registry.services.tags import deprecation
from registry.services.versions import yanking
from tests.profiles import examples
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "cuda", "arch": "sm_53", "libs": ["cublas", "cudnn"], "thread_warp_size": 32}
FACTS = {"hardware": {"vendor": "Acme", "family": "Boards"}}

Index = dict[str, tuple[Any, ...]]


def entry(tag: str = "acme/board") -> Entry:
    return Entry.objects.get(text=tag)


def attributes_of(tag: str = "acme/board") -> set[tuple[str, str, str, float | None]]:
    """Return the rows of a tag's values; those of compilers are tested beside their filter."""
    rows = Attribute.objects.filter(tag__text=tag).exclude(name="compiles")
    return set(rows.values_list("pointer", "name", "text", "number"))


def stored_index(prefix: str = "") -> Index:
    """Return the index rows by tag, of tags with a prefix."""
    facts = Entry.objects.filter(text__startswith=prefix).values_list(
        "text", "namespace", "version", "kind", "vendor", "arch", "family", "status", "leaves"
    )
    return {text: (*values, frozenset(attributes_of(text))) for text, *values in facts}


def test_first_version_creates_the_entry() -> None:
    version = publish("acme/board", BOARD | FACTS)
    row = entry()
    assert (row.tag, row.version, row.namespace) == (version.tag, version, version.tag.namespace)
    assert (row.kind, row.vendor, row.arch, row.family) == ("cuda", "Acme", "sm_53", "Boards")
    assert (row.status, row.leaves) == (Status.ACTIVE, 4)
    assert attributes_of() == {
        ("/kind", "kind", "cuda", None),
        ("/arch", "arch", "sm_53", None),
        ("/libs", "libs", "cublas", None),
        ("/libs", "libs", "cudnn", None),
        ("/thread_warp_size", "thread_warp_size", "32", 32.0),
        ("/hardware/vendor", "vendor", "Acme", None),
        ("/hardware/family", "family", "Boards", None),
    }


def test_parts_of_a_triple_are_attributes_but_not_leaves() -> None:
    publish(
        "acme/board", {"kind": "llvm", "mtriple": "aarch64-linux-android", "mcpu": "cortex-a55"}
    )
    assert (entry().arch, entry().leaves) == ("aarch64", 3)
    assert attributes_of() == {
        ("/kind", "kind", "llvm", None),
        ("/mtriple", "mtriple", "aarch64-linux-android", None),
        ("/mtriple/arch", "arch", "aarch64", None),
        ("/mtriple/os", "os", "linux", None),
        ("/mtriple/libc", "libc", "android", None),
        ("/mcpu", "mcpu", "cortex-a55", None),
    }


def test_next_version_replaces_the_entry() -> None:
    publish("acme/board", BOARD)
    version = publish("acme/board", {"kind": "cuda", "arch": "sm_90"})
    assert (entry().version, entry().arch, entry().leaves) == (version, "sm_90", 2)
    assert {text for _, _, text, _ in attributes_of()} == {"cuda", "sm_90"}


def test_yanking_the_newest_version_restores_the_previous_one() -> None:
    first = publish("acme/board", BOARD)
    second = publish("acme/board", BOARD | {"arch": "sm_90"})
    yank(second.exact)
    assert (entry().version, entry().arch, entry().status) == (first, "sm_53", Status.ACTIVE)
    assert ("/arch", "arch", "sm_53", None) in attributes_of()


def test_fully_yanked_tag_has_no_version_and_no_attributes(
    alice: User,
) -> None:
    version = publish("acme/board", BOARD | FACTS)
    yank(version.exact)
    row = entry()
    assert (row.version, row.status, row.leaves) == (None, Status.YANKED, 0)
    assert (row.kind, row.vendor, row.arch, row.family) == ("", "", "", "")
    assert attributes_of() == set()
    yanking.unyank(Reference.parse(version.exact), reason="was right", actor=Actor.operator(alice))
    assert (entry().version, entry().status, entry().kind) == (version, Status.ACTIVE, "cuda")
    assert len(attributes_of()) == 7


def test_deprecation_changes_the_status(alice: User) -> None:
    publish("acme/board", BOARD)
    board = TagName.parse("acme/board")
    deprecation.deprecate(board, reason="sold out", actor=Actor.operator(alice))
    assert entry().status == Status.DEPRECATED
    assert entry().version
    yank("acme/board@1.0.0")
    assert entry().status == Status.YANKED
    publish("acme/board", BOARD | {"arch": "sm_90"})
    assert entry().status == Status.DEPRECATED
    deprecation.undeprecate(board, reason="sold again", actor=Actor.operator(alice))
    assert entry().status == Status.ACTIVE


def test_mixin_has_an_entry_without_a_kind() -> None:
    publish("acme/small", {"libs": {"$append": ["a"]}, "arch": None, "hardware": None})
    assert (entry("acme/small").kind, entry("acme/small").arch) == ("", "")
    assert attributes_of("acme/small") == {("/libs/$append", "libs", "a", None)}


def test_values_too_long_for_the_index_are_omitted() -> None:
    label = "m" + "x" * 31
    body: dict[str, Any] = {"kind": "c", "model": "m"}
    for _ in range(14):
        body = {"kind": "composite", "devices": {label: body}}
    name = "a." + "x" * MAX_NAME
    setting = "relay.ext.vitis_ai.options.target"
    publish("acme/long", {**body, "flow": {name: 1, setting: "y" * MAX_TEXT}})
    indexed = attributes_of("acme/long")
    assert (f"/flow/{setting}", setting, "y" * MAX_TEXT, None) in indexed
    assert name not in {attribute_name for _, attribute_name, _, _ in indexed}
    assert max(len(pointer) for pointer, _, _, _ in indexed) <= MAX_POINTER
    assert len(indexed) < len(
        attributes(json.loads(Version.objects.get(entry__text="acme/long").target))
    )


def test_long_facts_are_truncated() -> None:
    publish("acme/wordy", BOARD | {"hardware": {"vendor": "V" * 120}})
    assert entry("acme/wordy").vendor == "V" * min(120, MAX_NAME)


def test_whole_catalogue_is_indexed() -> None:
    assert indexing.is_complete()
    for row in Entry.objects.with_version():
        assert row.version
        target = Version.objects.get(pk=row.version.pk).target
        values = searchable_attributes(attributes(json.loads(target)))
        expected = {(value.pointer, value.name, value.text, value.number) for value in values}
        assert attributes_of(row.text) == expected


def test_rebuilding_changes_nothing_and_reports_progress() -> None:
    before = stored_index()
    reports: list[tuple[int, int]] = []
    count = Tag.objects.count()
    assert indexing.rebuild_index(lambda done, total: reports.append((done, total))) == count
    assert reports[-1] == (count, count)
    assert stored_index() == before


def test_migrating_completes_the_index() -> None:
    before = stored_index()
    Attribute.objects.all().delete()
    Entry.objects.all().delete()
    assert not indexing.is_complete()
    connection.check_constraints()  # PostgreSQL cannot alter tables with deferred checks
    config = apps.get_app_config("registry")
    post_migrate.send(sender=config, app_config=config, using="default", verbosity=0)
    assert indexing.is_complete()
    assert stored_index() == before


def test_migrating_again_does_not_rebuild_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "rebuild_index", lambda: pytest.fail("the index was rebuilt"))
    connection.check_constraints()
    call_command("migrate", verbosity=0)


def test_number_of_queries_does_not_depend_on_the_number_of_tags() -> None:
    tags = [publish(f"acme/board-{number}", BOARD).tag_id for number in range(40)]

    def count_queries(pks: list[int]) -> int:
        """Return the number of queries without INSERT, which depends on the rows."""
        with CaptureQueriesContext(connection) as captured:
            indexing.reindex_tags(pks)
        return sum("INSERT" not in query["sql"] for query in captured)

    assert count_queries(tags[:1]) == count_queries(tags) == 8


def test_status_is_that_of_all_tags_with_versions() -> None:
    tags = [publish(f"acme/board-{number}", BOARD).tag_id for number in range(40)]
    for is_deprecated in (True, False):
        indexing.index_status(tags, is_deprecated=is_deprecated)
        status = Status.DEPRECATED if is_deprecated else Status.ACTIVE
        assert Entry.objects.filter(tag__in=tags, status=status).count() == 40


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(("publish", "yank", "unyank", "deprecate", "undeprecate")),
        st.sampled_from(("acme/a", "acme/b")),
        st.integers(1, 3),
    ),
    max_size=12,
)


@given(ACTIONS)
@settings(
    max_examples=examples(0.5),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_index_always_equals_a_rebuilt_one(
    alice: User, actions: list[tuple[str, str, int]]
) -> None:
    for action, tag, number in actions:
        try:
            perform(alice, action, tag, number)
        except Refused:
            continue  # not possible in this state
    tags = list(Tag.objects.filter(text__in=("acme/a", "acme/b")).values_list("pk", flat=True))
    before = stored_index("acme/")
    assert len(before) == len(tags)
    Attribute.objects.filter(tag__in=tags).delete()
    Entry.objects.filter(tag__in=tags).delete()
    indexing.reindex_tags(tags)
    assert stored_index("acme/") == before


def perform(actor: User, action: str, tag: str, number: int) -> None:
    reference, name = Reference.parse(f"{tag}@{number}.0.0"), TagName.parse(tag)
    match action:
        case "publish":
            publish(tag, {"kind": "c", "mcpu": f"cpu-{number}"})
        case "yank":
            yanking.yank(reference, reason="wrong", actor=Actor.operator(actor))
        case "unyank":
            yanking.unyank(reference, reason="right", actor=Actor.operator(actor))
        case "deprecate":
            deprecation.deprecate(name, reason="old", actor=Actor.operator(actor))
        case "undeprecate":
            deprecation.undeprecate(name, reason="new", actor=Actor.operator(actor))
