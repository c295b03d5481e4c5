"""Generated tags follow the newest versions of the tags that they refer to."""

from typing import Any

import pytest

from catalogue_tools.entries import ReleasedTag
from catalogue_tools.following import follow_references
from catalogue_tools.in_memory import InMemoryRegistry
from catalogue_tools.tags import GeneratedTag
from registry.domain.kinds.kinds import Kind, Kinds
from registry.services.core import shipped_facts

CPU = {"kind": "llvm", "mcpu": "cortex-a53"}
RELEASED = {
    "acme/chip": CPU,
    "acme/board": {"tag": "acme/chip@1", "model": "board"},
    "acme/gpu": {"kind": "opencl", "host": "acme/chip@1"},
}


def followed(**bodies: Any) -> tuple[dict[str, Any], list[str]]:
    """Return the bodies that facts give after the release, and what is refused."""
    tags, problems = followed_tags(**bodies)
    return {tag.name.removeprefix("acme/"): tag.body for tag in tags}, problems


def followed_tags(**bodies: Any) -> tuple[list[GeneratedTag], list[str]]:
    """Return the tags that facts give after the release, and what is refused."""
    registry = InMemoryRegistry(
        Kinds(Kind(name, 1, schema) for name, schema in shipped_facts.kinds().items())
    )
    released = {}
    for name, body in RELEASED.items():
        registry.publish(name, body)
        entry = {"tag": name, "versions": [{"message": "", "target": body}]}
        released[name] = ReleasedTag("acme/acme", entry)
    tags = RELEASED | {f"acme/{name}": body for name, body in bodies.items()}
    generated = [GeneratedTag(name, "acme/acme", body, "", ()) for name, body in tags.items()]
    return follow_references(reversed(generated), released, registry)


def test_heirs_follow_a_parent_with_another_major() -> None:
    bodies, problems = followed(chip=CPU | {"mcpu": "cortex-a72"})
    assert problems == []
    assert bodies["board"] == {"tag": "acme/chip@2", "model": "board"}
    assert bodies["gpu"] == {"kind": "opencl", "host": "acme/chip@2"}


def test_heirs_of_heirs_follow() -> None:
    bodies, _ = followed(
        chip=CPU | {"mcpu": "cortex-a72"},
        shield={"tag": ["acme/board@1"], "devices": None},
        both={"kind": "composite", "devices": ["acme/gpu@1", "acme/board@1"]},
    )
    assert bodies["shield"]["tag"] == ["acme/board@2"]
    assert bodies["both"]["devices"] == ["acme/gpu@2", "acme/board@2"]


def test_heirs_are_renewed_if_only_their_target_changes() -> None:
    facts = {"cores": 4, "sources": {"all": ["https://example.org"]}}
    tags = {tag.name: tag for tag in followed_tags(chip=CPU | {"hardware": facts})[0]}
    assert not tags["acme/chip"].is_renewed
    assert tags["acme/board"].is_renewed
    assert tags["acme/gpu"].is_renewed
    assert tags["acme/board"].body == RELEASED["acme/board"]


def test_nothing_is_renewed_without_a_reason() -> None:
    tags, problems = followed_tags(other=CPU)
    assert problems == []
    assert [tag.name for tag in tags if tag.is_renewed] == []


@pytest.mark.parametrize(
    "chip",
    [CPU, CPU | {"hardware": {"cores": 4, "sources": {"all": ["https://example.org"]}}}],
    ids=["unchanged", "facts only"],
)
def test_heirs_stay_where_the_major_stays(chip: dict[str, Any]) -> None:
    bodies, _ = followed(chip=chip)
    assert bodies["board"] == RELEASED["acme/board"]
    assert bodies["gpu"] == RELEASED["acme/gpu"]


def test_exact_references_stay() -> None:
    body = {"tag": "acme/chip@1.0", "model": "board"}
    bodies, _ = followed(chip=CPU | {"mcpu": "cortex-a72"}, board=body)
    assert bodies["board"] == body


def test_text_that_only_looks_like_a_reference_stays() -> None:
    bodies, _ = followed(
        chip=CPU | {"mcpu": "cortex-a72"}, other={"kind": "c", "model": "acme/chip@1"}
    )
    assert bodies["other"]["model"] == "acme/chip@1"


def test_bodies_that_no_registry_takes_are_problems() -> None:
    _, problems = followed(chip={"kind": "llvm", "mcpu": 7})
    assert len(problems) == 1
    assert problems[0].startswith("acme/chip is refused: ")
