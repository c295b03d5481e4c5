from pathlib import Path

from tests.stress.records import Action, Answer, Attempt, Journal, Outcome, read_journals

ATTEMPT = Attempt("a", Action.YANK, "stress/board@1.0.0", sent=1.5)
OUTCOME = Outcome("a", 2.5, 200)
ANSWER = Answer("reader", "stress/board", 3.5, 4.5, 404, code="TAG_UNKNOWN")


def test_records_are_read_as_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "one.jsonl")
    journal.write(ATTEMPT)
    journal.write(ANSWER)
    Journal(tmp_path / "two.jsonl").write(OUTCOME)
    records = read_journals(tmp_path)
    assert records.attempts == {"a": ATTEMPT}
    assert records.attempts["a"].action is Action.YANK
    assert records.outcomes == {"a": OUTCOME}
    assert records.answers == [ANSWER]
    assert records.acknowledged(Action.YANK) == [(ATTEMPT, OUTCOME)]
    assert records.acknowledged(Action.PUBLISH) == []


def test_an_incomplete_last_line_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    Journal(path).write(OUTCOME)
    path.write_text(path.read_text() + '["Outcome", {"id"')
    assert list(read_journals(tmp_path).outcomes) == ["a"]
