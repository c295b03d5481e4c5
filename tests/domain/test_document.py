import json

import pytest
from hypothesis import example, given, strategies as st

from registry.domain.document import (
    MAX_BYTES,
    MAX_INTEGER,
    MAX_NESTING,
    MAX_TOKEN,
    Json,
    parse_json,
    split_members,
)
from registry.domain.errors import Code, Refused, TextPosition
from tests.domain.builders import refusal
from tests.domain.strategies import documents


@given(documents)
def test_serialized_json_round_trips(document: Json) -> None:
    assert parse_json(json.dumps(document)) == document
    assert parse_json(json.dumps(document, ensure_ascii=False).encode()) == document


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60)))
@example("[" * 60_000)
@example("[" * 30_000 + "]" * 30_000)
@example('{"a":' * 10_000)
@example('"' + "\\\\" * 32_000)
@example('"' + '\\"' * 32_000)
@example("1" * 65_000)
@example("-" * 65_000)
@example('{"a":1,' * 9_000)
@example(json.dumps({"a" * 2_000: "b" * 2_000}) + "x")
@example("{" + ",".join(['"a":1'] * 10_000) + "}")
@example("{" + ",".join(f'"{n}":0,"{n}":1' for n in range(4_000)) + "}")
def test_any_text_is_parsed_or_rejected(text: bytes | str) -> None:
    try:
        parse_json(text)
    except Refused as error:
        refused = error
    else:
        return
    assert refused.code in (Code.JSON_INVALID, Code.TOO_DEEP, Code.TOO_LARGE)
    refused.detail.encode()
    for fault in refused.faults:
        fault.pointer.encode()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1"),
        ("{", "line 1, column 2"),
        ("{,}", "line 1, column 2"),
        ('{"a":1,}', "column"),
        ("[1,]", "column"),
        ("[1 2]", "column"),
        ("{'a':1}", "column"),
        ("{a:1}", "column"),
        ("[01]", "column"),
        ("[+1]", "column"),
        ("[.5]", "column"),
        ("[1.]", "column"),
        ("[0x10]", "column"),
        ("nul", "column"),
        ("[] []", "column"),
        ('["\t"]', "column"),
        ('["\\x41"]', "column"),
        ("\xa0[]", "column"),
        ("// c\n{}", "column"),
        ("\ufeff{}", "BOM"),
        ('{"a":"b', "does not end"),
        (b'\xef\xbb\xbf{"a":1}', "BOM"),
        (b'"\xff"', "byte 1 is not UTF-8"),
        (b'"\xed\xa0\x80"', "byte 1 is not UTF-8"),
        ('{"a":1}'.encode("utf-16"), "byte 0 is not UTF-8"),
        (json.dumps("x" * MAX_TOKEN), f"at most {MAX_TOKEN}"),
        ("9" * 5_000, f"at most {MAX_TOKEN}"),
    ],
)
def test_invalid_json_is_rejected(text: bytes | str, place: str) -> None:
    refused = refusal(lambda: parse_json(text))
    assert refused.code == Code.JSON_INVALID
    assert place in refused.detail


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        ('{"a":1,"a":1}', ["/a"]),
        ('{"a":1,"\\u0061":2}', ["/a"]),
        ('{"x":[{"b/c":1,"b/c":2}]}', ["/x/0/b~1c"]),
        ('{"a":1,"b":2,"a":3,"b":4,"c":5}', ["/a", "/b"]),
        ('{"a":NaN}', ["/a"]),
        ("[Infinity,-Infinity,1]", ["/0", "/1"]),
        ("[1e999,-1e999]", ["/0", "/1"]),
        ('{"":1e22}', ["/"]),
        ("9007199254740992", [""]),
        ("[-9007199254740992, 9007199254740993.0, 1e16]", ["/0", "/1", "/2"]),
        ("9" * 2_000, [""]),
        ("1" + "0" * 300, [""]),
        ('"\\ud800"', [""]),
        ('["\\udc00\\ud800"]', ["/0"]),
        ('{"\\ud800":1}', [""]),
        ('{"\\ud800":1,"\\ud800":2}', ["/?", ""]),
        ('{"\\ud800":[NaN]}', ["", "/?/0"]),
        ('{"a\\u0000b":1}', [""]),
        ('{"a":"\\u0000"}', ["/a"]),
        ('{"a":1,"a":2,"b":NaN}', ["/a", "/b"]),
    ],
)
def test_ambiguous_values_are_rejected(text: str, pointers: list[str]) -> None:
    refused = refusal(lambda: parse_json(text))
    assert refused.code == Code.JSON_INVALID
    assert [fault.pointer for fault in refused.faults] == pointers
    assert all(fault.expected and fault.message for fault in refused.faults)
    assert refused.faults[0].message in refused.detail


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (str(MAX_INTEGER), MAX_INTEGER),
        (str(-MAX_INTEGER), -MAX_INTEGER),
        ("9007199254740991.0", MAX_INTEGER),
        ("-0", 0),
        ("-0.0", 0),
        ("1e-999", 0),
        ("4.0", 4.0),
        ("0." + "1" * 2_000, 1 / 9),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\u2028\x7f"', "\u2028\x7f"),
        (" \t\r\n[ ]\n", []),
    ],
)
def test_extreme_valid_values_are_accepted(text: str, value: Json) -> None:
    assert parse_json(text) == value


def test_nesting_is_bounded() -> None:
    deepest = "[" * MAX_NESTING + "]" * MAX_NESTING
    assert parse_json(deepest)
    refused = refusal(lambda: parse_json(f"[{deepest}]"))
    assert refused.code == Code.TOO_DEEP
    assert str(MAX_NESTING) in refused.detail
    assert refusal(lambda: parse_json("[" * 60_000)).code == Code.TOO_DEEP
    assert parse_json(json.dumps(["[" * 200, {"{" * 200: "]"}]))


