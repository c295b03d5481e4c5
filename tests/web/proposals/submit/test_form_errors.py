"""Errors of a form and their links."""

import pytest

from registry.domain.errors import Code, Fault, Refused, TextPosition
from registry.web.proposals.submit import form_data, form_errors
from registry.web.proposals.submit.form_errors import FormError, Part
from registry.web.proposals.submit.form_state import FormState
from registry.web.proposals.submit.inputs import Input, LinkedError, link_errors

BODY = '{\n  "kind": "cuda",\n  "archh": 1\n}'


def problems(refusal: Refused, part: Part = Part.BODY, body: str = BODY) -> list[FormError]:
    state = FormState(form_data.parse_form({"mode": "json", "body": body}))
    state.refuse(part, refusal)
    return state.problems


def link(error: FormError) -> LinkedError:
    (linked,) = link_errors([error], {"body": Input("body", "Body", "")})
    return linked


@pytest.mark.parametrize(
    ("place", "line", "label"),
    [
        (TextPosition(3, 5), 3, "Line 3, column 5"),
        (TextPosition(1, 1), 1, "Line 1, column 1"),
        (None, 0, "Body"),
    ],
)
def test_syntax_error_links_to_its_line_and_not_to_that_in_its_message(
    place: TextPosition | None, line: int, label: str
) -> None:
    (error,) = problems(Refused(Code.JSON_INVALID, "No JSON at line 9, column 9.", place=place))
    assert (error.line, link(error).label) == (line, label)
    assert link(error).href == (f"#line-{line}" if line else "#body")


def test_fault_of_an_inherited_value_links_to_the_enclosing_value() -> None:
    (error,) = problems(Refused(Code.BODY_INVALID, "", faults=[Fault("/host/mcpu", "X", "no")]))
    assert (link(error).label, error.message) == ("Line 1, column 1", "/host/mcpu: no.")


def test_error_of_the_whole_form_has_no_link() -> None:
    refusal = Refused(Code.NAMESPACE_UNKNOWN, "There is none.", suggestions=["acme"])
    (error,) = problems(refusal, Part.FORM)
    assert (error.message, link(error).href) == ("There is none. Did you mean acme?", "")


def test_lines_with_errors_have_context() -> None:
    errors = [FormError("x", line=3, pointer="/archh"), FormError("y")]
    lines = form_errors.lines_with_errors(BODY, errors)
    assert [(line.number, line.has_error) for line in lines] == [(2, False), (3, True), (4, False)]
    assert lines[1].pointer == "/archh"


def test_number_of_lines_is_limited() -> None:
    body = "\n" * 500
    errors = [FormError("x", line=line) for line in range(1, 400)]
    assert len(form_errors.lines_with_errors(body, errors)) == form_errors.MAX_LINES


def test_refusal_under_the_write_lock_is_an_error_of_the_whole_form() -> None:
    """Its pointers start at the body, whose member `tag` is not the form field of that name."""
    fault = Fault("/tag", "PARENT_INVALID", "it was yanked")
    refusal = Refused(Code.PARENT_INVALID, "The parent was yanked.", faults=[fault])
    (error,) = problems(refusal, Part.FORM)
    assert (error.message, link(error).href) == ("The parent was yanked.", "")


def test_first_refusal_determines_the_status() -> None:
    form = FormState(form_data.parse_form({"mode": "json"}))
    first = Refused(Code.REFERENCE_INVALID, "No tag.")
    form.refuse(Part.TAG, first)
    form.refuse(Part.FORM, Refused(Code.CONFLICT, "Twice."))
    assert form.refusal is first
    assert [problem.name for problem in form.problems] == ["tag", ""]
