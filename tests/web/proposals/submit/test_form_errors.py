"""Errors of a form, and the place that each links to."""

import pytest

from registry.domain.errors import Code, Fault, Refused, TextPosition
from registry.web.proposals.submit import form_data, form_errors
from registry.web.proposals.submit.form_errors import FormError, Part
from registry.web.proposals.submit.profile_form import ProfileForm

BODY = '{\n  "kind": "cuda",\n  "archh": 1\n}'


def problems(refusal: Refused, part: Part = Part.BODY, body: str = BODY) -> list[FormError]:
    form = ProfileForm(form_data.profile({"face": "json", "body": body}))
    form.refuse(part, refusal)
    return form.problems


@pytest.mark.parametrize(
    ("place", "line", "label"),
    [
        (TextPosition(3, 5), 3, "Line 3, column 5"),
        (TextPosition(1, 1), 1, "Line 1, column 1"),
        (None, 0, "Body"),
    ],
)
def test_a_syntax_error_links_to_its_line_whatever_its_sentence_says(
    place: TextPosition | None, line: int, label: str
) -> None:
    (found,) = problems(Refused(Code.JSON_INVALID, "No JSON at line 9, column 9.", place=place))
    assert (found.line, found.label) == (line, label)
    assert found.href == (f"#line-{line}" if line else "#body")


def test_a_fault_of_what_is_inherited_leads_to_what_encloses_it() -> None:
    (found,) = problems(Refused(Code.BODY_INVALID, "", faults=[Fault("/host/mcpu", "X", "no")]))
    assert (found.label, found.message) == ("Line 1, column 1", "/host/mcpu: no.")


def test_what_is_wrong_with_the_whole_leads_nowhere() -> None:
    refusal = Refused(Code.NAMESPACE_UNKNOWN, "There is none.", suggestions=["acme"])
    (error,) = problems(refusal, Part.WHOLE)
    assert (error.message, error.href) == ("There is none. Did you mean acme?", "")


def test_lines_are_shown_with_those_around_them() -> None:
    wrong = [FormError("x", line=3, pointer="/archh"), FormError("y")]
    lines = form_errors.lines(BODY, wrong)
    assert [(line.number, line.is_wrong) for line in lines] == [(2, False), (3, True), (4, False)]
    assert lines[1].pointer == "/archh"


def test_many_lines_are_cut() -> None:
    body = "\n" * 500
    wrong = [FormError("x", line=line) for line in range(1, 400)]
    assert len(form_errors.lines(body, wrong)) == form_errors.MOST_LINES


def test_a_refusal_inside_the_lock_is_about_the_whole_form() -> None:
    """Its pointers count from the body, whose member `tag` is no field of the form."""
    fault = Fault("/tag", "PARENT_INVALID", "it was yanked")
    refusal = Refused(Code.PARENT_INVALID, "The parent was yanked.", faults=[fault])
    (error,) = problems(refusal, Part.WHOLE)
    assert (error.message, error.href) == ("The parent was yanked.", "")


def test_the_first_refusal_decides_the_status() -> None:
    form = ProfileForm(form_data.profile({"face": "json"}))
    first = Refused(Code.REFERENCE_INVALID, "No tag.")
    form.refuse(Part.TAG, first)
    form.refuse(Part.WHOLE, Refused(Code.CONFLICT, "Twice."))
    assert form.refusal is first
    assert form.errors.keys() == {"tag", "__all__"}
