"""Search conditions on attributes."""

import re
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.search.attributes import IndexedValue, attributes, searchable_attributes
from registry.domain.search.conditions import (
    EXPECTED,
    MAX_CONDITION,
    MAX_CONDITIONS,
    OPERATORS,
    Condition,
    parse_conditions,
)
from tests.domain.builders import refusal, target_of
from tests.domain.strategies import targets


def equals(name: str, *texts: str, pointer: str = "") -> Condition:
    return Condition(name, pointer, "=", texts=texts)


def holds(condition: Condition, attribute: IndexedValue) -> bool:
    """Return whether an attribute matches a condition, implemented independently of the code."""
    if condition.name != attribute.name or condition.pointer not in ("", attribute.pointer):
        return False
    if condition.operator == "=":
        return attribute.text in condition.texts
    if attribute.number is None or condition.number is None:
        return False
    return {
        ">": attribute.number > condition.number,
        ">=": attribute.number >= condition.number,
        "<": attribute.number < condition.number,
        "<=": attribute.number <= condition.number,
    }[condition.operator]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arch=sm_90", equals("arch", "sm_90")),
        ("mattr=+avx2", equals("mattr", "+avx2")),
        ("keys=cpu", equals("keys", "cpu")),
        ("unpacked-api=true", equals("unpacked-api", "true")),
        ("tir.disable_vectorize=true", equals("tir.disable_vectorize", "true")),
        ("/host/mcpu=cortex-a57", equals("mcpu", "cortex-a57", pointer="/host/mcpu")),
        ("/mtriple/os=linux", equals("os", "linux", pointer="/mtriple/os")),
        ("/libs/$append=cublas", equals("libs", "cublas", pointer="/libs/$append")),
        ("/a~1b/m~0n=1", equals("m~n", "1", pointer="/a~1b/m~0n")),
        ("/=1", equals("", "1", pointer="/")),
        ("model=a=b", equals("model", "a=b")),
        ("memory_bytes=1 KiB", equals("memory_bytes", "1 KiB", "1024")),
        ("memory_bytes=DDR 4", equals("memory_bytes", "DDR 4")),
        ("power_watts=8", equals("power_watts", "8")),
        ("memory_bytes>=24 GiB", Condition("memory_bytes", "", ">=", number=24 * 2**30)),
        ("boost_clock_hz<1.5GHz", Condition("boost_clock_hz", "", "<", number=1.5e9)),
        ("power_watts<=300 W", Condition("power_watts", "", "<=", number=300)),
        (
            "/hardware/peak_ops_per_s/fp32>80TFLOPS",
            Condition("fp32", "/hardware/peak_ops_per_s/fp32", ">", number=80e12),
        ),
        (
            "memory_bandwidth_bytes_per_s>=1 TB/s",
            Condition("memory_bandwidth_bytes_per_s", "", ">=", number=1e12),
        ),
        ("category=board|module", equals("category", "board|module", "board", "module")),
        ("num-cores= 8.0 | 4 ", equals("num-cores", "8.0 | 4", "8.0", "8", "4")),
        ("model=a>=b<c", equals("model", "a>=b<c")),
        (" model = a b ", equals("model", "a b")),
        ("num-cores=8", equals("num-cores", "8")),
        ("num-cores=8.0", equals("num-cores", "8.0", "8")),
        ("num-cores=+8", equals("num-cores", "+8", "8")),
        ("num-cores=-0", equals("num-cores", "-0", "0")),
        ("memory_bytes=8e9", equals("memory_bytes", "8e9", "8000000000")),
        ("x=0.50", equals("x", "0.50", "0.5")),
        ("x=1e21", equals("x", "1e21", "1e+21")),
        ("x=inf", equals("x", "inf")),
        ("x=1e999", equals("x", "1e999")),
        ("x=\u0661", equals("x", "\u0661")),
        ("num-cores>8", Condition("num-cores", "", ">", number=8)),
        ("num-cores>=8 ", Condition("num-cores", "", ">=", number=8)),
        ("x<-2.5", Condition("x", "", "<", number=-2.5)),
        ("/hardware/cores <= 1e3", Condition("cores", "/hardware/cores", "<=", number=1000)),
    ],
)
def test_condition_is_parsed(text: str, expected: Condition) -> None:
    assert Condition.parse(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "=", "arch", "arch=", "arch= ", "=sm_90", ">=8", "num-cores"),
        *("a==b", "a!=b", "a=>1", "a<>1", "a=~b", "a~=b", "a~b", "a=<1", "a>>1"),
        *("a=b|", "a=|", "a=b||c"),
        *("memory_bytes>=24gb", "memory_bytes=24 gb", "memory_bytes>=1 W", "num-cores>=8GiB"),
        *("x>fast", "x>", "x>=inf", "x>=nan", "x>=Infinity", "x<1e999", "x>0x10", "x>1_000"),
        *("x>\u0661", "x>.5", "x>1.", "x>--1", "x>" + "9" * 400),
        *("host/mcpu=x", "/a~2=x", "/a~=x"),
        *("a=\x00", "a=\x1f", "a=\u202e", "a\nb=c", "a=b\n", "a=\ud800", "a=\u00a0"),
        "a=" + "x" * MAX_CONDITION,
    ],
)
def test_invalid_condition_is_rejected(text: str) -> None:
    refused = refusal(lambda: Condition.parse(text))
    assert refused.code == Code.FILTER_INVALID
    (fault,) = refused.faults
    assert fault.expected == EXPECTED
    refused.detail.encode()


