"""The test vectors of version selection, which other clients can use too."""

from dataclasses import dataclass

import pytest
from hypothesis import given, strategies as st

from registry.domain.reference import Selector
from registry.domain.version_number import VersionNumber
from tests.vectors import SelectionCase, selection_cases
from ttag.references import select_version


@dataclass(frozen=True)
class Candidate:
    number: VersionNumber
    digest: str
    yanked: bool


@dataclass(frozen=True)
class MirroredCandidate:
    """The same for the client, which has plain tuples."""

    number: tuple[int, int, int]
    digest: str
    yanked: bool


def candidates(case: SelectionCase) -> list[Candidate]:
    return [
        Candidate(VersionNumber.parse(version["number"]), version["digest"], version["yanked"])
        for version in case.versions
    ]


def mirrored(versions: list[Candidate]) -> list[MirroredCandidate]:
    return [MirroredCandidate(each.number.parts, each.digest, each.yanked) for each in versions]


def parse(selector: str) -> Selector:
    return Selector.parse(selector) if selector else Selector()


@pytest.mark.parametrize("case", selection_cases(), ids=str)
def test_registry_chooses_as_the_vectors_say(case: SelectionCase) -> None:
    for selector, number in case.choices.items():
        chosen = parse(case.alias or selector).choose(candidates(case))
        assert (str(chosen.number) if chosen else None) == number


@pytest.mark.parametrize("case", selection_cases(), ids=str)
def test_client_chooses_as_the_vectors_say(case: SelectionCase) -> None:
    for selector, number in case.choices.items():
        chosen = select_version(case.alias or selector, mirrored(candidates(case)))
        assert (".".join(map(str, chosen.number)) if chosen else None) == number


numbers = st.builds(VersionNumber, *[st.integers(0, 3)] * 3)
digests = st.sampled_from([f"sha256:{letter * 64}" for letter in "abc"])
histories = st.lists(
    st.builds(Candidate, numbers, digests, st.booleans()), unique_by=lambda each: each.number
)
selectors = st.one_of(
    st.lists(st.integers(0, 3), max_size=3).map(lambda parts: ".".join(map(str, parts))), digests
)


@given(histories, selectors)
def test_registry_and_client_choose_alike(versions: list[Candidate], selector: str) -> None:
    chosen = parse(selector).choose(versions)
    chosen_by_client = select_version(selector, mirrored(versions))
    assert (chosen.number.parts if chosen else None) == (
        chosen_by_client.number if chosen_by_client else None
    )
