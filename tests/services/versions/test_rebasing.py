"""Rebasing dependents and updating tags."""

import json
from collections.abc import Sequence
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import Entry, Event, User, Version
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from registry.services.versions import checking, impact, publishing, rebasing, resolving
from registry.services.versions.rebasing import Plan, RebaseOutcome
from tests.publishing import counts, publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BASE = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 4}
NEXT = BASE | {"num-cores": 8}


def plan(*roots: str, only: Sequence[str] = ()) -> Plan:
    return rebasing.plan_rebase(
        [Tag.parse(root) for root in roots], only=[Tag.parse(name) for name in only]
    )


def rebase(*roots: str, only: Sequence[str] = ()) -> RebaseOutcome:
    return rebasing.rebase(plan(*roots, only=only), actor=Actor(User.objects.get(username="alice")))


def newest(tag: str) -> Version:
    return resolving.resolve(Reference.parse(tag)).version


def steps(result: Plan) -> list[tuple[str, str, str]]:
    return [(step.text, step.bump, step.number) for step in result.steps]


def test_dependents_are_published_parents_first() -> None:
    publish("acme/base", BASE)
    publish("acme/middle", {"tag": "acme/base"})
    publish("acme/leaf", {"kind": "composite", "devices": ["acme/middle"]})
    publish("acme/base", NEXT)
    assert steps(plan("acme/base")) == [
        ("acme/middle", "MAJOR", "2.0.0"),
        ("acme/leaf", "MAJOR", "2.0.0"),
    ]
    assert len(rebase("acme/base").published) == 2
    leaf = resolving.resolve(Reference.parse("acme/leaf"))
    assert json.loads(leaf.version.target)["devices"][0]["num-cores"] == 8
    assert json.loads(leaf.version.lineage) == ["acme/middle@2.0.0", "acme/base@2.0.0"]


def test_source_is_unchanged() -> None:
    source = '{\n  "tag": "acme/base",   "model": "x"\n}'
    publish("acme/base", BASE)
    publish("acme/board", source)
    publish("acme/base", NEXT)
    rebase("acme/base")
    assert Version.objects.get(tag__text="acme/board", major=2).source == source


def test_author_of_the_body_keeps_the_credit(alice: User) -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    carol = User.objects.create_superuser("carol")
    publish("acme/base", NEXT)
    rebasing.rebase(plan("acme/base"), actor=Actor(carol))
    rebased = newest("acme/board")
    assert (rebased.author, rebased.publisher) == (alice, carol)
    publish("acme/base", NEXT | {"num-cores": 16})
    rebase("acme/base")
    again = newest("acme/board")
    assert (again.author, again.publisher) == (None, alice)


def test_sources_of_the_body_are_kept(alice: User) -> None:
    publish("acme/base", BASE)
    urls = ["https://example.com/sheet"]
    publishing.publish(
        Tag.parse("acme/leaf"),
        '{"tag": "acme/base"}',
        message="",
        sources=urls,
        expected=None,
        actor=Actor(alice),
    )
    publish("acme/base", NEXT)
    rebase("acme/base")
    assert (newest("acme/leaf").exact, newest("acme/leaf").source_urls) == ("acme/leaf@2.0.0", urls)


def test_message_names_moved_references() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/base", NEXT)
    rebase("acme/base")
    version = Version.objects.get(tag__text="acme/board", major=2)
    assert version.message == "Rebased: acme/base@1.0.0 to acme/base@2.0.0"


def test_rebased_version_equals_one_published_again() -> None:
    publish("acme/base", BASE)
    publish("acme/mixin", {"runtime": "crt"})
    body = {"tag": ["acme/base", "acme/mixin"], "host": "arm/soc", "model": "x"}
    for tag in ("acme/one", "acme/two"):
        publish(tag, body)
    publish("acme/base", NEXT)
    rebase("acme/base", only=["acme/one"])
    published = publish("acme/two", body)
    rebased = Version.objects.get(tag__text="acme/one", major=2)
    for column in ("target", "digest", "provenance", "tuning_keys", "lineage", "dependencies"):
        assert getattr(rebased, column) == getattr(published, column), column
    assert rebased.depth == published.depth
    rows = [
        sorted(
            version.ancestry.values_list("position", "distance", "ancestor")
            | version.ancestry.none().values_list("position", "distance", "ancestor")
        )
        for version in (rebased, published)
    ]
    assert rows[0] == rows[1]
    uses = [
        list(
            version.uses.order_by("position").values_list(
                "pointer", "requested", "name", "is_floating", "resolved", "relation"
            )
        )
        for version in (rebased, published)
    ]
    assert uses[0] == uses[1]
    kinds = [
        set(v.checked_against.values_list("revision", flat=True)) for v in (rebased, published)
    ]
    assert kinds[0] == kinds[1]


