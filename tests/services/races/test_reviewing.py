"""Tests of simultaneous reviews and publications: one succeeds, the others are refused."""

from typing import Any

import pytest

from tests.services.races.writer_pool import SIZE, WriterPool

LLVM = {"kind": "llvm", "mcpu": "haswell"}
WIDER = LLVM | {"num-cores": 8}
CONFLICT = {"refused": ["CONFLICT"]}


def proposed(writers: WriterPool, tag: str) -> int:
    (made,) = writers.together({"job": "propose", "tag": tag, "target": LLVM})
    return int(made["proposal"])


def published(writers: WriterPool, tag: str) -> list[str]:
    (stored,) = writers.together({"job": "versions", "tag": tag})
    return [version["exact"] for version in stored]


def actions(writers: WriterPool, tag: str) -> list[str]:
    """Return the event actions of a tag's proposals and versions, in order."""
    (events,) = writers.together({"job": "log", "after": 0})
    return [action for _, action, subject in events if subject.partition("@")[0] == tag]


@pytest.mark.parametrize("at", range(4))
def test_one_of_several_curators_accepts(writers: WriterPool, at: int) -> None:
    tag = f"acme/reviewed-{at}"
    job = {"job": "accept", "number": proposed(writers, tag)}
    outcome = writers.together(*[job] * SIZE)
    assert sorted(outcome, key=str) == [{"accepted": f"{tag}@1.0.0"}, *[CONFLICT] * (SIZE - 1)]
    assert published(writers, tag) == [f"{tag}@1.0.0"]
    assert actions(writers, tag) == [
        "proposal.submitted",
        "version.published",
        "proposal.accepted",
    ]


@pytest.mark.parametrize("at", range(4))
def test_accepting_beside_publishing(writers: WriterPool, at: int) -> None:
    tag = f"acme/overtaken-{at}"
    number = proposed(writers, tag)
    jobs: list[Any] = [
        {"job": "accept", "number": number},
        {"job": "publish_first", "tag": tag, "target": WIDER},
    ]
    accepted, first = writers.together(*jobs)
    assert (accepted, first) in (
        ({"accepted": f"{tag}@1.0.0"}, {"refused": ["PRECONDITION_FAILED"]}),
        (CONFLICT, {"number": "1.0.0"}),
    )
    assert published(writers, tag) == [f"{tag}@1.0.0"]


@pytest.mark.parametrize("at", range(4))
def test_accepting_beside_withdrawing(writers: WriterPool, at: int) -> None:
    tag = f"acme/withdrawn-{at}"
    number = proposed(writers, tag)
    outcome = writers.together(
        {"job": "accept", "number": number}, {"job": "withdraw", "number": number}
    )
    assert outcome.count(CONFLICT) == 1
    assert published(writers, tag) == [f"{tag}@1.0.0"] * (outcome[1] == CONFLICT)


def test_one_of_several_equal_proposals_is_stored(writers: WriterPool) -> None:
    job = {"job": "propose", "tag": "acme/eager", "target": LLVM}
    outcome = writers.together(*[job] * SIZE)
    assert outcome.count(CONFLICT) == SIZE - 1


def test_simultaneous_proposals_are_numbered_without_gaps(writers: WriterPool) -> None:
    first = proposed(writers, "acme/counted")
    outcome = writers.together(
        *({"job": "propose", "tag": f"acme/counted-{at}", "target": LLVM} for at in range(SIZE))
    )
    numbers = sorted(each["proposal"] for each in outcome)
    assert numbers == list(range(first + 1, first + 1 + SIZE))
