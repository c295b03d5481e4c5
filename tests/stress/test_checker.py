from dataclasses import replace

import pytest

from tests.stress.checker import Verdict, find_broken_promises, longest_gap, probe_times
from tests.stress.digests import digest_of
from tests.stress.records import Action, Answer, Attempt, Outcome, Records
from tests.stress.state import State, StoredEvent, StoredVersion

TAG = "stress/board"
FIRST, SECOND = digest_of({"num-cores": 1}), digest_of({"num-cores": 2})
PUBLISHED = "version.published"


@pytest.fixture
def records() -> Records:
    """Return the records of two publications, a yank, a proposal and three resolves, in order."""
    records = Records()
    for record in (
        Attempt("a", Action.PUBLISH, TAG, sent=1, digest=FIRST),
        Outcome("a", 2, 201, result=f"{TAG}@1.0.0", digest=FIRST),
        answer(TAG, "1.0.0", FIRST, sent=3),
        Attempt("b", Action.PUBLISH, TAG, sent=5, digest=SECOND),
        Outcome("b", 6, 201, result=f"{TAG}@2.0.0", digest=SECOND),
        answer(TAG, "2.0.0", SECOND, sent=7),
        answer(f"{TAG}@1.0.0", "1.0.0", FIRST, sent=9),
        Attempt("c", Action.YANK, f"{TAG}@2.0.0", sent=11),
        Outcome("c", 12, 200),
        Attempt("d", Action.PROPOSE, TAG, sent=13, digest=FIRST),
        Outcome("d", 14, 201, result="1"),
    ):
        records.add(record)
    return records


@pytest.fixture
def state() -> State:
    """Return the state that these writes lead to."""
    versions = (
        StoredVersion(f"{TAG}@1.0.0", FIRST, FIRST, message="a"),
        StoredVersion(f"{TAG}@2.0.0", SECOND, SECOND, message="b", status="yanked"),
    )
    events = [
        StoredEvent(11, PUBLISHED, f"{TAG}@1.0.0", FIRST),
        StoredEvent(12, PUBLISHED, f"{TAG}@2.0.0", SECOND),
        StoredEvent(13, "version.yanked", f"{TAG}@2.0.0"),
        StoredEvent(14, "proposal.submitted", TAG),
    ]
    return State(10, {version.reference: version for version in versions}, events, {"1": "open"})


def answer(reference: str, number: str, digest: str, *, sent: float) -> Answer:
    version = f"{reference.partition('@')[0]}@{number}"
    return Answer(
        "reader",
        reference,
        sent,
        sent + 1,
        200,
        version=version,
        digest=digest,
        computed=digest,
    )


def texts(records: Records, state: State, verdict: Verdict) -> list[str]:
    return [
        finding.text
        for finding in find_broken_promises(records, state)
        if finding.verdict is verdict
    ]


def test_a_faultless_run_has_no_findings(records: Records, state: State) -> None:
    assert find_broken_promises(records, state) == []


def test_a_lost_version_is_found(records: Records, state: State) -> None:
    del state.versions[f"{TAG}@2.0.0"]
    state.events = state.events[:1]
    assert f"{TAG}@2.0.0 is lost" in texts(records, state, Verdict.LOST)


def test_a_lost_version_whose_number_another_one_has_is_found(
    records: Records, state: State
) -> None:
    records.add(Attempt("e", Action.PUBLISH, TAG, sent=20, digest=SECOND))
    reference = f"{TAG}@2.0.0"
    state.versions[reference] = replace(state.versions[reference], message="e")
    assert texts(records, state, Verdict.LOST) == [f"{reference} is lost"]


def test_a_lost_event_is_found(records: Records, state: State) -> None:
    del state.events[1]
    assert texts(records, state, Verdict.LOST) == [f"the event {PUBLISHED} {TAG}@2.0.0 is lost"]


def test_a_lost_yank_is_found(records: Records, state: State) -> None:
    reference = f"{TAG}@2.0.0"
    state.versions[reference] = replace(state.versions[reference], status="active")
    assert texts(records, state, Verdict.LOST) == [f"the yank of {reference} is lost"]