def test_size_is_bounded_in_bytes() -> None:
    rest = " " * (MAX_BYTES - 5)
    assert parse_json(f'"\xe9" {rest}'.encode()) == "\xe9"
    refused = refusal(lambda: parse_json(f'"\xe9"  {rest}'))
    assert refused.code == Code.TOO_LARGE
    assert str(MAX_BYTES) in refused.detail
    assert str(MAX_BYTES + 1) in refused.detail


# The request around a body


@pytest.mark.parametrize(
    ("text", "slices"),
    [
        ("{}", {}),
        (' { "a" : 1 } ', {"a": "1"}),
        ('{"":"","a":""}', {"": '""', "a": '""'}),
        (
            '{"a":{"a":[1,{"a":2}],"b":"}"},"b":[",",":"]}',
            {"a": '{"a":[1,{"a":2}],"b":"}"}', "b": '[",",":"]'},
        ),
        ('{"a":"\\"b\\":1,\\\\","c":"{"}', {"a": '"\\"b\\":1,\\\\"', "c": '"{"'}),
        ('{"\\u0061\\"":1e2 ,\n"b": 4.0}', {'a"': "1e2", "b": "4.0"}),
        ('{"a":{"x":1,"x":2}}', {"a": '{"x":1,"x":2}'}),
        ('{"a":NaN,"b": -0 }', {"a": "NaN", "b": "-0"}),
    ],
)
def test_members_are_returned_as_written(text: str, slices: dict[str, str]) -> None:
    assert split_members(text, max_bytes=1_000) == slices
    assert split_members(text.encode(), max_bytes=1_000) == slices


@given(st.dictionaries(st.text(max_size=4), documents, max_size=4), st.sampled_from([None, 2]))
def test_members_parse_to_the_values_of_the_object(
    members: dict[str, Json], indent: int | None
) -> None:
    cut = split_members(json.dumps(members, indent=indent), max_bytes=100_000)
    assert {key: json.loads(text) for key, text in cut.items()} == members


@pytest.mark.parametrize(
    "text", ["[]", "1", "null", '"{}"', "", "{", '{"a":1}}', '{"a":1,}', '{"a" 1}']
)
def test_a_request_must_be_an_object(text: str) -> None:
    assert refusal(lambda: split_members(text, max_bytes=100)).code == Code.JSON_INVALID


@pytest.mark.parametrize("text", ['{"a":1,"a":1}', '{"a":1,"b":2,"\\u0061":3}', '{"":1,"":2}'])
def test_a_duplicate_member_is_rejected(text: str) -> None:
    refused = refusal(lambda: split_members(text, max_bytes=100))
    assert refused.code == Code.JSON_INVALID
    assert "twice" in refused.detail


def test_limits_apply_to_the_body_without_its_request() -> None:
    deepest = "[" * MAX_NESTING + "]" * MAX_NESTING
    assert split_members(f'{{"target":{deepest}}}', max_bytes=1_000) == {"target": deepest}
    too_deep = f'{{"target":[{deepest}]}}'
    assert refusal(lambda: split_members(too_deep, max_bytes=1_000)).code == Code.TOO_DEEP
    assert refusal(lambda: split_members("{}" + " " * 99, max_bytes=100)).code == Code.TOO_LARGE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '{"a": 1, // one\n "b": 2}',
            "a comment (//), which JSON does not have, at line 1, column 10",
        ),
        ("// all of it\n{}", "a comment (//), which JSON does not have, at line 1, column 1"),
        ('{"a": /* x */ 1}', "a comment (/*), which JSON does not have, at line 1, column 7"),
        ("{}\n  # end", "a comment (#), which JSON does not have, at line 2, column 3"),
        ('{"a": 1,\n // last\n}', "a comment (//), which JSON does not have, at line 2, column 2"),
        ('{"a": 1,}', "a comma before }, where JSON has none, at line 1, column 8"),
        ('{"a": [1, 2,\n  ]}', "a comma before ], where JSON has none, at line 1, column 12"),
        ("[1 , ]", "a comma before ], where JSON has none, at line 1, column 4"),
        ("{,}", "a comma before }, where JSON has none, at line 1, column 2"),
    ],
)
def test_errors_name_comments_and_trailing_commas(text: str, words: str) -> None:
    refused = refusal(lambda: parse_json(text))
    assert refused.code == Code.JSON_INVALID
    assert refused.detail.endswith(f": {words}.")
    assert refused.place
    assert words.endswith(f"line {refused.place.line}, column {refused.place.column}")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", TextPosition(1, 1)),
        ('{"a": 1,\n "b" 2}', TextPosition(2, 6)),
        ('{"a":\n"b', TextPosition(2, 1)),
        ('[\n  "' + "x" * MAX_TOKEN + '"]', TextPosition(2, 3)),
        ("[\n" * 97, TextPosition(97, 1)),
        (b'"\xff"', None),
        (" " * (MAX_BYTES + 1), None),
    ],
)
def test_syntax_errors_have_line_and_column(text: bytes | str, place: TextPosition | None) -> None:
    assert refusal(lambda: parse_json(text)).place == place


@pytest.mark.parametrize(
    "text", ['{"a": "// no comment"}', '{"a": "# none /* here */"}', '{"a": ",}"}', '["x,", ","]']
)
def test_comments_and_commas_inside_strings_are_ignored(text: str) -> None:
    assert parse_json(text) == json.loads(text)
