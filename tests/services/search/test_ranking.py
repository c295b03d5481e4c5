"""The order of the tags that match a search."""

import pytest

from registry.domain.reference import Tag as TagName
from registry.models import User
from registry.services.core import usage
from registry.services.core.permissions import Actor
from registry.services.search.search_query import SearchQuery
from registry.services.search.searching import search
from registry.services.tags import deprecation
from registry.services.versions import families
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell"}


def hits(text: str, **facts: str) -> list[str]:
    return [entry.text for entry in search(SearchQuery(text, facts)).entries]


def test_names_come_before_values_and_exact_ones_first() -> None:
    publish("acme/zyx", CPU)
    publish("acme/zyx-2", CPU)
    publish("acme/zyxel", CPU)
    publish("acme/vendor", CPU | {"hardware": {"vendor": "Big Zyx"}})
    publish("acme/code", CPU | {"mattr": ["+zyx"]})
    publish("acme/part", {"kind": "cuda", "arch": "sm_80", "host": {**CPU, "mattr": ["+zyx"]}})
    expected = ["zyx", "zyx-2", "vendor", "code", "part"]
    assert hits("zyx") == [f"acme/{name}" for name in expected]
    assert hits("acme/zyx")[0] == "acme/zyx"


def test_a_whole_model_comes_before_a_part_of_one() -> None:
    publish("acme/a", CPU | {"hardware": {"model": "Zyx 5 Ti"}})
    publish("acme/bb", CPU | {"hardware": {"model": "Zyx 5"}})
    assert hits("zyx 5") == ["acme/bb", "acme/a"]


def test_known_words_exclude_longer_ones_but_while_somebody_types() -> None:
    publish("acme/zyxwvu-1", CPU)
    publish("acme/zyxwvu9-1", CPU)
    assert hits("zyxwvu") == hits("zyxwuv") == ["acme/zyxwvu-1"]
    typed = search(SearchQuery("zyxwvu", is_typed=True)).entries
    assert [entry.text for entry in typed] == ["acme/zyxwvu-1", "acme/zyxwvu9-1"]


def test_names_with_fewer_other_words_come_first() -> None:
    publish("acme/zyx-a-b-c", CPU)
    publish("acme/zyx-aa-bbbbbbbbb", CPU)
    assert hits("zyx") == ["acme/zyx-aa-bbbbbbbbb", "acme/zyx-a-b-c"]


def test_machines_come_before_families_unless_the_family_is_named(alice: User) -> None:
    family = publish("acme/zyx", CPU | {"hardware": {"model": "Quux"}}).tag
    families.mark_families([family], user=alice)
    publish("acme/zyx.extra-large", {"tag": "acme/zyx@1", "num-cores": 2})
    assert hits("quux") == ["acme/zyx.extra-large", "acme/zyx"]
    assert hits("zyx") == ["acme/zyx", "acme/zyx.extra-large"]


@pytest.mark.parametrize("text", ["gpu", "gpus", "GPUs"])
def test_a_class_of_machines_is_not_the_name_of_one(text: str) -> None:
    """Who asks for GPUs wants those that are used, and no family that happens to be called so."""
    facts = {"category": "gpu", "sources": {"all": ["https://a.b/c"]}}
    card = {"kind": "cuda", "arch": "sm_86", "hardware": facts}
    publish("acme/gpu", card)
    publish("acme/zyx-card", card | {"arch": "sm_89"})
    usage.count("acme/zyx-card", 5)
    usage.flush()
    first = hits(text)
    assert first.index("acme/zyx-card") < first.index("acme/gpu")


def test_a_class_beside_a_name_still_finds_the_name() -> None:
    publish("acme/gpu", CPU)
    publish("acme/zyx", CPU | {"num-cores": 7})
    assert hits("acme gpu")[0] == "acme/gpu"
    assert hits("acme/gpu")[0] == "acme/gpu"


def test_used_tags_come_first_among_equal_matches() -> None:
    publish("acme/zyx-a", CPU)
    publish("acme/zyx-bb", CPU)
    usage.count("acme/zyx-bb", 3)
    usage.flush()
    assert hits("zyx") == ["acme/zyx-bb", "acme/zyx-a"]


def test_short_names_come_first_among_equal_matches() -> None:
    publish("acme/zyx-bb", CPU)
    publish("acme/zyx-a", CPU)
    assert hits("zyx") == ["acme/zyx-a", "acme/zyx-bb"]


def test_deprecated_and_yanked_tags_come_last_among_equal_matches(alice: User) -> None:
    for name in ("a", "bb", "ccc"):
        publish(f"acme/zyx-{name}", CPU)
    yank("acme/zyx-a@1.0.0")
    deprecation.deprecate(TagName.parse("acme/zyx-bb"), reason="old", actor=Actor.operator(alice))
    assert hits("zyx", status="any") == ["acme/zyx-ccc", "acme/zyx-bb", "acme/zyx-a"]