def test_a_lost_proposal_is_found(records: Records, state: State) -> None:
    state.proposals.clear()
    assert texts(records, state, Verdict.LOST) == ["proposal 1 is lost"]


@pytest.mark.parametrize("changed", ["digest", "computed"])
def test_a_changed_digest_is_found(records: Records, state: State, changed: str) -> None:
    reference = f"{TAG}@1.0.0"
    state.versions[reference] = replace(state.versions[reference], **{changed: SECOND})
    assert any("was published as" in text for text in texts(records, state, Verdict.WRONG))


def test_an_acknowledgement_of_other_bytes_is_found(records: Records, state: State) -> None:
    records.outcomes["a"] = replace(records.outcomes["a"], digest=SECOND)
    assert any("acknowledged as" in text for text in texts(records, state, Verdict.WRONG))


def test_a_write_without_response_may_be_stored_or_not(records: Records, state: State) -> None:
    del records.outcomes["b"], records.answers[1], records.outcomes["c"]
    assert find_broken_promises(records, state) == []
    del state.versions[f"{TAG}@2.0.0"]
    state.events = [state.events[0], replace(state.events[3], number=12)]
    assert find_broken_promises(records, state) == []


def test_a_write_without_response_that_is_stored_in_part_is_found(
    records: Records, state: State
) -> None:
    del records.outcomes["b"], records.answers[1], records.outcomes["c"]
    del state.versions[f"{TAG}@2.0.0"]
    del state.events[2]
    assert f"{TAG}@2.0.0: 1 events with {SECOND}" in texts(records, state, Verdict.WRONG)


def test_a_version_that_nobody_sent_is_found(records: Records, state: State) -> None:
    reference = f"{TAG}@3.0.0"
    state.versions[reference] = StoredVersion(reference, FIRST, FIRST, message="x")
    state.events.append(StoredEvent(15, PUBLISHED, reference, FIRST))
    assert f"{reference}: nobody sent this version" in texts(records, state, Verdict.WRONG)


def test_a_request_that_published_twice_is_found(records: Records, state: State) -> None:
    reference = f"{TAG}@3.0.0"
    state.versions[reference] = StoredVersion(reference, FIRST, FIRST, message="a")
    state.events.append(StoredEvent(15, PUBLISHED, reference, FIRST))
    assert "a: one request published 2 versions" in texts(records, state, Verdict.WRONG)


def test_a_lost_event_of_a_proposal_is_found(records: Records, state: State) -> None:
    del state.events[3]
    assert texts(records, state, Verdict.LOST) == [f"the event proposal.submitted {TAG} is lost"]


def test_a_proposal_that_was_submitted_twice_is_found(records: Records, state: State) -> None:
    state.events.append(StoredEvent(15, "proposal.submitted", TAG))
    assert texts(records, state, Verdict.WRONG) == [f"{TAG}: one key submitted 2 proposals"]


def test_a_yank_that_nobody_sent_is_found(records: Records, state: State) -> None:
    reference = f"{TAG}@1.0.0"
    state.versions[reference] = replace(state.versions[reference], status="yanked")
    state.events.append(StoredEvent(15, "version.yanked", reference))
    assert f"{reference}: yanked against its yanks" in texts(records, state, Verdict.WRONG)


@pytest.mark.parametrize("number", ["4.0.0", "1.2.0", "1.0.2", "3.1.0"])
def test_a_gap_between_version_numbers_is_found(
    records: Records, state: State, number: str
) -> None:
    reference = f"{TAG}@{number}"
    state.versions[reference] = StoredVersion(reference, FIRST, FIRST, message="x")
    assert any("a gap in" in text for text in texts(records, state, Verdict.WRONG))


def test_numbers_of_each_line_are_without_gaps(records: Records, state: State) -> None:
    for number in ("1.0.1", "1.1.0", "3.0.0"):
        reference = f"{TAG}@{number}"
        state.versions[reference] = StoredVersion(reference, FIRST, FIRST, message="x")
    assert not any("a gap in" in text for text in texts(records, state, Verdict.WRONG))


def test_a_gap_between_event_numbers_is_found(records: Records, state: State) -> None:
    state.events[3] = replace(state.events[3], number=15)
    assert texts(records, state, Verdict.WRONG) == ["event 15 follows event 13"]


