"""Bodies are published in memory as loading and a rebase would publish them."""

import pytest

from catalogue_tools.in_memory import InMemoryRegistry
from catalogue_tools.version_impact import NextVersion, VersionImpact, publish_bodies
from registry.domain.document import Json
from registry.domain.kinds.kinds import Kind, Kinds
from registry.services.core import shipped_facts

FAMILY: dict[str, Json] = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "znver2"}


@pytest.fixture
def registry() -> InMemoryRegistry:
    """Return a registry with a family, its heir, the heir's heir, and a tag that pins one."""
    kinds = shipped_facts.kinds().items()
    registry = InMemoryRegistry(Kinds(Kind(name, 1, schema) for name, schema in kinds))
    for tag, body in (
        ("acme/family", FAMILY),
        ("acme/heir", {"tag": "acme/family@1", "num-cores": 4}),
        ("acme/last", {"tag": "acme/heir", "hardware": {"model": "Last"}}),
        ("acme/pinned", {"tag": "acme/family@1.0.0", "num-cores": 2}),
    ):
        registry.publish(tag, body)
    return registry


def lines(versions: list[NextVersion]) -> list[str]:
    return [f"{item.tag} {item.old} {item.number} {item.bump}" for item in versions]


def test_heirs_follow_at_any_depth_unless_they_pin_a_version(registry: InMemoryRegistry) -> None:
    body = FAMILY | {"hardware": {"vendor": "Acme"}}
    impact = publish_bodies(registry, {"acme/family": body})
    assert lines(impact.published) == ["acme/family 1.0.0 1.0.1 PATCH"]
    assert lines(impact.followed) == [
        "acme/heir 1.0.0 1.0.1 PATCH",
        "acme/last 1.0.0 1.0.1 PATCH",
    ]
    assert impact.staying == impact.refusals == []


def test_heirs_stay_behind_a_new_major_version(registry: InMemoryRegistry) -> None:
    impact = publish_bodies(registry, {"acme/family": FAMILY | {"mcpu": "znver3"}})
    assert lines(impact.published) == ["acme/family 1.0.0 2.0.0 MAJOR"]
    assert impact.followed == []
    assert sorted(impact.staying) == ["acme/heir", "acme/pinned"]


def test_parents_are_published_before_new_heirs(registry: InMemoryRegistry) -> None:
    bodies: dict[str, Json] = {"acme/a": {"tag": "acme/z@1", "num-cores": 8}, "acme/z": FAMILY}
    impact = publish_bodies(registry, bodies)
    assert lines(impact.published) == ["acme/z None 1.0.0 FIRST", "acme/a None 1.0.0 FIRST"]


def test_refused_body_is_named_with_the_reason(registry: InMemoryRegistry) -> None:
    impact = publish_bodies(registry, {"acme/new": FAMILY | {"mcpu": 3}})
    assert impact.published == []
    (refusal,) = impact.refusals
    assert refusal.startswith("acme/new: ")


def test_unknown_reference_is_refused_and_changes_nothing_else(registry: InMemoryRegistry) -> None:
    bodies: dict[str, Json] = {
        "acme/family": FAMILY | {"mcpu": "znver3"},
        "acme/new": {"tag": "acme/nowhere@1"},
    }
    impact = publish_bodies(registry, bodies)
    assert lines(impact.published) == ["acme/family 1.0.0 2.0.0 MAJOR"]
    assert impact.refusals == ["acme/new: No version of acme/nowhere@1."]


def test_unchanged_body_gives_no_version(registry: InMemoryRegistry) -> None:
    assert publish_bodies(registry, {"acme/family": FAMILY}) == VersionImpact()


def test_tags_that_refer_to_each_other_are_refused(registry: InMemoryRegistry) -> None:
    impact = publish_bodies(registry, {"acme/family": {"tag": "acme/last"}})
    assert "refer to each other" in impact.refusals[0]
    assert impact.published == []
