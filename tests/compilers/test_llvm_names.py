"""The names of processors, features and parts of triples are those that clang 22 knows."""

import pytest

from registry.services.core import shipped_facts
from tests.compilers import tools
from tests.compilers.conftest import Normalizer
from ttag_rules import triple_names

FACTS = shipped_facts.lint_facts()
TRIPLES = tools.LLVM_TRIPLES


@pytest.fixture(autouse=True)
def _clang_22() -> None:
    if tools.clang_version() < 22:
        pytest.skip("the shipped names are those of clang 22")


def listed(triple: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the processors and features that clang lists."""
    return tools.llvm_names(tools.clang(), triple)


def test_every_table_is_compared() -> None:
    compared = [FACTS.features[name] for name in TRIPLES]
    assert all(names in compared for names in FACTS.features.values())


@pytest.mark.parametrize("architecture", TRIPLES)
def test_features_are_those_that_llvm_lists(architecture: str) -> None:
    assert FACTS.features[architecture] == listed(TRIPLES[architecture])[1]


@pytest.mark.parametrize("architecture", TRIPLES)
def test_processors_are_those_that_llvm_lists(architecture: str) -> None:
    shipped, known = FACTS.cpus[architecture], listed(TRIPLES[architecture])[0]
    assert known <= shipped
    if architecture != "aarch64":  # whose aliases LLVM accepts without listing them
        assert shipped == known


def test_clang_accepts_the_aliases_of_arm64_processors() -> None:
    for alias in FACTS.cpus["aarch64"] - listed("aarch64")[0]:
        tools.run(
            tools.clang(), "--target=aarch64-linux", f"-mcpu={alias}", "-E", "-xc", "/dev/null"
        )


def test_every_name_of_a_triple_is_known_to_llvm(llvm: Normalizer) -> None:
    triples = {
        **{f"zzz-{name}": f"{name}-" for name in triple_names.ARCHITECTURES},
        **{f"x86_64-linux-{name}": f"x86_64-{name}-linux" for name in triple_names.VENDORS},
        **{f"zzz-{name}": "zzz-unknown-" for name in triple_names.SYSTEMS},
        **{f"zzz-{name}": "zzz-unknown-unknown-" for name in triple_names.ENVIRONMENTS},
    }
    moved = {triple: llvm(triple) for triple in triples}
    assert not {
        triple: moved[triple]
        for triple, start in triples.items()
        if not moved[triple].startswith(start)
    }


@pytest.mark.parametrize("name", ["linus", "gnx", "nvidai", "zephyr", "newlib"])
def test_llvm_leaves_unknown_names_in_place(name: str, llvm: Normalizer) -> None:
    assert llvm(f"zzz-{name}") == f"zzz-{name}"
    assert not triple_names.is_system(name)
    assert not triple_names.is_environment(name)