def test_events_against_the_order_of_their_writes_are_found(records: Records, state: State) -> None:
    first, second, *rest = state.events
    state.events = [replace(second, number=11), replace(first, number=12), *rest]
    (text,) = texts(records, state, Verdict.WRONG)
    assert text == "event 11 is of a write that was sent after event 12"


def test_an_answer_with_other_bytes_than_its_digest_is_found(
    records: Records, state: State
) -> None:
    records.answers[0] = replace(records.answers[0], computed=SECOND)
    assert any("has the bytes of" in text for text in texts(records, state, Verdict.WRONG))


def test_an_exact_version_that_changes_is_found(records: Records, state: State) -> None:
    records.add(answer(f"{TAG}@1.0.0", "1.0.0", SECOND, sent=20))
    assert any(f"{TAG}@1.0.0 is {FIRST}" in text for text in texts(records, state, Verdict.WRONG))


def test_an_exact_reference_answered_with_another_version_is_found(
    records: Records, state: State
) -> None:
    records.add(answer(f"{TAG}@1.0.0", "2.0.0", SECOND, sent=20))
    assert any("the answer is" in text for text in texts(records, state, Verdict.WRONG))


def test_a_stale_answer_is_found(records: Records, state: State) -> None:
    records.add(answer(TAG, "1.0.0", FIRST, sent=6.5))
    assert texts(records, state, Verdict.WRONG) == [
        f"resolve {TAG}: {TAG}@1.0.0 after 2.0.0 was acknowledged"
    ]


def test_a_stale_answer_within_the_delay_is_right(records: Records, state: State) -> None:
    records.add(answer(TAG, "1.0.0", FIRST, sent=6.5))
    assert find_broken_promises(records, state, delay=2) == []
    records.add(answer(TAG, "1.0.0", FIRST, sent=8.5))
    assert len(find_broken_promises(records, state, delay=2)) == 1


@pytest.mark.parametrize("sent", [5.5, 10.5, 15])
def test_an_older_answer_before_the_acknowledgement_or_after_the_yank_is_right(
    records: Records, state: State, sent: float
) -> None:
    records.add(answer(TAG, "1.0.0", FIRST, sent=sent))
    assert find_broken_promises(records, state) == []


@pytest.mark.parametrize("status", [404, 500])
def test_an_error_in_place_of_a_version_is_found(
    records: Records, state: State, status: int
) -> None:
    records.add(Answer("reader", TAG, 20, 21, status))
    assert texts(records, state, Verdict.WRONG) == [f"resolve {TAG}: {status} "]


@pytest.mark.parametrize("status", [0, 503])
def test_no_answer_is_not_a_wrong_one(records: Records, state: State, status: int) -> None:
    records.add(Answer("reader", TAG, 20, 21, status))
    records.add(Attempt("e", Action.PUBLISH, TAG, sent=22, digest=FIRST))
    records.add(Outcome("e", 23, status))
    assert find_broken_promises(records, state) == []


@pytest.mark.parametrize("status", [422, 500])
def test_a_write_refused_without_a_reason_is_found(
    records: Records, state: State, status: int
) -> None:
    records.add(Attempt("e", Action.PUBLISH, TAG, sent=22, digest=FIRST))
    records.add(Outcome("e", 23, status, code="X"))
    assert texts(records, state, Verdict.WRONG) == [f"publish {TAG}: {status} X"]


def test_an_outage_lasts_from_one_right_answer_to_the_next() -> None:
    probes = [
        replace(answer(TAG, "1.0.0", FIRST, sent=sent), is_probe=True) for sent in (0, 1, 9, 10)
    ]
    wrong = replace(probes[0], received=5, computed=SECOND)
    refused = replace(probes[0], received=5, status=503)
    other = replace(probes[0], received=5, is_probe=False)
    times = probe_times([*probes, wrong, refused, other])
    assert longest_gap(times, begin=1.5, end=10.5) == 8
    assert longest_gap(times, begin=4, end=10.5) == 6
    assert longest_gap(times, begin=1.5, end=6) == 4
    assert longest_gap([], begin=3, end=7) == 4
