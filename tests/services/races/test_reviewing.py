"""Simultaneous reviews and publications: one succeeds, the others are rejected."""

from typing import Any

import pytest

from tests.services.races.writer_pool import SIZE, WriterPool

LLVM = {"kind": "llvm", "mcpu": "haswell"}
WIDER = LLVM | {"num-cores": 8}
CONFLICT = {"refused": ["CONFLICT"]}


def propose(writers: WriterPool, tag: str) -> int:
    (result,) = writers.run({"job": "propose", "tag": tag, "target": LLVM})
    return int(result["proposal"])


def versions(writers: WriterPool, tag: str) -> list[str]:
    (stored,) = writers.run({"job": "versions", "tag": tag})
    return [version["exact"] for version in stored]


def actions(writers: WriterPool, tag: str) -> list[str]:
    """Return the event actions of a tag's proposals and versions, in order."""
    (events,) = writers.run({"job": "log", "after": 0})
    return [action for _, action, subject in events if subject.partition("@")[0] == tag]


@pytest.mark.parametrize("attempt", range(4))
def test_one_of_several_curators_accepts(writers: WriterPool, attempt: int) -> None:
    tag = f"acme/reviewed-{attempt}"
    job = {"job": "accept", "number": propose(writers, tag)}
    results = writers.run(*[job] * SIZE)
    assert sorted(results, key=str) == [{"accepted": f"{tag}@1.0.0"}, *[CONFLICT] * (SIZE - 1)]
    assert versions(writers, tag) == [f"{tag}@1.0.0"]
    assert actions(writers, tag) == [
        "proposal.submitted",
        "version.published",
        "proposal.accepted",
    ]


@pytest.mark.parametrize("attempt", range(4))
def test_accepting_and_publishing_conflict(writers: WriterPool, attempt: int) -> None:
    tag = f"acme/overtaken-{attempt}"
    number = propose(writers, tag)
    jobs: list[Any] = [
        {"job": "accept", "number": number},
        {"job": "publish_first", "tag": tag, "target": WIDER},
    ]
    accepted, first = writers.run(*jobs)
    assert (accepted, first) in (
        ({"accepted": f"{tag}@1.0.0"}, {"refused": ["PRECONDITION_FAILED"]}),
        (CONFLICT, {"number": "1.0.0"}),
    )
    assert versions(writers, tag) == [f"{tag}@1.0.0"]


@pytest.mark.parametrize("attempt", range(4))
def test_accepting_and_withdrawing_conflict(writers: WriterPool, attempt: int) -> None:
    tag = f"acme/withdrawn-{attempt}"
    number = propose(writers, tag)
    results = writers.run(
        {"job": "accept", "number": number}, {"job": "withdraw", "number": number}
    )
    assert results.count(CONFLICT) == 1
    assert versions(writers, tag) == [f"{tag}@1.0.0"] * (results[1] == CONFLICT)


def test_one_of_several_equal_proposals_is_stored(writers: WriterPool) -> None:
    job = {"job": "propose", "tag": "acme/eager", "target": LLVM}
    results = writers.run(*[job] * SIZE)
    assert results.count(CONFLICT) == SIZE - 1


def test_simultaneous_proposals_are_numbered_without_gaps(writers: WriterPool) -> None:
    first = propose(writers, "acme/counted")
    results = writers.run(
        *(
            {"job": "propose", "tag": f"acme/counted-{index}", "target": LLVM}
            for index in range(SIZE)
        )
    )
    numbers = sorted(result["proposal"] for result in results)
    assert numbers == list(range(first + 1, first + 1 + SIZE))
