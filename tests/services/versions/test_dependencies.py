"""The references in bodies."""

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.publishing import chain, counts, publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


def faults(tag: str, target: object) -> list[tuple[str, str]]:
    before = counts()
    with pytest.raises(Refused) as refused:
        publish(tag, target)
    assert counts() == before
    return [(fault.pointer, fault.code) for fault in refused.value.faults]


def test_every_unknown_reference_has_a_fault_at_its_pointer() -> None:
    publish("acme/base", BOARD)
    body = {
        "kind": "composite",
        "devices": {"a": "acme/nothing", "b": {"tag": "acme/base@9"}},
        "host": "acme/base@1",
    }
    assert faults("acme/board", body) == [
        ("/devices/a", "TAG_UNKNOWN"),
        ("/devices/b", "VERSION_UNKNOWN"),
    ]


def test_unknown_parent_has_suggestions() -> None:
    with pytest.raises(Refused) as refused:
        publish("acme/board", {"tag": "nvidia/rtx4090"})
    assert "nvidia/geforce-rtx-4090" in refused.value.faults[0].suggestions


def test_malformed_reference_has_a_fault_at_its_pointer() -> None:
    assert faults("acme/board", {"tag": "Acme/Base"}) == [("", "REFERENCE_INVALID")]


@pytest.mark.parametrize("reference", ["acme/base@1.0.0", "acme/base@sha256:{digest}"])
def test_yanked_parent_is_rejected_even_if_pinned(reference: str) -> None:
    version = publish("acme/base", BOARD)
    yank("acme/base@1.0.0", "wrong cores")
    pinned = reference.replace("sha256:{digest}", version.digest)
    with pytest.raises(Refused) as refused:
        publish("acme/board", {"tag": pinned})
    assert refused.value.code == Code.PARENT_INVALID
    assert "wrong cores" in refused.value.faults[0].message


def test_floating_parent_skips_yanked_versions() -> None:
    publish("acme/base", BOARD)
    publish("acme/base", BOARD | {"num-cores": 8})
    yank("acme/base@2.0.0")
    assert '"num-cores":4' in publish("acme/board", {"tag": "acme/base"}).target


@pytest.mark.parametrize("reference", ["acme/base", "acme/base@1"])
def test_tag_cannot_depend_on_itself(reference: str) -> None:
    publish("acme/base", BOARD)
    assert faults("acme/base", {"tag": reference, "num-cores": 2}) == [("", "CYCLE")]


def test_new_tag_cannot_be_its_own_parent() -> None:
    assert faults("acme/base", {"tag": "acme/base"}) == [("", "TAG_UNKNOWN")]


def test_earlier_exact_version_of_the_tag_can_be_a_parent() -> None:
    publish("acme/base", BOARD)
    version = publish("acme/base", {"tag": "acme/base@1.0.0", "num-cores": 2})
    assert str(version.number) == "2.0.0"


def test_cycle_through_floating_references_is_rejected() -> None:
    publish("acme/a", BOARD)
    publish("acme/b", {"tag": "acme/a"})
    publish("acme/c", {"tag": "acme/b"})
    body = {"kind": "composite", "devices": ["acme/b@1.0.0", "acme/c"]}
    assert faults("acme/a", body) == [("/devices/1", "CYCLE")]


def test_only_newest_versions_form_cycles() -> None:
    publish("acme/a", BOARD)
    publish("acme/b", {"tag": "acme/a"})
    publish("acme/b", BOARD)
    assert publish("acme/a", {"tag": "acme/b", "num-cores": 2}).number.major == 2


def test_cycle_through_a_newer_version_of_a_dependency_is_rejected() -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD)
    publish("acme/c", {"tag": "acme/b"})
    publish("acme/b", {"tag": "acme/a"})
    assert faults("acme/a", {"tag": "acme/c", "num-cores": 2}) == [("", "CYCLE")]


def test_cycle_through_an_alias_is_rejected(alice: User) -> None:
    publish("acme/a", BOARD)
    aliases.point_alias("acme/alias", Reference.parse("acme/a"), actor=Actor.operator(alice))
    assert faults("acme/a", {"tag": "acme/alias", "num-cores": 2}) == [("", "CYCLE")]


def test_lineage_is_at_most_32_deep() -> None:
    last = chain(33)
    with pytest.raises(Refused) as refused:
        publish("acme/too-deep", {"tag": last, "num-cores": 99})
    assert refused.value.code == Code.TOO_DEEP


def publish_doubled(number: int) -> None:
    """Publish a tag that contains the previous one twice."""
    devices = [f"acme/double-{number - 1}"] * 2
    publish(f"acme/double-{number}", {"kind": "composite", "devices": devices})


def test_exponential_growth_is_rejected() -> None:
    publish("acme/double-0", BOARD)
    for number in range(1, 10):
        publish_doubled(number)
    with pytest.raises(Refused) as refused:
        publish_doubled(10)
    assert refused.value.code == Code.TOO_LARGE
    assert "2047 targets" in refused.value.detail


def test_stored_targets_beyond_4_mib_are_not_loaded() -> None:
    flow = {f"p.{i:0250}": i for i in range(200)}
    publish("acme/big-0", BOARD | {"flow": flow})
    for number in range(1, 4):
        flow = {f"p{number}.{i:0250}": i for i in range(200)}
        publish(f"acme/big-{number}", {"tag": f"acme/big-{number - 1}", "flow": flow})
    names = []
    for number in range(22):
        names.append(f"acme/leaf-{number}")
        publish(names[-1], {"tag": "acme/big-3", "num-cores": number + 5})
    with pytest.raises(Refused) as refused:
        publish("acme/all", {"kind": "composite", "devices": names})
    assert refused.value.code == Code.TOO_LARGE
    assert str(4 * 1024 * 1024) in refused.value.detail
