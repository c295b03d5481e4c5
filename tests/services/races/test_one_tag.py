"""Several processes publish versions of one tag: no gap, no duplicate, nothing lost."""

from itertools import pairwise
from typing import Any

import pytest

from tests.services.races.writer_pool import SIZE, Crew

EACH = 8
ROUNDS = 8


def bodies(writer: int) -> list[Any]:
    """Bodies that nobody else publishes; some move MAJOR, some PATCH."""
    return [
        {"kind": "llvm", "num-cores": 1 + at // 3, "hardware": {"model": f"{writer}-{at}"}}
        for at in range(EACH)
    ]


def numbers(made: list[Any]) -> list[tuple[int, ...]]:
    return [tuple(map(int, one["number"].split("."))) for one in made]


def assert_no_gaps(found: list[tuple[int, ...]]) -> None:
    """Numbers in order either count on in one place, or begin a line."""
    assert found[0] == (1, 0, 0)
    for (major, minor, patch), following in pairwise(found):
        after = {(major + 1, 0, 0), (major, minor + 1, 0), (major, minor, patch + 1)}
        assert following in after


@pytest.fixture(scope="module")
def outcome(writers: Crew) -> list[Any]:
    """What four writers made of `acme/contested`."""
    return writers.together(
        *(
            {"job": "publish_many", "tag": "acme/contested", "targets": bodies(writer)}
            for writer in range(SIZE)
        )
    )


def test_every_publication_is_there_once(writers: Crew, outcome: list[Any]) -> None:
    (stored,) = writers.together({"job": "versions", "tag": "acme/contested"})
    wanted = [body["hardware"]["model"] for writer in range(SIZE) for body in bodies(writer)]
    assert sorted(v["body"]["hardware"]["model"] for v in stored) == sorted(wanted)
    made = [f"acme/contested@{one['number']}" for each in outcome for one in each["made"]]
    assert sorted(version["exact"] for version in stored) == sorted(made)


def test_numbers_have_no_gap(outcome: list[Any]) -> None:
    made = sorted(numbers([one for each in outcome for one in each["made"]]))
    assert len(set(made)) == SIZE * EACH
    assert_no_gaps(made)


def test_one_winner_for_each_version_that_was_expected(outcome: list[Any]) -> None:
    expected = [one["after"] for each in outcome for one in each["made"]]
    assert len(set(expected)) == len(expected)


def test_writers_did_meet(outcome: list[Any]) -> None:
    """Without a try that failed, the tests above would have shown nothing."""
    assert sum(each["tries"] for each in outcome) > SIZE * EACH


def test_events_follow_the_publications(writers: Crew, outcome: list[Any]) -> None:
    stored, events = writers.together(
        {"job": "versions", "tag": "acme/contested"}, {"job": "log", "after": 0}
    )
    published = [subject for _, _, subject in events if subject.startswith("acme/contested@")]
    assert published == [version["exact"] for version in stored]
    assert [number for number, _, _ in events] == list(range(1, len(events) + 1))


@pytest.mark.parametrize("at", range(ROUNDS))
def test_one_of_two_first_versions_wins(writers: Crew, at: int) -> None:
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


def test_readers_never_see_a_gap_in_the_log(writers: Crew) -> None:
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
