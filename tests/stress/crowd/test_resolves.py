"""Builds notice answers that are wrong, and choose tags by Zipf's law."""

import hashlib
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from tests.stress.crowd.resolves import Answers, Checker, draw

BODY = b'{"kind":"llvm"}'
HEAD = {
    b"target-digest": f"sha256:{hashlib.sha256(BODY).hexdigest()}".encode(),
    b"target-version": b"1.0.0",
}


def test_right_answers_are_no_findings() -> None:
    checker = Checker()
    for tag in ("a/b", "a/b", "a/c"):
        checker.check(tag, HEAD, BODY)
    assert not checker.wrong


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (HEAD, b'{"kind":"cuda"}'),
        (HEAD | {b"target-digest": b"sha256:0"}, BODY),
        (HEAD | {b"target-version": b"2.0.0"}, BODY),
        ({}, BODY),
    ],
)
def test_other_bytes_and_other_versions_are_findings(head: dict[bytes, bytes], body: bytes) -> None:
    checker = Checker()
    checker.check("a/b", HEAD, BODY)
    checker.check("a/b", head, body)
    assert checker.wrong


def test_tags_are_drawn_by_their_rank() -> None:
    counts = Counter(islice(draw(["first", "second", "third"], seed=1), 11_000))
    assert counts["first"] == pytest.approx(6000, rel=0.1)
    assert counts["second"] == pytest.approx(3000, rel=0.1)
    assert counts["third"] == pytest.approx(2000, rel=0.1)


def test_answers_survive_a_file(tmp_path: Path) -> None:
    answers = Answers()
    answers.add(1.5, 0.25, 200, 1)
    answers.add(2.5, 0.5, 0, 0)
    answers.write(tmp_path / "answers")
    assert Answers.read(tmp_path / "answers") == answers