def test_error_of_an_ambiguous_unit_has_the_readings() -> None:
    detail = refusal(lambda: Condition.parse("memory_bytes>=24gb")).detail
    assert "24 GB or 24 GiB" in detail


def test_error_echoes_the_operator() -> None:
    assert "!=" in refusal(lambda: Condition.parse("a!=b")).detail


def test_at_most_five_conditions_are_accepted() -> None:
    texts = [f"x={number}" for number in range(MAX_CONDITIONS)]
    assert [condition.texts for condition in parse_conditions(texts)] == [
        (text[2:],) for text in texts
    ]
    refused = refusal(lambda: parse_conditions([*texts, "x=6"]))
    assert refused.code == Code.FILTER_INVALID
    assert re.search(r"6 conditions .* at most 5", refused.detail)
    assert parse_conditions([]) == ()


@given(st.text(), st.sampled_from(("", "=", "<", ">=", "~=")), st.text())
def test_any_text_is_parsed_or_rejected(subject: str, operator: str, value: str) -> None:
    try:
        condition = Condition.parse(subject + operator + value)
    except Refused as refused:
        codes = {refused.code, *(fault.code for fault in refused.faults)}
    else:
        codes = {Code.FILTER_INVALID}
        assert condition.operator in OPERATORS
        assert (condition.texts == ()) == (condition.operator != "=")
        assert (condition.number is None) == (condition.operator == "=")
    assert codes == {Code.FILTER_INVALID}


@given(targets, st.data())
def test_every_attribute_matches_its_own_condition(body: Json, data: st.DataObject) -> None:
    target: dict[str, Any] = target_of(body)
    attribute = data.draw(st.sampled_from(searchable_attributes(attributes(target))))
    assume(attribute.text[:1] not in "=<>!~")  # would be taken for more of the operator
    for subject in (attribute.name, attribute.pointer):
        assert holds(Condition.parse(f"{subject}={attribute.text}"), attribute)
        if attribute.number is not None:
            text = attribute.text
            assert holds(Condition.parse(f"{subject}>={text}"), attribute)
            assert holds(Condition.parse(f"{subject} <= {text}"), attribute)
            assert not holds(Condition.parse(f"{subject}>{text}"), attribute)
            assert not holds(Condition.parse(f"{subject}<{text}"), attribute)
