"""Every write adds to the totals what counting its rows afterwards gives."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.models import Count
from django.db.models.signals import post_migrate
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings, strategies as st

from registry.domain.errors import Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Counted, Entry, GroupTotal, Tag, Total, User, ValueTotal, Version
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.operations import verify
from registry.services.search import indexing, totals
from registry.services.tags import deprecation, renaming
from registry.services.tags.deprecation import Replacement
from registry.services.versions import families, rebasing, yanking
from registry.services.versions.bulk_publishing import Publication, finish_all, prepare_all
from tests.profiles import examples
from tests.publishing import publish, yank
from tests.services.operations.redacted_text import SECRET, redact

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

NAMES = ("acme/a", "acme/b", "acme/a:big")
BODIES: Sequence[dict[str, Any]] = (
    {"kind": "c", "mcpu": "cortex-m7", "keys": ["arm_cpu", "cpu"]},
    {"kind": "c", "mcpu": "cortex-m55", "executor": "aot", "flow": {"link-params": True}},
    {"kind": "cuda", "arch": "sm_90", "host": {"kind": "llvm", "mcpu": "haswell"}},
    {"kind": "cuda", "arch": "sm_90", "hardware": {"category": "gpu", "memory_bytes": 2**34}},
    {"kind": "c", "hardware": {"category": "board", "vendor": "Acme", "cores": 4}},
    {"libs": {"$append": ["one"]}, "hardware": {"vendor": "Acme"}},
    {"tag": "acme/a", "model": "of-a"},
)

Rows = dict[str, dict[tuple[Any, ...], int]]


def stored() -> Rows:
    """Return all totals."""
    columns = {Total: totals.TOTAL, ValueTotal: totals.VALUE, GroupTotal: totals.GROUP}
    return {
        model.__name__: {
            tuple(key): number for *key, number in model._base_manager.values_list(*names, "number")
        }
        for model, names in columns.items()
    }


def rebuilt() -> Rows:
    """Return the totals after a rebuild, which is undone."""
    with transaction.atomic():
        totals.rebuild()
        rows = stored()
        transaction.set_rollback(True)
    return rows


def total(counted: Counted, name: str) -> int:
    return Total.objects.of(counted, [name]).get(name, 0)


def value(option: str, text: str) -> int:
    row = ValueTotal.objects.filter(option=option, text=text).first()
    return row.number if row else 0


def counted_groups() -> Counter[tuple[str, ...]]:
    """Return the groups of all tags, counted in the table of entries."""
    columns = ("namespace__name", "kind", "vendor", "arch", "family", "status")
    rows = Entry.objects.order_by().values_list(*columns).annotate(Count("pk"))
    return Counter({tuple(key): number for *key, number in rows})


WRITES: dict[str, Callable[[Actor, str, int], object]] = {
    "publish": lambda actor, tag, number: publish(tag, BODIES[number]),
    "publish several": lambda actor, tag, number: publish_several(actor, number),
    "yank": lambda actor, tag, number: yank(f"{tag}@{number % 2 + 1}.0.0"),
    "unyank": lambda actor, tag, number: yanking.unyank(
        Reference.parse(f"{tag}@{number % 2 + 1}.0.0"), reason="right", actor=actor
    ),
    "deprecate": lambda actor, tag, number: deprecation.deprecate(
        TagName.parse(tag), reason="old", actor=actor
    ),
    "undeprecate": lambda actor, tag, number: deprecation.undeprecate(
        TagName.parse(tag), reason="new", actor=actor
    ),
    "replace": lambda actor, tag, number: deprecation.replace_all(
        [Replacement(TagName.parse(tag), TagName.parse("arm/soc"), "better")], actor=actor
    ),
    "family": lambda actor, tag, number: families.set_family(
        TagName.parse(tag), is_family=bool(number % 2), actor=actor
    ),
    "rename": lambda actor, tag, number: renaming.rename_tag(
        TagName.parse(tag), TagName.parse(f"acme/new-{number}"), reason="name", actor=actor
    ),
    "rebase": lambda actor, tag, number: rebasing.update_all([TagName.parse(tag)], actor=actor),
    "redact": lambda actor, tag, number: redact("of-a", actor.user),
}


def publish_several(actor: Actor, number: int) -> None:
    """Publish two tags as loading the catalogue does, one of them with two versions."""
    publications = [
        Publication(TagName.parse(tag), json.dumps(BODIES[body]), "", (), is_family)
        for tag, body, is_family in (
            (f"acme/several-{number}", number, True),
            ("acme/b", 0, False),
            ("acme/b", 2, False),
        )
    ]
    with write_lock():
        finish_all(prepare_all(publications), publisher=actor.user)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(tuple(WRITES)),
            st.sampled_from(NAMES),
            st.integers(0, len(BODIES) - 1),
        ),
        max_size=14,
    )
)
@settings(
    max_examples=examples(0.5),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_totals_are_what_counting_gives(alice: User, writes: list[tuple[str, str, int]]) -> None:
    for write, tag, number in (("publish", NAMES[0], 0), ("publish", NAMES[1], 4), *writes):
        try:
            with transaction.atomic():
                WRITES[write](Actor.operator(alice), tag, number)
        except (Refused, KeyError):
            continue  # not possible in this state
    assert stored() == rebuilt()
    groups = {key[1:]: number for key, number in stored()["GroupTotal"].items() if not key[0]}
    assert groups == counted_groups()
    assert total(Counted.TAGS, "acme") == Tag.objects.filter(namespace__name="acme").count()
    versions = Version.objects.filter(tag__namespace__name="acme").count()
    assert total(Counted.VERSIONS, "acme") == versions


@pytest.mark.parametrize("write", WRITES)
def test_every_write_that_the_property_makes_is_possible(write: str, alice: User) -> None:
    """So that none of them is refused in every example."""
    publish("acme/a", BODIES[0])
    publish("acme/b", BODIES[6])
    number = 1 if write == "family" else 0
    if write == "undeprecate":
        WRITES["deprecate"](Actor.operator(alice), "acme/a", 0)
    if write == "unyank":
        yank("acme/a@1.0.0")
    before = stored()
    WRITES[write](Actor.operator(alice), "acme/a", 1 if write == "publish" else number)
    assert stored() == rebuilt()
    assert (stored() == before) == (write == "rebase")  # nothing to rebase


def test_nothing_is_left_of_a_write_that_is_rolled_back(alice: User) -> None:
    before = stored()
    with transaction.atomic():
        publish("acme/a", BODIES[3])
        assert stored() != before
        transaction.set_rollback(True)
    assert stored() == before


def test_what_is_not_listed_is_counted_by_namespace_only(alice: User) -> None:
    before = stored()
    publish("acme/a", BODIES[3])
    deprecation.deprecate(TagName.parse("acme/a"), reason="old", actor=Actor.operator(alice))
    after = stored()
    assert after["ValueTotal"] == before["ValueTotal"]
    added = {key: number for key, number in after["Total"].items() if key not in before["Total"]}
    assert added == {("tags", "acme"): 1, ("versions", "acme"): 1}


def test_families_and_variants_are_no_names(alice: User) -> None:
    for name in NAMES:
        publish(name, BODIES[4])
    families.set_family(TagName.parse("acme/b"), is_family=True, actor=Actor.operator(alice))
    parts = (Counted.TAGS, Counted.NAMES, Counted.FAMILIES, Counted.VARIANTS)
    assert [total(part, "acme") for part in parts] == [3, 1, 1, 1]


def test_only_names_state_facts_of_their_category() -> None:
    before = total(Counted.STATED, "board/hardware/cores")
    for name in NAMES:
        publish(name, BODIES[4])
    assert total(Counted.STATED, "board/hardware/cores") == before + 2


def test_options_of_root_host_and_executor_are_apart() -> None:
    before = {option: value(option, "haswell") for option in ("llvm/mcpu", "llvm/host/mcpu")}
    publish("acme/a", BODIES[2])
    assert value("llvm/host/mcpu", "haswell") == before["llvm/host/mcpu"] + 1
    assert value("llvm/mcpu", "haswell") == before["llvm/mcpu"]
    assert value("cuda/host/mcpu", "haswell") == 0


def test_nested_devices_are_not_counted() -> None:
    device = {"kind": "cuda", "arch": "sm_90", "model": "nested"}
    publish("acme/a", {"kind": "composite", "devices": {"gpu": device}})
    assert not ValueTotal.objects.filter(text="nested").exists()


def test_no_total_keeps_a_redacted_text(alice: User) -> None:
    hardware = {"vendor": SECRET, "family": SECRET, "category": "board"}
    publish("acme/a", {"kind": "c", "model": SECRET, "hardware": hardware})
    assert SECRET in str(stored())
    redact(SECRET, alice)
    assert SECRET not in str(stored())


def test_values_that_no_tag_has_any_more_leave_no_row() -> None:
    publish("acme/a", {"kind": "webgpu", "model": "first"})
    distinct = total(Counted.VALUES, "webgpu/model")
    publish("acme/a", {"kind": "webgpu", "model": "second"})
    assert total(Counted.VALUES, "webgpu/model") == distinct == 1
    assert list(ValueTotal.objects.filter(option="webgpu/model").values_list("text", "number")) == [
        ("second", 1)
    ]
    yank("acme/a@1.0.0")
    yank("acme/a@2.0.0")
    assert not ValueTotal.objects.filter(option="webgpu/model").exists()
    assert not Total.objects.filter(number=0).exists()


def test_indexing_again_changes_no_total() -> None:
    before = stored()
    tags = list(Tag.objects.order_by("pk").values_list("pk", flat=True)[:40])
    with write_lock():
        indexing.reindex_tags(tags)
    assert stored() == before


def test_migrating_computes_totals_that_are_missing() -> None:
    before = stored()
    for model in (Total, ValueTotal, GroupTotal):
        model.objects.all().delete()
    assert not totals.is_complete()
    connection.check_constraints()  # PostgreSQL cannot alter tables with deferred checks
    config = apps.get_app_config("registry")
    post_migrate.send(sender=config, app_config=config, using="default", verbosity=0)
    assert totals.is_complete()
    assert stored() == before


def test_rebuilding_in_parts_gives_the_same_totals(monkeypatch: pytest.MonkeyPatch) -> None:
    before = stored()
    monkeypatch.setattr(totals, "BATCH", 7)
    monkeypatch.setattr(totals, "MAX_KEPT", 20)
    totals.rebuild()
    assert stored() == before
    assert list(verify.verify()) == []


def test_number_of_queries_does_not_depend_on_the_number_of_tags() -> None:
    tags = [publish(f"acme/board-{number}", BODIES[4]).tag_id for number in range(20)]

    def count_queries(pks: list[int]) -> int:
        """Return the number of queries without those that delete totals which became 0."""
        with CaptureQueriesContext(connection) as captured, write_lock():
            indexing.index_status(pks, is_deprecated=True)
            indexing.index_status(pks, is_deprecated=False)
        return sum("DELETE" not in query["sql"] for query in captured)

    assert count_queries(tags[:1]) == count_queries(tags)
