"""Tests of publishing versions of one tag from several processes at once."""

from itertools import pairwise
from typing import Any

import pytest

from tests.services.races.writer_pool import SIZE, WriterPool

EACH = 8
ROUNDS = 8


def bodies(writer: int) -> list[Any]:
    """Return bodies that only this writer publishes; some bump MAJOR, some PATCH."""
    return [
        {"kind": "llvm", "num-cores": 1 + at // 3, "hardware": {"model": f"{writer}-{at}"}}
        for at in range(EACH)
    ]


def numbers(made: list[Any]) -> list[tuple[int, ...]]:
    return [tuple(map(int, one["number"].split("."))) for one in made]


def assert_no_gaps(found: list[tuple[int, ...]]) -> None:
    """Assert that each number increments one part of its predecessor and zeroes the rest."""
    assert found[0] == (1, 0, 0)
    for (major, minor, patch), following in pairwise(found):
        after = {(major + 1, 0, 0), (major, minor + 1, 0), (major, minor, patch + 1)}
        assert following in after


@pytest.fixture(scope="module")
def outcome(writers: WriterPool) -> list[Any]:
    """Publish `acme/contested` from four writers, and return their results."""
    return writers.together(
        *(
            {"job": "publish_many", "tag": "acme/contested", "targets": bodies(writer)}
            for writer in range(SIZE)
        )
    )


def test_every_publication_is_stored_once(writers: WriterPool, outcome: list[Any]) -> None:
    (stored,) = writers.together({"job": "versions", "tag": "acme/contested"})
    wanted = [body["hardware"]["model"] for writer in range(SIZE) for body in bodies(writer)]
    assert sorted(v["body"]["hardware"]["model"] for v in stored) == sorted(wanted)
    made = [f"acme/contested@{one['number']}" for each in outcome for one in each["made"]]
    assert sorted(version["exact"] for version in stored) == sorted(made)


def test_numbers_have_no_gap(outcome: list[Any]) -> None:
    made = sorted(numbers([one for each in outcome for one in each["made"]]))
    assert len(set(made)) == SIZE * EACH
    assert_no_gaps(made)


def test_one_publication_wins_for_each_expected_version(outcome: list[Any]) -> None:
    expected = [one["after"] for each in outcome for one in each["made"]]
    assert len(set(expected)) == len(expected)


def test_some_publications_collided(outcome: list[Any]) -> None:
    """Without a collision, the tests above would prove nothing."""
    assert sum(each["tries"] for each in outcome) > SIZE * EACH


def test_events_match_the_publications(writers: WriterPool, outcome: list[Any]) -> None:
    stored, events = writers.together(
        {"job": "versions", "tag": "acme/contested"}, {"job": "log", "after": 0}
    )
    published = [subject for _, _, subject in events if subject.startswith("acme/contested@")]
    assert published == [version["exact"] for version in stored]
    assert [number for number, _, _ in events] == list(range(1, len(events) + 1))


@pytest.mark.parametrize("at", range(ROUNDS))
def test_one_of_two_first_versions_wins(writers: WriterPool, at: int) -> None:
    tag = f"acme/first-{at}"
    outcome = writers.together(
        *(
            {"job": "publish_first", "tag": tag, "target": {"kind": "llvm", "num-cores": cores}}
            for cores in range(1, SIZE + 1)
        )
    )
    assert sorted(outcome, key=str) == [
        {"number": "1.0.0"},
        *[{"refused": ["PRECONDITION_FAILED"]}] * (SIZE - 1),
    ]
    (stored,) = writers.together({"job": "versions", "tag": tag})
    assert [version["exact"] for version in stored] == [f"{tag}@1.0.0"]


def test_readers_never_see_a_gap_in_the_log(writers: WriterPool) -> None:
    (events,) = writers.together({"job": "log", "after": 0})
    watch, *outcome = writers.together(
        {"job": "watch", "until": len(events) + 3 * EACH},
        *(
            {"job": "publish_many", "tag": f"acme/seen-{writer}", "targets": bodies(writer)}
            for writer in range(3)
        ),
    )
    assert watch["looks"] > 1
    assert [each["tries"] for each in outcome] == [EACH] * 3, "other tags are in nobody's way"
