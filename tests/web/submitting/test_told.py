"""Sentences about what is wrong, and where each leads."""

import pytest

from registry.domain.errors import Code, Fault, Place, Refused
from registry.web.submitting import told
from registry.web.submitting.judged import Judged, Part
from registry.web.submitting.told import Told
from registry.web.submitting.typed import BY_JSON, Typed

BODY = '{\n  "kind": "cuda",\n  "archh": 1\n}'


def problems(refusal: Refused, part: Part = Part.BODY, body: str = BODY) -> list[Told]:
    judged = Judged(refusals=[(part, refusal)])
    return told.problems(judged, Typed(face=BY_JSON, body=body), None)


@pytest.mark.parametrize(
    ("place", "line", "label"),
    [
        (Place(3, 5), 3, "Line 3, column 5"),
        (Place(1, 1), 1, "Line 1, column 1"),
        (None, 0, "Body"),
    ],
)
def test_a_syntax_error_links_to_its_line_whatever_its_sentence_says(
    place: Place | None, line: int, label: str
) -> None:
    (found,) = problems(Refused(Code.JSON_INVALID, "No JSON at line 9, column 9.", place=place))
    assert (found.line, found.label) == (line, label)
    assert found.href == (f"#line-{line}" if line else "#body")


def test_a_fault_of_what_is_inherited_leads_to_what_encloses_it() -> None:
    (found,) = problems(Refused(Code.BODY_INVALID, "", faults=[Fault("/host/mcpu", "X", "no")]))
    assert (found.label, found.text) == ("Line 1, column 1", "/host/mcpu: no.")


def test_what_is_wrong_with_the_whole_leads_nowhere() -> None:
    refusal = Refused(Code.NAMESPACE_UNKNOWN, "There is none.", suggestions=["acme"])
    assert problems(refusal, Part.WHOLE) == [Told("There is none. Did you mean acme?")]


def test_lines_are_shown_with_those_around_them() -> None:
    lines = told.lines(Typed(body=BODY), [Told("x", line=3, pointer="/archh"), Told("y")])
    assert [(line.number, line.is_wrong) for line in lines] == [(2, False), (3, True), (4, False)]
    assert lines[1].pointer == "/archh"


def test_many_lines_are_cut() -> None:
    body = "\n" * 500
    wrong = [Told("x", line=line) for line in range(1, 400)]
    assert len(told.lines(Typed(body=body), wrong)) == told.MOST_LINES
