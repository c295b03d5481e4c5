import json

import pytest
from hypothesis import given, strategies as st

from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from tests.domain.builders import refusal
from tests.domain.strategies import documents
from ttag_rules.echo import MAX_ECHO


@given(st.one_of(st.text(), st.text("\ud800\0\n\x1b\u202e", max_size=300), documents))
def test_an_echo_is_short_and_encodable(value: object) -> None:
    echoed = echo(value)
    assert len(echoed) <= MAX_ECHO
    assert echoed.isprintable()
    echoed.encode()


@pytest.mark.parametrize(
    ("value", "echoed"),
    [
        ("a b", "a b"),
        ("a\n", "a\\n"),
        ("\ud800", "\\ud800"),
        (True, "true"),
        ([1], "[1]"),
        ("x" * 200, "x" * 119 + "…"),
    ],
)
def test_an_echo_starts_like_the_value(value: object, echoed: str) -> None:
    assert echo(value) == echoed


def test_no_faults_raise_no_error() -> None:
    refuse_all([])


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        (["VALUE_TYPE"], Code.BODY_INVALID),
        ([Code.CYCLE], Code.CYCLE),
        ([Code.CYCLE, Code.CYCLE], Code.CYCLE),
        ([Code.CYCLE, "VALUE_TYPE"], Code.BODY_INVALID),
        ([Code.PARENT_INVALID, Code.NOT_A_TARGET], Code.BODY_INVALID),
        ([Code.NOT_A_TARGET], Code.NOT_A_TARGET),
        ([Code.TOO_LARGE], Code.TOO_LARGE),
        ([Code.TAG_UNKNOWN], Code.BODY_INVALID),
    ],
)
def test_the_error_has_the_code_that_all_faults_share(codes: list[str], code: Code) -> None:
    all_faults = [Fault(f"/{n}", fault_code, "it is wrong") for n, fault_code in enumerate(codes)]
    refused = refusal(lambda: refuse_all(all_faults))
    assert refused.code == code
    assert refused.faults == tuple(all_faults)


def test_the_error_detail_is_one_sentence() -> None:
    all_faults = [Fault("/a", "X", "one."), Fault("", "Y", "two")]
    assert str(refusal(lambda: refuse_all(all_faults))) == "Not accepted at /a: one (and 1 more)."
    assert str(refusal(lambda: refuse_all(all_faults[1:]))) == "Not accepted: two."
    assert Refused(Code.BUSY, "later").detail == "later"


@given(documents)
def test_an_echo_of_a_short_value_is_its_json(value: object) -> None:
    if not isinstance(value, str) and len(json.dumps(value)) <= MAX_ECHO:
        assert json.loads(echo(value)) == value


def test_the_error_lists_a_hundred_faults_and_counts_all() -> None:
    faults = [Fault(f"/{number}", "VALUE_TYPE", "it is wrong") for number in range(250)]
    with pytest.raises(Refused) as refused:
        refuse_all(faults)
    *listed, last = refused.value.faults
    assert listed == faults[:100]
    assert last == Fault("", "BODY_INVALID", "150 more errors are not listed")
    assert "249 more" in refused.value.detail


def test_an_error_that_lists_all_faults_counts_none() -> None:
    faults = [Fault(f"/{number}", "VALUE_TYPE", "it is wrong") for number in range(100)]
    with pytest.raises(Refused) as refused:
        refuse_all(faults)
    assert [*refused.value.faults] == faults
