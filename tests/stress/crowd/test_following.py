"""A mirror is behind by the time since a version was acknowledged."""

from tests.stress.crowd.following import Behind, behind
from tests.stress.records import Action, Attempt, Outcome, Records


def published(version: str, received: float, status: int = 201) -> tuple[Attempt, Outcome]:
    attempt = Attempt(version, Action.PUBLISH, version.partition("@")[0], received - 1)
    return attempt, Outcome(version, received, status, result=version if status == 201 else "")


def test_versions_count_from_their_acknowledgement() -> None:
    writes = [
        published("stress/a@1.0.0", 10),
        published("stress/a@2.0.0", 11),
        published("stress/a@3.0.0", 12),
        published("stress/b@1.0.0", 12, status=503),
    ]
    records = Records(
        attempts={attempt.id: attempt for attempt, _ in writes},
        outcomes={outcome.id: outcome for _, outcome in writes},
    )
    applied = {"stress/a@1.0.0": 11.0, "stress/a@2.0.0": 14.0, "stress/b@1.0.0": 50.0}
    assert behind(records, applied) == Behind(median=2.0, longest=3.0, missing=1)


def test_nothing_published_is_nothing_behind() -> None:
    assert behind(Records(), {}) == Behind(0, 0, 0)
