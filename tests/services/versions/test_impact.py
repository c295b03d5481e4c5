"""The impact of publishing a body on the dependents of its tag."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference, Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from registry.services.versions import checking, impact
from registry.services.versions.impact import Effect, Impact
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BASE = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 4}


def impact_of(tag: str, body: dict[str, Any], limit: int = 100) -> Impact:
    return impact.compute_impact(checking.check(Tag.parse(tag), json.dumps(body)), limit=limit)


def by_tag(result: Impact) -> dict[str, Effect]:
    return {effect.tag: effect for effect in result.effects}


def test_every_dependent_has_its_own_bump_and_diff() -> None:
    publish("acme/base", BASE)
    publish("acme/same", {"tag": "acme/base", "num-cores": 2})
    publish("acme/other", {"tag": "acme/base", "mcpu": "skylake"})
    result = impact_of("acme/base", BASE | {"mcpu": "znver3"})
    effects = by_tag(result)
    assert effects.keys() == {"acme/same"} | {"acme/other"}
    assert (effects["acme/same"].bump, effects["acme/same"].number) == ("MAJOR", "2.0.0")
    (change,) = effects["acme/same"].diff
    assert (change.pointer, change.old.value, change.new.value) == ("/mcpu", "haswell", "znver3")  # type: ignore[union-attr]
    assert (effects["acme/other"].bump, effects["acme/other"].diff) == ("PATCH", ())
    assert result.counts == {"MAJOR": 1, "PATCH": 1}
    assert result.is_complete


def test_effects_reach_indirect_dependents() -> None:
    publish("acme/base", BASE)
    publish("acme/middle", {"tag": "acme/base"})
    publish("acme/leaf", {"kind": "composite", "devices": ["acme/middle"]})
    effects = by_tag(impact_of("acme/base", BASE | {"num-cores": 8}))
    assert effects["acme/leaf"].bump == "MAJOR"
    assert [change.pointer for change in effects["acme/leaf"].diff] == ["/devices/0/num-cores"]
    assert [(move.old, move.new) for move in effects["acme/leaf"].moves] == [
        ("acme/middle@1.0.0", "acme/middle@2.0.0")
    ]


def test_dependent_by_two_paths_is_drafted_once_after_both() -> None:
    publish("acme/base", BASE)
    publish("acme/left", {"tag": "acme/base"})
    publish("acme/right", {"tag": "acme/left"})
    publish(
        "acme/both",
        {"kind": "composite", "devices": {"a": "acme/right", "b": "acme/base"}},
    )
    result = impact_of("acme/base", BASE | {"num-cores": 8})
    assert [effect.tag for effect in result.effects][-1] == "acme/both"
    assert len(by_tag(result)["acme/both"].diff) == 2


@pytest.mark.parametrize("reference", ["acme/base@1", "acme/base@1.0", "acme/base@1.0.0"])
def test_reference_that_excludes_the_new_number_does_not_move(reference: str) -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": reference})
    publish("acme/further", {"tag": "acme/board"})
    assert impact_of("acme/base", BASE | {"mcpu": "znver3"}).effects == ()  # MAJOR: 2.0.0


def test_reference_that_matches_the_new_number_moves() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base@1"})
    (effect,) = impact_of("acme/base", BASE | {"runtime": "crt"}).effects
    assert (effect.bump, effect.number) == ("MINOR", "1.1.0")


def test_reference_through_an_alias_moves_too(alice: User) -> None:
    publish("acme/base", BASE)
    aliases.point_alias("acme/b", Reference.parse("acme/base"), actor=Actor.operator(alice))
    publish("acme/board", {"tag": "acme/b"})
    assert impact_of("acme/base", BASE | {"num-cores": 8}).counts == {"MAJOR": 1}


def test_current_target_of_an_alias_counts(alice: User) -> None:
    publish("acme/base", BASE)
    publish("acme/next", BASE | {"num-cores": 16})
    aliases.point_alias("acme/b", Reference.parse("acme/base"), actor=Actor.operator(alice))
    publish("acme/board", {"tag": "acme/b"})
    aliases.point_alias("acme/b", Reference.parse("acme/next"), actor=Actor.operator(alice))
    assert impact_of("acme/base", BASE | {"num-cores": 8}).effects == ()
    assert impact_of("acme/next", BASE | {"num-cores": 8}).counts == {"MAJOR": 1}


def test_alias_of_a_version_does_not_move(alice: User) -> None:
    publish("acme/base", BASE)
    aliases.point_alias("acme/b", Reference.parse("acme/base@1.0.0"), actor=Actor.operator(alice))
    publish("acme/board", {"tag": "acme/b"})
    assert impact_of("acme/base", BASE | {"num-cores": 8}).effects == ()


def test_older_versions_of_dependents_do_not_count() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/board", BASE | {"num-cores": 2})  # no longer depends on it
    assert impact_of("acme/base", BASE | {"num-cores": 8}).effects == ()


def test_version_before_a_yanked_newest_one_counts() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    publish("acme/board", BASE | {"num-cores": 2})
    yank("acme/board@2.0.0")
    (effect,) = impact_of("acme/base", BASE | {"mcpu": "znver3"}).effects
    assert (effect.exact, effect.number) == ("acme/board@1.0.0", "3.0.0")


def test_effect_of_an_invalid_dependent_has_the_error() -> None:
    publish("acme/base", BASE | {"mattr": ["+avx"]})
    publish("acme/board", {"tag": "acme/base", "mattr": {"$append": ["+avx2"]}})
    publish("acme/further", {"tag": "acme/board"})
    body = {"kind": "cuda", "arch": "sm_80"}
    effects = by_tag(impact_of("acme/base", body))
    refused = effects["acme/board"]
    assert refused.refusal is not None
    assert refused.refusal.faults[0].pointer == "/mattr"
    assert (refused.bump, refused.number) == (None, None)
    assert "acme/further" not in effects  # its references would not move


def test_new_tag_and_unchanged_body_have_no_impact() -> None:
    publish("acme/base", BASE)
    publish("acme/board", {"tag": "acme/base"})
    assert impact_of("acme/new", BASE).downstream == 0
    assert impact_of("acme/base", BASE).effects == ()


def test_computing_stops_at_the_limit() -> None:
    publish("acme/base", BASE)
    for number in range(5):
        publish(f"acme/board-{number}", {"tag": "acme/base", "model": f"board-{number}"})
    result = impact_of("acme/base", BASE | {"num-cores": 8}, limit=2)
    assert (len(result.effects), result.downstream, result.is_complete) == (2, 5, False)


def test_cycle_left_by_a_yank_is_named_and_skipped() -> None:
    publish("acme/base", BASE)
    publish("acme/two", BASE)
    publish("acme/one", {"kind": "composite", "devices": ["acme/two", "acme/base"]})
    publish("acme/one", BASE | {"num-cores": 2})
    publish("acme/two", {"kind": "composite", "devices": ["acme/one", "acme/base"]})
    publish("acme/free", {"tag": "acme/base"})
    yank("acme/one@2.0.0")  # one depends on two again, and two on one
    result = impact_of("acme/base", BASE | {"num-cores": 8})
    assert by_tag(result).keys() == {"acme/free"}
    assert result.circular == ("acme/one", "acme/two")


def count_queries(tags: int, namespace: str = "acme") -> int:
    base = f"{namespace}/base-{tags}"
    publish(base, BASE)
    for number in range(tags):
        publish(f"{namespace}/of-{tags}-{number}", {"tag": base, "model": f"board-{number}"})
    draft = checking.check(Tag.parse(base), json.dumps(BASE | {"num-cores": 8}))
    with CaptureQueriesContext(connection) as captured:
        assert sum(1 for _ in impact.iterate_effects(draft)) == tags
    return len(captured)


def test_queries_do_not_grow_with_the_number_of_dependents() -> None:
    assert count_queries(1) == count_queries(20) == 8
