"""Members of requests accept no value that their schema rejects, and report faults together."""

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, strategies as st

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.http import request_members
from registry.http.request_members import Member, read_all

MEMBERS: dict[str, Member] = {
    "reason": request_members.prose(500, help_text="public"),
    "remark": request_members.prose(40, is_multiline=True, required=False),
    "tag": request_members.tag_name(),
    "reference": request_members.reference(),
    "choice": request_members.choice(["json", "tvm"], {"json": 1, "tvm": 2}.__getitem__),
    "switch": request_members.switch(),
    "count": request_members.count(help_text="of things"),
    "number": request_members.number_or_null(default=None, help_text="of a version"),
    "texts": request_members.texts({}, 3, lambda value: None),
}
texts = st.one_of(
    st.text(max_size=50),
    st.from_regex(r"[a-z]{1,3}/[a-zA-Z._-]{1,4}(@[0-9.]{1,6})?", fullmatch=True),
    st.sampled_from(["json", "1.0.0", "acme/board", "acme/board\n", "", "x" * 501, "a/" * 300]),
)
values = st.one_of(
    texts, st.none(), st.booleans(), st.integers(-2, 9), st.floats(-2, 9), st.lists(texts)
)


def accepts(member: Member, value: Any) -> bool:
    try:
        member.read(json.dumps(value))
    except (Refused, KeyError):
        return False
    return True


@pytest.mark.any_database
@pytest.mark.parametrize("name", [name for name in MEMBERS if name != "texts"])
@given(value=values)
def test_value_that_the_schema_rejects_is_refused(name: str, value: Any) -> None:
    member = MEMBERS[name]
    if accepts(member, value):
        jsonschema_rs.Draft202012Validator(member.schema).validate(value)


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("reason", " why\n", " why\n"),
        ("tag", "acme/board:big", Tag("acme/board", "big")),
        ("reference", "acme/GPU@1", Reference.parse("acme/GPU@1")),
        ("choice", "tvm", 2),
        ("switch", True, True),
        ("count", 2.0, 2),
        ("number", None, None),
        ("texts", ["a"], ["a"]),
    ],
)
def test_value_becomes_what_services_take(name: str, value: Any, result: Any) -> None:
    assert MEMBERS[name].read(json.dumps(value)) == result


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("reason", 5, "text"),
        ("choice", ["json"], "text"),
        ("switch", 1, "true or false"),
        ("switch", "true", "true or false"),
        ("count", True, "an integer of 1 or more"),
        ("count", "1", "an integer of 1 or more"),
        ("count", 1.5, "an integer of 1 or more"),
        ("number", 1, 'a version number such as "1.0.0", or null'),
        ("texts", ["a", 1], "a list of texts"),
        ("texts", "a", "a list of texts"),
    ],
)
def test_another_type_is_refused(name: str, value: Any, expected: str) -> None:
    with pytest.raises(Refused) as refused:
        MEMBERS[name].read(json.dumps(value))
    (fault,) = refused.value.faults
    assert (refused.value.code, fault.expected) == (Code.REQUEST_INVALID, expected)
    assert fault.message == f"{fault.found} is not {expected}"


def read(**sent: Any) -> Refused:
    readers = {
        name: (lambda name=name, value=value: MEMBERS[name].read(json.dumps(value)))
        for name, value in sent.items()
    }
    with pytest.raises(Refused) as refused:
        read_all(readers)
    return refused.value


def test_single_error_of_a_parser_keeps_its_code_and_suggestions() -> None:
    refusal = read(reference="acme/board@v1", count=1)
    assert refusal.code == Code.REFERENCE_INVALID
    assert refusal.suggestions == ("acme/board@1",)
    assert [fault.pointer for fault in refusal.faults] == ["/reference"]


def test_all_faults_are_reported_together() -> None:
    refusal = read(reason="", tag="A" * 550, reference="?", count=0, texts=[1])
    assert refusal.code == Code.REQUEST_INVALID
    assert [(fault.pointer, fault.code) for fault in refusal.faults] == [
        ("/reason", "REQUEST_INVALID"),
        ("/tag", "REFERENCE_INVALID"),
        ("/reference", "REFERENCE_INVALID"),
        ("/count", "REQUEST_INVALID"),
        ("/texts", "REQUEST_INVALID"),
    ]


def test_json_that_is_not_read_strictly_has_its_pointer() -> None:
    with pytest.raises(Refused) as refused:
        read_all({"texts": lambda: MEMBERS["texts"].read('["a", {"b": 1, "b": 2}]')})
    (fault,) = refused.value.faults
    assert (refused.value.code, fault.pointer[:8]) == (Code.JSON_INVALID, "/texts/1")


def test_unparsed_member_is_the_text_as_sent() -> None:
    assert request_members.unparsed({}).read('{"a":  1.0}') == '{"a":  1.0}'


@pytest.mark.parametrize("error", [TypeError, ValueError])
def test_fault_inside_a_parser_is_not_blamed_on_the_client(error: type[Exception]) -> None:
    def parse(value: str) -> str:
        raise error(value)

    with pytest.raises(error):
        request_members.text(convert=parse).read('"a board"')
