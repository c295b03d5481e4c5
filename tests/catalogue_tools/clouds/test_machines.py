"""A fact of a family is in its tag; a machine adds its size."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from catalogue_tools.clouds.machines import core_count, counted, cpu_tag, family_tag
from tests.catalogue_tools.clouds.builders import C7, LARGE, URL


def test_family_states_processor_and_sources() -> None:
    tag = family_tag(C7)
    assert tag.is_family
    assert tag.body == {
        "kind": "llvm",
        "keys": ["x86", "cpu"],
        "mtriple": "x86_64-unknown-linux-gnu",
        "mcpu": "skylake-avx512",
        "hardware": {
            "category": "cloud-instance",
            "vendor": "Acme",
            "family": "C7: Xeon 1234",
            "sources": {
                "identity": [URL, "https://example.org/processors"],
                "counts": [URL, "https://example.org/threads"],
                "memory": [URL],
            },
        },
    }


def test_family_with_a_parent_inherits_the_processor_and_keeps_its_sources() -> None:
    body = family_tag(replace(C7, parent="acme/chip")).body
    assert body["tag"] == "acme/chip@1"
    assert body["hardware"]["sources"]["identity"] == {  # type: ignore[index,call-overload]
        "$append": [URL, "https://example.org/processors"]
    }
    assert "mcpu" not in body


def test_machine_inherits_from_its_family() -> None:
    tag = cpu_tag(LARGE)
    assert tag.body == {
        "tag": "acme/c7@1",
        "num-cores": 4,
        "hardware": {
            "model": "c7.large",
            "cores": 4,
            "threads": 8,
            "memory_bytes": 17_179_869_184,
        },
    }
    assert (tag.name, tag.file, tag.message) == ("acme/c7.large", "acme/c7", "8 vCPUs on 4 cores")
    assert tag.aliases == ("acme/C7_Large",)


def test_machine_of_unknown_cores_and_memory_states_neither() -> None:
    tag = cpu_tag(replace(LARGE, cores=0, memory_mib=0))
    assert tag.body == {
        "tag": "acme/c7@1",
        "hardware": {"model": "c7.large", "threads": 8},
    }
    assert tag.message == "8 vCPUs; the hypervisor hides which share a core"


def test_machine_that_other_pages_describe_cites_them() -> None:
    page = "https://example.org/measured"
    hardware = cpu_tag(replace(LARGE, sources=(page,))).body["hardware"]
    assert isinstance(hardware, dict)
    assert hardware["sources"] == {
        "identity": {"$append": [page]},
        "counts": [page],
        "memory": [page],
    }


def test_family_writes_off_what_its_machines_hide() -> None:
    assert family_tag(replace(C7, hidden=("vaes",))).body["mattr"] == ["-vaes"]
    assert "mattr" not in family_tag(C7).body


def test_variant_leaves_aliases_to_the_machine() -> None:
    tag = cpu_tag(LARGE, is_variant=True)
    assert (tag.name, tag.aliases) == ("acme/c7.large:cpu", ())


@given(st.integers(1, 512), st.sampled_from([1, 2]))
def test_cores_hold_all_threads(threads: int, threads_per_core: int) -> None:
    cores = core_count(threads, threads_per_core)
    assert 1 <= cores <= threads
    assert threads_per_core == 2 or cores == threads


@pytest.mark.parametrize(("count", "expected"), [(1, "1 core"), (2, "2 cores")])
def test_numbers_agree_with_their_nouns(count: int, expected: str) -> None:
    assert counted(count, "core") == expected