def test_each_version_has_an_event_and_is_indexed() -> None:
    publish("acme/base", BASE)
    for index in range(3):
        publish(f"acme/board-{index}", {"tag": "acme/base", "model": f"board-{index}"})
    publish("acme/base", NEXT)
    before = Event.objects.count()
    rebase("acme/base")
    events = Event.objects.filter(number__gt=before).order_by("number")
    assert [(event.number, event.action, event.subject) for event in events] == [
        (before + 1 + index, "version.published", f"acme/board-{index}@2.0.0") for index in range(3)
    ]
    entries = Entry.objects.filter(text__startswith="acme/board").select_related("version")
    assert {entry.version and entry.version.major for entry in entries} == {2}


def test_only_chosen_dependents_are_rebased() -> None:
    publish("acme/base", BASE)
    publish("acme/one", {"tag": "acme/base"})
    publish("acme/two", {"tag": "acme/base"})
    publish("acme/of-two", {"tag": "acme/two"})
    publish("acme/base", NEXT)
    assert steps(plan("acme/base", only=["acme/one", "acme/of-two"])) == [
        ("acme/one", "MAJOR", "2.0.0")
    ]


def test_rebasing_twice_publishes_nothing() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/base", NEXT)
    rebase("acme/base")
    before = counts()
    assert len(rebase("acme/base").published) == 0
    assert counts() == before


def test_plan_writes_nothing() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/base", NEXT)
    before = counts()
    assert plan("acme/base").counts == {"MAJOR": 1}
    assert counts() == before


def test_plan_equals_the_impact() -> None:
    publish("acme/base", BASE)
    publish("acme/middle", {"tag": "acme/base", "mcpu": "skylake"})
    publish("acme/leaf", {"kind": "composite", "devices": ["acme/middle", "acme/base"]})
    body = BASE | {"mcpu": "znver3"}
    draft = checking.check(Tag.parse("acme/base"), json.dumps(body))
    effects = impact.iterate_effects(draft)
    expected = [(effect.tag, effect.bump, effect.number) for effect in effects]
    publish("acme/base", body)
    assert steps(plan("acme/base")) == expected


def test_invalid_dependent_is_skipped_with_the_reason() -> None:
    publish("acme/base", BASE | {"mattr": ["+avx"]})
    publish("acme/broken", {"tag": "acme/base", "mattr": {"$append": ["+avx2"]}})
    publish("acme/well", {"tag": "acme/base", "model": None})
    publish("acme/base", {"kind": "cuda", "arch": "sm_80"})
    outcome = rebase("acme/base")
    assert len(outcome.published) == 1
    ((tag, reason),) = outcome.skipped
    assert tag == "acme/broken"
    assert "/mattr" in reason


def test_yanked_parent_is_skipped() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/base", NEXT)
    rebase("acme/base")
    yank("acme/base@2.0.0")
    assert steps(plan("acme/base")) == [("acme/board", "MAJOR", "3.0.0")]


def test_moved_alias_is_followed(alice: User) -> None:
    publish("acme/base", BASE)
    publish("acme/next", NEXT)
    aliases.point_alias("acme/b", Reference.parse("acme/base"), actor=Actor(alice))
    publish("acme/board", {"tag": "acme/b"})
    aliases.point_alias("acme/b", Reference.parse("acme/next"), actor=Actor(alice))
    assert steps(plan("acme/next")) == [("acme/board", "MAJOR", "2.0.0")]
    assert len(rebase("acme/next").published) == 1


