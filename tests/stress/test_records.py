from pathlib import Path

from tests.stress.records import Action, Answer, Attempt, Journal, JournalReader, Outcome

ATTEMPT = Attempt("a", Action.YANK, "stress/board@1.0.0", sent=1.5)
OUTCOME = Outcome("a", 2.5, 200)
ANSWER = Answer("reader", "stress/board", 3.5, 4.5, 404, code="TAG_UNKNOWN")


def test_records_are_read_as_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "one.jsonl")
    journal.write(ATTEMPT)
    journal.write(ANSWER)
    Journal(tmp_path / "two.jsonl").write(OUTCOME)
    records = JournalReader(tmp_path).read()
    assert records.attempts == {"a": ATTEMPT}
    assert records.attempts["a"].action is Action.YANK
    assert records.outcomes == {"a": OUTCOME}
    assert records.answers == [ANSWER]
    assert records.acknowledged(Action.YANK) == [(ATTEMPT, OUTCOME)]
    assert records.acknowledged(Action.PUBLISH) == []


def test_a_line_is_read_once_and_when_it_is_complete(tmp_path: Path) -> None:
    path, reader = tmp_path / "one.jsonl", JournalReader(tmp_path)
    journal = Journal(path)
    journal.write(OUTCOME)
    journal.write(ANSWER)
    text = path.read_text()
    path.write_text(text[:-5])
    assert not reader.read().answers
    path.write_text(text)
    assert reader.read().answers == [ANSWER]
    journal.write(ANSWER)
    assert reader.read().answers == [ANSWER, ANSWER]
    assert reader.read().outcomes == {"a": OUTCOME}
