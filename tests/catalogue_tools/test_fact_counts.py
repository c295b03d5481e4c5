"""Facts are counted by category, of names that stand for one machine."""

from typing import Any

import pytest

from catalogue_tools.__main__ import main
from catalogue_tools.fact_counts import fact_counts
from catalogue_tools.facts import read_table
from catalogue_tools.in_memory import InMemoryRegistry
from registry.domain.kinds.expected_facts import EXPECTED_FACTS
from registry.domain.kinds.kinds import Kind, Kinds
from registry.services.catalogue import lock
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import ShippedDeprecation, ShippedTag, ShippedVersion
from tests.domain.shipped import library

GIB = 2**30


def counts(**facts: dict[str, Any]) -> tuple[dict[str, int], dict[tuple[str, str], int]]:
    """Return the counts of tags of GPUs with these facts, by name."""
    registry = InMemoryRegistry(
        Kinds(Kind(name, 1, schema) for name, schema in shipped_facts.kinds().items())
    )
    tags = []
    for name, own in facts.items():
        hardware = {"category": "gpu", **own}
        body: dict[str, Any] = {"kind": "opencl", "model": name, "hardware": hardware}
        tag = f"acme/{name.replace('_', ':')}"
        registry.publish(tag, body)
        deprecated = ShippedDeprecation("acme/b", "the same") if name == "old" else None
        versions = (ShippedVersion(body, ""),)
        is_family = name == "family"
        tags.append(ShippedTag(tag, (), versions, is_family=is_family, deprecated=deprecated))
    names, stated = fact_counts(registry, iter(tags))
    return dict(names), dict(stated)


def test_stated_facts_count() -> None:
    assert counts(a={"memory_bytes": GIB}, b={"power_watts": 5}, c={}) == (
        {"gpu": 3},
        {("gpu", "memory_bytes"): 1, ("gpu", "power_watts"): 1},
    )


def test_sizes_to_choose_from_count_as_memory() -> None:
    _, stated = counts(a={"memory_options_bytes": [GIB, 2 * GIB]}, b={"memory_bytes": GIB})
    assert stated == {("gpu", "memory_bytes"): 2}


@pytest.mark.parametrize("name", ["family", "a_big", "old"])
def test_families_variants_and_deprecated_tags_do_not_count(name: str) -> None:
    assert counts(**{name: {"memory_bytes": GIB}}) == ({}, {})


def test_command_prints_a_line_for_each_category(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("catalogue_tools.__main__.publish_in_memory", lambda _tags: library())
    main(["counts"])
    lines = capsys.readouterr().out.splitlines()
    gpus = next(line for line in lines if line.startswith("gpu: "))
    assert " names, memory_bytes " in gpus


def test_command_counts_as_of_a_release(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    published: list[ShippedTag] = []

    def publish(tags: list[ShippedTag]) -> object:
        published.extend(tags)
        return library()

    monkeypatch.setattr("catalogue_tools.__main__.publish_in_memory", publish)
    main(["counts", "--release", "0.1"])
    first = lock.read_lock().releases[0]
    assert sum(len(tag.versions) for tag in published) == len(first.versions)
    assert "tablet: 0 names, " in capsys.readouterr().out  # it had no tag of one


def test_release_without_a_lock_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"^0\.9 is no release in the lock file; expected 0\.1 or"):
        main(["counts", "--release", "0.9"])


def test_a_fact_has_a_reason_where_names_do_not_state_it_and_nowhere_else() -> None:
    names, stated = fact_counts(library(), shipped_facts.every_tag())
    unstated = {
        (category, fact)
        for category, facts in EXPECTED_FACTS.items()
        for fact in facts
        if stated[category, fact] < names[category]
    }
    rows = read_table("corrections/unstated_facts").rows
    assert {(row["category"], row["fact"]) for row in rows} == unstated
    assert len(rows) == len(unstated)