def test_step_of_a_tag_that_has_moved_is_skipped() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/other", {"tag": "acme/base"})
    publish("acme/base", NEXT)
    planned = plan("acme/base")
    publish("acme/board", {"tag": "acme/base", "model": "newer"})
    outcome = rebasing.rebase(planned, actor=Actor(User.objects.get(username="alice")))
    assert len(outcome.published) == 1
    assert [tag for tag, _ in outcome.skipped] == ["acme/board"]


def test_batch_is_drafted_again_after_a_write_in_between() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/base", NEXT)
    planned = plan("acme/base")
    redraft = rebasing._redraft
    calls = []

    def redraft_and_publish(steps: Sequence[rebasing.RebaseStep]) -> object:
        result = redraft(steps)
        calls.append(len(steps))
        if len(calls) == 1:
            publish("acme/unrelated", BASE)
        return result

    with patch.object(rebasing, "_redraft", redraft_and_publish):
        outcome = rebasing.rebase(planned, actor=Actor(User.objects.get(username="alice")))
    assert (calls, len(outcome.published)) == ([1, 1], 1)


def test_actor_without_permission_for_one_tag_publishes_none() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/base", NEXT)
    before = counts()
    bob = User.objects.create_user("bob")
    with pytest.raises(Refused) as refused:
        rebasing.rebase(plan("acme/base"), actor=Actor(bob))
    assert refused.value.code == Code.FORBIDDEN
    assert counts() == before


@pytest.mark.parametrize("where", ["roots", "only"])
def test_unknown_tag_is_rejected(where: str) -> None:
    publish("acme/base", BASE)
    with pytest.raises(Refused) as refused:
        plan("acme/nothing") if where == "roots" else plan("acme/base", only=["acme/nothing"])
    assert refused.value.code == Code.TAG_UNKNOWN


def count_queries(tags: int) -> tuple[int, int]:
    base = f"acme/base-{tags}"
    publish(base, BASE)
    for number in range(tags):
        publish(f"acme/of-{tags}-{number}", {"tag": base, "model": f"board-{number}"})
    publish(base, NEXT)
    with CaptureQueriesContext(connection) as planning:
        planned = plan(base)
    with CaptureQueriesContext(connection) as writing:
        outcome = rebasing.rebase(planned, actor=Actor(User.objects.get(username="alice")))
    assert len(outcome.published) == tags
    return len(planning), len(writing)


@pytest.mark.usefixtures("no_tiles")
def test_queries_do_not_grow_with_the_number_of_dependents() -> None:
    # PostgreSQL locks; SQLite inserts the last version by itself, for its key.
    assert count_queries(2) == count_queries(20) == (10, 38)


def test_planning_stops_at_the_limit() -> None:
    publish("acme/base", BASE)
    for number in range(4):
        publish(f"acme/d{number}", {"tag": "acme/base", "model": f"m{number}"})
    publish("acme/base", NEXT)
    partial = rebasing.plan_rebase([Tag.parse("acme/base")], limit=2)
    assert (len(partial.steps), partial.is_complete) == (2, False)
    assert rebasing.plan_rebase([Tag.parse("acme/base")], limit=4).is_complete


def test_updates_are_published_in_dependency_order(alice: User) -> None:
    publish("acme/base", BASE)
    publish("acme/z-middle", {"tag": "acme/base"})
    publish("acme/a-leaf", {"kind": "composite", "devices": ["acme/z-middle"]})
    publish("acme/base", NEXT)
    names = [Tag.parse("acme/a-leaf"), Tag.parse("acme/z-middle"), Tag.parse("acme/base")]
    assert rebasing.sort_by_dependency(names) == ["acme/base", "acme/z-middle", "acme/a-leaf"]
    outcome = rebasing.update_all(names, actor=Actor(alice))
    assert outcome.published == ["acme/z-middle@2.0.0", "acme/a-leaf@2.0.0"]
    assert outcome.skipped == [("acme/base", "it is up to date")]


def test_update_skips_tags_that_the_actor_may_not_publish() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/base", NEXT)
    stranger = User.objects.create_user("eve")
    outcome = rebasing.update_all([Tag.parse("acme/board")], actor=Actor(stranger))
    assert outcome.published == []
    assert outcome.skipped == [("acme/board", "eve may not publish in acme; propose it instead")]
