"""Publishing versions of one tag from several processes simultaneously."""

from itertools import pairwise
from typing import Any

import pytest

from tests.services.races.writer_pool import SIZE, WriterPool

BODIES_PER_WRITER = 8
ROUNDS = 8


def bodies(writer: int) -> list[Any]:
    """Return bodies that only this writer publishes; some bump MAJOR, some PATCH."""
    return [
        {"kind": "llvm", "num-cores": 1 + index // 3, "hardware": {"model": f"{writer}-{index}"}}
        for index in range(BODIES_PER_WRITER)
    ]


def publications(results: list[Any]) -> list[Any]:
    return [publication for result in results for publication in result["published"]]


def assert_no_gaps(numbers: list[tuple[int, ...]]) -> None:
    """Assert that each number increments one part of its predecessor and zeroes the rest."""
    assert numbers[0] == (1, 0, 0)
    for (major, minor, patch), successor in pairwise(numbers):
        successors = {(major + 1, 0, 0), (major, minor + 1, 0), (major, minor, patch + 1)}
        assert successor in successors


@pytest.fixture(scope="module")
def results(writers: WriterPool) -> list[Any]:
    """Publish `acme/contested` from four writers, and return their results."""
    return writers.run(
        *(
            {"job": "publish_many", "tag": "acme/contested", "targets": bodies(writer)}
            for writer in range(SIZE)
        )
    )


def test_every_publication_is_stored_once(writers: WriterPool, results: list[Any]) -> None:
    (stored,) = writers.run({"job": "versions", "tag": "acme/contested"})
    models = [body["hardware"]["model"] for writer in range(SIZE) for body in bodies(writer)]
    assert sorted(v["body"]["hardware"]["model"] for v in stored) == sorted(models)
    exact = [f"acme/contested@{row['number']}" for row in publications(results)]
    assert sorted(version["exact"] for version in stored) == sorted(exact)


def test_numbers_have_no_gap(results: list[Any]) -> None:
    texts = [row["number"] for row in publications(results)]
    numbers = sorted(tuple(map(int, text.split("."))) for text in texts)
    assert len(set(numbers)) == SIZE * BODIES_PER_WRITER
    assert_no_gaps(numbers)


def test_one_publication_wins_for_each_expected_version(results: list[Any]) -> None:
    expected = [row["after"] for row in publications(results)]
    assert len(set(expected)) == len(expected)


def test_some_publications_collided(results: list[Any]) -> None:
    """Without a collision, the tests above would prove nothing."""
    assert sum(result["tries"] for result in results) > SIZE * BODIES_PER_WRITER


def test_events_match_the_publications(writers: WriterPool, results: list[Any]) -> None:
    stored, events = writers.run(
        {"job": "versions", "tag": "acme/contested"}, {"job": "log", "after": 0}
    )
    published = [subject for _, _, subject in events if subject.startswith("acme/contested@")]
    assert published == [version["exact"] for version in stored]
    assert [number for number, _, _ in events] == list(range(1, len(events) + 1))


@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_one_of_several_first_versions_wins(writers: WriterPool, round_number: int) -> None:
    tag = f"acme/first-{round_number}"
    results = writers.run(
        *(
            {"job": "publish_first", "tag": tag, "target": {"kind": "llvm", "num-cores": cores}}
            for cores in range(1, SIZE + 1)
        )
    )
    assert sorted(results, key=str) == [
        {"number": "1.0.0"},
        *[{"refused": ["PRECONDITION_FAILED"]}] * (SIZE - 1),
    ]
    (stored,) = writers.run({"job": "versions", "tag": tag})
    assert [version["exact"] for version in stored] == [f"{tag}@1.0.0"]


def test_readers_never_see_a_gap_in_the_log(writers: WriterPool) -> None:
    (events,) = writers.run({"job": "log", "after": 0})
    watch, *results = writers.run(
        {"job": "watch", "until": len(events) + 3 * BODIES_PER_WRITER},
        *(
            {"job": "publish_many", "tag": f"acme/seen-{writer}", "targets": bodies(writer)}
            for writer in range(3)
        ),
    )
    assert watch["polls"] > 1
    tries = [result["tries"] for result in results]
    assert tries == [BODIES_PER_WRITER] * 3, "writes to different tags never collide"
